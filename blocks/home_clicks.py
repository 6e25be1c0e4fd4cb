"""What people do in the Home tab, parsed: they open it, look at something else in it, or press what every card has too.

What the tab shows travels with it (`Looking`, in its `private_metadata`), and is no authority over anything.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from blocks.choices import to_text
from blocks.payloads import BlockActions, Carried, Id, Number, Payload, PersonId, strict_json

HOME_VIEW = "home"
"""The `callback_id` of the Home tab."""

Section = Literal["all", "waiting", "asked", "decided"]
EVERY_ACTION = "*"
"""The option that takes the filter away; no action is called so."""


class Looking(Carried):
    """What a Home tab shows: everything in brief, or one section, page by page; of what waits, perhaps one action alone."""

    show: Section = "all"
    action: Id | None = None
    page: Number = 0

    @property
    def text(self) -> str:
        return to_text(self.model_dump(exclude_defaults=True))


class HomeOpened(Payload):
    """The tab of one person came into view. Without a `view` Slack shows nothing of ours in it yet."""

    person: PersonId = Field(alias="user")
    tab: str
    view: dict[str, Any] | None = None


class HomeTurn(Carried):
    """A person wants to see something else in their Home tab."""

    person: str
    looking: Looking


class _Event(Payload):
    event: HomeOpened


class _HomeShown(Payload):
    type: Literal["home"]
    callback_id: Literal["home"]
    private_metadata: str


class _InHome(BlockActions):
    home: Annotated[_HomeShown, Field(alias="view")]


def read_looking(text: str) -> Looking:
    """What is stored; what an older version stored in another way is everything."""
    try:
        return Looking.model_validate(strict_json(text))
    except (ValueError, RecursionError):
        return Looking()


def parse_home_opened(body: Any) -> HomeOpened | None:
    """An `app_home_opened` event of the Home tab itself, not of the messages beside it."""
    event = body.get("event") if isinstance(body, dict) else None
    if not isinstance(event, dict) or event.get("type") != "app_home_opened":
        return None
    try:
        opened = _Event.model_validate(body).event
    except ValidationError:
        return None
    return opened if opened.tab == "home" else None


def parse_home_turn(body: Any) -> HomeTurn | None:
    """Another section, page or action; `None` for everything else that is pressed there or elsewhere."""
    sent = _in_home(body)
    if sent is None:
        return None
    pressed = sent.actions[0]
    kind, _, what = pressed.action_id.partition(":")
    if kind != "home":
        return None
    try:
        shown = Looking.model_validate(strict_json(sent.home.private_metadata))
        if what == "action":
            chosen = None if pressed.chosen == EVERY_ACTION else pressed.chosen
            looking = Looking(show="waiting" if chosen else shown.show, action=chosen)
        else:
            looking = Looking.model_validate(strict_json(pressed.chosen))
    except (ValueError, RecursionError):
        looking = Looking()
    return HomeTurn(person=sent.user.id, looking=looking)


def who_is_home(body: Any) -> str | None:
    """The person who pressed something in their Home tab."""
    sent = _in_home(body)
    return sent.user.id if sent else None


def _in_home(body: Any) -> _InHome | None:
    try:
        return _InHome.model_validate(body)
    except ValidationError:
        return None
