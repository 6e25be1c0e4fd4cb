"""Libraries that not every installation has: whoever needs one that is missing is told which extra brings it."""

from collections.abc import Iterator
from contextlib import contextmanager


def install_advice(extra: str) -> str:
    """What to do about a library that is missing."""
    return f"in the bot's checkout, its extra brings it: pip install '.[{extra}]'"


class ExtraMissingError(ImportError):
    """A library is not installed, and `extra` brings it."""

    def __init__(self, library: str, extra: str) -> None:
        super().__init__(f"{library} is not installed; {install_advice(extra)}")
        self.extra = extra


@contextmanager
def bringing(extra: str, *libraries: str) -> Iterator[None]:
    """Around imports of these libraries, by their import names, or of what imports them. Raises `ExtraMissingError`."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in libraries:
            raise
        raise ExtraMissingError(missing, extra) from error
