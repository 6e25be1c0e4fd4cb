"""What people type below our messages, kept with the run that they are about: it decides nothing."""

from collections.abc import Callable
from datetime import datetime

from actions.kit.policies.remarks import RemarkKind
from blocks.comments import Comment
from storage.results import NewRemark
from storage.store import Store


class Comments:
    """Whatever stands elsewhere is let go at once: neither kept nor logged."""

    def __init__(self, *, store: Store, now: Callable[[], datetime]) -> None:
        self._store = store
        self._now = now

    async def heard(self, comment: Comment) -> None:
        """Keeps it, if it stands below a message of ours; once, however often Slack delivers it."""
        interrupt_id = await self._store.question_below(comment.channel, comment.thread)
        if interrupt_id is None:
            return
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
