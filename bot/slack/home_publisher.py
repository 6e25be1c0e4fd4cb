"""Makes each Home tab show what the database says: level-triggered like the cards, across restarts and replicas.

Whatever is behind is taken under a lease, drawn from the rows, and published unless Slack shows that very view already.
"""

import asyncio
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, assert_never

import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from blocks.home import Home, brief_home_view, home_view
from blocks.home_clicks import read_looking
from blocks.validate import validate_view
from bot import clock
from bot.engine.rounds import Rounds
from bot.logs import where
from bot.slack.client import error_word
from bot.slack.home_drawing import HomeDrawing
from bot.slack.replies import Blocked, Deleted, Passing, Refused, Reply, TooMuch, network_errors, reply_of
from storage.home_records import HomeRecord
from storage.store import Store

AT_ONCE = 4
PATIENCE = 12.0
"""Seconds that one Home tab may take."""
MARGIN = 3.0
"""Seconds by which a lease outlives that."""
BACKOFF = (2, 5, 15, 60)
"""Seconds before the next attempt, by how many there were."""
UNSURE_FOR = timedelta(seconds=30)
"""When a Home tab that could not show everything is drawn again."""
KEPT_FOR = timedelta(days=30)
"""How long a Home tab that nobody opens is kept current."""
FORGETS_EVERY = timedelta(hours=1)
STALE = "hash_conflict"
"""Somebody else published since: then what Slack shows is older than what was drawn now, or is drawn again."""

log = structlog.get_logger(__name__)


class HomePublisher:
    """One per process. `due` is set when Home tabs became due. views.publish is of tier 4: a hundred a minute."""

    def __init__(
        self,
        store: Store,
        client: AsyncWebClient,
        drawing: HomeDrawing,
        *,
        due: asyncio.Event,
        owner: str,
        check_views: bool = False,
        now: Callable[[], datetime] = clock.now,
    ) -> None:
        self._homes = store.homes
        self._client = client
        self._drawing = drawing
        self._owner = owner
        self._check_views = check_views
        self._now = now
        self._quiet_until = datetime.min.replace(tzinfo=UTC)
        self._forgets_at: datetime | None = None
        self._rounds = Rounds(
            "home publisher",
            take=self._take,
            carry=self._show,
            named=lambda home: f"home of {home.person}",
            due=due,
            until=self._next,
        )

    def start(self) -> None:
        self._rounds.start()

    async def stop(self) -> None:
        """Take nothing more, and let what is on its way arrive."""
        await self._rounds.stop()

    async def _take(self, room: int) -> tuple[HomeRecord, ...]:
        """What is due is asked before it is leased: mostly nothing is, and then nothing is written."""
        now = self._now()
        await self._keep_house(now)
        if now < self._quiet_until or await self._homes.next_due(now) != now:
            return ()
        lease_until = now + timedelta(seconds=PATIENCE + MARGIN)
        return await self._homes.take(owner=self._owner, now=now, lease_until=lease_until, limit=min(room, AT_ONCE))

    async def _next(self) -> datetime | None:
        due = await self._homes.next_due(self._now())
        return None if due is None else max(due, self._quiet_until)

    async def _keep_house(self, now: datetime) -> None:
        """At first everything is drawn again, as this program draws it; what nobody opens any more is forgotten."""
        if self._forgets_at is None:
            await self._homes.look_again_all(now=now)
        if self._forgets_at is None or now >= self._forgets_at:
            await self._homes.forget(now - KEPT_FOR)
            self._forgets_at = now + FORGETS_EVERY

    async def _show(self, home: HomeRecord) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                drawn = await self._drawing.look(home.person, read_looking(home.view))
                published = await self._publish(home, drawn)
        except (SlackApiError, *network_errors) as error:
            await self._not_shown(home, reply_of(error))
            return
        except Exception as error:  # noqa: BLE001 - one that cannot be drawn must not stop the others
            log.error("home_not_drawn", person=home.person, error=type(error).__name__, where=where(error))  # noqa: TRY400 - a traceback may quote
            await self._again(home, "bot_error", None)
            return
        digest, view_hash = published
        again_at = None if drawn.unsure == () else self._now() + UNSURE_FOR
        await self._homes.published(
            home, owner=self._owner, digest=digest, view_hash=view_hash, now=self._now(), again_at=again_at
        )

    async def _publish(self, home: HomeRecord, drawn: Home) -> tuple[str, str | None]:
        """The digest and Slack's hash of what stands now; nothing is sent where that stands already."""
        view = home_view(drawn)
        digest = hashlib.sha256(json.dumps(view).encode()).hexdigest()
        if digest == home.shown_digest:
            return digest, home.shown_hash
        try:
            return digest, await self._send(home, view)
        except SlackApiError as error:
            if not isinstance(reply_of(error), TooMuch):
                raise
            log.warning("home_too_large", person=home.person, error=error_word(error))
        return digest, await self._send(home, brief_home_view(drawn))

    async def _send(self, home: HomeRecord, view: dict[str, Any]) -> str | None:
        if self._check_views and (faults := validate_view(view, "home")):
            raise ValueError(f"the Home tab breaks Slack's limits: {faults[0]}")
        try:
            answer = await self._client.views_publish(user_id=home.person, view=view, hash=home.shown_hash)
        except SlackApiError as error:
            if error_word(error) != STALE:
                raise
            answer = await self._client.views_publish(user_id=home.person, view=view)
        found: str | None = (answer.get("view") or {}).get("hash")
        return found

    async def _not_shown(self, home: HomeRecord, reply: Reply) -> None:
        log.warning("home_not_shown", person=home.person, error=reply.error)
        match reply:
            case Passing(error, wait):
                if wait is not None:
                    self._quiet_until = self._now() + wait
                await self._again(home, error, wait)
            case Blocked(error):
                await self._again(home, error, None)
            case TooMuch() | Refused() | Deleted():
                await self._homes.drop(home.person, owner=self._owner)
            case never:
                assert_never(never)

    async def _again(self, home: HomeRecord, error: str, wait: timedelta | None) -> None:
        pause = wait or timedelta(seconds=BACKOFF[min(home.attempts, len(BACKOFF)) - 1])
        await self._homes.put_off(home.person, owner=self._owner, error=error, until=self._now() + pause)
