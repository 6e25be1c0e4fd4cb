"""What is written down of every transition, for good."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ANSWER_REFUSED = "answer refused"
"""The event of an answer that did not count. Its details: `why`, the `choice`, the `shape` of the value, and the `places`
at which it does not fit; never what somebody wrote."""


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """One transition, as it will always be told: who did what, when, by which way in."""

    at: datetime
    run_id: str
    interrupt_id: str | None
    event: str
    person: str | None
    via: str
    details: Mapping[str, Any] = field(default_factory=dict)
