"""Forms that change while they are filled in: what a draft becomes by a click, which step comes next, what is wrong in one.

A draft is a value; who stores it, and whose it is, is decided elsewhere. Nothing that a click carries is trusted: what
names no part of the form changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Draft
from blocks.forms.filled import Filled, read_form
from blocks.forms.layout import MOST_ROWS_EVER, Item, RowsFoot, changing, is_as_text, shown, shown_inputs
from blocks.forms.options import found, found_in
from blocks.forms.planning import form_of, plan_of
from blocks.forms.plans import Either, Fixed, Group, Input, Node, Path, Perhaps, Rows
from blocks.forms.rows import as_rows, as_text, why_not_switched, with_row, without_row
from blocks.forms.state import Values

ADD = "form:add:"
REMOVE = "form:remove:"
TEXT = "form:text:"
ROWS = "form:rows:"
BACK = "form:back"


def planned(schema: dict[str, Any]) -> None:
    """Makes the plan of a form, if there is none yet: for a huge schema that takes a second, and everything after it little."""
    form_of(schema)


def sources_of(schema: dict[str, Any]) -> frozenset[str]:
    """The sources that options of the form come from: they have to be loaded before it is searched in, read or redrawn."""
    return form_of(schema).sources


def is_redrawn(schema: dict[str, Any]) -> bool:
    """Whether the form changes while it is filled in, so that what was typed has to be remembered."""
    form = form_of(schema)
    return len(form.steps) > 1 or any(True for _ in changing(form.node))


def kept(draft: Draft, values: Values) -> Draft:
    """The draft with everything merged in that was typed in the view that is shown."""
    return draft.model_copy(update={"values": {**draft.values, **values}})


def turned(schema: dict[str, Any], draft: Draft, action_id: str, value: str | None, values: Values) -> Draft:
    """The draft after a click inside the form, with everything merged in that was typed in the view that is shown.

    `action_id` is what was pressed: another variant (`value` is the option's), one more row, a row less (`value` is its
    number), the list as text or as rows, back. What was typed into another variant stays in the draft; a row that is
    removed takes its values along.
    """
    draft = kept(draft, values)
    if action_id == BACK:
        return draft.model_copy(update={"step": max(draft.step - 1, 0)})
    for item in _items(schema, draft):
        if isinstance(item, Input) and item.redraws and action_id == item.action_id:
            chosen = None if value is None else {"value": value}
            return kept(draft, {item.block_id: {item.action_id: {"selected_option": chosen}}})
        if isinstance(item, RowsFoot) and (press := _PRESSES.get(action_id.removesuffix(item.rows.id))):
            return press(draft, item.rows, value)
    return draft


_PRESSES: dict[str, Callable[[Draft, Rows, str | None], Draft]] = {
    ADD: lambda draft, rows, _: with_row(draft, rows),
    REMOVE: without_row,
    TEXT: lambda draft, rows, _: as_text(draft, rows),
    ROWS: lambda draft, rows, _: as_rows(draft, rows),
}
SWITCHES = {TEXT: False, ROWS: True}


def why_not_turned(schema: dict[str, Any], draft: Draft, action_id: str) -> tuple[Problem, ...]:
    """What kept a list from being typed as text, or from standing in rows again, after that was asked for; else nothing."""
    for item in _items(schema, draft):
        if isinstance(item, RowsFoot):
            before = SWITCHES.get(action_id.removesuffix(item.rows.id))
            if before is not None and is_as_text(item.rows, draft.rows) is before:
                return why_not_switched(draft, item.rows)
    return ()


def _items(schema: dict[str, Any], draft: Draft) -> Iterator[Item]:
    """What the shown step shows."""
    for part in step_parts(schema, draft):
        yield from shown(part, draft.values, draft.rows)


def step_parts(schema: dict[str, Any], draft: Draft) -> tuple[Node, ...]:
    steps = form_of(schema).steps
    return steps[min(max(draft.step, 0), len(steps) - 1)] if steps else ()


def read_step(schema: dict[str, Any], draft: Draft) -> Filled:
    """What is wrong in the step that is shown; the value is that of the whole form up to there.

    What stands in later steps does not count yet: an object that may be left out is not begun by a default in one of them.
    """
    later = [part for step in form_of(schema).steps[draft.step + 1 :] for part in step]
    unseen = {plan.block_id for part in later for plan in shown_inputs(part, draft.values, draft.rows)}
    values = {block_id: state for block_id, state in draft.values.items() if block_id not in unseen}
    no_rows = {each.id: 0 for part in later for each in changing(part) if isinstance(each, Rows)}
    filled = read_form(schema, values, rows={**draft.rows, **no_rows})
    here = tuple(problem for problem in filled.problems if step_of(schema, problem) == draft.step)
    return Filled(filled.value, here)


def next_step(schema: dict[str, Any], draft: Draft) -> Draft | None:
    """The draft at the step after the one that is shown; `None` after the last."""
    further = draft.step + 1 < len(form_of(schema).steps)
    return draft.model_copy(update={"step": draft.step + 1}) if further else None


def step_of(schema: dict[str, Any], problem: Problem) -> int:
    """The step in which a problem can be mended: where its value is asked for; of the whole form, the last."""
    steps = form_of(schema).steps
    path = tuple(problem.path)
    nearest = [(_nearness(part, path), -number) for number, step in enumerate(steps) for part in step]
    best, number = max(nearest, default=(0, 0))
    return -number if best and path else max(len(steps) - 1, 0)


def _nearness(part: Node, path: Path) -> int:
    """How much of a path a part of a form accounts for: 0 is nothing; a part within what is wrong accounts for all of it."""
    own = path_of(part)
    if own is None:
        return 0
    if path[: len(own)] == own:
        return len(own) + 1
    return len(path) if own[: len(path)] == path else 0


def path_of(part: Node) -> Path | None:
    match part:
        case Input() | Group() | Rows():
            return part.place.path
        case Either():
            return part.selector.path
        case Perhaps():
            return path_of(part.node)
        case Fixed():
            return None


def is_outdated(schema: dict[str, Any], draft: Draft, values: Values) -> bool:
    """Whether the view in which `values` were typed does not show what the draft does: a click on it got lost, or is late."""
    inputs = {item.block_id for item in _items(schema, kept(draft, values)) if isinstance(item, Input)}
    return not inputs <= values.keys()


def asks_for_more(schema: dict[str, Any], values: Values) -> bool:
    """Whether something has to be filled in that was not in the view: what may be left empty counts as left empty."""
    inputs = [item for item in _items(schema, Draft(values=dict(values))) if isinstance(item, Input)]
    return any(not plan.optional and plan.block_id not in values for plan in inputs)


def suggestions(schema: dict[str, Any], block_id: str, typed: str) -> list[dict[str, Any]]:
    """Up to 100 options of a searchable select for what was typed so far, the best first; none for what is no such select."""
    plan = next((plan for plan in _searchable(plan_of(schema), block_id) if plan.block_id == block_id), None)
    if plan is None:
        return []
    return found_in(plan.source, typed) if plan.source else found(plan.options, typed)


def _searchable(node: Node, block_id: str) -> Iterator[Input]:
    """The inputs with options, those of rows included that may have been added."""
    match node:
        case Input() if node.options or node.source:
            yield node
        case Group():
            for _, member in node.members:
                yield from _searchable(member, block_id)
        case Either():
            for variant in node.variants:
                yield from _searchable(variant, block_id)
        case Rows():
            for number in _row_numbers(node, block_id):
                yield from _searchable(node.row(number, 0), block_id)
        case Perhaps():
            yield from _searchable(node.node, block_id)


def _row_numbers(rows: Rows, block_id: str) -> Sequence[int]:
    """Which rows an input may stand in: its id says so, unless it was too long to be readable."""
    number = block_id.removeprefix(f"{rows.id}/").partition("/")[0].partition("|")[0]
    if block_id.startswith(f"{rows.id}/") and number.isascii() and number.isdigit():
        return [int(number)] if int(number[:4]) < MOST_ROWS_EVER else []
    return range(MOST_ROWS_EVER) if "~" in block_id else []
