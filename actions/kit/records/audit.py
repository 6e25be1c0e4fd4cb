"""What is written down of every transition, for good."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ANSWER_REFUSED = "answer refused"
"""The event of an answer that did not count. Its details: `why`, the `choice`, the `shape` of the value, and the `places`
at which it does not fit; never what somebody wrote."""
MESSAGE_POSTED = "posted"
"""The event of a message that now stands in Slack."""
BESIDE_THE_RUN = frozenset({ANSWER_REFUSED, MESSAGE_POSTED})
"""Events after which a run stands where it stood: what happened to it last is what happened before them."""


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
