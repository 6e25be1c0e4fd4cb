"""Does what is due by itself while a question waits: a reminder, the warning, an escalation; each once."""

from datetime import datetime
from typing import Any, assert_never

from sqlalchemy import bindparam, select, update

from actions.kit.policies.policy import Policy
from actions.kit.policies.steps import WHILE_PAUSED, StepKind, StepNotice, escalated, reminder
from actions.kit.records.interrupts import Card, InterruptStatus
from storage import queries
from storage.queries import PENDING
from storage.results import TakenStep
from storage.tables import interrupts, steps
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.claims import lapse
from storage.transitions.deadlines import resume_clock
from storage.transitions.pacing import add
from storage.transitions.reminding import want_notices, want_notices_of_requesters

STEP = select(steps).where(steps.c.seq == bindparam("seq"), steps.c.done_at.is_(None))
DONE = (
    update(steps)
    .where(steps.c.seq == bindparam("b_seq"), steps.c.done_at.is_(None))
    .values(done_at=bindparam("b_now", type_=steps.c.done_at.type))
)
PUT_OFF = (
    update(steps).where(steps.c.seq == bindparam("b_seq"), steps.c.done_at.is_(None)).values(tries=steps.c.tries + 1)
)
CHANGE = update(interrupts).where(interrupts.c.id == bindparam("b_id"), PENDING)


def take(transaction: Transaction, taken: TakenStep, now: datetime) -> Card | None:
    """Does a step that is due. `None`: somebody did it before, or it is not to be done (any more)."""
    row = transaction.connection.execute(STEP, {"seq": taken.seq}).one_or_none()
    card = None if row is None else queries.card(transaction.connection, row.interrupt_id)
    if row is None or card is None or not _is_open(card, row.stage, row.kind, now):
        return None
    if transaction.connection.execute(DONE, {"b_seq": taken.seq, "b_now": now}).rowcount != 1:
        return None
    notice = StepNotice(kind=row.kind, number=row.number, people=taken.people, standing_in=taken.standing_in)
    match row.kind:
        case StepKind.REMIND:
            _remind(transaction, card, notice, taken, now)
        case StepKind.WARN:
            _warn(transaction, card, notice, taken, now)
        case StepKind.ESCALATE:
            _escalate(transaction, card, notice, taken, now)
        case StepKind.LAPSE:
            lapse(transaction, card, now)
        case StepKind.RESUME:
            resume_clock(transaction, card, now, via="sweep")
        case never:
            assert_never(never)
    return card


def put_off(transaction: Transaction, seq: int, until: datetime) -> None:
    """It cannot be done yet."""
    transaction.connection.execute(PUT_OFF, {"b_seq": seq, "due_at": until})


def _is_open(card: Card, stage: int, kind: StepKind, now: datetime) -> bool:
    interrupt = card.interrupt
    is_asked = interrupt.status is InterruptStatus.PENDING and interrupt.policy.stage == stage
    is_running = interrupt.paused_at is None or kind in WHILE_PAUSED
    return is_asked and is_running and not interrupt.is_over(now)


def _remind(transaction: Transaction, card: Card, notice: StepNotice, taken: TakenStep, now: datetime) -> None:
    interrupt = card.interrupt
    _call(transaction, card, notice, taken, now)
    add(transaction, interrupt, [reminder(interrupt.policy, notice.number + 1, now)])
    _note(transaction, card, "reminded", now, number=notice.number)


def _warn(transaction: Transaction, card: Card, notice: StepNotice, taken: TakenStep, now: datetime) -> None:
    """From now on the card offers more time, where the policy gives any; who asked is told as well."""
    transaction.connection.execute(CHANGE, {"b_id": card.interrupt.id, "warned_at": now})
    _call(transaction, card, notice, taken, now)
    want_notices_of_requesters(transaction, card, notice, now)
    views.touch(transaction, card.run.id, now)
    _note(transaction, card, "warned", now, number=notice.number)


def _escalate(transaction: Transaction, card: Card, notice: StepNotice, taken: TakenStep, now: datetime) -> None:
    """More people decide. Whoever saw the card before may answer what they saw: nothing in it is less true."""
    interrupt = card.interrupt
    policy = escalated(interrupt.policy, notice.number)
    transaction.connection.execute(CHANGE, {"b_id": interrupt.id, "policy": policy.model_dump_json()})
    _want_cards(transaction, card, taken, now)
    want_notices(transaction, card, notice, now)
    views.touch(transaction, card.run.id, now)
    _note(transaction, card, "escalated", now, number=notice.number, to=_named(policy, notice.number))


def _call(transaction: Transaction, card: Card, notice: StepNotice, taken: TakenStep, now: datetime) -> None:
    """Below the cards that stand; whoever stands in for somebody and has none yet gets one instead."""
    want_notices(transaction, card, notice, now, places=taken.places, away=taken.away)
    _want_cards(transaction, card, taken, now)


def _want_cards(transaction: Transaction, card: Card, taken: TakenStep, now: datetime) -> None:
    fresh = views.not_standing(transaction, card.interrupt.id, taken.copies)
    views.want(transaction, card.run.id, card.interrupt.id, fresh, now)


def _named(policy: Policy, number: int) -> list[dict[str, object]]:
    return [each.model_dump(exclude_none=True) for each in policy.escalate[number - 1].to]


def _note(transaction: Transaction, card: Card, event: str, now: datetime, **details: Any) -> None:
    note(transaction, card.run.id, event, at=now, via="sweep", interrupt_id=card.interrupt.id, **details)
