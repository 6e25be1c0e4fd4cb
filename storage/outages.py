"""What to do while a database server is away: wait a while, try again, and tell everybody at once when it lasts."""

import time
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, OperationalError

from storage.errors import DatabaseError

T = TypeVar("T")

PATIENCE = 10.0
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 1.0

# https://www.postgresql.org/docs/current/errcodes-appendix.html: two in each other's way, or a server that comes and goes.
PASSING = frozenset({"25P03", "40001", "40P01", "53300", "55P03", "57P01", "57P02", "57P03"})


class OutageError(Exception):
    """Nothing was done, and no transition is to blame; `told` says why. `passing`: it may work in a moment."""

    def __init__(self, told: DatabaseError, *, passing: bool) -> None:
        super().__init__(str(told))
        self.told, self.passing = told, passing


def is_passing(error: DBAPIError) -> bool:
    """Whether the connection broke or none was to be had, or the server asks to come again.

    What SQLite says never passes by itself: it has waited already.
    """
    state = getattr(error.orig, "sqlstate", "")
    no_connection = state is None and isinstance(error, OperationalError)
    return error.connection_invalidated or no_connection or state in PASSING


class Patience:
    """Is spent once for each outage, by all who share it: whoever comes later is told at once until it is over."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        self._seconds = seconds
        self._since: float | None = None

    def bear(self, attempt: Callable[[], T]) -> T:
        """Tries until it works or fails for another reason than an outage.

        Raises:
            OutageError: when it does not pass, or lasts longer than the patience.
        """
        pause = FIRST_PAUSE
        while True:
            try:
                result = attempt()
            except OutageError as error:
                if not error.passing or self._is_spent():
                    raise
            else:
                self._since = None
                return result
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _is_spent(self) -> bool:
        now = time.monotonic()
        since = self._since
        if since is None:
            self._since = since = now
        return now - since > self._seconds
