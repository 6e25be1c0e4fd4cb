"""Ways to start: a list of the actions with a button each, a modal to pick one, and what Slack sends when they are used."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from blocks import limits
from blocks.card import Message
from blocks.choices import to_text
from blocks.payloads import BlockActions, Carried, Id, Payload, Sender, ViewSubmission, strict_json
from blocks.room import as_many_as_fit
from blocks.text import clip, escape, mrkdwn, one_line, plain
from blocks.views import form_modal

START_SHORTCUT = "start_request"
"""The `callback_id` of the global shortcut in the manifest."""
ABOUT_MESSAGE = "ask_about_message"
"""The `callback_id` of the message shortcut."""
PICK_VIEW = "pick"
PICK = "action"
"""The `block_id` and `action_id` of the select in the modal that asks which action."""
LISTED = 40
"""Actions with a button each, of the fifty blocks of a message."""
DESCRIPTION = 150


@dataclass(frozen=True, slots=True)
class Startable:
    """An action as it is offered."""

    id: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Begin:
    """A person wants to start something: this action, or they have yet to say which."""

    action_id: str | None
    person: str
    channel: str | None
    trigger_id: str
    response_url: str | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """A person said which action they want to start."""

    action_id: str
    person: str


class _BeginValue(Carried):
    action: Id


class _ShortcutUsed(Sender):
    type: Literal["shortcut"]
    callback_id: str
    trigger_id: Id


class _Chosen(Payload):
    value: Id


class _Selected(Payload):
    selected_option: _Chosen


def starts_message(command: str, actions: Sequence[Startable], hints: Sequence[str]) -> Message:
    """The actions by name and description, each with a button. `hints` are mrkdwn of ours."""
    if not actions:
        return Message("Nothing can be started here.", [_section("Nothing can be started here."), *_hints(hints)])
    head = "What can be started here:"
    lines = [f"• {escape(one_line(each.name))}: {escape(_said(each))}" for each in actions]
    listed = as_many_as_fit([_start_block(each)] for each in actions[:LISTED])
    left = len(actions) - len(listed)
    more = [f"and {left:,} more: type `{command} NAME`, or use the shortcut *Start a request*"] if left else []
    blocks = [_section(head), *(block for entry in listed for block in entry), *_hints([*more, *hints])]
    return Message(clip("\n".join([head, *lines]), limits.MESSAGE_TEXT), blocks)


def pick_view(actions: Sequence[Startable]) -> dict[str, Any]:
    """The modal that asks which action, for more of them than a message lists, too. There is at least one."""
    options = [_option(each) for each in actions]
    size = limits.OPTION_GROUP_OPTIONS
    pages = [options[start : start + size] for start in range(0, len(options), size)][: limits.SELECT_OPTION_GROUPS]
    select: dict[str, Any] = {"type": "static_select", "action_id": PICK, "placeholder": plain("Choose…")}
    if len(pages) == 1:
        select["options"] = options
    else:
        select["option_groups"] = [{"label": plain(_range(page)), "options": page} for page in pages]
    block = {"type": "input", "block_id": PICK, "label": plain("What do you want to start?"), "element": select}
    return form_modal("Start a request", [block], callback_id=PICK_VIEW, metadata="", submit="Next")


def parse_begin(body: Any) -> Begin | None:
    """A *Start* button of a list, or *Start a request…* in the Home tab; `None` for every other click."""
    try:
        sent = BlockActions.model_validate(body)
    except ValidationError:
        return None
    pressed = sent.actions[0]
    if pressed.type != "button" or pressed.action_id != "begin":
        return None
    try:
        action_id = None if pressed.value is None else _BeginValue.model_validate(strict_json(pressed.value)).action
    except (ValueError, RecursionError):
        action_id = None
    return Begin(action_id, sent.user.id, sent.channel_id, sent.trigger_id, sent.response_url)


def parse_start_shortcut(body: Any) -> Begin | None:
    """The global shortcut."""
    try:
        sent = _ShortcutUsed.model_validate(body)
    except ValidationError:
        return None
    return Begin(None, sent.user.id, None, sent.trigger_id) if sent.callback_id == START_SHORTCUT else None


def parse_pick(body: Any) -> Pick | None:
    """The submission of the modal that asks which action; `None` for every other one."""
    try:
        sent = ViewSubmission.model_validate(body)
        if sent.view.callback_id != PICK_VIEW:
            return None
        chosen = _Selected.model_validate(sent.view.values[PICK][PICK]).selected_option.value
    except (ValidationError, KeyError):
        return None
    return Pick(chosen, sent.user.id)


def _start_block(action: Startable) -> dict[str, Any]:
    title = clip(f"Start: {one_line(action.name)}", limits.BUTTON_ACCESSIBILITY_LABEL)
    button = {
        "type": "button",
        "action_id": "begin",
        "text": plain("Start"),
        "accessibility_label": title,
        "value": to_text({"action": action.id}),
    }
    words = f"*{escape(clip(one_line(action.name), limits.OPTION_TEXT))}*  `{action.id}`\n{escape(_said(action))}"
    return {**_section(words), "accessory": button}


def _said(action: Startable) -> str:
    return clip(one_line(action.description), DESCRIPTION)


def _hints(hints: Sequence[str]) -> list[dict[str, Any]]:
    return [{"type": "context", "elements": [mrkdwn("\n".join(hints))]}] if hints else []


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": mrkdwn(text)}


def _option(action: Startable) -> dict[str, Any]:
    return {
        "text": plain(one_line(action.name), limits.OPTION_TEXT),
        "description": plain(one_line(action.description), limits.OPTION_DESCRIPTION),
        "value": action.id,
    }


def _range(page: Sequence[dict[str, Any]]) -> str:
    first, last = (clip(each["text"]["text"], 30) for each in (page[0], page[-1]))
    return f"{first} … {last}"
