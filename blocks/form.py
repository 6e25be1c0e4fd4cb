"""Modals that ask: for an answer, for a choice among many, for an action's input; and reading what came back.

A form is made from a JSON Schema alone (`fields` plans it, `inputs` draws it, `filled` reads it), so that a shape which
arrives as plain JSON Schema is asked for in the same way as one that an author declared.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from actions.kit.records import Card, Choice, Draft, Problem, Shape
from blocks.choices import click_value, to_text
from blocks.data import facts_of
from blocks.fields import plan_of
from blocks.filled import Filled, Values, option_number, read_form
from blocks.inputs import input_block, options_for, select
from blocks.plans import ACTION_ID, Either, Fixed, Group, Input, Node, inputs_of
from blocks.summary import QUESTION, facts_blocks, question_blocks, summarise
from blocks.text import clip, plain
from blocks.values import BENEATH, humanise
from blocks.views import form_modal, modal, notice_view
from blocks.votes import votes_blocks

__all__ = [
    "Filled",
    "answer_view",
    "choose_view",
    "chosen",
    "details_view",
    "field_errors",
    "form_blocks",
    "input_view",
    "is_redrawn",
    "kept",
    "next_step",
    "notice_view",
    "read_form",
    "read_step",
    "step_of",
    "suggestions",
    "turned",
]

CHOOSER = "choice"
ERROR = 300
PASSAGE_IN_MODAL = 400
ALL_FACTS = 100
ALL_PASSAGES = 12
ALL_OF_A_PASSAGE = 5_000


def form_blocks(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The input blocks of a form, in the order of the schema's properties; none where nothing needs to be asked."""
    return [input_block(plan) for plan in inputs_of(plan_of(schema))]


def is_redrawn(schema: dict[str, Any]) -> bool:  # noqa: ARG001  (no form is redrawn yet)
    """Whether the form changes while it is filled in, so that what was typed has to be remembered."""
    return False


def kept(draft: Draft, values: Values) -> Draft:
    """The draft with everything merged in that was typed in the view that is shown."""
    return draft.model_copy(update={"values": {**draft.values, **values}})


def turned(schema: dict[str, Any], draft: Draft, action_id: str, value: str | None, values: Values) -> Draft:  # noqa: ARG001  (as above)
    """The draft after a click inside the form: what was pressed (`action_id`, `value`), everything typed merged in."""
    return kept(draft, values)


def read_step(schema: dict[str, Any], draft: Draft) -> Filled:
    """What is wrong in the step that is shown; its value is that of the whole form so far."""
    return read_form(schema, draft.values, rows=draft.rows)


def next_step(schema: dict[str, Any], draft: Draft) -> Draft | None:  # noqa: ARG001  (as above)
    """The draft at the step after the one that is shown; `None` after the last."""
    return None


def step_of(schema: dict[str, Any], problem: Problem) -> int:  # noqa: ARG001  (as above)
    """The step in which a problem can be mended."""
    return 0


def suggestions(schema: dict[str, Any], block_id: str, typed: str, values: Values) -> list[dict[str, Any]]:  # noqa: ARG001  (as above)
    """Up to 100 options of a searchable select for what was typed so far, the best first."""
    return []


def answer_view(
    card: Card,
    choice: Choice,
    draft: Draft | None = None,  # noqa: ARG001  (as above)
    *,
    draft_id: str | None = None,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The modal for a choice with a form: the question and the facts again, what others answered so far, then the inputs.

    It shows the step of `draft`, filled in as far as the draft knows; `problems` stand in words at its top.
    """
    about = summarise(card.interrupt.message, card.interrupt.shown, passage=PASSAGE_IN_MODAL).blocks
    explained = [text for text in (choice.description, choice.confirm.text if choice.confirm else None) if text]
    blocks = [
        *problem_blocks(choice.json_schema, problems),
        *about,
        *votes_blocks(card),
        {"type": "divider"},
        *({"type": "section", "text": plain(text)} for text in explained),
        *form_blocks(choice.json_schema),
    ]
    carried = {"interrupt": card.interrupt.id, "version": card.interrupt.content_version, "choice": choice.key}
    metadata = to_text(_with_draft(carried, draft_id))
    return form_modal(choice.title, blocks, callback_id="answer", metadata=metadata, submit=choice.title)


def _with_draft(carried: dict[str, Any], draft_id: str | None) -> dict[str, Any]:
    return {**carried, "draft": draft_id} if draft_id else carried


def problem_blocks(schema: dict[str, Any], problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """What is wrong, in words, for the top of a form: nothing where nothing is."""
    errors = field_errors(schema, problems).values() if problems else ()
    return [{"type": "section", "text": plain(text)} for text in errors]


def choose_view(card: Card) -> dict[str, Any]:
    """The modal for more choices than a card has room for. Its metadata name no choice: `chosen` reads it."""
    choices = card.interrupt.shape.choices
    options = options_for([choice.title for choice in choices], [choice.description for choice in choices])
    block = {
        "type": "input",
        "block_id": CHOOSER,
        "label": plain("Your answer"),
        "element": {**select(options), "action_id": ACTION_ID},
    }
    about = summarise(card.interrupt.message, card.interrupt.shown, passage=PASSAGE_IN_MODAL).blocks
    metadata = click_value(card.interrupt, "")
    return form_modal(
        "Answer", [*about, *votes_blocks(card), block], callback_id="answer", metadata=metadata, submit="Answer"
    )


def chosen(shape: Shape, values: Values) -> Choice | None:
    """The choice that was made in the modal of `choose_view`; `None` for anything else."""
    try:
        number = int(values[CHOOSER][ACTION_ID]["selected_option"]["value"])
    except (KeyError, TypeError, ValueError):
        return None
    return shape.choices[number] if 0 <= number < len(shape.choices) else None


def input_view(
    action_id: str,
    action_name: str,
    description: str,
    input_schema: dict[str, Any],
    *,
    channel: str | None,
    nonce: str,
    draft: Draft | None = None,  # noqa: ARG001  (as above)
    draft_id: str | None = None,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The modal that starts an action. `nonce` comes back with it, so that a repeated submission starts nothing twice.

    `draft`, `draft_id` and `problems` as in `answer_view`.
    """
    about = {"type": "section", "text": plain(description, QUESTION)}
    metadata = to_text(_with_draft({"action": action_id, "channel": channel, "nonce": nonce}, draft_id))
    blocks = [*problem_blocks(input_schema, problems), about, *form_blocks(input_schema)]
    return form_modal(action_name, blocks, callback_id="start", metadata=metadata, submit="Start")


def details_view(card: Card) -> dict[str, Any]:
    """Everything that the card had to cut, as far as a modal holds it."""
    found = facts_of(card.interrupt.shown, facts=ALL_FACTS, passages=ALL_PASSAGES)
    blocks = [*question_blocks(card.interrupt.message), *facts_blocks(found, passage=ALL_OF_A_PASSAGE)]
    return modal(card.run.action_name, blocks, close="Close")


def field_errors(
    schema: dict[str, Any],
    problems: Sequence[Problem],
    values: Values | None = None,
    *,
    draft: Draft | None = None,  # noqa: ARG001  (as above)
) -> dict[str, str]:
    """Each problem at the input that caused it, as Slack wants them: block id to text.

    A problem of a whole object goes to its first input; one that belongs to no input goes to the first of all, led by
    its path. With `values`, problems within a union go to the variant that was chosen. Empty if the form has no inputs:
    then nothing can be shown in it.
    """
    inputs = list(_shown(plan_of(schema), values))
    errors: dict[str, list[str]] = {}
    for problem in problems:
        if inputs:
            block_id, text = _placed(problem, inputs)
            errors.setdefault(block_id, []).append(text)
    return {block_id: clip("; ".join(dict.fromkeys(texts)), ERROR) for block_id, texts in errors.items()}


def _shown(node: Node, values: Values | None) -> Iterator[Input]:
    """The inputs that problems may land on; of a union, those of the chosen variant, then the selector."""
    match node:
        case Input():
            yield node
        case Group():
            for _, member in node.members:
                yield from _shown(member, values)
        case Either():
            number = None if values is None else option_number(node.selector, values)
            yield from _shown(node.variants[number], values) if number is not None else ()
            yield node.selector
            if values is None:
                yield from (plan for variant in node.variants for plan in _shown(variant, values))
        case Fixed():
            return


def _placed(problem: Problem, inputs: list[Input]) -> tuple[str, str]:
    path = tuple(problem.path)
    if exact := next((plan for plan in inputs if plan.path == path), None):
        return exact.block_id, problem.message
    above = max((plan for plan in inputs if path[: len(plan.path)] == plan.path), key=_depth, default=None)
    if above:
        return above.block_id, _led(path[len(above.path) :], problem.message)
    if below := next((plan for plan in inputs if path and plan.path[: len(path)] == path), None):
        return below.block_id, _led(path[-1:], problem.message)
    return inputs[0].block_id, _led(path, problem.message)


def _depth(plan: Input) -> int:
    return len(plan.path)


def _led(path: tuple[str | int, ...], message: str) -> str:
    """A message led by where it belongs: "entry 3" of a list, the words of a path."""
    parts = [f"entry {part + 1}" if isinstance(part, int) else humanise(part) for part in path]
    return f"{BENEATH.join(parts)}: {message}" if parts else message
