"""Draws open forms anew, one drawing of a view after the other, so that an older one never covers a newer one.

A view has a hash that changes with each drawing, and an update that names an old hash is refused (`hash_conflict`;
docs.slack.dev, surfaces/modals). Two quick clicks carry the same hash: the second drawing goes on from the one that the
first came back with. What is typed meanwhile stays, since Slack keeps it wherever block id and action id stay.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.engine.tasks import OwnedTasks
from bot.slack.client import error_word
from bot.slack.replies import Passing, network_errors, reply_of

TRIES = 3
LONGEST_WAIT = 5.0
"""Seconds: whoever still looks at the old form by then has clicked again."""
REMEMBERED = 1_000
"""So many drawings are remembered, to go on from what they came back with."""

IsWanted = Callable[[], Awaitable[bool]]

log = structlog.get_logger(__name__)


class Redraws:
    """Its client repeats nothing; what failed in passing is drawn again here, as long as nothing newer is to be drawn."""

    def __init__(self, client: AsyncWebClient, tasks: OwnedTasks) -> None:
        self._client = client
        self._tasks = tasks
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._followed: OrderedDict[tuple[str, str], str] = OrderedDict()

    def draw(self, view_id: str, view_hash: str, view: dict[str, Any], is_wanted: IsWanted) -> None:
        """Shows `view` in place of what had this hash. `is_wanted` tells whether nothing newer is to be shown there."""
        self._tasks.spawn(self._in_turn(view_id, view_hash, view, is_wanted), "a drawing")

    async def replace(self, view_id: str, view: dict[str, Any]) -> bool:
        """Shows `view` in place of whatever stands there. False: it could not be shown."""
        for _ in range(TRIES):
            try:
                await self._client.views_update(view_id=view_id, view=view)
            except (SlackApiError, *network_errors) as error:
                wait = self._after(error)
                if wait is None:
                    return False
                await asyncio.sleep(wait)
            else:
                return True
        return False

    async def _in_turn(self, view_id: str, view_hash: str, view: dict[str, Any], is_wanted: IsWanted) -> None:
        turn = self._turns.setdefault(view_id, asyncio.Lock())
        async with turn:
            for _ in range(TRIES):
                if not await is_wanted():
                    return
                wait = await self._try(view_id, view_hash, view, is_wanted)
                if wait is None:
                    return
                await asyncio.sleep(wait)

    async def _try(self, view_id: str, view_hash: str, view: dict[str, Any], is_wanted: IsWanted) -> float | None:
        """Seconds to wait before the next try; `None`: it is drawn, or will never be."""
        current: str | None = self._since(view_id, view_hash)
        try:
            if await self._update(view_id, view_hash, view, current):
                return None
            # Another process drew something older than this, or a submission took the form away.
            if await is_wanted():
                await self._update(view_id, view_hash, view, None)
        except (SlackApiError, *network_errors) as error:
            return self._after(error)
        return None

    async def _update(self, view_id: str, view_hash: str, view: dict[str, Any], current: str | None) -> bool:
        """False: the view has another hash by now."""
        guard = {} if current is None else {"hash": current}
        try:
            response = await self._client.views_update(view_id=view_id, view=view, **guard)
        except SlackApiError as error:
            if error_word(error) == "hash_conflict":
                return False
            raise
        drawn: Any = response.get("view")
        self._remember((view_id, current or view_hash), drawn.get("hash") if isinstance(drawn, Mapping) else None)
        return True

    def _since(self, view_id: str, view_hash: str) -> str:
        """The hash that the view has by now, as far as it was drawn from here."""
        current = view_hash
        while following := self._followed.get((view_id, current)):
            current = following
        return current

    def _remember(self, before: tuple[str, str], after: Any) -> None:
        if not isinstance(after, str) or after == before[1]:
            return
        self._followed[before] = after
        while len(self._followed) > REMEMBERED:
            self._followed.popitem(last=False)

    def _after(self, error: Exception) -> float | None:
        match reply_of(error):
            case Passing(word, wait=wait):
                log.warning("form_not_drawn", error=word)
                return min(LONGEST_WAIT, wait.total_seconds() if wait else 1.0)
            case reply:
                log.warning("form_not_drawn", error=reply.error)
                return None
