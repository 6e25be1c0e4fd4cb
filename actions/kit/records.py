"""The frozen values that all rooms pass around: what a run, an interrupt, a decision and a copy are, apart from any table.

JSON that must return as it was (input, data, state, answers, output) travels as JSON *text*, so that key order and
numbers stay what they were. Times are aware datetimes in UTC. Ids of people and channels are Slack's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from actions.kit.deciders import Frozen, Place, Policy
from actions.kit.granted import Granted
from actions.kit.hours import elapsed
from actions.kit.remarks import Remark, unanswered


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


class InterruptStatus(StrEnum):
    """Where an interrupt stands. Only a pending one can be answered."""

    PENDING = "pending"
    ANSWERED = "answered"
    DECLINED = "declined"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SUPERSEDED = "superseded"


class Cause(StrEnum):
    """What settled an interrupt or ended a run."""

    HUMAN = "human"
    EXPIRED = "expired"
    POLICY = "policy"
    ADMIN = "admin"


class Confirm(Frozen):
    """The question that Slack asks before a button counts."""

    title: str
    text: str
    confirm: str = "Yes"
    deny: str = "No"


class Choice(Frozen):
    """One way to answer, shown as one button.

    `json_schema` is the JSON Schema of the value. A choice without a form (`has_form` false) carries its value in
    `value`; with one, the value comes from the modal.
    """

    key: str
    title: str
    description: str | None = None
    json_schema: dict[str, Any]
    has_form: bool
    value: Any = None
    style: Literal["primary", "danger"] | None = None
    confirm: Confirm | None = None
    declines: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether pressing it is all that it takes: nothing to fill in, and nothing of its own to confirm."""
        return not self.has_form and self.confirm is None


class Shape(Frozen):
    """What can be answered: the choices, in the order in which they are shown. Stored with its interrupt."""

    choices: tuple[Choice, ...]

    def choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices if choice.key == key), None)

    @property
    def bare(self) -> tuple[Choice, ...]:
        """The choices that may be made for several questions at once."""
        return tuple(choice for choice in self.choices if choice.is_bare)

    @property
    def is_approval(self) -> bool:
        """Whether somebody can decline: then the requester may not decide. Otherwise it is a question."""
        return any(choice.declines for choice in self.choices)


class Draft(Frozen):
    """What somebody typed so far in a form that is redrawn while it is filled in.

    `values` are Slack's `state.values` of every input that was ever shown: by block id, then by action id. `step` is the
    page that is shown, from 0; `rows` says how many entries each list of models has, by the key of the list. `turn` counts
    how often something was clicked or submitted in it, so that only the newest is drawn; `clicks` are the last of them, so
    that one that is delivered again changes nothing.
    """

    values: dict[str, dict[str, dict[str, Any]]] = Field(default_factory=dict)
    step: int = 0
    rows: dict[str, int] = Field(default_factory=dict)
    turn: int = 0
    clicks: tuple[str, ...] = ()


class Expire(Frozen):
    """On expiry the run ends as expired."""

    kind: Literal["expire"] = "expire"


class Decline(Frozen):
    """On expiry the run ends as declined."""

    kind: Literal["decline"] = "decline"


class Answer(Frozen):
    """On expiry this choice and value become the answer, with cause `expired`."""

    kind: Literal["answer"] = "answer"
    choice: str
    value: Any = None


OnExpiry = Annotated[Expire | Decline | Answer, Field(discriminator="kind")]


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


class Asker(Frozen):
    """A nested action, as it was called: who asks, where that is not the action that was started. `input` is JSON text."""

    action_id: str
    action_name: str
    input: str


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

    `thread` is the `ts` of the message there with which it was asked for: what it reports, and how it ends, is told below.
    """

    via: Literal["slack", "command line", "http", "demo"] = "slack"
    channel: str | None = None
    thread: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an answer or an input, in words for people, at the path of the value that caused it."""

    path: tuple[str | int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """What the directory knows of a person; `timezone` is that of their own Slack, such as `Europe/Berlin`."""

    id: str
    name: str
    email: str | None = None
    is_bot: bool = False
    is_guest: bool = False
    is_deleted: bool = False
    timezone: str | None = None


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decider's answer. `value` is JSON text; `source` tells a redelivery from a second click.

    `stage` is that of the policy in which it was given. `fits` says for each stage which of its needs this person could
    fill when they answered, by number from 0; nothing of a stage in which they do not decide. `standing_for` is who was
    away, where it was given in somebody's place: then `fits` is what they could fill.
    """

    person: str
    choice: str
    value: str
    note: str | None
    at: datetime
    source: str
    stage: int = 0
    fits: tuple[tuple[int, ...], ...] = ()
    standing_for: str | None = None

    @property
    def voices(self) -> frozenset[str]:
        """Whoever gave it, and in whose place: neither of them counts in another answer to the same stage."""
        return frozenset({self.person, self.standing_for or self.person})


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
    def requesters(self) -> tuple[str, ...]:
        """Everybody who asked for it, whoever started it first: none of them approves it, and each hears of its end."""
        return (self.requester, *self.joined)

    @property
    def asking(self) -> tuple[str, ...]:
        """Those who have not taken it back."""
        return tuple(each for each in self.requesters if each not in self.withdrawn)


@dataclass(frozen=True, slots=True)
class InterruptRecord:
    """One pause of a run. `data`, `shown`, `state` and `answer` are JSON text; `None` means that there is none.

    `call_path` is the place in the run that asked, empty for the action that was started. Of several questions that waited
    for their turn at once, this was number `position` of `total`.

    `shown_schema` is what is known of `shown`, as JSON Schema in JSON text: titles, units and kinds, for people alone.
    `run_epoch` is the execution of the run that asked. `editable` are the fields of the run's input that a decider may
    change while it is open. `warned_at` is when those who must act were warned that its time is nearly up, and `extended`
    how many times it got more; both are about the stage that is asked, as is who has taken it on, and until when.
    `granted`: a standing grant settled it.
    """

    id: str
    run_id: str
    number: int
    call_path: str
    occurrence: int
    message: str
    data: str | None
    shown: str
    state: str | None
    ui: str | None
    resume: str
    shape: Shape
    fingerprint: str
    policy: Policy
    expires_in: timedelta | None
    on_expiry: OnExpiry
    status: InterruptStatus
    content_version: int
    created_at: datetime
    posted_at: datetime | None = None
    expires_at: datetime | None = None
    undeliverable: str | None = None
    settled_at: datetime | None = None
    settled_by: str | None = None
    cause: Cause | None = None
    choice: str | None = None
    answer: str | None = None
    asked_again_because: str | None = None
    asker: Asker | None = None
    position: int = 1
    total: int = 1
    shown_schema: str | None = None
    run_epoch: int = 0
    granted: Granted | None = None
    paused_at: datetime | None = None
    editable: tuple[str, ...] = ()
    warned_at: datetime | None = None
    extended: int = 0
    claimed_by: str | None = None
    claimed_until: datetime | None = None

    def holder(self, now: datetime) -> str | None:
        """Who has taken it on, as long as that lasts."""
        return self.claimed_by if self.claimed_until is not None and now < self.claimed_until else None

    def is_over(self, now: datetime) -> bool:
        """Whether the deadline has passed; at its very moment it has, and while the clock is paused it has not."""
        return self.paused_at is None and self.expires_at is not None and self.expires_at <= now

    @property
    def time_left(self) -> timedelta | None:
        """How much time is left when a paused clock goes on; `None` where there is no end or no pause."""
        if self.paused_at is None or self.expires_at is None:
            return None
        return elapsed(max(self.paused_at, self.posted_at or self.paused_at), self.expires_at, self.policy.hours)


@dataclass(frozen=True, slots=True)
class Card:
    """Everything that a card shows: an interrupt, its run, and the decisions so far in the order in which they came.

    `names` are those of people in the data, by id, as far as somebody looked them up: a mention would call them.
    `answering_for` is in whose place the person answers for whom it was looked up, where it is not in their own.
    """

    run: RunRecord
    interrupt: InterruptRecord
    decisions: tuple[DecisionRecord, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    answering_for: str | None = None

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Those that led to what this question shows."""
        return tuple(each for each in self.run.edits if each.question < self.interrupt.number)

    @property
    def input_then(self) -> str:
        """The input of the run as it was when this was asked, as JSON text."""
        later = self.run.edits[len(self.edits) :]
        return later[0].before if later else self.run.input

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """What was said by the time of this question, and about it."""
        return tuple(each for each in self.run.remarks if each.question <= self.interrupt.number)

    @property
    def unanswered(self) -> tuple[Remark, ...]:
        """What deciders asked about this question since somebody last replied."""
        return unanswered(each for each in self.run.remarks if each.question == self.interrupt.number)

    @property
    def edited_away(self) -> Edit | None:
        """The edit that ended this question."""
        return next((each for each in self.run.edits if each.question == self.interrupt.number), None)

    @property
    def asker_id(self) -> str:
        """The id of the action that asks: the one that was started, or one that it called."""
        return self.interrupt.asker.action_id if self.interrupt.asker else self.run.action_id

    @property
    def asker_name(self) -> str:
        """The name of that action."""
        return self.interrupt.asker.action_name if self.interrupt.asker else self.run.action_name


@dataclass(frozen=True, slots=True)
class PauseRequest:
    """An interrupt as the action raised it, checked and resolved against the action's settings, before it is stored."""

    message: str
    data: str | None
    shown: str
    state: str | None
    ui: str | None
    resume: str
    shape: Shape
    fingerprint: str
    policy: Policy
    expires_in: timedelta | None
    on_expiry: OnExpiry
    call_path: str = ""
    occurrence: int = 1
    asker: Asker | None = None
    position: int = 1
    total: int = 1
    shown_schema: str | None = None
    editable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paused:
    """The action, or one that it called, asks; of several questions that wait at once (`total`), this is the first.

    `resume` is the prepared type of its answer.
    """

    request: PauseRequest
    resume: Any = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Returned:
    """The action returned; `output` is JSON text."""

    output: str


@dataclass(frozen=True, slots=True)
class Raised:
    """The action failed, or broke a rule of the contract. `error` is for the log of the process that executed it."""

    failure: Failure
    error: BaseException | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Stopped:
    """The action was cancelled from outside before it ended."""


@dataclass(frozen=True, slots=True)
class TurnedDown:
    """The action let a `Declined` or `Expired` out: it ends as its question did. `by` is who declined, `call` its path."""

    status: Literal[RunStatus.DECLINED, RunStatus.EXPIRED]
    message: str
    call: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class AskAgain:
    """The newest answer does not fit today's code: its question is to be asked again, as `request` where that is known."""

    interrupt: InterruptRecord
    because: str
    request: PauseRequest | None = None


@dataclass(frozen=True, slots=True)
class Unfit:
    """What is stored of a nested call does not fit today's code."""

    failure: Failure


Outcome = Paused | Returned | Raised | Stopped | TurnedDown | AskAgain | Unfit


class CopyKind(StrEnum):
    """What a posted message shows: a card, how a run ended, that a card could not be delivered, a line of a thread, a nudge.

    `remark` tells somebody what was said about it; `edited` that a decider changed what they asked for, or had answered.
    A digest lists what waits for one person; it hangs at the run of the first.
    """

    CARD = "card"
    OUTCOME = "outcome"
    UNDELIVERABLE = "undeliverable"
    LINE = "line"
    NUDGE = "nudge"
    REMARK = "remark"
    EDITED = "edited"
    DIGEST = "digest"


class Ending(Frozen):
    """How a run stood when its requester was told, so that the message stays true after the run was run again."""

    status: RunStatus
    epoch: int
    at: datetime
    failure: Failure | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class NewCopy:
    """A message that is wanted at a place in Slack."""

    kind: CopyKind
    place: Place
    reposted: bool = False
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class CopyRecord:
    """One Slack message of ours: where it belongs, where it stands, and which version it shows (0: not posted yet).

    `maybe_posted`: an earlier attempt may have posted it, look first. `reposted`: it replaces one that a person deleted.
    `fallback`: it reaches a decider directly because the card could not stand where it belongs.
    """

    id: str
    run_id: str
    interrupt_id: str | None
    kind: CopyKind
    place: Place | None
    status: Literal["wanted", "posted", "gone", "failed"]
    shown_version: int
    wanted_version: int
    attempts: int
    channel: str | None = None
    ts: str | None = None
    thread_ts: str | None = None
    text: str | None = None
    ending: Ending | None = None
    error: str | None = None
    maybe_posted: bool = False
    person: str | None = None
    reposted: bool = False
    fallback: bool = False


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
