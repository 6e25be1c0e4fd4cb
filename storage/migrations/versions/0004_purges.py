"""Purges: the one way in which the audit lets go of anything, and a row about each of them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "purges",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_before", sa.DateTime(timezone=True), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("runs", sa.BigInteger(), nullable=False),
        sa.Column("decisions", sa.BigInteger(), nullable=False),
        sa.Column("entries", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_purges"),
        sa.UniqueConstraint("id", name="uq_purges_id"),
    )
    op.create_table(
        "purging", sa.Column("run_id", sa.Text(), nullable=False), sa.PrimaryKeyConstraint("run_id", name="pk_purging")
    )
    if op.get_bind().dialect.name == "postgresql":
        _postgresql()
    else:
        _sqlite()


def _sqlite() -> None:
    op.execute("DROP TRIGGER audit_refuses_delete")
    op.execute(
        "CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit "
        "WHEN NOT EXISTS (SELECT 1 FROM purging WHERE run_id = OLD.run_id) "
        "BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END"
    )
    op.execute(
        "CREATE TRIGGER purges_refuse_delete BEFORE DELETE ON purges "
        "BEGIN SELECT RAISE(ABORT, 'the audit only grows'); END"
    )


def _postgresql() -> None:
    op.execute("DROP TRIGGER audit_refuses ON audit")
    op.execute(
        "CREATE TRIGGER audit_refuses BEFORE UPDATE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()"
    )
    op.execute(
        "CREATE FUNCTION audit_lets_go() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "IF EXISTS (SELECT 1 FROM purging WHERE run_id = OLD.run_id) THEN RETURN OLD; END IF; "
        "RAISE EXCEPTION 'the audit only grows'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_refuses_delete BEFORE DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_lets_go()"
    )
    op.execute(
        "CREATE TRIGGER purges_refuse BEFORE DELETE OR TRUNCATE ON purges "
        "FOR EACH STATEMENT EXECUTE FUNCTION audit_refuses()"
    )
