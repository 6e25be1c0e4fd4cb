"""What the command line prints: tables, a run's life, and errors in one line each."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NoReturn

from rich.console import Console
from rich.markup import escape
from rich.table import Table

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

WRONG_INPUT = 2


def fail(*sentences: str) -> NoReturn:
    """Say what is wrong, on standard error, and exit with 2."""
    for sentence in sentences:
        err.print(f"[bold red]signoff:[/] {escape(sentence)}")
    sys.exit(WRONG_INPUT)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    drawn = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(escape(cell) for cell in row))
    out.print(drawn)


def print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def moment(at: datetime | None) -> str:
    """A time as people at the machine read it: local, to the second."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


@contextmanager
def told() -> Iterator[None]:
    """Turn the errors that a person can mend into one line each; let a bug show itself."""
    from actions.kit.registry import RegistryError
    from bot.settings import SettingsError
    from storage.errors import StorageError

    try:
        yield
    except (SettingsError, RegistryError) as error:
        fail(*error.mistakes)
    except StorageError as error:
        fail(str(error))
