"""Slack's JSON, parsed: what people click, submit and type becomes a value here, and junk becomes `Other`.

What a button or a view carries must be exactly what we put there: every key once, none more, none missing. Even then it
is no authority; whoever uses a value here looks up what it names. Nothing in this module raises.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from blocks.acts import ActVerb
from blocks.choices import Verb
from blocks.junk import Other, other, unreadable, why
from blocks.payloads import (
    ActValue,
    BlockActions,
    ChoiceValue,
    CommandForm,
    OrderValue,
    Pressed,
    StuckValue,
    strict_json,
)
from blocks.submissions import (
    OUR_VIEWS,
    ActTarget,
    AnswerTarget,
    FormClick,
    Mark,
    StartTarget,
    Submission,
    Suggestion,
    Values,
    form_click,
    parse_submission,
    parse_suggestion,
)
from blocks.text import unescaped

__all__ = [
    "OUR_VIEWS",
    "Act",
    "ActTarget",
    "AnswerTarget",
    "Click",
    "Command",
    "FormClick",
    "Mark",
    "Order",
    "Other",
    "StartTarget",
    "Submission",
    "Suggestion",
    "Turn",
    "Values",
    "parse_click",
    "parse_command",
    "parse_submission",
    "parse_suggestion",
]

STUCK_VIEW = "stuck"
"""The `callback_id` of the operators' list."""


@dataclass(frozen=True, slots=True)
class Click:
    """A person pressed a choice of a card; an empty `choice_key` asks for the select over many choices.

    `source` stays the same when Slack delivers this very click again, and differs for the next one.
    """

    interrupt_id: str
    content_version: int
    choice_key: str
    person: str
    channel: str | None
    message_ts: str | None
    trigger_id: str
    response_url: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Order:
    """A person pressed a button about a run, drawn when the run was at `epoch`; in the operators' list, on its `page`.

    `show_all` is about an interrupt, and need not name the run: then `run_id` is empty and `epoch` 0.
    """

    verb: Verb
    run_id: str
    epoch: int
    interrupt_id: str | None
    person: str
    trigger_id: str
    response_url: str | None
    channel: str | None
    source: str
    view_id: str | None = None
    page: int | None = None

    @property
    def in_list(self) -> bool:
        return self.page is not None

    @property
    def in_details(self) -> bool:
        """Whether it was pressed in the modal that shows all of a card."""
        return self.view_id is not None and self.interrupt_id is not None and not self.in_list


@dataclass(frozen=True, slots=True)
class Act:
    """A person pressed a button for something else than an answer, on a card as it stood at this version.

    `source` stays the same when Slack delivers this very click again, and differs for the next one.
    """

    verb: ActVerb
    interrupt_id: str
    content_version: int
    person: str
    trigger_id: str
    response_url: str | None
    source: str

    @property
    def target(self) -> ActTarget:
        return ActTarget(self.verb, self.interrupt_id, self.content_version)


@dataclass(frozen=True, slots=True)
class Turn:
    """An operator turned to a page of the list of what is stuck."""

    page: int
    person: str
    view_id: str


@dataclass(frozen=True, slots=True)
class Command:
    """A person typed a slash command; `text` is what followed it."""

    command: str
    text: str
    person: str
    channel: str
    trigger_id: str
    response_url: str | None
    source: str


def parse_click(payload: Any) -> Click | Act | Order | Turn | FormClick | Other:
    """A `block_actions` payload: a choice, an act, an order, another page, something in a form, or what is not for us."""
    try:
        sent = BlockActions.model_validate(payload)
    except ValidationError as error:
        return unreadable(payload, error)
    pressed = sent.actions[0]
    kind = pressed.action_id.partition(":")[0]
    if kind not in READERS or (pressed.type != "button" and kind != FORM):
        return other(sent, "not a button of ours", ours=False)
    try:
        return READERS[kind](sent, pressed)
    except (ValueError, RecursionError) as error:
        return other(sent, f"a {kind} click that carries nonsense: {why(error)}", ours=True)


def _click(sent: BlockActions, pressed: Pressed) -> Click:
    value = ChoiceValue.model_validate(strict_json(pressed.value))
    if (pressed.action_id == "choose") is bool(value.choice):
        raise ValueError("choose and choice contradict each other")
    return Click(
        interrupt_id=value.interrupt,
        content_version=value.version,
        choice_key=value.choice,
        person=sent.user.id,
        channel=sent.channel_id,
        message_ts=sent.container.message_ts,
        trigger_id=sent.trigger_id,
        response_url=sent.response_url,
        source=_click_source(sent, pressed),
    )


def _act(sent: BlockActions, pressed: Pressed) -> Act:
    value = ActValue.model_validate(strict_json(pressed.value))
    if pressed.action_id != f"act:{value.act}":
        raise ValueError("act and action_id contradict each other")
    return Act(
        verb=value.act,
        interrupt_id=value.interrupt,
        content_version=value.version,
        person=sent.user.id,
        trigger_id=sent.trigger_id,
        response_url=sent.response_url,
        source=_click_source(sent, pressed),
    )


def _order(sent: BlockActions, pressed: Pressed) -> Order:
    value = OrderValue.model_validate(strict_json(pressed.value))
    if pressed.action_id != f"order:{value.order}":
        raise ValueError("order and action_id contradict each other")
    return Order(
        verb=value.order,
        run_id=value.run,
        epoch=value.epoch,
        interrupt_id=value.interrupt,
        person=sent.user.id,
        trigger_id=sent.trigger_id,
        response_url=sent.response_url,
        channel=sent.channel_id,
        source=_click_source(sent, pressed),
        view_id=sent.view.id if sent.view and sent.view.is_modal else None,
        page=_page_shown(sent),
    )


def _turn(sent: BlockActions, pressed: Pressed) -> Turn:
    if sent.view is None or _page_shown(sent) is None:
        raise ValueError("a page outside of the list")
    return Turn(StuckValue.model_validate(strict_json(pressed.value)).page, sent.user.id, sent.view.id)


def _page_shown(sent: BlockActions) -> int | None:
    if sent.view is None or sent.view.callback_id != STUCK_VIEW:
        return None
    return StuckValue.model_validate(strict_json(sent.view.private_metadata)).page


def _click_source(sent: BlockActions, pressed: Pressed) -> str:
    return f"click:{pressed.action_ts}:{sent.user.id}"


FORM = "form"
"""What stands in a form may be a select too."""

READERS: dict[str, Callable[[BlockActions, Pressed], Click | Act | Order | Turn | FormClick]] = {
    "choice": _click,
    "choose": _click,
    "act": _act,
    "order": _order,
    "turn": _turn,
    FORM: form_click,
}
"""By the first word of a button's `action_id`."""


def parse_command(form: Any) -> Command | Other:
    """The fields of a slash command. With `should_escape` its text has mentions, and the rest of it is escaped."""
    try:
        sent = CommandForm.model_validate(form)
    except ValidationError as error:
        return Other(f"unreadable: {why(error)}")
    return Command(
        command=sent.command,
        text=unescaped(sent.text).strip(),
        person=sent.user_id,
        channel=sent.channel_id,
        trigger_id=sent.trigger_id,
        response_url=sent.response_url,
        source=f"command:{sent.trigger_id}",
    )
