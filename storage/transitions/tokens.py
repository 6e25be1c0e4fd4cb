"""Keys to the HTTP interface: made, found, used, and closed for ever. No run is touched, so nothing is audited."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, bindparam, insert, or_, select, update

from storage import rows
from storage.results import NOTED_EVERY, Token
from storage.tables import tokens
from storage.transaction import Transaction

INSERT = insert(tokens)
FIND = select(tokens).where(tokens.c.id == bindparam("id"))
ALL = select(tokens).order_by(tokens.c.created_at, tokens.c.id)
REVOKE = update(tokens).where(tokens.c.id == bindparam("b_id"), tokens.c.revoked_at.is_(None))
TOUCH = update(tokens).where(
    tokens.c.id == bindparam("b_id"),
    or_(
        tokens.c.last_used_at.is_(None),
        tokens.c.last_used_at <= bindparam("b_before", type_=tokens.c.last_used_at.type),
    ),
)


def create(transaction: Transaction, token: Token) -> None:
    if find(transaction.connection, token.id) is None:
        transaction.connection.execute(INSERT, rows.token_values(token))


def revoke(transaction: Transaction, token_id: str, now: datetime) -> Token | None:
    token = find(transaction.connection, token_id)
    if token is None or token.revoked_at is not None:
        return token
    won = transaction.connection.execute(REVOKE, {"b_id": token_id, "revoked_at": now}).rowcount == 1
    return replace(token, revoked_at=now) if won else find(transaction.connection, token_id)


def touch(transaction: Transaction, token_id: str, now: datetime) -> bool:
    values = {"b_id": token_id, "b_before": now - NOTED_EVERY, "last_used_at": now}
    return transaction.connection.execute(TOUCH, values).rowcount == 1


def find(connection: Connection, token_id: str) -> Token | None:
    row = connection.execute(FIND, {"id": token_id}).one_or_none()
    return None if row is None else rows.token_record(row)


def listed(connection: Connection) -> tuple[Token, ...]:
    return tuple(map(rows.token_record, connection.execute(ALL)))
