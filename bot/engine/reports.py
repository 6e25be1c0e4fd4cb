"""The lines that one execution reports, on their way to the store: from any thread, and not without end."""

import threading
from collections.abc import Callable

MOST = 1_000
"""Lines of one execution that are kept. Each is a row and a message; acknowledgements share the writer with them."""


class Reports:
    """Takes each line as it is said. Those beyond `MOST` are only counted, and the count is the last line."""

    def __init__(self, keep: Callable[[str], None]) -> None:
        self._keep = keep
        self._said = 0
        self._counting = threading.Lock()

    def say(self, text: str) -> None:
        with self._counting:
            self._said += 1
            is_kept = self._said <= MOST
        if is_kept:
            self._keep(text)

    def close(self) -> None:
        """Says how many lines were left out, if any."""
        if self._said > MOST:
            self._keep(f"… and {self._said - MOST:,} more lines")
