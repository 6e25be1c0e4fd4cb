"""The end of the process where an author's code does not end: a thread that never comes back must not hold it up."""

import os
import sys
import threading
from collections.abc import Iterator

import structlog

WORKER = "_worker"
"""The function of `concurrent.futures` in which its threads wait for work. Daemons or not, the interpreter waits for them."""
ACTIONS = "actions-"
"""How the names of threads begin that carry an actions' loop."""

log = structlog.get_logger(__name__)


def leave_threads_behind() -> None:
    """To be called last, when everything is closed: ends the process here and now if a thread would keep it."""
    left = sorted(thread.name for thread in threading.enumerate() if _is_stuck(thread))
    if left:
        log.error("threads_left_behind", threads=left)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _is_stuck(thread: threading.Thread) -> bool:
    functions = list(_functions(thread))
    if thread is threading.main_thread() or not functions or functions[0] == WORKER:
        return False
    return not thread.daemon or thread.name.startswith(ACTIONS) or WORKER in functions


def _functions(thread: threading.Thread) -> Iterator[str]:
    """What the thread is in, the innermost first."""
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - documented; there is no other way
    while frame is not None:
        yield frame.f_code.co_name
        frame = frame.f_back
