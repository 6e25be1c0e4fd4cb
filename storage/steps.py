"""The store's part for what happens by itself while questions wait: what is due, and doing it once."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from sqlalchemy import Connection, and_, bindparam, or_, select

from actions.kit.policies.steps import WHILE_PAUSED
from actions.kit.records.interrupts import Card
from storage import queries
from storage.database import Database, Transaction
from storage.ids import run_of
from storage.queries import PENDING
from storage.results import Claim, ClaimResult, DueStep, ExtendResult, Extension, TakenStep
from storage.tables import interrupts, steps
from storage.transitions import claims, extending
from storage.transitions import steps as transitions

T = TypeVar("T")

NOW = bindparam("now", type_=steps.c.due_at.type)
DUE = (
    select(steps.c.seq, steps.c.interrupt_id, steps.c.kind, steps.c.number, steps.c.tries)
    .join(interrupts, interrupts.c.id == steps.c.interrupt_id)
    .where(
        steps.c.done_at.is_(None),
        steps.c.due_at <= NOW,
        PENDING,
        or_(
            *(steps.c.kind == kind for kind in WHILE_PAUSED),
            and_(
                interrupts.c.paused_at.is_(None),
                or_(interrupts.c.expires_at.is_(None), interrupts.c.expires_at > NOW),
            ),
        ),
    )
    .order_by(steps.c.due_at, steps.c.seq)
    .limit(bindparam("count"))
)


class Steps:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def due(self, *, now: datetime, limit: int) -> tuple[DueStep, ...]:
        """Those whose time has come, the longest due first."""
        return await self._database.read(lambda connection: _due(connection, now, limit))

    async def take(self, taken: TakenStep, interrupt_id: str, *, now: datetime) -> Card | None:
        """Does one. `None`: somebody did it before, or its question is not open any more."""
        return await self._write(interrupt_id, lambda writing: transitions.take(writing, taken, now))

    async def put_off(self, step: DueStep, *, until: datetime) -> None:
        """Says that one cannot be done yet."""
        interrupt_id = step.card.interrupt.id
        await self._write(interrupt_id, lambda writing: transitions.put_off(writing, step.seq, until))

    async def extend(self, asked: Extension, *, now: datetime) -> ExtendResult:
        """Gives a question more time, as its policy says."""
        return await self._write(asked.interrupt_id, lambda writing: extending.extend(writing, asked, now))

    async def claim(self, asked: Claim, *, now: datetime) -> ClaimResult:
        """Takes a question on for a while, or lets it go."""
        return await self._write(asked.interrupt_id, lambda writing: claims.claim(writing, asked, now))

    async def _write(self, interrupt_id: str, transition: Callable[[Transaction], T]) -> T:
        return await self._database.write(run_of(interrupt_id), transition, self._hand_over)


def _due(connection: Connection, now: datetime, limit: int) -> tuple[DueStep, ...]:
    found = [
        (row, queries.card(connection, row.interrupt_id))
        for row in connection.execute(DUE, {"now": now, "count": limit})
    ]
    return tuple(DueStep(row.seq, row.kind, row.number, row.tries, card) for row, card in found if card is not None)
