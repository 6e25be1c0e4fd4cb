"""Slack's JSON, parsed: what people click, submit and type becomes a value here, and junk becomes `Other`.

The models name only what we read (docs.slack.dev, reference/interaction-payloads) and ignore the rest. What a button or
a view carries must be exactly what we put there: every key once, none more, none missing. Even then it is no authority;
whoever uses a value here looks up what it names. Nothing in this module raises.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from blocks import limits
from blocks.choices import Verb

VERBS: frozenset[str] = frozenset(get_args(Verb))
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
    """A person pressed a button about a run, drawn when the run was at `epoch`."""

    verb: Verb
    run_id: str
    epoch: int
    interrupt_id: str | None
    person: str
    trigger_id: str
    response_url: str | None
    channel: str | None
    source: str


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


_Id = Annotated[str, Field(min_length=1, max_length=limits.BLOCK_ID, pattern=r"^[^\x00-\x1f\x7f]+$")]
_Key = Annotated[str, Field(max_length=limits.BUTTON_VALUE, pattern=r"^[^\x00]*$")]
_PersonId = Annotated[str, Field(pattern=r"^[UW][A-Z0-9]{2,}$", max_length=limits.BLOCK_ID)]
_ChannelId = Annotated[str, Field(pattern=r"^[CGD][A-Z0-9]{2,}$", max_length=limits.BLOCK_ID)]
_Url = Annotated[str, Field(pattern=r"^https?://\S+$", max_length=limits.URL)]
_Number = Annotated[int, Field(ge=0, lt=2**31, strict=True)]


class _Carried(BaseModel):
    """What we put into a button or a view ourselves, so nothing else may be in it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class _ChoiceValue(_Carried):
    interrupt: _Id
    version: _Number
    choice: _Key


class _OrderValue(_Carried):
    order: Verb
    run: _Id
    epoch: _Number
    interrupt: _Id | None = None

    @model_validator(mode="after")
    def _names_the_interrupt_it_is_about(self) -> Self:
        if self.order in {"deliver_again", "show_all"} and self.interrupt is None:
            raise ValueError("interrupt is missing")
        return self


class _StartValue(_Carried):
    action: _Id
    channel: _ChannelId | None
    nonce: _Id


class _Payload(BaseModel):
    """What Slack sends: much more than we name."""

    model_config = ConfigDict(extra="ignore", strict=True)


class _User(_Payload):
    id: _PersonId


class _Channel(_Payload):
    id: _ChannelId


class _Container(_Payload):
    channel_id: _ChannelId | None = None
    message_ts: _Id | None = None


class _Sender(_Payload):
    """Enough of any interactive payload to tell its person something."""

    user: _User
    channel: _Channel | None = None
    container: _Container = _Container()
    response_url: _Url | None = None

    @property
    def channel_id(self) -> str | None:
        return self.channel.id if self.channel else self.container.channel_id

    def other(self, reason: str, *, ours: bool) -> Other:
        return Other(reason, ours, self.user.id, self.channel_id, self.response_url)


class _Action(_Payload):
    type: str
    action_id: str
    action_ts: _Id
    value: str | None = None


class _BlockActions(_Sender):
    type: Literal["block_actions"]
    trigger_id: _Id
    actions: Annotated[list[_Action], Field(min_length=1, max_length=1)]


class _State(_Payload):
    values: dict[str, dict[str, dict[str, Any]]] = {}


class _View(_Payload):
    id: _Id
    hash: _Id
    callback_id: str
    private_metadata: str
    state: _State | None = None


class _ViewSubmission(_Sender):
    type: Literal["view_submission"]
    trigger_id: _Id
    view: _View


class _CommandForm(_Payload):
    command: _Id
    text: str = ""
    user_id: _PersonId
    channel_id: _ChannelId
    trigger_id: _Id
    response_url: _Url | None = None


def parse_click(payload: Any) -> Click | Order | Other:
    """A `block_actions` payload: a choice, an order, or something that is not for us."""
    try:
        sent = _BlockActions.model_validate(payload)
    except ValidationError as error:
        return _unreadable(payload, error)
    action = sent.actions[0]
    kind = action.action_id.partition(":")[0]
    if action.type != "button" or kind not in {"choice", "choose", "order"}:
        return sent.other("not a button of ours", ours=False)
    try:
        return _order(sent, action) if kind == "order" else _click(sent, action)
    except (ValueError, RecursionError) as error:
        return sent.other(f"a {kind} button that carries nonsense: {_why(error)}", ours=True)


def _click(sent: _BlockActions, action: _Action) -> Click:
    value = _ChoiceValue.model_validate(_strict_json(action.value))
    if action.action_id == "choose" and value.choice:
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
        source=_click_source(sent, action),
    )


def _order(sent: _BlockActions, action: _Action) -> Order:
    value = _OrderValue.model_validate(_strict_json(action.value))
    if action.action_id != f"order:{value.order}":
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
        source=_click_source(sent, action),
    )


def _click_source(sent: _BlockActions, action: _Action) -> str:
    return f"click:{action.action_ts}:{sent.user.id}"


def parse_submission(payload: Any) -> Submission | Other:
    """A `view_submission` payload of one of our forms."""
    try:
        sent = _ViewSubmission.model_validate(payload)
    except ValidationError as error:
        return _unreadable(payload, error)
    view = sent.view
    if view.callback_id not in {"answer", "start"}:
        return sent.other("not a view of ours", ours=False)
    values = view.state.values if view.state else {}
    try:
        target = _target(view)
        source = f"view:{view.id}:{view.hash}:{_digest(values)}"
    except (ValueError, RecursionError) as error:
        return sent.other(f"a view that carries nonsense: {_why(error)}", ours=True)
    return Submission(target, values, sent.user.id, view.id, sent.trigger_id, source)


def _target(view: _View) -> AnswerTarget | StartTarget:
    carried = _strict_json(view.private_metadata)
    if view.callback_id == "start":
        start = _StartValue.model_validate(carried)
        return StartTarget(start.action, start.channel, start.nonce)
    answer = _ChoiceValue.model_validate(carried)
    return AnswerTarget(answer.interrupt, answer.version, answer.choice)


def _digest(values: Values) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


def parse_command(form: Any) -> Command | Other:
    """The fields of a slash command."""
    try:
        sent = _CommandForm.model_validate(form)
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


def _unreadable(payload: Any, error: ValidationError) -> Other:
    reason = f"unreadable: {_why(error)}"
    try:
        return _Sender.model_validate(payload).other(reason, ours=False)
    except ValidationError:
        return Other(reason)


def _why(error: Exception) -> str:
    """What is wrong, by field and kind; never what was sent."""
    if isinstance(error, ValidationError):
        details = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{_path(detail['loc'])}: {detail['type']}" for detail in details[:3])
    return type(error).__name__ if isinstance(error, json.JSONDecodeError | RecursionError) else str(error)


def _path(location: tuple[str | int, ...]) -> str:
    return ".".join(str(step)[:40] for step in location[:4]) or "it"


def _strict_json(text: str | None) -> Any:
    """The JSON of `text`, in which no key comes twice. Raises ValueError or RecursionError."""
    if text is None or len(text) > limits.VIEW_PRIVATE_METADATA:
        raise ValueError("nothing that we put there")
    return json.loads(text, object_pairs_hook=_without_doubles)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)
