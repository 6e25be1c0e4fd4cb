"""What the store is asked and what it answers: frozen values, so that a lost race is a result and never an exception."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from actions.kit.policies.deciders import Place
from actions.kit.policies.quorum import Fits
from actions.kit.policies.remarks import RemarkKind
from actions.kit.policies.steps import StepKind
from actions.kit.records.copies import NewCopy
from actions.kit.records.interrupts import Card, Choice, DecisionRecord, InterruptRecord
from actions.kit.records.runs import Hindrance, Origin, RunRecord, RunStatus, Stuck
from actions.kit.running.calls import CallRecord
from storage.deliveries import RunHook

OrderVerb = Literal["run_again", "it_happened", "it_did_not"]


@dataclass(frozen=True, slots=True)
class Lease:
    """Who executes, and until when nobody else may take over. `owner` is unique per process."""

    owner: str
    until: datetime


@dataclass(frozen=True, slots=True)
class NewRun:
    """A run that somebody asks for. `input` is validated JSON text.

    The same `idempotency_key` of the same requester and action is the same request for ever: it finds its run, ended or not.
    `request` is a hash of what was asked, so that whoever finds a run can tell whether it asked for the same.
    A `webhook` is told of this run alone. With a `join_key` it joins an open run with the same one, if there is one.
    """

    action_id: str
    action_name: str
    requester: str
    origin: Origin
    input: str
    idempotency_key: str | None = None
    request: str | None = None
    webhook: RunHook | None = None
    join_key: str | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """The run, and whether this very request made it.

    `joined`: it shares a run that an equal request had made; `asked` is the hash of what it asked for itself. `is_new`:
    it joined just now, and what webhook it brought is told of the run from now on.
    """

    run: RunRecord
    created: bool
    joined: bool = False
    asked: str | None = None
    is_new: bool = False

    @property
    def request(self) -> str | None:
        """The hash of what this request, or the earlier one with its key, asked for."""
        return self.asked if self.joined else self.run.request


class Resumed(NamedTuple):
    """An answered interrupt that is handed to the next execution, with the decisions behind it in their order."""

    interrupt: InterruptRecord
    decisions: tuple[DecisionRecord, ...]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A run that is ours to execute. `resumptions` holds the latest settled interrupt of each call path, `calls` its log."""

    run: RunRecord
    resumptions: tuple[Resumed, ...]
    calls: tuple[CallRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Renewal:
    """Whether the lease is still ours, and whether somebody asked to cancel meanwhile."""

    held: bool
    cancel_requested: bool


@dataclass(frozen=True, slots=True)
class Following:
    """What a later stage of a policy wants once it is asked: its cards, or why nobody could settle it; and who is `gone`."""

    copies: tuple[NewCopy, ...] = ()
    hindrance: str | None = None
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Vote:
    """One person's answer, already allowed by the policy and validated. `value` is JSON text.

    `content_version` is what the button carried (`None` where no card was seen); `source` tells a redelivery from a second click.
    `fits` is what the person may fill in each stage of the policy, and `following` what each later stage wants, by number.
    `standing_for` is who is away, where it is given in somebody's place: then `fits` is what they may fill.
    """

    interrupt_id: str
    content_version: int | None
    person: str
    choice: Choice
    value: str
    note: str | None
    source: str
    via: str
    fits: tuple[Fits, ...] = ()
    following: Mapping[int, Following] = field(default_factory=dict)
    standing_for: str | None = None


@dataclass(frozen=True, slots=True)
class RefusedAnswer:
    """An answer that did not count, without what it said.

    `why` is a word for the reason. `shape` is the value with each thing in it replaced by the word for its kind, `places`
    the JSON pointers of what does not fit.
    """

    interrupt_id: str
    person: str
    via: str
    why: str
    choice: str | None = None
    shape: Any = None
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """This vote settled the interrupt; the card says how."""

    card: Card


@dataclass(frozen=True, slots=True)
class Voted:
    """This vote counts; more are needed."""

    card: Card


@dataclass(frozen=True, slots=True)
class OwnRequest:
    """This person, or in whose place they answer, asked for it too meanwhile, and nobody approves what they asked for."""

    card: Card


@dataclass(frozen=True, slots=True)
class NewEdit:
    """What one person, already allowed by the policy, makes of a run's input. `before` and `input` are validated JSON text.

    `described` is what is known of the input, as JSON Schema in JSON text; `said` tells in the thread what was changed.
    `standing_for` is in whose place the person does it, where they do not decide themselves.
    """

    interrupt_id: str
    content_version: int
    person: str
    before: str
    input: str
    described: str | None
    said: str
    source: str
    via: str
    standing_for: str | None = None


@dataclass(frozen=True, slots=True)
class Edited:
    """It is edited, now or when this was first delivered; the card is that of the question that it ended."""

    card: Card


@dataclass(frozen=True, slots=True)
class NotEditable:
    """Something rests on the input already, or none of its fields may be edited."""

    card: Card


@dataclass(frozen=True, slots=True)
class NewBreak:
    """Somebody, already allowed by the policy, breaks the glass: they give this choice and value (JSON text) alone."""

    interrupt_id: str
    content_version: int
    person: str
    choice: Choice
    value: str
    reason: str
    source: str
    via: str


@dataclass(frozen=True, slots=True)
class Broke:
    """The glass is broken, now or when this was first delivered, and its review has started."""

    card: Card


@dataclass(frozen=True, slots=True)
class AlreadyVoted:
    """An earlier vote stands: this person's, or one that was given in their place, or by whom they stand in for."""

    card: Card


@dataclass(frozen=True, slots=True)
class AlreadySettled:
    """Somebody, or the clock, was first; the card says who, when and how."""

    card: Card


@dataclass(frozen=True, slots=True)
class Late:
    """The deadline had passed, and this vote found it out: the expiry has now happened."""

    card: Card


@dataclass(frozen=True, slots=True)
class Stale:
    """It was about an older content of this interrupt; the card shows today's."""

    card: Card


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A redelivery of a vote that counted: `first` is what it did then, with the card as it is now."""

    card: Card
    first: Answered | Voted


@dataclass(frozen=True, slots=True)
class Unknown:
    """There is no such row."""


RefusedVote = AlreadyVoted | OwnRequest | AlreadySettled | Late | Stale | Unknown
EditResult = Edited | NotEditable | OwnRequest | AlreadySettled | Late | Stale | Unknown
BreakResult = Broke | OwnRequest | AlreadySettled | Stale | Unknown
AnswerResult = Answered | Voted | Duplicate | RefusedVote


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The run is cancelled."""

    run: RunRecord


@dataclass(frozen=True, slots=True)
class CancelRequested:
    """The run is executing; whoever executes it has been asked to stop."""

    run: RunRecord


@dataclass(frozen=True, slots=True)
class Withdrew:
    """This person does not ask for it any more; others do, so the run goes on."""

    run: RunRecord


@dataclass(frozen=True, slots=True)
class AlreadyEnded:
    """Too late: the run says how it ended."""

    run: RunRecord


CancelResult = Cancelled | CancelRequested | Withdrew | AlreadyEnded | Unknown


@dataclass(frozen=True, slots=True)
class Ordered:
    """The order was carried out; the run is as it left it."""

    run: RunRecord


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """The run is no longer as it was when the order was offered; nothing was done."""

    run: RunRecord


OrderResult = Ordered | OutOfOrder | Unknown


@dataclass(frozen=True, slots=True)
class Redelivering:
    """The card is on its way again."""

    card: Card


@dataclass(frozen=True, slots=True)
class NotUndeliverable:
    """The card is settled, or stands in Slack after all; nothing was done."""

    card: Card


DeliverResult = Redelivering | NotUndeliverable | Unknown


NUDGED_EVERY = timedelta(hours=4)
"""How often those who must act on a question may be nudged, by however many requesters."""


@dataclass(frozen=True, slots=True)
class Allowing:
    """A standing grant that may settle a pause, with what answer; `value` is JSON text.

    `at_most` and `until` are its bounds as the policy of today leaves them.
    """

    grant_id: str
    at_most: int
    until: datetime
    choice: Choice
    value: str


@dataclass(frozen=True, slots=True)
class Nudge:
    """A requester wants those who must act to look: at the card in these places, as far as it stands there.

    `source` tells a redelivery from a second click.
    """

    interrupt_id: str
    person: str
    source: str
    via: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class Nudged:
    """They are told, now or when this was first delivered."""

    card: Card


@dataclass(frozen=True, slots=True)
class TooSoon:
    """They were nudged less than four hours ago; `again_at` is when they may be nudged again."""

    card: Card
    again_at: datetime


@dataclass(frozen=True, slots=True)
class NotStanding:
    """No copy of the card stands in Slack, so there is nothing to point at."""

    card: Card


@dataclass(frozen=True, slots=True)
class DueStep:
    """Something that is to happen by itself now, to an open question; it was put off `tries` times."""

    seq: int
    kind: StepKind
    number: int
    tries: int
    card: Card


@dataclass(frozen=True, slots=True)
class TakenStep:
    """A step that is due, with what was looked up for it: who is called by name, where they are asked, which cards it adds.

    Of the people, `standing_in` are called in the place of those of `away`, in whose direct messages nobody is called.
    """

    seq: int
    people: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    copies: tuple[NewCopy, ...] = ()
    standing_in: tuple[str, ...] = ()
    away: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Extension:
    """Somebody gives a question more time, as they saw it. `source` tells a redelivery from a second click."""

    interrupt_id: str
    content_version: int
    person: str
    source: str
    via: str


@dataclass(frozen=True, slots=True)
class Extended:
    """It has more time, now or since this was first delivered."""

    card: Card


@dataclass(frozen=True, slots=True)
class NoMoreTime:
    """Its policy gives it no more time, or not yet."""

    card: Card


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody takes a question on for a while, or lets it go. `source` tells a redelivery from a second click."""

    interrupt_id: str
    content_version: int
    person: str
    source: str
    via: str
    lets_go: bool = False


@dataclass(frozen=True, slots=True)
class Taken:
    """It is as they want it, now or since before."""

    card: Card


@dataclass(frozen=True, slots=True)
class HeldByOther:
    """Somebody else has taken it on."""

    card: Card


@dataclass(frozen=True, slots=True)
class NotHeld:
    """They have not taken it on, or its policy does not offer that."""

    card: Card


ClaimResult = Taken | HeldByOther | NotHeld | Stale | AlreadySettled | Unknown


@dataclass(frozen=True, slots=True)
class NewRemark:
    """Something said about a request. `source` tells a redelivery from a second one.

    `content_version` is the question as it was seen, where its stage matters: whoever asks for more decides that one.
    `channel` and `thread` are where it was typed, where it was typed in a thread.
    """

    interrupt_id: str
    kind: RemarkKind
    person: str
    text: str
    source: str
    via: str
    channel: str | None = None
    thread: str | None = None
    content_version: int | None = None


@dataclass(frozen=True, slots=True)
class Remarked:
    """It is kept, now or since it was first delivered."""

    card: Card


@dataclass(frozen=True, slots=True)
class TooManyRemarks:
    """Too many questions wait for a reply, or too much was said already."""

    card: Card


@dataclass(frozen=True, slots=True)
class NothingAsked:
    """Nobody waits for a reply (any more)."""

    card: Card


RemarkResult = Remarked | TooManyRemarks | NothingAsked | Stale | AlreadySettled | Unknown
ExtendResult = Extended | NoMoreTime | Stale | AlreadySettled | Unknown
NudgeResult = Nudged | TooSoon | NotStanding | AlreadySettled | Unknown


@dataclass(frozen=True, slots=True)
class Recovered:
    """What one recovery pass found, by run id. `woken` were queued and had lost their wake."""

    requeued: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    stalled: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()
    woken: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        return sum(map(len, (self.requeued, self.failed, self.stalled, self.cancelled, self.woken)))


@dataclass(frozen=True, slots=True)
class RunFilters:
    """Which runs to list; an empty filter lists all. `id_begins` is the beginning of an id."""

    statuses: frozenset[RunStatus] = frozenset()
    action_id: str | None = None
    requester: str | None = None
    id_begins: str = ""
    actions: frozenset[str] = frozenset()


NOTED_EVERY = timedelta(minutes=1)
"""How exactly the last use of a token is known: a write for each request would cost more than most requests."""


@dataclass(frozen=True, slots=True)
class Token:
    """A key to the HTTP interface, bound to a person (a Slack id). `actions` are those it may touch; empty means all.

    `secret_hash` is the SHA-256 of the secret, in hexadecimal; the secret itself is kept nowhere.
    """

    id: str
    name: str
    person: str
    secret_hash: str = field(repr=False)
    scopes: frozenset[str]
    actions: frozenset[str]
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def is_valid(self, now: datetime) -> bool:
        """Whether it opens anything at this moment."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Purge:
    """A purge that somebody asks for: of the runs that ended before a moment. Its `id` is the same for all its chunks."""

    id: str
    before: datetime
    via: str


@dataclass(frozen=True, slots=True)
class Purged:
    """What is gone for ever: runs, the decisions in them, and their entries in the audit."""

    runs: int = 0
    decisions: int = 0
    entries: int = 0


@dataclass(frozen=True, slots=True)
class StuckPage:
    """Some of what is stuck, and how much there is in all."""

    found: tuple[Stuck, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Behind:
    """Messages that should show more than they do: with the same error of Slack's (or none), how many, since when."""

    error: str | None
    count: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is stuck, by kind: how many, and since when the first; and what the publisher is behind with."""

    stuck: Mapping[Hindrance, tuple[int, datetime]]
    behind: tuple[Behind, ...]


@dataclass(frozen=True, slots=True)
class Morning:
    """When a digest is due: the day of its person, as ISO says it, and the moment."""

    day: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Digest:
    """A digest that is due; `day` is the one for which it is, `None` where none was planned yet."""

    person: str
    day: str | None
    at: datetime
