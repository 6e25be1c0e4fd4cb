"""A bar for what takes long: on a terminal alone, and only once it does."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from bot.cli.show import err

AT_ONCE = 0.5
"""Seconds after which a bar is worth looking at."""

Tell = Callable[[int, int], None]


@contextmanager
def progress(what: str) -> Iterator[Tell]:
    """Yields what is told how much is done, and of how much. The bar goes when the work is done."""
    began = time.monotonic()
    bars: list[Tell] = []
    with ExitStack() as stack:

        def tell(done: int, total: int) -> None:
            if err.is_terminal and not bars and time.monotonic() - began > AT_ONCE:
                bars.append(_bar(stack, what))
            for bar in bars:
                bar(done, total)

        yield tell


def _bar(stack: ExitStack, what: str) -> Tell:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bars = stack.enter_context(Progress(*columns, console=err, transient=True))
    task = bars.add_task(what, total=None)
    return lambda done, total: bars.update(task, completed=done, total=total)
