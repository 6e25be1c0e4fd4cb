"""What a form shows at a moment: its steps, and in each the inputs of the chosen variants and of the rows that are there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from blocks.forms.plans import Either, Fixed, Group, Input, Node, Perhaps, Rows, weight_of
from blocks.forms.state import Values, chosen_variant

ONE_STEP = 25
"""Up to so many blocks stand in one modal; more of them are spread over steps."""
A_STEP = 18
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
    """Stands below a list of rows: a further row can be added, or not."""

    rows: Rows
    can_add: bool


Item = Input | RowsHead | RowHead | RowsFoot


def steps_of(node: Node) -> tuple[tuple[Node, ...], ...]:
    """The parts that each step shows. They depend on the schema alone, so that nothing moves while a form is filled in."""
    chunks = [tuple(_parts(member)) for member in _members(node)]
    if sum(map(_weight, chunks)) <= ONE_STEP:
        return (tuple(part for chunk in chunks for part in chunk),)
    steps: list[list[Node]] = []
    room = 0
    for piece in (piece for chunk in chunks for piece in _pieces(chunk)):
        if not steps or _weight(piece) > room:
            steps.append([])
            room = A_STEP
        steps[-1] += piece
        room -= _weight(piece)
    return tuple(tuple(step) for step in steps)


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
    yield from [chunk] if _weight(chunk) <= A_STEP else ((part,) for part in chunk)


def _weight(chunk: tuple[Node, ...]) -> int:
    return sum(map(weight_of, chunk))


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
            yield RowsHead(node)
            present = numbers_of(node, rows)
            for position, number in enumerate(present):
                yield RowHead(node, number, position)
                yield from shown(node.row(number, position), values, rows)
            yield RowsFoot(node, can_add=can_add(node, rows))
        case Perhaps():
            yield from shown(node.node, values, rows)
            yield node.none
        case Fixed():
            return


def shown_inputs(node: Node, values: Values, rows: RowCounts) -> Iterator[Input]:
    return (item for item in shown(node, values, rows) if isinstance(item, Input))


def numbers_of(node: Rows, rows: RowCounts) -> list[int]:
    """The rows that are there, by the numbers that they keep."""
    ever = min(max(rows.get(node.id, node.first), 0), MOST_ROWS_EVER)
    return [number for number in range(ever) if rows.get(removed_key(node, number), 1)][: node.most]


def removed_key(node: Rows, number: int) -> str:
    """Where a draft notes that a row was removed."""
    return f"{node.id}#{number}"


def can_add(node: Rows, rows: RowCounts) -> bool:
    return len(numbers_of(node, rows)) < node.most and rows.get(node.id, node.first) < MOST_ROWS_EVER
