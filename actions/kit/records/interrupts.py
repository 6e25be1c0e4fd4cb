"""What an interrupt is: its question, the ways to answer it, the decisions so far, and the card of all that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from actions.kit.frozen import Frozen
from actions.kit.policies.deciders import Policy
from actions.kit.policies.granted import Granted
from actions.kit.policies.hours import elapsed
from actions.kit.policies.remarks import Remark, unanswered
from actions.kit.records.runs import Edit, RunRecord


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
    BREAK_GLASS = "break_glass"
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


class Asker(Frozen):
    """A nested action, as it was called: who asks, where that is not the action that was started. `input` is JSON text."""

    action_id: str
    action_name: str
    input: str


class BrokenGlass(Frozen):
    """Somebody settled a question alone in an emergency: why, and the id of the run that reviews it.

    `source` tells a redelivery from a second try.
    """

    reason: str
    review: str
    source: str


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
class InterruptRecord:
    """One pause of a run. `data`, `shown`, `state` and `answer` are JSON text; `None` means that there is none.

    `call_path` is the place in the run that asked, empty for the action that was started. Of several questions that waited
    for their turn at once, this was number `position` of `total`.

    `shown_schema` is what is known of `shown`, as JSON Schema in JSON text: titles, units and kinds, for people alone.
    `run_epoch` is the execution of the run that asked. `editable` are the fields of the run's input that a decider may
    change while it is open. `warned_at` is when those who must act were warned that its time is nearly up, and `extended`
    how many times it got more; both are about the stage that is asked, as is who has taken it on, and until when.
    `granted`: a standing grant settled it; `broken`: somebody did alone, who broke the glass.
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
    broken: BrokenGlass | None = None
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
        return elapsed(self.paused_at, self.expires_at, self.policy.hours)


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
    def voices(self) -> frozenset[str]:
        """Everybody who has a part in how it is decided: whoever answered, in whose place, and whoever broke the glass."""
        alone = {self.interrupt.settled_by} if self.interrupt.broken else set()
        return frozenset().union(*(each.voices for each in self.decisions), *([{each} for each in alone if each]))

    def was_broken_by(self, person: str, source: str) -> bool:
        """Whether this person broke the glass by this very delivery."""
        broken = self.interrupt.broken
        return broken is not None and (self.interrupt.settled_by, broken.source) == (person, source)

    @property
    def asker_id(self) -> str:
        """The id of the action that asks: the one that was started, or one that it called."""
        return self.interrupt.asker.action_id if self.interrupt.asker else self.run.action_id

    @property
    def asker_name(self) -> str:
        """The name of that action."""
        return self.interrupt.asker.action_name if self.interrupt.asker else self.run.action_name
