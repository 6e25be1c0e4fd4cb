"""Notes for the trail: one row for every transition, written in the transaction that makes it."""

import json
from datetime import datetime
from typing import Any

from storage.transaction import Transaction


def note(
    transaction: Transaction,
    run_id: str,
    event: str,
    *,
    at: datetime,
    via: str,
    interrupt_id: str | None = None,
    person: str | None = None,
    **details: Any,
) -> None:
    """`via` is the way in: `slack`, `command line`, … for people; `runner`, `sweep`, `publisher` for ourselves."""
    kept = {name: value for name, value in details.items() if value is not None}
    values = {
        "at": at,
        "run_id": run_id,
        "interrupt_id": interrupt_id,
        "event": event,
        "person": person,
        "via": via,
        "details": json.dumps(kept, ensure_ascii=False),
    }
    transaction.notes.append(values)
