"""Modals that ask: for an answer, for a choice among many, for an action's input; and reading what came back.

A form is made from a JSON Schema alone (see `blocks.forms`), so that a shape which arrives as plain JSON Schema is asked
for in the same way as one that an author declared. A form that changes while it is filled in (a union, a list of objects,
several steps) is drawn from a `Draft`, which the caller keeps; what a click makes of it, `turned` says.
"""

from collections.abc import Sequence
from typing import Any

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Card, Choice, Draft, Shape
from blocks import limits
from blocks.acts import ActForm
from blocks.choices import click_value, to_text
from blocks.forms.drafts import (
    BACK,
    asks_for_more,
    is_outdated,
    is_redrawn,
    kept,
    next_step,
    planned,
    read_step,
    sources_of,
    step_of,
    suggestions,
    turned,
    why_not_turned,
)
from blocks.forms.drawing import bytes_of, form_blocks, is_too_much, progress_blocks
from blocks.forms.filled import Filled, read_form
from blocks.forms.given import given_draft
from blocks.forms.options import option, select, told_apart
from blocks.forms.plans import ACTION_ID
from blocks.forms.problems import field_errors, problem_words
from blocks.forms.state import Values
from blocks.submissions import ActTarget
from blocks.summary import QUESTION, question_blocks, summarise
from blocks.text import plain
from blocks.views import form_modal, notice_view
from blocks.votes import votes_blocks

__all__ = [
    "BACK",
    "Filled",
    "act_view",
    "answer_view",
    "asks_for_more",
    "choose_view",
    "chosen",
    "field_errors",
    "form_blocks",
    "given_draft",
    "input_view",
    "is_outdated",
    "is_redrawn",
    "is_too_much",
    "kept",
    "next_step",
    "notice_view",
    "planned",
    "read_form",
    "read_step",
    "sources_of",
    "step_of",
    "suggestions",
    "turned",
    "why_not_turned",
]

CHOOSER = "choice"
PASSAGE_IN_MODAL = 400
ROOM = limits.VIEW_BYTES - 5_000
"""Bytes for blocks: title, buttons and metadata take up to 4,000 more."""


def answer_view(
    card: Card,
    choice: Choice,
    draft: Draft | None = None,
    *,
    draft_id: str | None = None,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The modal for a choice with a form: the question and the facts again, what others answered so far, then the inputs.

    It shows the step of `draft`, filled in as far as the draft knows; `problems` stand in words at its top. `draft_id`
    comes back with whatever is pressed in it. From the second step on, the question alone stands above.
    """
    carried = {"interrupt": card.interrupt.id, "version": card.interrupt.content_version, "choice": choice.key}
    about = _about(card, choice) if _is_first(draft) else question_blocks(card.interrupt.message)[:1]
    blocks = _with_room(about, _form(choice.json_schema, draft, problems))
    metadata, submit = _carrying(carried, draft_id), _submit(choice.json_schema, draft, choice.title)
    return form_modal(choice.title, blocks, callback_id="answer", metadata=metadata, submit=submit)


def act_view(
    card: Card,
    target: ActTarget,
    form: ActForm,
    draft: Draft | None = None,
    *,
    draft_id: str | None = None,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The modal for what an act asks for, below the question. `draft`, `draft_id` and `problems` as in `answer_view`."""
    explained = [{"type": "section", "text": plain(form.explained)}] if form.explained and _is_first(draft) else []
    about = [*question_blocks(card.interrupt.message)[:1], *explained]
    blocks = _with_room(about, _form(form.schema, draft, problems))
    carried = {"act": target.verb, "interrupt": target.interrupt_id, "version": target.content_version}
    metadata, submit = _carrying(carried, draft_id), _submit(form.schema, draft, form.submit)
    return form_modal(form.title, blocks, callback_id="act", metadata=metadata, submit=submit)


def _about(card: Card, choice: Choice) -> list[dict[str, Any]]:
    explained = [text for text in (choice.description, choice.confirm.text if choice.confirm else None) if text]
    return [
        *summarise(card, passage=PASSAGE_IN_MODAL, in_view=True).blocks,
        *votes_blocks(card),
        {"type": "divider"},
        *({"type": "section", "text": plain(text)} for text in explained),
    ]


def _is_first(draft: Draft | None) -> bool:
    return draft is None or draft.step < 1


def _form(schema: dict[str, Any], draft: Draft | None, problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Which step it is, what is wrong with it so far, and its inputs."""
    told = [{"type": "section", "text": plain(f"⚠️ {problem_words(problems)}")}] if problems else []
    return [*progress_blocks(schema, draft), *told, *form_blocks(schema, draft)]


def _with_room(about: list[dict[str, Any]], form: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The form whole, below as much of what it is about as the modal has room for."""
    about, room = about[: limits.VIEW_BLOCKS - len(form)], ROOM - bytes_of(form)
    while about and bytes_of(about) > room:
        about = about[:-1]
    return [*about, *form]


def _submit(schema: dict[str, Any], draft: Draft | None, title: str) -> str:
    return title if next_step(schema, draft or Draft()) is None else "Next"


def _carrying(carried: dict[str, Any], draft_id: str | None) -> str:
    return to_text({**carried, "draft": draft_id} if draft_id else carried)


def choose_view(card: Card) -> dict[str, Any]:
    """The modal for more choices than a card has room for. Its metadata name no choice: `chosen` reads it."""
    choices = card.interrupt.shape.choices
    titles = told_apart(choice.title for choice in choices)
    options = [option(title, number, choices[number].description) for number, title in enumerate(titles)]
    block = {
        "type": "input",
        "block_id": CHOOSER,
        "label": plain("Your answer"),
        "element": {**select(options), "action_id": ACTION_ID},
    }
    about = summarise(card, passage=PASSAGE_IN_MODAL, in_view=True).blocks
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
    draft: Draft | None = None,
    draft_id: str | None = None,
    problems: Sequence[Problem] = (),
) -> dict[str, Any]:
    """The modal that starts an action. `nonce` comes back with it, so that a repeated submission starts nothing twice.

    `draft`, `draft_id` and `problems` as in `answer_view`.
    """
    about = [{"type": "section", "text": plain(description, QUESTION)}] if _is_first(draft) else []
    blocks = _with_room(about, _form(input_schema, draft, problems))
    metadata = _carrying({"action": action_id, "channel": channel, "nonce": nonce}, draft_id)
    submit = _submit(input_schema, draft, "Start")
    return form_modal(action_name, blocks, callback_id="start", metadata=metadata, submit=submit)
