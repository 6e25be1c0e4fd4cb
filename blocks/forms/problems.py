"""Every problem at the input that caused it, as Slack wants them: block id to text."""

from collections.abc import Sequence
from typing import Any

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Draft
from blocks.forms.drafts import step_parts
from blocks.forms.layout import shown_inputs
from blocks.forms.lines import read_entries
from blocks.forms.plans import Input, Kind, Path
from blocks.forms.state import Values, raw_of
from blocks.text import clip
from blocks.values import BENEATH, humanise

ERROR = 300
TOLD = 1_500


def field_errors(
    schema: dict[str, Any], problems: Sequence[Problem], values: Values | None = None, *, draft: Draft | None = None
) -> dict[str, str]:
    """Each problem at an input of the shown step: block id to text.

    A problem of a whole object goes to its first input; one that belongs to no input that is shown goes to the first of
    all, led by its path. `values` are those of the submitted view: nothing lands on a block that it did not have. Empty if
    the view has no inputs: then nothing can be shown in it.
    """
    draft = draft or Draft(values=dict(values or {}))
    inputs = [
        plan
        for part in step_parts(schema, draft)
        for plan in shown_inputs(part, draft.values, draft.rows)
        if not values or plan.block_id in values
    ]
    errors: dict[str, list[str]] = {}
    for problem in problems if inputs else ():
        block_id, text = _placed(problem, inputs, draft.values)
        errors.setdefault(block_id, []).append(text)
    return {block_id: clip("; ".join(dict.fromkeys(texts)), ERROR) for block_id, texts in errors.items()}


def problem_words(problems: Sequence[Problem]) -> str:
    """Problems for the top of a form, a line each, led by where they belong."""
    lines = [_led(tuple(problem.path), problem.message) for problem in problems]
    return clip("\n".join(dict.fromkeys(lines)), TOLD)


def _placed(problem: Problem, inputs: list[Input], values: Values) -> tuple[str, str]:
    path = tuple(problem.path)
    if above := _closest(path, inputs):
        return above.block_id, _led(path[len(above.path) :], problem.message, above, values)
    if below := next((plan for plan in inputs if path and plan.path[: len(path)] == path), None):
        return below.block_id, _led(path[-1:], problem.message)
    return inputs[0].block_id, _led(path, problem.message)


def _closest(path: Path, inputs: list[Input]) -> Input | None:
    """The input of the value itself, or of the nearest value that it is a part of; a variant's sooner than its selector."""
    around = [plan for plan in inputs if path[: len(plan.path)] == plan.path]
    return max(around, key=lambda plan: (len(plan.path), not plan.redraws), default=None)


def _led(path: Path, message: str, plan: Input | None = None, values: Values | None = None) -> str:
    """A message led by where it belongs: the line of a text, "entry 3" of a list, the words of a path."""
    parts = [f"entry {part + 1}" if isinstance(part, int) else humanise(part) for part in path]
    if plan and path and isinstance(path[0], int) and (line := _line_of(path[0], plan, values or {})):
        parts[0] = f"line {line}"
    return f"{BENEATH.join(parts)}: {message}" if parts else message


def _line_of(index: int, plan: Input, values: Values) -> int | None:
    """The line in which an entry of a list was typed."""
    raw = raw_of(plan, values)
    if not isinstance(raw, str):
        return None
    lines: Sequence[int] = ()
    if plan.kind is Kind.LINES:
        lines = [number for number, line in enumerate(raw.splitlines(), start=1) if line.strip()]
    elif plan.kind is Kind.ENTRIES:
        lines = read_entries(plan, raw).lines
    return lines[index] if index < len(lines) else None
