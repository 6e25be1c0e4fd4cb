"""What is told to webhooks, as frozen values: the hooks, what happens to a run, and each delivery of it."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from actions.kit.records.interrupts import DecisionRecord, InterruptRecord
from actions.kit.records.runs import RunRecord


class HookEvent(StrEnum):
    """What a webhook hears of a run. It may hear `waiting`, `decided` and `ended` more than once."""

    STARTED = "started"
    WAITING = "waiting"
    DECIDED = "decided"
    ENDED = "ended"


class DeliveryStatus(StrEnum):
    """A failed delivery is not tried again by itself."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunHook:
    """A webhook that is told of one run alone, as its starter asked for it."""

    url: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewHook:
    """A webhook as it is registered. Without `actions` it is told of all of them, without `events` of every event."""

    name: str
    url: str
    secret: str = field(repr=False)
    actions: tuple[str, ...] = ()
    events: tuple[HookEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class HookRecord:
    """A webhook as it may be shown: its secret never leaves the store but to sign. `run_id`: told of this run alone."""

    id: str
    name: str
    url: str
    actions: tuple[str, ...]
    events: tuple[HookEvent, ...]
    run_id: str | None
    created_at: datetime
    disabled_at: datetime | None = None
    disabled_reason: str | None = None
    removed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """What a transition did to a run: `run` is as it stands by it. `interrupt` is the one that was opened or settled."""

    event: HookEvent
    run: RunRecord
    at: datetime
    interrupt: InterruptRecord | None = None
    decisions: tuple[DecisionRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class DeliveryRecord:
    """One event on its way to one webhook. `number` counts from 1 for each run and hook; `since` is when it was wanted."""

    id: str
    hook_id: str
    run_id: str
    number: int
    event: HookEvent
    status: DeliveryStatus
    attempts: int
    since: datetime
    next_at: datetime
    created_at: datetime
    ended_at: datetime | None = None
    response_status: int | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery that is ours to send, with what only sending needs."""

    delivery: DeliveryRecord
    url: str
    secret: str = field(repr=False)
    body: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class SentAgain:
    """The delivery is on its way again."""

    delivery: DeliveryRecord


@dataclass(frozen=True, slots=True)
class InFlight:
    """It is being sent at this moment; nothing was changed."""

    delivery: DeliveryRecord


@dataclass(frozen=True, slots=True)
class HookDisabled:
    """Its webhook takes nothing any more; nothing was changed."""

    hook: HookRecord


SendAgainResult = SentAgain | InFlight | HookDisabled
