"""What a transition works with, and the audit that every transaction writes down once, at its end."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert

from actions.kit.records.runs import Wake
from storage.deliveries import Occurrence
from storage.tables import audit

WRITE_DOWN = insert(audit)


@dataclass(slots=True)
class Transaction:
    """An open connection, and what a transition leaves behind: notes for the audit, what webhooks are told, and wakes.

    `purged_at`: runs are gone, of whose Home tabs nothing can be told any more.

    `again` says that the same transition may have been committed before: it must look for its own rows first.
    """

    connection: Connection
    again: bool = False
    notes: list[dict[str, Any]] = field(default_factory=list)
    wakes: list[Wake] = field(default_factory=list)
    copies_due: bool = False
    occurrences: list[Occurrence] = field(default_factory=list)
    deliveries_due: bool = False
    homes_due: bool = False
    purged_at: datetime | None = None


def write_down(connection: Connection, transactions: Iterable[Transaction]) -> None:
    """One statement for all notes of a commit, in their order."""
    notes = [note for transaction in transactions for note in transaction.notes]
    if notes:
        connection.execute(WRITE_DOWN, notes)
