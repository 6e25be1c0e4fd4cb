"""The shapes of what Slack sends and of what we put into buttons and views, with the fields that we read and no others."""

import json
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from actions.kit import slack_ids
from blocks import limits
from blocks.acts import ActVerb
from blocks.choices import Verb

Id = Annotated[str, Field(min_length=1, max_length=limits.BLOCK_ID, pattern=r"^[^\x00-\x1f\x7f]+$")]
Key = Annotated[str, Field(max_length=limits.BUTTON_VALUE, pattern=r"^[^\x00]*$")]
PersonId = Annotated[str, Field(pattern=slack_ids.USER, max_length=limits.BLOCK_ID)]
ChannelId = Annotated[str, Field(pattern=slack_ids.CONVERSATION, max_length=limits.BLOCK_ID)]
Url = Annotated[str, Field(pattern=r"^https?://\S+$", max_length=limits.URL)]
Number = Annotated[int, Field(ge=0, lt=2**31, strict=True)]


class Carried(BaseModel):
    """What we put into a button or a view ourselves, so nothing else may be in it."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ChoiceValue(Carried):
    interrupt: Id
    version: Number
    choice: Key


class OrderValue(Carried):
    """What an order is about; to show all of a card its interrupt is enough, since nothing changes by it."""

    order: Verb
    run: Id = ""
    epoch: Number = 0
    interrupt: Id | None = None

    @model_validator(mode="after")
    def _names_what_it_is_about(self) -> Self:
        if self.order in {"deliver_again", "show_all"} and self.interrupt is None:
            raise ValueError("interrupt is missing")
        if self.order != "show_all" and not {"run", "epoch"} <= self.model_fields_set:
            raise ValueError("run or epoch is missing")
        return self


class AnswerForm(ChoiceValue):
    draft: Id | None = None


class StartForm(Carried):
    action: Id
    channel: ChannelId | None
    nonce: Id
    draft: Id | None = None


class ActValue(Carried):
    """What an act is about, and which content of it its person saw."""

    act: ActVerb
    interrupt: Id
    version: Number


class ActingForm(ActValue):
    draft: Id | None = None


class StuckValue(Carried):
    page: Number


class Payload(BaseModel):
    """What Slack sends: much more than we name."""

    model_config = ConfigDict(extra="ignore", strict=True)


class User(Payload):
    id: PersonId


class Channel(Payload):
    id: ChannelId


class Container(Payload):
    channel_id: ChannelId | None = None
    message_ts: Id | None = None


class Sender(Payload):
    """Enough of any interactive payload to tell its person something."""

    user: User
    channel: Channel | None = None
    container: Container = Container()
    response_url: Url | None = None

    @property
    def channel_id(self) -> str | None:
        return self.channel.id if self.channel else self.container.channel_id


class ChosenOption(Payload):
    value: str | None = None


class Pressed(Payload):
    """What was pressed or chosen; Slack's own name for it is "action"."""

    type: str
    action_id: str
    action_ts: Id
    block_id: str | None = None
    value: str | None = None
    selected_option: ChosenOption | None = None

    @property
    def chosen(self) -> str | None:
        """What a button carries, or the option that was chosen."""
        return self.selected_option.value if self.selected_option else self.value


class State(Payload):
    values: dict[str, dict[str, dict[str, Any]]] = {}


class Opened(Payload):
    """The modal or Home tab in which something was pressed."""

    id: Id
    type: str = "modal"
    hash: Id | None = None
    callback_id: str = ""
    private_metadata: str = ""
    state: State | None = None

    @property
    def is_modal(self) -> bool:
        """A Home tab is published for its person, and never updated by its id."""
        return self.type == "modal"

    @property
    def values(self) -> dict[str, dict[str, dict[str, Any]]]:
        return self.state.values if self.state else {}


class BlockActions(Sender):
    type: Literal["block_actions"]
    trigger_id: Id
    view: Opened | None = None
    actions: Annotated[list[Pressed], Field(min_length=1, max_length=1)]


class BlockSuggestion(Sender):
    type: Literal["block_suggestion"]
    block_id: Id
    value: str = ""
    view: Opened | None = None


class SubmittedView(Opened):
    hash: Id


class ViewSubmission(Sender):
    type: Literal["view_submission"]
    trigger_id: Id
    view: SubmittedView


class CommandForm(Payload):
    command: Id
    text: str = ""
    user_id: PersonId
    channel_id: ChannelId
    trigger_id: Id
    response_url: Url | None = None


def strict_json(text: str | None) -> Any:
    """The JSON of `text`, in which no key comes twice. Raises ValueError or RecursionError."""
    if text is None or len(text) > limits.VIEW_PRIVATE_METADATA:
        raise ValueError("nothing that we put there")
    return json.loads(text, object_pairs_hook=_without_doubles)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)
