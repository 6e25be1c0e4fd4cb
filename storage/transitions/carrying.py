"""Questions to those who asked that wait for a reply when their card is asked anew: they go on waiting at the new one."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, update

from actions.kit.policies.remarks import PAUSES, RESUMES_AFTER, Remark, unanswered
from actions.kit.policies.steps import Step, StepKind
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunRecord
from storage import rows
from storage.tables import copies
from storage.transaction import Transaction
from storage.transitions.audit import note
from storage.transitions.pacing import add
from storage.transitions.runs import change

TOLD = update(copies).where(
    copies.c.run_id == bindparam("b_run_id"),
    copies.c.kind == CopyKind.REMARK,
    copies.c.text == bindparam("b_text"),
)


def waiting_at(run: RunRecord, old: InterruptRecord | None) -> tuple[Remark, ...]:
    """Those that wait at a card that was superseded; whoever edited it waits for nothing any more."""
    if old is None or old.status is not InterruptStatus.SUPERSEDED:
        return ()
    editors = {each.person for each in run.edits if each.question == old.number}
    return tuple(
        each
        for each in unanswered(each for each in run.remarks if each.question == old.number)
        if each.person not in editors
    )


def begun(interrupt: InterruptRecord, waiting: tuple[Remark, ...]) -> InterruptRecord:
    """The new question as it is asked: where its policy says so, its time stands until there is a reply."""
    pauses = bool(waiting) and interrupt.policy.may_ask == PAUSES
    return replace(interrupt, paused_at=interrupt.created_at) if pauses else interrupt


def carry_over(
    transaction: Transaction, run: RunRecord, new: InterruptRecord, waiting: tuple[Remark, ...], now: datetime
) -> None:
    """What those who asked were sent is about the new question from now on, and so is its button."""
    moved = {each: each.model_copy(update={"question": new.number}) for each in waiting}
    if not moved:
        return
    change(transaction, run.id, remarks=rows.remarks_text(tuple(moved.get(each, each) for each in run.remarks)))
    for was, is_now in moved.items():
        told = {"b_run_id": run.id, "b_text": was.model_dump_json()}
        transaction.connection.execute(TOLD, told | {"interrupt_id": new.id, "text": is_now.model_dump_json()})
    if new.paused_at is not None:
        add(transaction, new, [Step(StepKind.RESUME, 1, max(now, waiting[0].at + RESUMES_AFTER))])
        note(transaction, run.id, "clock paused", at=now, via="runner", interrupt_id=new.id)
