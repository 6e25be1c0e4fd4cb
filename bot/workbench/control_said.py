"""What a script may say to the control API: one body for each thing that a person does, and what is asked in a query."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST_WAIT = 60.0
"""Seconds for which a request is held."""

MOST_MINUTES = 60 * 24 * 366


class Said(BaseModel):
    """Something said: every key has to be known."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AMessage(Said):
    """Which message: both as in Slack, and as every message that is shown here has them."""

    channel: str
    ts: str


Surface = Literal["modal", "home"]
On = Annotated[Surface | AMessage, Field(union_mode="left_to_right")]
Place = Annotated[str, Field(alias="in")]
Wait = Annotated[float, Field(ge=0, le=LONGEST_WAIT)]


class Nothing(Said):
    """Where there is nothing to say."""


class Say(Said):
    text: str
    place: Place = "#general"
    thread: AMessage | None = None


class RunCommand(Said):
    text: str
    place: Place = "#general"


class UseShortcut(Said):
    """By its name or callback id; with a message, one of that message's menu."""

    name: str
    message: AMessage | None = None


class Click(Said):
    on: On
    label: str


class Choose(Said):
    """`answer`: an option by its text or value, a person by name, `#channel`, a date, or a list of them."""

    on: On
    label: str
    answer: Any


class Type(Said):
    on: On = "modal"
    label: str
    text: str
    enter: bool = False


class Search(Said):
    on: On
    label: str
    typed: str


class Submit(Said):
    """`fields` by their labels. `unchecked` gets past what Slack's own client checks."""

    fields: dict[str, Any] = {}
    unchecked: bool = False


class Close(Said):
    """Cancel the modal on top; with `everything`, all of them, as the cross does."""

    everything: bool = False


class React(Said):
    message: AMessage
    name: str


class Edit(Said):
    message: AMessage
    text: str


class Delete(Said):
    message: AMessage


class Upload(Said):
    name: str
    base64: str


class MoveClock(Said):
    minutes: float = Field(gt=0, le=MOST_MINUTES)


class AskMessages(Said):
    """Which messages; with `wait`, once there is one."""

    place: str | None = Field(None, alias="in")
    containing: str = ""
    after: str = ""
    wait: Wait = 0


class AskView(Said):
    containing: str = ""
    title: str | None = None
    wait: Wait = 0


class AskTraffic(Said):
    since: int = Field(0, ge=0)
    wait: Wait = 0
