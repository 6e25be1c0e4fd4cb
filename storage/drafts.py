"""The store's part for drafts: what somebody typed so far in a form that is redrawn while it is filled in."""

import json
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import ValidationError

from actions.kit.records.interrupts import Draft
from storage.database import Database
from storage.transitions import drafts

MAX_DRAFT = 256 * 1024
"""The most that a draft may take as JSON text, in bytes of UTF-8."""

KEPT_FOR = timedelta(days=1)
"""How long a draft stays after its last change."""


class Keeping(StrEnum):
    """What came of keeping a draft. `CHANGED`: it holds something else by now, so read it again; `GONE`: it is not there."""

    KEPT = "kept"
    CHANGED = "changed"
    GONE = "gone"
    TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A draft as it was read: `text` is what stood in the database, whichever version of this program wrote it."""

    draft: Draft
    text: str


class Drafts:
    """Each method is one transaction. A draft belongs to one person: for everybody else it is not there."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def begin(self, draft: Draft, *, person: str, now: datetime) -> str:
        """Keeps a new draft; its id."""
        draft_id, content = secrets.token_hex(12), text_of(draft)
        await self._database.write(draft_id, lambda writing: drafts.make(writing, draft_id, person, content, now))
        return draft_id

    async def find(self, draft_id: str, *, person: str) -> KeptDraft | None:
        """One that this version of the program cannot read is as good as gone."""
        text = await self._database.read(lambda connection: drafts.find(connection, draft_id, person))
        try:
            return None if text is None else KeptDraft(Draft.model_validate(json.loads(text)), text)
        except ValidationError:
            return None

    async def keep(self, draft_id: str, *, person: str, before: KeptDraft, after: Draft, now: datetime) -> Keeping:
        """Keeps `after` if the draft still holds `before`, so that of two changes at once neither is lost."""
        old, new = before.text, text_of(after)
        if _is_too_large(new):
            return Keeping.TOO_LARGE
        kept = await self._database.write(
            draft_id, lambda writing: drafts.keep(writing, draft_id, person, before=old, after=new, now=now)
        )
        if kept:
            return Keeping.KEPT
        return Keeping.GONE if await self.find(draft_id, person=person) is None else Keeping.CHANGED

    async def forget(self, *, now: datetime, limit: int = 100) -> int:
        """Throws away drafts older than `KEPT_FOR`; the count is at most `limit`, so call again."""
        return await self._database.write("", lambda writing: drafts.forget(writing, now - KEPT_FOR, limit))


def text_of(draft: Draft) -> str:
    """The JSON text of a draft, the same each time. What came from Slack may hold half a character: that stays escaped."""
    content = draft.model_dump()
    text = json.dumps(content, ensure_ascii=False)
    return text if _can_be_stored(text) else json.dumps(content)


def _can_be_stored(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_too_large(content: str) -> bool:
    return len(content.encode()) > MAX_DRAFT
