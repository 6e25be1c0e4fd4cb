"""What happens by itself while a question waits: reminders, a warning with more time, escalations."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

Sequence = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("warned_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("interrupts", sa.Column("extended", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("interrupts", sa.Column("extended_by", sa.Text(), nullable=True))
    op.create_table(
        "steps",
        sa.Column("seq", Sequence, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("interrupt_id", sa.Text(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_steps"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_steps_run_id"),
        sa.ForeignKeyConstraint(["interrupt_id"], ["interrupts.id"], name="fk_steps_interrupt_id"),
    )
    to_come = sa.text("done_at IS NULL")
    op.create_index("ix_steps_due", "steps", ["due_at"], sqlite_where=to_come, postgresql_where=to_come)
    op.create_index("ix_steps_interrupt_id", "steps", ["interrupt_id", "seq"])
    op.create_index("ix_steps_run_id", "steps", ["run_id"])
