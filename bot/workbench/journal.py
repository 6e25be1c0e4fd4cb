"""What the workbench writes down so that a test can ask afterwards: calls of the bot, deliveries to it, its acks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

DeliveryKind = Literal["interactive", "slash_commands", "events_api"]
Outcome = Literal["acked", "late", "withheld", "not_connected", "refused", "lost"]


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the Web API and the answer it got; `answer` is what the bot would have read, had the line held."""

    method: str
    arguments: Mapping[str, Any]
    answer: Mapping[str, Any]
    status: int = 200
    dropped: bool = False
    at: datetime = field(default_factory=_now)

    @property
    def ok(self) -> bool:
        return bool(self.answer.get("ok"))


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing that Slack sent to the bot; a redelivery carries the same `envelope_id` and payload."""

    kind: DeliveryKind
    payload: Mapping[str, Any]
    envelope_id: str
    accepts_response: bool
    at: datetime = field(default_factory=_now)

    @property
    def type(self) -> str:
        """`block_actions`, `view_submission`, …; for commands and events the kind."""
        return str(self.payload.get("type", self.kind)) if self.kind == "interactive" else self.kind


@dataclass(frozen=True, slots=True)
class Ack:
    """How the bot answered a delivery, and how many milliseconds after it was sent.

    `body` is the payload of the ack, `None` for an empty one. Only `acked` reached the person in time.
    """

    kind: str
    outcome: Outcome
    ms: float
    body: Any = None
    detail: str = ""
    delivery: Delivery | None = field(default=None, repr=False)

    @property
    def ok(self) -> bool:
        return self.outcome == "acked"


@dataclass(slots=True)
class Journal:
    """Everything since the start, oldest first."""

    calls: list[Call] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    acks: list[Ack] = field(default_factory=list)

    def calls_of(self, method: str, *, ok: bool | None = None) -> list[Call]:
        return [call for call in self.calls if call.method == method and ok in (None, call.ok)]

    def acks_of(self, kind: str) -> list[Ack]:
        return [ack for ack in self.acks if ack.kind == kind]

    def deliveries_of(self, kind: str) -> list[Delivery]:
        return [delivery for delivery in self.deliveries if kind in (delivery.type, delivery.kind)]
