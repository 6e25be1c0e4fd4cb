"""What the workbench writes down so that a test can ask afterwards: calls of the bot, deliveries to it, its acks."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

DeliveryKind = Literal["interactive", "slash_commands", "events_api"]
Outcome = Literal["acked", "late", "withheld", "not_connected", "refused", "lost"]
WATCHED = 2000  # entries that are kept for those who watch
T = TypeVar("T")
KEPT = 50_000  # calls, deliveries and acks that are kept, of each


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
    ms: float = 0.0
    at: datetime = field(default_factory=_now)

    @property
    def ok(self) -> bool:
        return bool(self.answer.get("ok"))


@dataclass(frozen=True, slots=True)
class Delivery:
    """One thing that Slack sent to the bot; a redelivery carries the same `envelope_id` and payload.

    An event that is retried says which attempt this is (0: the first) and why.
    """

    kind: DeliveryKind
    payload: Mapping[str, Any]
    envelope_id: str
    accepts_response: bool
    retry_attempt: int = 0
    retry_reason: str = ""
    at: datetime = field(default_factory=_now)

    @property
    def type(self) -> str:
        """`block_actions`, `view_submission`, …; for commands and events the kind."""
        return str(self.payload.get("type", self.kind)) if self.kind == "interactive" else self.kind


@dataclass(frozen=True, slots=True)
class Ack:
    """How the bot answered a delivery, and how many milliseconds after it was sent.

    `body` is the payload of the ack, `None` for an empty one. Only `acked` reached the person in time. `no_retry` is
    the wish of an app that refused an event.
    """

    kind: str
    outcome: Outcome
    ms: float
    body: Any = None
    detail: str = ""
    no_retry: bool = False
    delivery: Delivery | None = field(default=None, repr=False)

    @property
    def ok(self) -> bool:
        return self.outcome == "acked"


@dataclass(frozen=True, slots=True)
class Note:
    """Something else that went over the line, in words: a connection that opened, a fault that was asked for."""

    words: str
    at: datetime = field(default_factory=_now)


@dataclass(slots=True, eq=False)
class Entry:
    """A line of the traffic. `n` is its place; `rev` grows when the line changes, as a delivery's does with its ack."""

    n: int
    rev: int
    about: Call | Delivery | Note
    ack: Ack | None = None


@dataclass(slots=True)
class Journal:
    """Everything since the start, or the latest of very much, oldest first. `entries` has the latest of it in one order, for those who watch."""

    calls: list[Call] = field(default_factory=list)
    deliveries: list[Delivery] = field(default_factory=list)
    acks: list[Ack] = field(default_factory=list)
    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=WATCHED))
    rev: int = 0
    changed: Callable[[], None] = field(default=lambda: None, repr=False)

    def called(self, call: Call) -> Entry:
        _keep(self.calls, call)
        return self._enter(call)

    def corrected(self, entry: Entry, call: Call) -> None:
        """The call of this entry ended otherwise than it was written down."""
        for at, known in enumerate(self.calls):
            if known is entry.about:
                self.calls[at] = call
        entry.about = call
        self._move(entry)

    def sent(self, delivery: Delivery) -> Entry:
        _keep(self.deliveries, delivery)
        return self._enter(delivery)

    def acked(self, entry: Entry, ack: Ack) -> None:
        _keep(self.acks, ack)
        entry.ack = ack
        self._move(entry)

    def noted(self, words: str) -> None:
        self._enter(Note(words))

    def since(self, rev: int) -> list[Entry]:
        """The entries that are new or have changed since then."""
        return [entry for entry in self.entries if entry.rev > rev]

    def calls_of(self, method: str, *, ok: bool | None = None) -> list[Call]:
        return [call for call in self.calls if call.method == method and ok in (None, call.ok)]

    def acks_of(self, kind: str) -> list[Ack]:
        return [ack for ack in self.acks if ack.kind == kind]

    def deliveries_of(self, kind: str) -> list[Delivery]:
        return [delivery for delivery in self.deliveries if kind in (delivery.type, delivery.kind)]

    def _enter(self, about: Call | Delivery | Note) -> Entry:
        entry = Entry(self.entries[-1].n + 1 if self.entries else 1, 0, about)
        self.entries.append(entry)
        self._move(entry)
        return entry

    def _move(self, entry: Entry) -> None:
        self.rev += 1
        entry.rev = self.rev
        self.changed()


def _keep(written: list[T], new: T) -> None:
    """A workbench that serves for days must not grow for days."""
    written.append(new)
    if len(written) > KEPT:
        del written[0]
