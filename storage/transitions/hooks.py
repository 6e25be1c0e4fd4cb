"""Which webhooks there are, and what each is told: deliveries are written in the commit of what they tell.

What a sender does waits for no row of somebody else: a hook that two processes disable at once is disabled by one.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, insert, or_, select, update

from actions.kit.records.interrupts import DecisionRecord, InterruptRecord
from actions.kit.records.runs import RunRecord
from storage import hook_queries as queries
from storage.bodies import body_of
from storage.deliveries import DeliveryStatus, HookEvent, HookRecord, NewHook, Occurrence, RunHook
from storage.ids import new_delivery_id
from storage.tables import deliveries, hooks
from storage.transaction import Transaction

ADD = insert(hooks)
DELIVER = insert(deliveries)
LISTENING = select(hooks).where(
    hooks.c.disabled_at.is_(None),
    or_(hooks.c.run_id.is_(None), hooks.c.run_id.in_(bindparam("run_ids", expanding=True))),
)
NUMBERS = (
    select(deliveries.c.hook_id, deliveries.c.run_id, func.max(deliveries.c.number).label("number"))
    .where(deliveries.c.run_id.in_(bindparam("run_ids", expanding=True)))
    .group_by(deliveries.c.hook_id, deliveries.c.run_id)
)
HOOK = hooks.alias("chosen")
CHOSEN = (
    select(HOOK.c.id)
    .where(HOOK.c.id == bindparam("b_id"), HOOK.c.disabled_at.is_(None))
    .with_for_update(key_share=True, skip_locked=True)
)
REMOVE = update(hooks).where(hooks.c.id == bindparam("b_id"), hooks.c.removed_at.is_(None))
DISABLE = update(hooks).where(hooks.c.id == CHOSEN.scalar_subquery())
WAITING = deliveries.alias("waiting")
DROP = (
    update(deliveries)
    .where(
        deliveries.c.seq.in_(
            select(WAITING.c.seq)
            .where(
                WAITING.c.hook_id == bindparam("b_hook_id"),
                WAITING.c.status == DeliveryStatus.PENDING,
                or_(WAITING.c.lease_until.is_(None), WAITING.c.lease_until <= bindparam("b_now")),
            )
            .with_for_update(key_share=True, skip_locked=True)
        )
    )
    .values(status=DeliveryStatus.FAILED)
)
REMOVED = "it was removed"


def happened(
    transaction: Transaction,
    event: HookEvent,
    run: RunRecord,
    at: datetime,
    *,
    interrupt: InterruptRecord | None = None,
    decisions: Sequence[DecisionRecord] = (),
) -> None:
    """Leaves for the end of the commit what the hooks of this run are told."""
    transaction.occurrences.append(Occurrence(event, run, at, interrupt, tuple(decisions)))


def add(transaction: Transaction, hook_id: str, new: NewHook, now: datetime) -> None:
    if transaction.again and queries.hook(transaction.connection, hook_id) is not None:
        return
    values = {"name": new.name, "actions": json.dumps(new.actions), "events": json.dumps(new.events)}
    _insert(transaction, hook_id, new.url, new.secret, now, **values)


def add_for_run(transaction: Transaction, hook_id: str, run_id: str, wanted: RunHook, now: datetime) -> None:
    values = {"name": f"run {run_id}", "actions": "[]", "events": "[]", "run_id": run_id}
    _insert(transaction, hook_id, wanted.url, wanted.secret, now, **values)


def remove(transaction: Transaction, hook_id: str, now: datetime) -> HookRecord | None:
    """What it was told stays on record; its secret is forgotten. `None`: there is none, or not any more."""
    ended = {"disabled_at": now, "disabled_reason": REMOVED, "removed_at": now, "secret": ""}
    if transaction.connection.execute(REMOVE, {"b_id": hook_id, **ended}).rowcount == 1:
        _drop(transaction, hook_id, REMOVED, now)
    elif not transaction.again:
        return None
    return queries.hook(transaction.connection, hook_id)


def disable(transaction: Transaction, hook_id: str, reason: str, now: datetime) -> None:
    """What waits for it fails at once; what somebody else holds at this moment fails when it is due."""
    ended = {"disabled_at": now, "disabled_reason": reason}
    if transaction.connection.execute(DISABLE, {"b_id": hook_id, **ended}).rowcount == 1:
        _drop(transaction, hook_id, reason, now)


def announce(connection: Connection, transactions: Iterable[Transaction]) -> None:
    """Wants the deliveries of a whole commit: one question where nobody listens, three statements where somebody does."""
    telling = [each for each in transactions if each.occurrences]
    run_ids = sorted({occurrence.run.id for each in telling for occurrence in each.occurrences})
    listening = connection.execute(LISTENING, {"run_ids": run_ids}).all() if run_ids else ()
    if not listening:
        return
    numbers: defaultdict[tuple[str, str], int] = defaultdict(int)
    for row in connection.execute(NUMBERS, {"run_ids": run_ids}):
        numbers[row.hook_id, row.run_id] = row.number
    wanted = []
    for transaction in telling:
        of_this = [
            _values(hook, occurrence, numbers)
            for occurrence in transaction.occurrences
            for hook in _told(listening, occurrence)
        ]
        transaction.deliveries_due = bool(of_this)
        wanted += of_this
    if wanted:
        connection.execute(DELIVER, wanted)


def _told(listening: Sequence[Row[Any]], occurrence: Occurrence) -> Iterator[Row[Any]]:
    for hook in listening:
        if hook.run_id not in {None, occurrence.run.id}:
            continue
        actions, events = json.loads(hook.actions), json.loads(hook.events)
        if (not actions or occurrence.run.action_id in actions) and (not events or occurrence.event in events):
            yield hook


def _values(hook: Row[Any], occurrence: Occurrence, numbers: dict[tuple[str, str], int]) -> dict[str, Any]:
    run_id, now = occurrence.run.id, occurrence.at
    delivery_id = new_delivery_id(run_id)
    number = numbers[hook.id, run_id] = numbers[hook.id, run_id] + 1
    return {
        "id": delivery_id,
        "hook_id": hook.id,
        "run_id": run_id,
        "number": number,
        "event": occurrence.event,
        "body": body_of(occurrence, delivery_id=delivery_id, number=number),
        "status": DeliveryStatus.PENDING,
        "attempts": 0,
        "since": now,
        "next_at": now,
        "created_at": now,
    }


def _insert(transaction: Transaction, hook_id: str, url: str, secret: str, now: datetime, **values: Any) -> None:
    fields = {"id": hook_id, "url": url, "secret": secret, "created_at": now, "run_id": None}
    transaction.connection.execute(ADD, fields | values)


def _drop(transaction: Transaction, hook_id: str, reason: str, now: datetime) -> None:
    values = {"error": f"the webhook is disabled: {reason}", "ended_at": now}
    transaction.connection.execute(DROP, {"b_hook_id": hook_id, "b_now": now, **values})
