"""What is noted of an answer that did not count: by whom, when, and how it was shaped; never what it said.

Whoever asks why an answer did nothing finds it in the trail. Anybody who sees a card can try, so the first few are enough.
"""

from datetime import datetime

from sqlalchemy import bindparam, case, func, select

from actions.kit.records.audit import ANSWER_REFUSED
from actions.kit.records.interrupts import InterruptStatus
from storage import queries
from storage.results import RefusedAnswer
from storage.tables import audit
from storage.transaction import Transaction
from storage.transitions.audit import note

OF_PERSON, OF_QUESTION = 5, 50

NOTED = select(
    func.count(), func.coalesce(func.sum(case((audit.c.person == bindparam("person"), 1), else_=0)), 0)
).where(
    audit.c.run_id == bindparam("run_id"),
    audit.c.interrupt_id == bindparam("interrupt_id"),
    audit.c.event == ANSWER_REFUSED,
)


def note_refused(transaction: Transaction, refused: RefusedAnswer, now: datetime) -> bool:
    """Nothing, where the question is settled by now, or enough of them are noted."""
    asked = queries.interrupt(transaction.connection, refused.interrupt_id)
    if asked is None or asked.status is not InterruptStatus.PENDING:
        return False
    about = {"run_id": asked.run_id, "interrupt_id": asked.id, "person": refused.person}
    noted, by_person = transaction.connection.execute(NOTED, about).one()
    if noted >= OF_QUESTION or by_person >= OF_PERSON:
        return False
    details = {
        "why": refused.why,
        "choice": refused.choice,
        "shape": refused.shape,
        "places": list(refused.places) or None,
    }
    note(
        transaction,
        asked.run_id,
        ANSWER_REFUSED,
        at=now,
        via=refused.via,
        interrupt_id=asked.id,
        person=refused.person,
        **details,
    )
    return True
