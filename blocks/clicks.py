"""Slack's JSON, parsed: what people click, submit and type becomes a value here, and junk becomes `Other`.

What a button or a view carries must be exactly what we put there: every key once, none more, none missing. Even then it
is no authority; whoever uses a value here looks up what it names. Nothing in this module raises.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from blocks.choices import Verb
from blocks.payloads import (
    BlockActions,
    ChoiceValue,
    CommandForm,
    OrderValue,
    Pressed,
    Sender,
    StartValue,
    StuckValue,
    View,
    ViewSubmission,
    strict_json,
)

OUR_VIEWS = ("answer", "start")
"""The `callback_id`s of our forms."""

STUCK_VIEW = "stuck"
"""The `callback_id` of the operators' list."""

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]


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
    """A person pressed a button about a run, drawn when the run was at `epoch`; in the operators' list, on its `page`."""

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


@dataclass(frozen=True, slots=True)
class Turn:
    """An operator turned to a page of the list of what is stuck."""

    page: int
    person: str
    view_id: str


@dataclass(frozen=True, slots=True)
class AnswerTarget:
    """The modal answers this choice of this interrupt; with an empty `choice_key` it asked which choice."""

    interrupt_id: str
    content_version: int
    choice_key: str


@dataclass(frozen=True, slots=True)
class StartTarget:
    """The modal is the input of a new run. `nonce` is new for each opened form, so that one form starts one run."""

    action_id: str
    channel: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class Submission:
    """A person submitted a modal. `values` is Slack's `state.values`: by block id, then by action id.

    `source` stays the same for the same content of the same view, so that a redelivery is told from a corrected form.
    """

    target: AnswerTarget | StartTarget
    values: Values
    person: str
    view_id: str
    trigger_id: str
    source: str

    @property
    def kind(self) -> Literal["answer", "start"]:
        return "answer" if isinstance(self.target, AnswerTarget) else "start"


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


@dataclass(frozen=True, slots=True)
class Other:
    """What is not for us, or makes no sense: acknowledged, and nothing done.

    `ours` says that it came from something of ours, damaged or out of date, so that its person deserves a word.
    `reason` is for logs and repeats nothing of the payload but field names.
    """

    reason: str
    ours: bool = False
    person: str | None = None
    channel: str | None = None
    response_url: str | None = None


def parse_click(payload: Any) -> Click | Order | Turn | Other:
    """A `block_actions` payload: a choice, an order, another page of a list, or something that is not for us."""
    try:
        sent = BlockActions.model_validate(payload)
    except ValidationError as error:
        return _unreadable(payload, error)
    pressed = sent.actions[0]
    kind = pressed.action_id.partition(":")[0]
    if pressed.type != "button" or kind not in READERS:
        return _other(sent, "not a button of ours", ours=False)
    try:
        return READERS[kind](sent, pressed)
    except (ValueError, RecursionError) as error:
        return _other(sent, f"a {kind} button that carries nonsense: {_why(error)}", ours=True)


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
        view_id=sent.view.id if sent.view else None,
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


READERS: dict[str, Callable[[BlockActions, Pressed], Click | Order | Turn]] = {
    "choice": _click,
    "choose": _click,
    "order": _order,
    "turn": _turn,
}
"""By the first word of a button's `action_id`."""


def parse_submission(payload: Any) -> Submission | Other:
    """A `view_submission` payload of one of our forms."""
    try:
        sent = ViewSubmission.model_validate(payload)
    except ValidationError as error:
        return _unreadable(payload, error, ours=_is_our_view(payload))
    view = sent.view
    if view.callback_id not in OUR_VIEWS:
        return _other(sent, "not a view of ours", ours=False)
    values = view.state.values if view.state else {}
    try:
        target = _target(view)
        source = f"view:{view.id}:{view.hash}:{_digest(values)}"
    except (ValueError, RecursionError) as error:
        return _other(sent, f"a view that carries nonsense: {_why(error)}", ours=True)
    return Submission(target, values, sent.user.id, view.id, sent.trigger_id, source)


def _is_our_view(payload: Any) -> bool:
    view = payload.get("view") if isinstance(payload, Mapping) else None
    return isinstance(view, Mapping) and view.get("callback_id") in OUR_VIEWS


def _target(view: View) -> AnswerTarget | StartTarget:
    carried = strict_json(view.private_metadata)
    if view.callback_id == "start":
        start = StartValue.model_validate(carried)
        return StartTarget(start.action, start.channel, start.nonce)
    answer = ChoiceValue.model_validate(carried)
    return AnswerTarget(answer.interrupt, answer.version, answer.choice)


def _digest(values: Values) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def parse_command(form: Any) -> Command | Other:
    """The fields of a slash command."""
    try:
        sent = CommandForm.model_validate(form)
    except ValidationError as error:
        return Other(f"unreadable: {_why(error)}")
    return Command(
        command=sent.command,
        text=sent.text.strip(),
        person=sent.user_id,
        channel=sent.channel_id,
        trigger_id=sent.trigger_id,
        response_url=sent.response_url,
        source=f"command:{sent.trigger_id}",
    )


def _other(sent: Sender, reason: str, *, ours: bool) -> Other:
    return Other(reason, ours, sent.user.id, sent.channel_id, sent.response_url)


def _unreadable(payload: Any, error: ValidationError, *, ours: bool = False) -> Other:
    reason = f"unreadable: {_why(error)}"
    try:
        return _other(Sender.model_validate(payload), reason, ours=ours)
    except ValidationError:
        return Other(reason, ours)


def _why(error: Exception) -> str:
    """What is wrong, by field and kind; never what was sent."""
    if isinstance(error, ValidationError):
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{_path(detail['loc'])}: {detail['type']}" for detail in details[:3])
    return type(error).__name__ if isinstance(error, json.JSONDecodeError | RecursionError) else str(error)


def _path(location: tuple[str | int, ...]) -> str:
    return ".".join(str(step)[:40] for step in location[:4]) or "it"
