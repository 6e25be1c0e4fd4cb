"""When a standing grant ended, so that its holder is told once. Of what was over before this, nobody is told."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
GRANTS = sa.table(
    "grants",
    sa.column("run_id", sa.Text()),
    sa.column("until", MOMENT),
    sa.column("times", sa.Integer()),
    sa.column("used", sa.Integer()),
    sa.column("revoked_at", MOMENT),
    sa.column("ended_at", MOMENT),
)
USES = sa.table("grant_uses", sa.column("grant_id", sa.Text()), sa.column("at", MOMENT))


def upgrade() -> None:
    op.add_column("grants", sa.Column("ended_at", MOMENT, nullable=True))
    _end_what_is_over()
    op.drop_index("ix_grants_until", "grants")
    is_open = sa.text("ended_at IS NULL")
    op.create_index("ix_grants_open", "grants", ["until"], sqlite_where=is_open, postgresql_where=is_open)


def _end_what_is_over() -> None:
    is_used_up = GRANTS.c.used >= GRANTS.c.times
    last_use = sa.select(sa.func.max(USES.c.at)).where(USES.c.grant_id == GRANTS.c.run_id).scalar_subquery()
    is_over = sa.or_(GRANTS.c.revoked_at.is_not(None), is_used_up, GRANTS.c.until <= datetime.now(UTC))
    ended_at = sa.func.coalesce(GRANTS.c.revoked_at, sa.case((is_used_up, last_use)), GRANTS.c.until)
    op.execute(sa.update(GRANTS).where(is_over).values(ended_at=ended_at))
