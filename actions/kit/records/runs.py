"""What a run is: its status, how it came about, how it failed, and why it does not go on."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from actions.kit.frozen import Frozen
from actions.kit.policies.remarks import Remark


class RunStatus(StrEnum):
    """Where a run stands; the README draws the arrows."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    STALLED = "stalled"
    HELD = "held"

    @property
    def ended(self) -> bool:
        """Whether nothing more happens by itself; a failed or stalled run may still be run again by a person."""
        return self in ENDED


ENDED = frozenset(
    {
        RunStatus.SUCCEEDED,
        RunStatus.FAILED,
        RunStatus.DECLINED,
        RunStatus.EXPIRED,
        RunStatus.CANCELLED,
        RunStatus.STALLED,
    }
)


class Failure(Frozen):
    """Why a run failed, stalled or is held: `kind` for machines (`ValueError`, `time_limit`, `lost`, …), the rest for people.

    `call` is the path of the nested call that it comes from, where it comes from one.
    """

    kind: str
    message: str
    advice: str | None = None
    call: str | None = None

    @property
    def needs_new_code(self) -> bool:
        """Whether the action broke a rule of the contract, and can only do so again until its code changes."""
        return self.kind in CONTRACT_BROKEN


CONTRACT_BROKEN = frozenset({"pause_swallowed", "pause_not_raised", "several_pauses", "bad_pause", "output"})


class Edit(Frozen):
    """A decider changed the input of a run while its question number `question` was open, which was asked again after it.

    `before` is the input as it was until then, as JSON text, and `described` what is known of it, as JSON Schema in JSON
    text. `source` tells a redelivery from a second edit. Somebody who stood in for another did it in their place.
    """

    person: str
    at: datetime
    source: str
    question: int
    before: str
    described: str | None = None
    standing_for: str | None = None


class Origin(Frozen):
    """Where a run was started: by which way in, and in which channel if in one.

    What the bot starts by itself (`bot`) nobody takes back or asks for again. `thread` is the `ts` of the message there with which it was asked for: what it reports, and how it ends, is told below.
    """

    via: Literal["slack", "command line", "http", "demo", "bot"] = "slack"
    channel: str | None = None
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One invocation of an action. `request` is a hash of what asked for it, where that may ask again.

    `joined` are those who asked for the same while it was open, in their order; `withdrawn` those who took back that they
    asked, while somebody else still does. `edits` led to its `input`, in their order; `remarks` are what
    people said about it.
    """

    id: str
    action_id: str
    action_name: str
    requester: str
    origin: Origin
    input: str
    status: RunStatus
    epoch: int
    claims: int
    answered: bool
    created_at: datetime
    lease_owner: str | None = None
    lease_until: datetime | None = None
    cancel_requested_by: str | None = None
    output: str | None = None
    failure: Failure | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: str | None = None
    marked_by: str | None = None
    request: str | None = None
    joined: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def is_by_bot(self) -> bool:
        """Whether the bot started it by itself: then nobody takes it back, or asks for it again."""
        return self.origin.via == "bot"

    @property
    def requesters(self) -> tuple[str, ...]:
        """Everybody who asked for it, whoever started it first: none of them approves it, and each hears of its end."""
        return (self.requester, *self.joined)

    @property
    def asking(self) -> tuple[str, ...]:
        """Those who have not taken it back."""
        return tuple(each for each in self.requesters if each not in self.withdrawn)


@dataclass(frozen=True, slots=True)
class Wake:
    """A hint that a run of this epoch is queued. The table carries the truth: a stale or doubled wake does nothing."""

    run_id: str
    epoch: int


class Hindrance(StrEnum):
    """Why a run does not go on by itself, or is not over: somebody ought to look. What needs a person most comes first."""

    STALLED = "stalled"
    UNDELIVERABLE = "undeliverable"
    LOST = "lost"
    BLOCKED = "blocked"
    LATE = "late"
    UNSEEN = "unseen"
    HELD = "held"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Stuck:
    """A run that is stuck, since when, and what is known: Slack's reason, or where in its code it blocks.

    `interrupt_id` is its pending interrupt, where it has one; `question` what it asked last.
    """

    run: RunRecord
    why: Hindrance
    since: datetime
    detail: str | None = None
    interrupt_id: str | None = None
    question: str | None = None
