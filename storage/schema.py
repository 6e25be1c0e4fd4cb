"""Brings the schema to what this program knows, and refuses one that is newer."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from storage.errors import SchemaError
from storage.locks import hold_schema

# A test holds this against the newest file in migrations/versions; knowing it here spares each start Alembic's import.
HEAD = "0019"
MIGRATIONS = Path(__file__).parent / "migrations"


def revision_of(connection: Connection) -> str | None:
    """The database's migration revision; `None` when nothing of ours is there."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def migrate_to_head(connection: Connection, where: str) -> None:
    """Migrates inside the given transaction, so that of several processes that start at once one does the work.

    Raises:
        SchemaError: when the revision is not one of ours, or the tables are somebody else's.
    """
    if revision_of(connection) == HEAD:
        return
    hold_schema(connection)
    found = revision_of(connection)
    if found == HEAD:
        return
    if found is None:
        _refuse_strangers(connection, where)
    _refuse_newer(found, where)
    _upgrade(connection)


def require_head(connection: Connection, where: str) -> None:
    """Refuses any schema but the one that this program knows."""
    found = revision_of(connection)
    if found == HEAD:
        return
    _refuse_newer(found, where)
    reason = f"has schema {found or 'none'!r}, older than this program's {HEAD!r}"
    raise SchemaError(where, found=found, known=HEAD, reason=reason, advice="migrate it first")


def _refuse_strangers(connection: Connection, where: str) -> None:
    if names := inspect(connection).get_table_names():
        reason = f"holds tables of another program ({', '.join(sorted(names)[:3])})"
        raise SchemaError(where, found=None, known=HEAD, reason=reason, advice="give this bot a database of its own")


def _refuse_newer(found: str | None, where: str) -> None:
    if found is None or found in known_revisions():
        return
    reason = f"has schema {found!r}, which is newer than this program's {HEAD!r}"
    advice = "start the version of the program that made it, or restore a backup from before its upgrade"
    raise SchemaError(where, found=found, known=HEAD, reason=reason, advice=advice)


def known_revisions() -> set[str]:
    """Every revision that this program can migrate from, and its own."""
    return {file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py")}


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 -- only a migration needs Alembic; starting must be quick
    from alembic.config import Config  # noqa: PLC0415 -- as above

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
