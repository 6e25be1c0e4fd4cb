"""Says in words what a database driver's error means to whoever runs the bot."""

from sqlalchemy.exc import DBAPIError

from storage.errors import DatabaseError

# What SQLite says (https://www.sqlite.org/rescode.html), what it means, and what to do.
KNOWN = (
    ("not a database", "is not an SQLite database", "name another file, or restore a backup"),
    ("malformed", "is damaged", "restore a backup"),
    ("readonly", "cannot be written to", "make the file, its folder and the disk writable for this user"),
    ("unable to open", "cannot be opened", "check that the file and its folder can be read and written by this user"),
    ("is locked", "is busy: another program holds it", "close whatever has the file open for writing, and try again"),
    ("is full", "has no room left on its disk", "free some space; nothing that was acknowledged is lost"),
    ("disk i/o", "cannot be read or written: the disk reports an error", "check the disk"),
)


def in_words(error: DBAPIError, where: str) -> DatabaseError:
    """The same error for people. It never holds parameters, which may be somebody's data."""
    said = str(error.orig).strip().partition("\n")[0]
    lower = said.lower()
    known = ((reason, advice) for sign, reason, advice in KNOWN if sign in lower)
    told = DatabaseError(where, *next(known, (f"refused: {type(error.orig).__name__}: {said}",)))
    told.__cause__ = error
    return told
