"""What forms and Home tabs remember: the titles of what a card shows, what was typed so far, and what each Home shows."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("shown_schema", sa.Text(), nullable=True))
    op.create_table(
        "drafts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_drafts"),
    )
    op.create_index("ix_drafts_kept_at", "drafts", ["kept_at"])
    op.create_table(
        "homes",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("view", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wanted_version", sa.Integer(), nullable=False),
        sa.Column("shown_version", sa.Integer(), nullable=False),
        sa.Column("shown_digest", sa.Text(), nullable=True),
        sa.Column("shown_hash", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("person", name="pk_homes"),
    )
    due = sa.text("shown_version < wanted_version")
    op.create_index("ix_homes_due", "homes", ["next_at"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_runs_requester", "runs", ["requester", "ended_at", "id"])
    op.create_index("ix_decisions_person", "decisions", ["person", "seq"])
    settled = sa.text("settled_at IS NOT NULL")
    op.create_index(
        "ix_interrupts_settled", "interrupts", ["settled_at"], sqlite_where=settled, postgresql_where=settled
    )
