"""What people type below our messages, kept with the run that they are about: it decides nothing."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from actions.kit.policies.remarks import RemarkKind
from blocks.comments import Comment
from bot.engine.tasks import OwnedTasks
from storage.results import NewRemark
from storage.store import Store

LOOKS_AGAIN = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Seconds after which it is looked again whether a message is ours, while one may be of which we do not know yet."""
SECONDS = re.compile(r"[0-9]{1,11}")
JUST_POSTED = timedelta(minutes=2)
"""A message that is older is ours by now, or never will be."""


class Comments:
    """Whatever stands elsewhere is let go at once: neither kept nor logged."""

    def __init__(self, *, store: Store, tasks: OwnedTasks, now: Callable[[], datetime]) -> None:
        self._store = store
        self._tasks = tasks
        self._now = now

    async def heard(self, comment: Comment) -> None:
        """Keeps it, if it stands below a message of ours; once, however often Slack delivers it."""
        if not await self._is_kept(comment) and self._is_new(comment.thread) and await self._store.is_posting():
            self._tasks.spawn(self._kept_later(comment), "an early comment")

    async def _kept_later(self, comment: Comment) -> None:
        """Somebody can be faster than we write down where our message stands, or it was posted by a process that died."""
        for seconds in LOOKS_AGAIN:
            await asyncio.sleep(seconds)
            goes_on = await self._store.is_posting()
            if await self._is_kept(comment) or not goes_on:
                return

    async def _is_kept(self, comment: Comment) -> bool:
        """Whether it stands below a message of ours, as far as we know: then it is kept."""
        interrupt_id = await self._store.question_below(comment.channel, comment.thread)
        if interrupt_id is None:
            return False
        new = NewRemark(
            interrupt_id=interrupt_id,
            kind=RemarkKind.COMMENT,
            person=comment.person,
            text=comment.text,
            source=f"message:{comment.channel}:{comment.ts}",
            via="slack",
            channel=comment.channel,
            thread=comment.thread,
        )
        await self._store.remark(new, now=self._now())
        return True

    def _is_new(self, ts: str) -> bool:
        """Whether a message was posted lately: its id begins with the seconds since 1970 (docs.slack.dev, messaging)."""
        seconds = ts.partition(".")[0]
        return SECONDS.fullmatch(seconds) is not None and self._age(int(seconds)) < JUST_POSTED

    def _age(self, seconds: int) -> timedelta:
        return self._now() - datetime.fromtimestamp(seconds, UTC)
