"""Which stage of a policy a decision was given in, and what its person could fill: a person may decide once in each."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("decisions") as decisions:
        decisions.add_column(sa.Column("stage", sa.Integer(), nullable=False, server_default="0"))
        decisions.add_column(sa.Column("fits", sa.Text(), nullable=False, server_default="[]"))
        decisions.drop_constraint("uq_decisions_interrupt_id_person", type_="unique")
        decisions.create_unique_constraint(
            "uq_decisions_interrupt_id_stage_person", ["interrupt_id", "stage", "person"]
        )
