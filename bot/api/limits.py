"""How much one token may ask for. Each process counts for itself, so with replicas behind a proxy there is more room."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil

MOST_BYTES = 1024 * 1024
"""Of a request's body."""
BODY_SECONDS = 30.0
"""How long a body may take to arrive."""
PER_MINUTE = 120
"""Requests of one token in any sixty seconds."""
WAITS = 20
"""Requests of one token that may wait for a change at the same time."""
LONGEST_WAIT = 60
"""Seconds, of `wait`."""
PAGE = 100
"""The most entries of a page."""
MINUTE = 60.0


class Rate:
    """Requests of the last minute, by token."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._taken: dict[str, deque[float]] = {}

    def take(self, token: str) -> int:
        """Counts a request: 0, or the seconds after which there is room again; then it does not count."""
        now = self._clock()
        taken = self._taken.setdefault(token, deque())
        while taken and taken[0] <= now - MINUTE:
            taken.popleft()
        if len(taken) >= PER_MINUTE:
            return max(1, ceil(taken[0] + MINUTE - now))
        taken.append(now)
        return 0


class Seats:
    """Who waits for a change right now, by token."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    @contextmanager
    def seat(self, token: str) -> Iterator[bool]:
        """Whether there is one; it is given back at the end."""
        if self._taken[token] >= WAITS:
            yield False
            return
        self._taken[token] += 1
        try:
            yield True
        finally:
            self._taken[token] -= 1
            if not self._taken[token]:
                del self._taken[token]
