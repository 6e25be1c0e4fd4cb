"""The first tables: runs, their interrupts and decisions, the copies in Slack with their lanes, and the audit."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _runs()
    _interrupts()
    _decisions()
    _copies()
    _audit()


def _runs() -> None:
    op.create_table(
        "runs",
        _text("id"),
        _text("action_id"),
        _text("action_name"),
        _text("requester"),
        _text("origin"),
        _text("input"),
        _text("idempotency_key", nullable=True),
        _word("status"),
        _count("epoch"),
        _count("claims"),
        _flag("answered"),
        _text("claim_id", nullable=True),
        _text("lease_owner", nullable=True),
        _time("lease_until", nullable=True),
        _text("cancel_requested_by", nullable=True),
        _text("output", nullable=True),
        _text("failure", nullable=True),
        _time("created_at"),
        _time("queued_at"),
        _time("started_at", nullable=True),
        _time("ended_at", nullable=True),
        _text("ended_by", nullable=True),
        _text("marked_by", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    request = ["requester", "action_id", "idempotency_key"]
    _partial("uq_runs_request", "runs", request, "idempotency_key IS NOT NULL", unique=True)
    _partial("ix_runs_queued", "runs", ["queued_at"], "status = 'queued'")
    _partial("ix_runs_lapsing", "runs", ["lease_until"], "status = 'running'")
    op.create_index("ix_runs_status", "runs", ["status", "id"])


def _interrupts() -> None:
    op.create_table(
        "interrupts",
        _text("id"),
        _text("run_id"),
        _count("run_epoch"),
        _count("number"),
        _count("revision"),
        _text("call_path"),
        _count("occurrence"),
        _text("message"),
        _text("data", nullable=True),
        _text("shown"),
        _text("state", nullable=True),
        _text("ui", nullable=True),
        _text("resume"),
        _text("shape"),
        _text("fingerprint"),
        _text("policy"),
        sa.Column("expires_in", sa.BigInteger(), nullable=True),
        _text("on_expiry"),
        _word("status"),
        _count("content_version"),
        _time("created_at"),
        _time("posted_at", nullable=True),
        _time("expires_at", nullable=True),
        _text("undeliverable", nullable=True),
        _time("settled_at", nullable=True),
        _text("settled_by", nullable=True),
        _word("cause", nullable=True),
        _text("choice", nullable=True),
        _text("answer", nullable=True),
        _text("asked_again_because", nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_interrupts_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_interrupts"),
        sa.UniqueConstraint("run_id", "number", name="uq_interrupts_run_id_number"),
    )
    _partial("uq_interrupts_open", "interrupts", ["run_id"], "status = 'pending'", unique=True)
    _partial("ix_interrupts_due", "interrupts", ["expires_at"], "status = 'pending'")


def _decisions() -> None:
    op.create_table(
        "decisions",
        _seq(),
        _text("interrupt_id"),
        _text("person"),
        _text("choice"),
        _text("value"),
        _text("note", nullable=True),
        _time("at"),
        _text("source"),
        _text("via"),
        sa.ForeignKeyConstraint(["interrupt_id"], ["interrupts.id"], name="fk_decisions_interrupt_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_decisions"),
        sa.UniqueConstraint("interrupt_id", "person", name="uq_decisions_interrupt_id_person"),
    )


def _copies() -> None:
    op.create_table(
        "copies",
        _seq(),
        _text("id"),
        _text("run_id"),
        _text("interrupt_id", nullable=True),
        _word("kind"),
        _text("place", nullable=True),
        _text("lane", nullable=True),
        _word("status"),
        _count("shown_version"),
        _count("wanted_version"),
        _count("attempts"),
        _time("next_at"),
        _text("owner", nullable=True),
        _time("lease_until", nullable=True),
        _flag("maybe_posted"),
        _flag("reposted"),
        _flag("fallback"),
        _text("channel", nullable=True),
        _text("ts", nullable=True),
        _text("thread_ts", nullable=True),
        _text("text", nullable=True),
        _text("person", nullable=True),
        _text("ending", nullable=True),
        sa.Column("ending_epoch", sa.Integer(), nullable=True),
        _word("ending_status", nullable=True),
        _text("error", nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_copies_run_id"),
        sa.ForeignKeyConstraint(["interrupt_id"], ["interrupts.id"], name="fk_copies_interrupt_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_copies"),
        sa.UniqueConstraint("id", name="uq_copies_id"),
    )
    _partial("ix_copies_due", "copies", ["next_at"], "shown_version < wanted_version AND lane IS NOT NULL")
    ending = ["run_id", "ending_epoch", "ending_status"]
    _partial("uq_copies_ending", "copies", ending, "ending IS NOT NULL", unique=True)
    op.create_index("ix_copies_run_id", "copies", ["run_id", "seq"])
    op.create_index("ix_copies_interrupt_id", "copies", ["interrupt_id"])
    op.create_table(
        "lanes",
        _text("lane"),
        _time("next_at"),
        _text("owner", nullable=True),
        _time("lease_until", nullable=True),
        sa.PrimaryKeyConstraint("lane", name="pk_lanes"),
    )


def _audit() -> None:
    op.create_table(
        "audit",
        _seq(),
        _time("at"),
        _text("run_id"),
        _text("interrupt_id", nullable=True),
        _text("event"),
        _text("person", nullable=True),
        _text("via"),
        _text("details"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_audit_run_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
    )
    op.create_index("ix_audit_run_id", "audit", ["run_id", "seq"])
    _only_grows(op.get_bind().dialect.name)


def _only_grows(dialect: str) -> None:
    if dialect == "postgresql":
        op.execute(
            "CREATE FUNCTION audit_refuses() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the audit only grows'; END $$"
        )
        op.execute(
            "CREATE TRIGGER audit_refuses BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()"
        )
        return
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER audit_refuses_{change.lower()} BEFORE {change} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END"
        )


def _seq() -> sa.Column[int]:
    return sa.Column("seq", SEQ, nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _word(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(24), nullable=nullable)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _partial(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    op.create_index(name, table, columns, unique=unique, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
