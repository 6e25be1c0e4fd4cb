"""Says in words what a database driver's error means to whoever runs the bot."""

from collections.abc import Iterable

from sqlalchemy.exc import DBAPIError, OperationalError

from storage.errors import DatabaseError

# What a driver says about a server that it does not reach, in libpq's words; there is no code for it.
UNREACHED = (
    ("password", "does not accept this user and password", "check the user and password in DATABASE_URL"),
    ('role "', "does not know this user", "check the user in DATABASE_URL, or make it: createuser NAME"),
    ('database "', "is not there", "check the name in DATABASE_URL, or make it: createdb NAME"),
)
REACH_ADVICE = "see that the server runs and that DATABASE_URL names its host and port"
BUSY = ("is busy: others change the same rows", "try again")
# https://www.postgresql.org/docs/current/errcodes-appendix.html
CODES = {
    "25006": ("cannot be written to: this server only reads", "name the primary server in DATABASE_URL"),
    "25P03": ("broke off a change that stood still", "see what the bot's machine is busy with"),
    "28000": UNREACHED[0][1:],
    "28P01": UNREACHED[0][1:],
    "3D000": UNREACHED[2][1:],
    "40001": BUSY,
    "40P01": BUSY,
    "42501": ("does not let this user do that", "grant the user of DATABASE_URL all rights on its schema"),
    "53100": ("has no room left on its disk", "free some space; nothing that was acknowledged is lost"),
    "53300": ("has no connection left", "raise its max_connections, or run fewer processes"),
    "55P03": BUSY,
    "57014": ("took too long to answer", "see what else the server is busy with"),
    "57P01": ("is being shut down", "start it again; what was asked is done then"),
    "57P02": ("has crashed", "look into the server's log"),
    "57P03": ("is starting or being shut down", "wait a moment"),
    "58030": ("cannot be read or written: the disk reports an error", "check the disk of the server"),
    "XX001": ("is damaged", "restore a backup"),
    "XX002": ("is damaged", "restore a backup"),
}
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
    told = DatabaseError(where, *_reason(error))
    told.__cause__ = error
    return told


def _reason(error: DBAPIError) -> tuple[str, ...]:
    """PostgreSQL's errors have a code, but for those of a server that is not reached; SQLite's have words alone."""
    said = str(error.orig).strip().partition("\n")[0]
    code = getattr(error.orig, "sqlstate", "")
    refused = (f"refused: {type(error.orig).__name__}: {said}",)
    if code:
        return CODES.get(code, refused)
    if code is None:
        lost = isinstance(error, OperationalError)
        return _said(UNREACHED, said, (f"cannot be reached: {said}", REACH_ADVICE)) if lost else refused
    return _said(KNOWN, said, refused)


def _said(known: Iterable[tuple[str, str, str]], said: str, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    return next(((reason, advice) for sign, reason, advice in known if sign in said.lower()), otherwise)
