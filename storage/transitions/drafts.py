"""What is typed so far in a form that is redrawn: made, read, changed and thrown away. No run is touched, so nothing is audited."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, insert, select, update

from storage.locks import Task, alone
from storage.tables import drafts
from storage.transaction import Transaction

INSERT = insert(drafts)
FIND = select(drafts.c.content).where(drafts.c.id == bindparam("id"), drafts.c.person == bindparam("person"))
KEEP = update(drafts).where(
    drafts.c.id == bindparam("b_id"),
    drafts.c.person == bindparam("b_person"),
    drafts.c.content == bindparam("b_before", type_=drafts.c.content.type),
)


def make(transaction: Transaction, draft_id: str, person: str, content: str, now: datetime) -> None:
    """A second call with the same id, which is random, is this very one done again."""
    if find(transaction.connection, draft_id, person) is None:
        values = {"id": draft_id, "person": person, "content": content, "kept_at": now}
        transaction.connection.execute(INSERT, values)


def find(connection: Connection, draft_id: str, person: str) -> str | None:
    """The content of a draft of this person's; `None` for one of somebody else's, and for one that is gone."""
    content: str | None = connection.execute(FIND, {"id": draft_id, "person": person}).scalar_one_or_none()
    return content


def keep(transaction: Transaction, draft_id: str, person: str, *, before: str, after: str, now: datetime) -> bool:
    """Puts `after` in place of `before`. False: it holds something else by now, is gone, or is not this person's."""
    values = {"b_id": draft_id, "b_person": person, "b_before": before, "content": after, "kept_at": now}
    won = transaction.connection.execute(KEEP, values).rowcount == 1
    return won or find(transaction.connection, draft_id, person) == after


def forget(transaction: Transaction, before: datetime, limit: int) -> int:
    """Throws away up to `limit` drafts that nobody has changed since. What is changed at this moment stays."""
    if not alone(transaction.connection, Task.FORGETTING):
        return 0
    old = transaction.connection.execute(oldest(before, limit)).scalars().all()
    return transaction.connection.execute(delete(drafts).where(drafts.c.id.in_(old))).rowcount if old else 0


def oldest(before: datetime, limit: int) -> Select[Any]:
    return (
        select(drafts.c.id)
        .where(drafts.c.kept_at < before)
        .order_by(drafts.c.kept_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
