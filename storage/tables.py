"""The tables, for migrations and for prebuilt statements: no ORM session ever loads one of these classes.

JSON that must return as it was is text. Times are aware and in UTC on every database. `seq` keeps the order of arrival.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Enum,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field, SQLModel

from actions.kit.policies.steps import StepKind
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Cause, InterruptStatus
from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallStatus
from storage.deliveries import DeliveryStatus, HookEvent

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
# An SQLite primary key counts by itself only as a plain INTEGER.
Sequence = BigInteger().with_variant(Integer, "sqlite")


class CopyStatus(StrEnum):
    """Where a copy stands in Slack."""

    WANTED = "wanted"
    POSTED = "posted"
    GONE = "gone"
    FAILED = "failed"


class Row(SQLModel):
    """What all tables share: our own metadata, so that nobody else's tables are migrated with ours."""

    metadata = MetaData(naming_convention=NAMES)


def _words(kind: type[StrEnum], *, nullable: bool = False) -> Any:
    """A column that holds the values of an enum as text, as long as any later value may be."""
    words = Enum(kind, native_enum=False, length=24, values_callable=lambda members: [each.value for each in members])
    return Column(words, nullable=nullable)


def _text(*, nullable: bool = False) -> Any:
    return Column(Text, nullable=nullable)


def _run() -> Any:
    return Column(Text, ForeignKey("runs.id"), nullable=False)


def _partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=text(where), postgresql_where=text(where))


class RunRow(Row, table=True):
    """One run. The owner of the last lease stays, so that a late finish can be told from somebody else's.

    `join_key` is the same for requests that may share a run; `joined` and `withdrawn` are JSON lists of people, `edits` one
    of what deciders made of the input.
    """

    __tablename__ = "runs"
    __table_args__ = (
        _partial(
            "uq_runs_request",
            "requester",
            "action_id",
            "idempotency_key",
            where="idempotency_key IS NOT NULL",
            unique=True,
        ),
        _partial("ix_runs_queued", "queued_at", where="status = 'queued'"),
        _partial("ix_runs_lapsing", "lease_until", where="status = 'running'"),
        Index("ix_runs_status", "status", "id"),
        Index("ix_runs_requester", "requester", "ended_at", "id"),
        _partial("ix_runs_join_key", "join_key", where="join_key IS NOT NULL AND ended_at IS NULL"),
    )

    id: str = Field(sa_column=Column(Text, primary_key=True))
    action_id: str = Field(sa_column=_text())
    action_name: str = Field(sa_column=_text())
    requester: str = Field(sa_column=_text())
    origin: str = Field(sa_column=_text())
    input: str = Field(sa_column=_text())
    idempotency_key: str | None = Field(default=None, sa_column=_text(nullable=True))
    request: str | None = Field(default=None, sa_column=_text(nullable=True))
    status: RunStatus = Field(sa_column=_words(RunStatus))
    epoch: int
    claims: int
    answered: bool
    claim_id: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_owner: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_until: datetime | None = None
    cancel_requested_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    output: str | None = Field(default=None, sa_column=_text(nullable=True))
    failure: str | None = Field(default=None, sa_column=_text(nullable=True))
    created_at: datetime
    queued_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ended_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    marked_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    join_key: str | None = Field(default=None, sa_column=_text(nullable=True))
    joined: str | None = Field(default=None, sa_column=_text(nullable=True))
    withdrawn: str | None = Field(default=None, sa_column=_text(nullable=True))
    edits: str | None = Field(default=None, sa_column=_text(nullable=True))
    remarks: str | None = Field(default=None, sa_column=_text(nullable=True))


class InterruptRow(Row, table=True):
    """One pause. `revision` is bumped to lock the row for a vote; `run_epoch` is the execution that asked.

    `editable` is a JSON list of fields of the input.
    """

    __tablename__ = "interrupts"
    __table_args__ = (
        UniqueConstraint("run_id", "number"),
        _partial("uq_interrupts_open", "run_id", where="status = 'pending'", unique=True),
        _partial("ix_interrupts_due", "expires_at", where="status = 'pending'"),
        _partial("ix_interrupts_settled", "settled_at", where="settled_at IS NOT NULL"),
    )

    id: str = Field(sa_column=Column(Text, primary_key=True))
    run_id: str = Field(sa_column=_run())
    run_epoch: int
    number: int
    revision: int
    call_path: str = Field(sa_column=_text())
    occurrence: int
    message: str = Field(sa_column=_text())
    data: str | None = Field(default=None, sa_column=_text(nullable=True))
    shown: str = Field(sa_column=_text())
    shown_schema: str | None = Field(default=None, sa_column=_text(nullable=True))
    state: str | None = Field(default=None, sa_column=_text(nullable=True))
    ui: str | None = Field(default=None, sa_column=_text(nullable=True))
    resume: str = Field(sa_column=_text())
    shape: str = Field(sa_column=_text())
    fingerprint: str = Field(sa_column=_text())
    policy: str = Field(sa_column=_text())
    expires_in: int | None = Field(default=None, sa_column=Column(BigInteger, nullable=True))
    on_expiry: str = Field(sa_column=_text())
    status: InterruptStatus = Field(sa_column=_words(InterruptStatus))
    content_version: int
    created_at: datetime
    posted_at: datetime | None = None
    expires_at: datetime | None = None
    paused_at: datetime | None = None
    undeliverable: str | None = Field(default=None, sa_column=_text(nullable=True))
    settled_at: datetime | None = None
    settled_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    cause: Cause | None = Field(default=None, sa_column=_words(Cause, nullable=True))
    choice: str | None = Field(default=None, sa_column=_text(nullable=True))
    answer: str | None = Field(default=None, sa_column=_text(nullable=True))
    asked_again_because: str | None = Field(default=None, sa_column=_text(nullable=True))
    asker: str | None = Field(default=None, sa_column=_text(nullable=True))
    position: int
    total: int
    granted: str | None = Field(default=None, sa_column=_text(nullable=True))
    broken: str | None = Field(default=None, sa_column=_text(nullable=True))
    editable: str | None = Field(default=None, sa_column=_text(nullable=True))
    warned_at: datetime | None = None
    extended: int = 0
    extended_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    claimed_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    claimed_until: datetime | None = None
    claimed_from: str | None = Field(default=None, sa_column=_text(nullable=True))


class StepRow(Row, table=True):
    """What happens by itself while a question waits, once its time has come. Those that never come are deleted."""

    __tablename__ = "steps"
    __table_args__ = (
        _partial("ix_steps_due", "due_at", where="done_at IS NULL"),
        Index("ix_steps_interrupt_id", "interrupt_id", "seq"),
        Index("ix_steps_run_id", "run_id"),
    )

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    run_id: str = Field(sa_column=_run())
    interrupt_id: str = Field(sa_column=Column(Text, ForeignKey("interrupts.id"), nullable=False))
    stage: int
    kind: StepKind = Field(sa_column=_words(StepKind))
    number: int
    due_at: datetime
    tries: int
    done_at: datetime | None = None


class CallRow(Row, table=True):
    """One nested call, at its path in the run. `epoch` is the execution that touched it last.

    `idempotent` is what its action said when the call began; `None` of calls from before this was kept.
    """

    __tablename__ = "calls"
    __table_args__ = (UniqueConstraint("run_id", "path"),)

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    run_id: str = Field(sa_column=_run())
    path: str = Field(sa_column=_text())
    action_id: str = Field(sa_column=_text())
    action_name: str = Field(sa_column=_text())
    input: str = Field(sa_column=_text())
    status: CallStatus = Field(sa_column=_words(CallStatus))
    epoch: int
    executions: int
    began_at: datetime
    ended_at: datetime | None = None
    output: str | None = Field(default=None, sa_column=_text(nullable=True))
    failure: str | None = Field(default=None, sa_column=_text(nullable=True))
    marked_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    idempotent: bool | None = None


class DecisionRow(Row, table=True):
    """One decider's answer: one per person and stage of an interrupt. `standing_for` is in whose place it was given."""

    __tablename__ = "decisions"
    __table_args__ = (
        UniqueConstraint("interrupt_id", "stage", "person"),
        Index("ix_decisions_person", "person", "seq"),
    )

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    interrupt_id: str = Field(sa_column=Column(Text, ForeignKey("interrupts.id"), nullable=False))
    person: str = Field(sa_column=_text())
    choice: str = Field(sa_column=_text())
    value: str = Field(sa_column=_text())
    note: str | None = Field(default=None, sa_column=_text(nullable=True))
    at: datetime
    source: str = Field(sa_column=_text())
    via: str = Field(sa_column=_text())
    stage: int
    fits: str = Field(sa_column=_text())
    standing_for: str | None = Field(default=None, sa_column=_text(nullable=True))


class CopyRow(Row, table=True):
    """One Slack message of ours. It is due while it shows less than is wanted and has a lane to go through."""

    __tablename__ = "copies"
    __table_args__ = (
        _partial("ix_copies_due", "next_at", where="shown_version < wanted_version AND lane IS NOT NULL"),
        _partial(
            "uq_copies_ending",
            "run_id",
            "ending_epoch",
            "ending_status",
            "place",
            where="ending IS NOT NULL",
            unique=True,
        ),
        Index("ix_copies_run_id", "run_id", "seq"),
        Index("ix_copies_interrupt_id", "interrupt_id"),
        _partial("ix_copies_channel", "channel", "ts", where="ts IS NOT NULL"),
    )

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    id: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    run_id: str = Field(sa_column=_run())
    interrupt_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("interrupts.id"), nullable=True))
    kind: CopyKind = Field(sa_column=_words(CopyKind))
    place: str | None = Field(default=None, sa_column=_text(nullable=True))
    lane: str | None = Field(default=None, sa_column=_text(nullable=True))
    status: CopyStatus = Field(sa_column=_words(CopyStatus))
    shown_version: int
    wanted_version: int
    attempts: int
    next_at: datetime
    owner: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_until: datetime | None = None
    maybe_posted: bool
    reposted: bool
    fallback: bool
    channel: str | None = Field(default=None, sa_column=_text(nullable=True))
    ts: str | None = Field(default=None, sa_column=_text(nullable=True))
    thread_ts: str | None = Field(default=None, sa_column=_text(nullable=True))
    text: str | None = Field(default=None, sa_column=_text(nullable=True))
    person: str | None = Field(default=None, sa_column=_text(nullable=True))
    ending: str | None = Field(default=None, sa_column=_text(nullable=True))
    ending_epoch: int | None = None
    ending_status: RunStatus | None = Field(default=None, sa_column=_words(RunStatus, nullable=True))
    error: str | None = Field(default=None, sa_column=_text(nullable=True))


class LaneRow(Row, table=True):
    """The pacing of one place in Slack: one message in flight at a time, the next one not before `next_at`."""

    __tablename__ = "lanes"

    lane: str = Field(sa_column=Column(Text, primary_key=True))
    next_at: datetime
    owner: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_until: datetime | None = None


class AuditRow(Row, table=True):
    """One transition: the database itself refuses to change it, and to delete it unless its run is purged."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_run_id", "run_id", "seq"),)

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    at: datetime
    run_id: str = Field(sa_column=_run())
    interrupt_id: str | None = Field(default=None, sa_column=_text(nullable=True))
    event: str = Field(sa_column=_text())
    person: str | None = Field(default=None, sa_column=_text(nullable=True))
    via: str = Field(sa_column=_text())
    details: str = Field(sa_column=_text())


class TokenRow(Row, table=True):
    """One key to the HTTP interface. Of its secret only the hash is kept; a revoked one stays, to be seen in lists."""

    __tablename__ = "tokens"

    id: str = Field(sa_column=Column(Text, primary_key=True))
    name: str = Field(sa_column=_text())
    person: str = Field(sa_column=_text())
    secret_hash: str = Field(sa_column=_text())
    scopes: str = Field(sa_column=_text())
    actions: str = Field(sa_column=_text())
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None


class HookRow(Row, table=True):
    """A webhook. Its secret is kept as it is, since it signs; it is wiped once the webhook is removed."""

    __tablename__ = "hooks"
    __table_args__ = (Index("ix_hooks_run_id", "run_id"),)

    id: str = Field(sa_column=Column(Text, primary_key=True))
    name: str = Field(sa_column=_text())
    url: str = Field(sa_column=_text())
    secret: str = Field(sa_column=_text())
    actions: str = Field(sa_column=_text())
    events: str = Field(sa_column=_text())
    run_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("runs.id"), nullable=True))
    created_at: datetime
    disabled_at: datetime | None = None
    disabled_reason: str | None = Field(default=None, sa_column=_text(nullable=True))
    removed_at: datetime | None = None


class DeliveryRow(Row, table=True):
    """One event on its way to one webhook, with the very text that is signed and sent."""

    __tablename__ = "deliveries"
    __table_args__ = (
        UniqueConstraint("hook_id", "run_id", "number"),
        _partial("ix_deliveries_due", "next_at", where="status = 'pending'"),
        Index("ix_deliveries_run_id", "run_id", "seq"),
    )

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    id: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    hook_id: str = Field(sa_column=Column(Text, ForeignKey("hooks.id"), nullable=False))
    run_id: str = Field(sa_column=_run())
    number: int
    event: HookEvent = Field(sa_column=_words(HookEvent))
    body: str = Field(sa_column=_text())
    status: DeliveryStatus = Field(sa_column=_words(DeliveryStatus))
    attempts: int
    since: datetime
    next_at: datetime
    owner: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_until: datetime | None = None
    response_status: int | None = None
    error: str | None = Field(default=None, sa_column=_text(nullable=True))
    created_at: datetime
    ended_at: datetime | None = None


class PurgeRow(Row, table=True):
    """One purge of old runs, for ever: how many runs it took, with how many decisions and entries of the audit."""

    __tablename__ = "purges"

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    id: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    began_at: datetime
    last_at: datetime
    ended_before: datetime
    via: str = Field(sa_column=_text())
    runs: int = Field(sa_column=Column(BigInteger, nullable=False))
    decisions: int = Field(sa_column=Column(BigInteger, nullable=False))
    entries: int = Field(sa_column=Column(BigInteger, nullable=False))


class PurgingRow(Row, table=True):
    """A run that is purged in this very transaction: the audit lets go of its entries. Empty at any other time."""

    __tablename__ = "purging"

    run_id: str = Field(sa_column=Column(Text, primary_key=True))


class DraftRow(Row, table=True):
    """What somebody typed so far in a form that is redrawn while it is filled in: `content` is the JSON text of a `Draft`."""

    __tablename__ = "drafts"
    __table_args__ = (Index("ix_drafts_kept_at", "kept_at"),)

    id: str = Field(sa_column=Column(Text, primary_key=True))
    person: str = Field(sa_column=_text())
    content: str = Field(sa_column=_text())
    kept_at: datetime


class CheckpointRow(Row, table=True):
    """What a graph of a run knew at one moment, as its own serializer made it: nobody reads it here. `line` is a namespace."""

    __tablename__ = "checkpoints"
    __table_args__ = (PrimaryKeyConstraint("run_id", "thread", "line", "id"),)

    run_id: str = Field(sa_column=_run())
    thread: str = Field(sa_column=_text())
    line: str = Field(sa_column=_text())
    id: str = Field(sa_column=_text())
    parent: str | None = Field(default=None, sa_column=_text(nullable=True))
    kind: str = Field(sa_column=_text())
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class CheckpointWriteRow(Row, table=True):
    """What a task of a graph wrote beside a checkpoint, which may come after it."""

    __tablename__ = "checkpoint_writes"
    __table_args__ = (PrimaryKeyConstraint("run_id", "thread", "line", "checkpoint", "task", "position"),)

    run_id: str = Field(sa_column=_run())
    thread: str = Field(sa_column=_text())
    line: str = Field(sa_column=_text())
    checkpoint: str = Field(sa_column=_text())
    task: str = Field(sa_column=_text())
    position: int
    channel: str = Field(sa_column=_text())
    path: str = Field(sa_column=_text())
    kind: str = Field(sa_column=_text())
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class HomeRow(Row, table=True):
    """The Home tab of one person who opened it, as `view` says (JSON text). It is due while it shows less than is wanted.

    `shown_hash` is Slack's name for what it shows, which guards the next publication.
    """

    __tablename__ = "homes"
    __table_args__ = (_partial("ix_homes_due", "next_at", where="shown_version < wanted_version"),)

    person: str = Field(sa_column=Column(Text, primary_key=True))
    view: str = Field(sa_column=_text())
    opened_at: datetime
    wanted_version: int
    shown_version: int
    shown_digest: str | None = Field(default=None, sa_column=_text(nullable=True))
    shown_hash: str | None = Field(default=None, sa_column=_text(nullable=True))
    attempts: int
    next_at: datetime
    owner: str | None = Field(default=None, sa_column=_text(nullable=True))
    lease_until: datetime | None = None
    error: str | None = Field(default=None, sa_column=_text(nullable=True))


class JoinRow(Row, table=True):
    """A request that joined a run instead of starting one of its own: its key finds that run for ever."""

    __tablename__ = "joins"
    __table_args__ = (
        _partial(
            "uq_joins_request",
            "person",
            "action_id",
            "idempotency_key",
            where="idempotency_key IS NOT NULL",
            unique=True,
        ),
        Index("ix_joins_person", "person", "run_id"),
        Index("ix_joins_run_id", "run_id", "seq"),
    )

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    run_id: str = Field(sa_column=_run())
    action_id: str = Field(sa_column=_text())
    person: str = Field(sa_column=_text())
    idempotency_key: str | None = Field(default=None, sa_column=_text(nullable=True))
    request: str | None = Field(default=None, sa_column=_text(nullable=True))
    via: str = Field(sa_column=_text())
    at: datetime


class NudgeRow(Row, table=True):
    """A requester asked those who must act to look. `source` tells a redelivery from a second click."""

    __tablename__ = "nudges"
    __table_args__ = (Index("ix_nudges_interrupt_id", "interrupt_id", "seq"), Index("ix_nudges_run_id", "run_id"))

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    run_id: str = Field(sa_column=_run())
    interrupt_id: str = Field(sa_column=Column(Text, ForeignKey("interrupts.id"), nullable=False))
    person: str = Field(sa_column=_text())
    source: str = Field(sa_column=_text())
    at: datetime


class AbsenceRow(Row, table=True):
    """Somebody is away, and says who decides in their place. What ended stays, to be seen later; one of each is open."""

    __tablename__ = "absences"
    __table_args__ = (_partial("uq_absences_open", "person", where="ended_at IS NULL", unique=True),)

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    person: str = Field(sa_column=_text())
    stand_in: str = Field(sa_column=_text())
    starts: datetime
    until: datetime
    by_status: bool
    via: str = Field(sa_column=_text())
    at: datetime
    ended_at: datetime | None = None


class GrantRow(Row, table=True):
    """A standing grant, of the run that asked for it. `terms` is the JSON text of `GrantTerms`; `until` and `times` bound it.

    `ended_at`: when it was used up, revoked, or a sweep found its time passed. What is past `until` is over before that.
    """

    __tablename__ = "grants"
    __table_args__ = (
        Index("ix_grants_holder", "holder", "action_id"),
        _partial("ix_grants_open", "until", where="ended_at IS NULL"),
    )

    run_id: str = Field(sa_column=Column(Text, ForeignKey("runs.id"), primary_key=True))
    holder: str = Field(sa_column=_text())
    action_id: str = Field(sa_column=_text())
    terms: str = Field(sa_column=_text())
    approved_by: str = Field(sa_column=_text())
    granted_at: datetime
    until: datetime
    times: int
    used: int
    revoked_at: datetime | None = None
    revoked_by: str | None = Field(default=None, sa_column=_text(nullable=True))
    ended_at: datetime | None = None


class GrantUseRow(Row, table=True):
    """A question of a run that a standing grant settled: the grant's use of this `number`."""

    __tablename__ = "grant_uses"
    __table_args__ = (UniqueConstraint("grant_id", "number"), Index("ix_grant_uses_run_id", "run_id"))

    seq: int | None = Field(default=None, sa_column=Column(Sequence, primary_key=True))
    grant_id: str = Field(sa_column=Column(Text, ForeignKey("grants.run_id"), nullable=False))
    run_id: str = Field(sa_column=_run())
    number: int
    at: datetime


class DigestRow(Row, table=True):
    """Somebody for whom questions waited, and when their next digest is due. `day` is theirs, as ISO says it.

    Without a `day` they switched theirs off before anything waited for them.
    """

    __tablename__ = "digests"
    __table_args__ = (_partial("ix_digests_due", "next_at", where="NOT is_off"),)

    person: str = Field(sa_column=Column(Text, primary_key=True))
    day: str | None = Field(default=None, sa_column=_text(nullable=True))
    next_at: datetime
    is_off: bool


runs: Table = Row.metadata.tables["runs"]
interrupts: Table = Row.metadata.tables["interrupts"]
calls: Table = Row.metadata.tables["calls"]
decisions: Table = Row.metadata.tables["decisions"]
copies: Table = Row.metadata.tables["copies"]
lanes: Table = Row.metadata.tables["lanes"]
audit: Table = Row.metadata.tables["audit"]
tokens: Table = Row.metadata.tables["tokens"]
hooks: Table = Row.metadata.tables["hooks"]
deliveries: Table = Row.metadata.tables["deliveries"]
purges: Table = Row.metadata.tables["purges"]
purging: Table = Row.metadata.tables["purging"]
drafts: Table = Row.metadata.tables["drafts"]
checkpoints: Table = Row.metadata.tables["checkpoints"]
checkpoint_writes: Table = Row.metadata.tables["checkpoint_writes"]
homes: Table = Row.metadata.tables["homes"]
joins: Table = Row.metadata.tables["joins"]
nudges: Table = Row.metadata.tables["nudges"]
steps: Table = Row.metadata.tables["steps"]
absences: Table = Row.metadata.tables["absences"]
grants: Table = Row.metadata.tables["grants"]
grant_uses: Table = Row.metadata.tables["grant_uses"]
digests: Table = Row.metadata.tables["digests"]
