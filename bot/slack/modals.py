"""Opens and replaces modals beside the ack. A form that cannot open leaves everything as it was, and its person is told."""

from typing import Any, Protocol

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.engine.tasks import OwnedTasks
from bot.slack.client import error_word
from bot.slack.redraws import IsWanted, Redraws
from bot.slack.replies import network_errors
from bot.slack.whispers import Whispers

TOO_LATE = "The form could not open in time, and nothing was changed. Please press the button again."
NO_FORM = "The form could not be shown, and nothing was changed. Please try again, or tell whoever runs this bot."
EXPIRED = frozenset({"expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id"})

log = structlog.get_logger(__name__)


class Asked(Protocol):
    """Whatever a person did that lets us open one modal, within three seconds (docs.slack.dev, trigger_id)."""

    @property
    def person(self) -> str: ...
    @property
    def trigger_id(self) -> str: ...
    @property
    def response_url(self) -> str | None: ...


class Modals:
    """One client that repeats nothing: a trigger can be used once."""

    def __init__(self, client: AsyncWebClient, whispers: Whispers, tasks: OwnedTasks) -> None:
        self._client = client
        self._whispers = whispers
        self._tasks = tasks
        self._redraws = Redraws(client, tasks)

    def open(self, asked: Asked, view: dict[str, Any]) -> None:
        self._tasks.spawn(self._open(asked, view), "a modal")

    async def opened(self, asked: Asked, view: dict[str, Any]) -> str | None:
        """The id of a view that stands open now. `None`: it does not, and nobody was told."""
        try:
            answer = await self._client.views_open(trigger_id=asked.trigger_id, view=view)
        except (SlackApiError, *network_errors) as error:
            log.warning("modal_not_opened", error=type(error).__name__)
            return None
        return str(answer["view"]["id"])

    async def _open(self, asked: Asked, view: dict[str, Any]) -> None:
        try:
            await self._client.views_open(trigger_id=asked.trigger_id, view=view)
        except SlackApiError as error:
            word = error_word(error)
            log.warning("modal_refused", error=word)
            await self._whispers.tell(asked.person, TOO_LATE if word in EXPIRED else NO_FORM, asked.response_url)
        except network_errors as error:
            log.warning("modal_not_opened", error=type(error).__name__)
            await self._whispers.tell(asked.person, TOO_LATE, asked.response_url)

    def redraw(self, view_id: str, view_hash: str, view: dict[str, Any], is_wanted: IsWanted) -> None:
        """Show an open form anew, in place of what had this hash, unless something newer is to be shown there."""
        self._redraws.draw(view_id, view_hash, view, is_wanted)

    async def replace(self, view_id: str, view: dict[str, Any]) -> bool:
        """Show something else in an open modal, whatever it shows. False: it was closed meanwhile, or Slack is not there."""
        return await self._redraws.replace(view_id, view)
