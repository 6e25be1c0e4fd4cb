"""Plans what happens by itself while a question waits: from when its clock starts until it is settled or asked of others."""

from collections.abc import Callable, Collection, Iterable
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from actions.kit.policies.steps import WHILE_PAUSED, Step, StepKind, first_steps, is_paced
from actions.kit.records.interrupts import InterruptRecord
from storage.tables import steps
from storage.transaction import Transaction

INSERT = insert(steps)
OF_STAGE = (
    select(steps.c.seq)
    .where(
        steps.c.interrupt_id == bindparam("id"),
        steps.c.stage == bindparam("stage"),
        steps.c.kind.not_in(WHILE_PAUSED),
    )
    .limit(1)
)
TO_COME = steps.c.done_at.is_(None)
STEPS_TO_COME = select(steps.c.seq, steps.c.due_at).where(
    steps.c.interrupt_id == bindparam("id"), TO_COME, steps.c.kind.in_(bindparam("kinds", expanding=True))
)
BY_THE_CLOCK = tuple(kind for kind in StepKind if kind not in WHILE_PAUSED)
MOVE = update(steps).where(steps.c.seq == bindparam("b_seq"))
FORGET = delete(steps).where(steps.c.interrupt_id == bindparam("id"), TO_COME)
FORGET_KIND = FORGET.where(steps.c.kind == bindparam("kind", type_=steps.c.kind.type))


def plan(transaction: Transaction, interrupt: InterruptRecord, began: datetime, expires_at: datetime | None) -> None:
    """The steps of the stage that is asked, once: its clock may start a second time where it was undeliverable."""
    policy = interrupt.policy
    if not is_paced(policy):
        return
    planned = transaction.connection.execute(OF_STAGE, {"id": interrupt.id, "stage": policy.stage}).first()
    if planned is None:
        add(transaction, interrupt, first_steps(policy, began, expires_at))


def add(transaction: Transaction, interrupt: InterruptRecord, wanted: Iterable[Step | None]) -> None:
    """Plans further ones of the stage that is asked."""
    for step in wanted:
        if step is not None:
            values = {"kind": step.kind, "number": step.number, "due_at": step.due_at, "tries": 0}
            about = {"run_id": interrupt.run_id, "interrupt_id": interrupt.id, "stage": interrupt.policy.stage}
            transaction.connection.execute(INSERT, about | values)


def forget(transaction: Transaction, interrupt: InterruptRecord) -> None:
    """Nothing more happens by itself: it is settled, or another stage is asked."""
    if is_paced(interrupt.policy):
        transaction.connection.execute(FORGET, {"id": interrupt.id})


def move_steps(
    transaction: Transaction,
    interrupt_id: str,
    moved: Callable[[datetime], datetime],
    kinds: Collection[StepKind] = BY_THE_CLOCK,
) -> None:
    """Those to come of a question, each to the moment that `moved` says of its own; row by row, as databases reckon dates each in a way of its own."""
    for row in transaction.connection.execute(STEPS_TO_COME, {"id": interrupt_id, "kinds": list(kinds)}).all():
        transaction.connection.execute(MOVE, {"b_seq": row.seq, "due_at": moved(row.due_at)})


def forget_kind(transaction: Transaction, interrupt: InterruptRecord, kind: StepKind) -> None:
    """What of this kind was to come does not come any more."""
    transaction.connection.execute(FORGET_KIND, {"id": interrupt.id, "kind": kind})
