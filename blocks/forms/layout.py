"""What a form shows at a moment: its steps, and in each the inputs of the chosen variants and of the rows that are there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from blocks.forms.plans import Either, Fixed, Group, Input, Node, Perhaps, Rows, weight_of
from blocks.forms.state import Values, chosen_variant

ONE_STEP = 25
"""Up to so many blocks stand in one modal; more of them are spread over steps."""
A_STEP = 18
MOST_BLOCKS = 70
"""What the inputs of a step may come to when every list in it is full: the rest of the modal's 100 is for the question."""
USUAL_ROWS = 3
MOST_ROWS_EVER = 100
"""Rows that are ever added to a list, those included that were removed again."""

RowCounts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RowHead:
    """Stands above the inputs of a row."""

    rows: Rows
    number: int
    position: int


@dataclass(frozen=True, slots=True)
class RowsHead:
    """Stands above a list of rows."""

    rows: Rows


@dataclass(frozen=True, slots=True)
class RowsFoot:
    """Stands below a list of rows: a further row can be added, or the entries be typed as text, or as rows again."""

    rows: Rows
    offers: Literal["row", "text", "rows"] | None


Item = Input | RowsHead | RowHead | RowsFoot


def steps_of(node: Node) -> tuple[tuple[Node, ...], ...]:
    """The parts that each step shows. They depend on the schema alone, so that nothing moves while a form is filled in."""
    chunks = [tuple(_parts(member)) for member in _members(node)]
    whole = tuple(part for chunk in chunks for part in chunk)
    if _fits(whole, ONE_STEP):
        return (whole,)
    steps: list[tuple[Node, ...]] = [()]
    for piece in (piece for chunk in chunks for piece in _pieces(chunk)):
        if not steps[-1] or _fits((*steps[-1], *piece), A_STEP):
            steps[-1] += piece
        else:
            steps.append(piece)
    return tuple(steps)


def _fits(parts: tuple[Node, ...], usual: int) -> bool:
    """Whether a person takes them in at once, and Slack even with every list full."""
    return sum(weight_of(part, USUAL_ROWS) for part in parts) <= usual and sum(map(weight_of, parts)) <= MOST_BLOCKS


def _members(node: Node) -> Iterator[Node]:
    yield from (member for _, member in node.members) if isinstance(node, Group) else (node,)


def _parts(node: Node) -> Iterator[Node]:
    """What cannot be spread over steps: everything but objects."""
    if not isinstance(node, Group):
        yield node
        return
    for _, member in node.members:
        yield from _parts(member)


def _pieces(chunk: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """What belongs together stays together, unless a step has no room for it."""
    yield from [chunk] if _fits(chunk, A_STEP) else ((part,) for part in chunk)


def shown(node: Node, values: Values, rows: RowCounts) -> Iterator[Item]:
    """What a part shows, in order."""
    match node:
        case Input():
            yield node
        case Group():
            for _, member in node.members:
                yield from shown(member, values, rows)
        case Either():
            yield node.selector
            number = chosen_variant(node.selector, values)
            if number is not None:
                yield from shown(node.variants[number], values, rows)
        case Rows():
            yield from [node.text] if is_as_text(node, rows) else _rows_shown(node, values, rows)
            yield RowsFoot(node, _offered(node, rows))
        case Perhaps():
            yield from shown(node.node, values, rows)
            yield node.none
        case Fixed():
            return


def _rows_shown(node: Rows, values: Values, rows: RowCounts) -> Iterator[Item]:
    yield RowsHead(node)
    for position, number in enumerate(numbers_of(node, rows)):
        yield RowHead(node, number, position)
        yield from shown(node.row(number, position), values, rows)


def _offered(node: Rows, rows: RowCounts) -> Literal["row", "text", "rows"] | None:
    """Where no row has room any more, there may be more entries as text."""
    if is_as_text(node, rows):
        return "rows"
    if can_add(node, rows):
        return "row"
    return "text" if node.schema.get("maxItems", node.most + 1) > node.most else None


def is_as_text(node: Rows, rows: RowCounts) -> bool:
    """Whether the entries of a list are typed as text by now."""
    return bool(rows.get(node.text.block_id))


def changing(node: Node) -> Iterator[Either | Rows]:
    """What makes a form change while it is filled in."""
    match node:
        case Either() | Rows():
            yield node
        case Group():
            for _, member in node.members:
                yield from changing(member)
        case Perhaps():
            yield from changing(node.node)


def shown_inputs(node: Node, values: Values, rows: RowCounts) -> Iterator[Input]:
    return (item for item in shown(node, values, rows) if isinstance(item, Input))


def numbers_of(node: Rows, rows: RowCounts) -> list[int]:
    """The rows that are there, by the numbers that they keep."""
    ever = min(max(rows.get(node.id, node.first), 0), MOST_ROWS_EVER)
    return [number for number in range(ever) if rows.get(removed_key(node, number), 1)][: node.most]


def removed_key(node: Rows, number: int | str) -> str:
    """Where a draft notes that a row was removed."""
    return f"{node.id}#{number}"


def can_add(node: Rows, rows: RowCounts) -> bool:
    return len(numbers_of(node, rows)) < node.most and rows.get(node.id, node.first) < MOST_ROWS_EVER
