"""Buttons: a button per choice of an interrupt, and per order that people may give a run. None of what they carry is authority."""

import json
from typing import Any, Literal

from actions.kit.records.interrupts import Card, Choice, Confirm, InterruptRecord, Shape
from actions.kit.records.runs import RunRecord, RunStatus
from blocks import limits
from blocks.forms.options import told_apart
from blocks.text import clip, one_line, plain, width

BUTTONS = 5
"""More choices than this are one button that opens a select."""

Verb = Literal[
    "run_again", "it_happened", "it_did_not", "deliver_again", "cancel", "nudge", "ask_again", "show_all", "revoke"
]

ORDER_TITLES: dict[Verb, str] = {
    "run_again": "Run again",
    "it_happened": "It happened",
    "it_did_not": "It did not",
    "deliver_again": "Deliver again",
    "cancel": "Cancel",
    "nudge": "Nudge",
    "ask_again": "Ask again…",
    "show_all": "Show all",
    "revoke": "Revoke",
}
ORDER_CONFIRMS: dict[Verb, Confirm] = {
    "run_again": Confirm(
        title="Run again?",
        text="The action runs from the top with the answer that was given. What it did before may happen a second time.",
        confirm="Run again",
        deny="Back",
    ),
    "it_happened": Confirm(
        title="It happened?",
        text="The run ends as done, without a result, marked by you. The action does not run again.",
        confirm="It happened",
        deny="Back",
    ),
    "it_did_not": Confirm(
        title="It did not happen?",
        text="The run ends as failed, marked by you. It can be run again afterwards.",
        confirm="It did not",
        deny="Back",
    ),
    "cancel": Confirm(
        title="Cancel this run?",
        text="It ends as cancelled, by you, and the requester is told. It cannot be run again.",
        confirm="Cancel it",
        deny="Back",
    ),
    "revoke": Confirm(
        title="Revoke this grant?",
        text="From now on people are asked again, each time. Its holder and those who approved it are told.",
        confirm="Revoke",
        deny="Back",
    ),
}
CALL_CONFIRMS: dict[Verb, Confirm] = {
    "run_again": Confirm(
        title="Run again?",
        text="The call that was cut off is executed again; it may happen a second time. What ended before it is not repeated.",
        confirm="Run again",
        deny="Back",
    ),
    "it_happened": Confirm(
        title="It happened?",
        text="The call that was cut off counts as done, marked by you, and the run goes on after it.",
        confirm="It happened",
        deny="Back",
    ),
    "it_did_not": Confirm(
        title="It did not happen?",
        text="The call that was cut off counts as failed, marked by you, and the run goes on with that.",
        confirm="It did not",
        deny="Back",
    ),
}
"""For a run that stalled at a call of its own."""
BRIEF_CONFIRMS: dict[Verb, dict[str, str]] = {
    "run_again": {"title": "Run again?", "text": "It may happen twice.", "confirm": "Yes", "deny": "No"},
    "it_happened": {"title": "It happened?", "text": "It counts as done.", "confirm": "Yes", "deny": "No"},
    "it_did_not": {"title": "It did not?", "text": "It counts as failed.", "confirm": "Yes", "deny": "No"},
}
"""The same in the fewest words, for a card without room for more."""
WITHDRAW = "Withdraw"
WITHDRAW_CONFIRM = Confirm(
    title="Withdraw this request?",
    text="It ends as cancelled, by you, and everybody is told; where others asked for the same, it goes on for them. "
    "It cannot be taken back, but asked again.",
    confirm="Withdraw",
    deny="Back",
)
WHAT_CAN_BE_DONE = "What can be done"


def choice_buttons(card: Card) -> list[dict[str, Any]]:
    """The buttons that answer, in the order of the choices: `choice:<n>`, or one `choose` where there are too many."""
    choices = card.interrupt.shape.choices
    if len(choices) > BUTTONS:
        value = click_value(card.interrupt, "")
        return [{"type": "button", "action_id": "choose", "text": plain("Answer…"), "style": "primary", "value": value}]
    titles = told_apart(choice.title for choice in choices)
    return [_choice_button(card.interrupt, *each) for each in zip(range(BUTTONS), titles, choices, strict=False)]


def _choice_button(interrupt: InterruptRecord, number: int, title: str, choice: Choice) -> dict[str, Any]:
    button = {
        "type": "button",
        "action_id": f"choice:{number}",
        "text": plain(title, limits.BUTTON_TEXT),
        "value": click_value(interrupt, choice.key),
    }
    if choice.style:
        button["style"] = choice.style
    if choice.confirm and not choice.has_form:
        button["confirm"] = confirm_dialog(choice.confirm, choice.style)
    return button


def are_titles_cut(shape: Shape) -> bool:
    """Whether a button says less than the title of its choice."""
    return any(width(one_line(choice.title)) > limits.BUTTON_TEXT for choice in shape.choices)


def confirm_dialog(confirm: Confirm, style: str | None = None) -> dict[str, Any]:
    dialog: dict[str, Any] = {
        "title": plain(one_line(confirm.title), limits.CONFIRMATION_TITLE),
        "text": plain(confirm.text, limits.CONFIRMATION_TEXT),
        "confirm": plain(one_line(confirm.confirm), limits.CONFIRMATION_CONFIRM),
        "deny": plain(one_line(confirm.deny), limits.CONFIRMATION_DENY),
    }
    return {**dialog, "style": style} if style else dialog


def click_value(interrupt: InterruptRecord, key: str) -> str:
    """What a click brings back: which interrupt, which content of it the person saw, which choice."""
    return to_text({"interrupt": interrupt.id, "version": interrupt.content_version, "choice": key})


def order_button(
    run: RunRecord,
    verb: Verb,
    *,
    interrupt_id: str | None = None,
    style: str | None = None,
    label: str | None = None,
    is_brief: bool = False,
) -> dict[str, Any]:
    """A button for an order about a run, guarded by the epoch that the person saw. `label` is what a screen reader says."""
    value: dict[str, Any] = {"order": verb, "run": run.id, "epoch": run.epoch}
    if interrupt_id is not None:
        value["interrupt"] = interrupt_id
    button: dict[str, Any] = {
        "type": "button",
        "action_id": f"order:{verb}",
        "text": plain(ORDER_TITLES[verb]),
        "value": to_text(value),
    }
    if label:
        button["accessibility_label"] = clip(one_line(label), limits.BUTTON_ACCESSIBILITY_LABEL)
    if style:
        button["style"] = style
    if is_brief:
        button["confirm"] = {
            part: {"type": "plain_text", "text": words} for part, words in BRIEF_CONFIRMS[verb].items()
        }
    elif confirm := (_is_in_doubt(run) and CALL_CONFIRMS.get(verb)) or ORDER_CONFIRMS.get(verb):
        button["confirm"] = confirm_dialog(confirm, style)
    return button


def withdraw_buttons(run: RunRecord) -> list[dict[str, Any]]:
    """The order to cancel, as it is offered to whoever asked: what they take back is their own."""
    told = {"text": plain(WITHDRAW), "confirm": confirm_dialog(WITHDRAW_CONFIRM)}
    return [] if run.is_by_bot else [order_button(run, "cancel") | told]


def ask_again_buttons(run: RunRecord) -> list[dict[str, Any]]:
    """Opens the form of an ended run's action with what was asked for; of a stalled one nobody knows whether it happened."""
    offered = run.status.ended and run.status is not RunStatus.STALLED and not run.is_by_bot
    return [order_button(run, "ask_again")] if offered else []


def _is_in_doubt(run: RunRecord) -> bool:
    return run.status is RunStatus.STALLED and run.failure is not None and run.failure.call is not None


def show_all_button(interrupt: InterruptRecord, title: str = ORDER_TITLES["show_all"]) -> dict[str, Any]:
    """Opens everything that a card leaves out. It has to fit on the smallest card, so it carries nothing but the interrupt."""
    value = to_text({"order": "show_all", "interrupt": interrupt.id})
    return {"type": "button", "action_id": "order:show_all", "text": plain(title), "value": value}


def actions_block(block_id: str, buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "actions", "block_id": clip(block_id, limits.BLOCK_ID), "elements": buttons}] if buttons else []


def to_text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
