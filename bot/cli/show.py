"""What the command line prints: lines for people, JSON for scripts, and every error that can be mended in one line."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NoReturn

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape

from blocks.text import clean, one_line

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

WRONG_INPUT, INTERRUPTED = 2, 130
MANY = 10
_STEERING = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Controls that JSON leaves as they are, and what turns the direction of a line."""


def fail(*sentences: str) -> NoReturn:
    """Say what is wrong, each in one line on standard error, and exit with 2."""
    for sentence in sentences[:MANY]:
        err.print(f"[bold red]signoff:[/] {escape(one_line(sentence))}")
    if len(sentences) > MANY:
        err.print(f"[bold red]signoff:[/] … and {len(sentences) - MANY:,} more.")
    sys.exit(WRONG_INPUT)


def safe(text: str) -> str:
    """Text from data, on one line: it can neither move the cursor nor be taken for our markup."""
    return escape(one_line(text))


def passage(text: str, indent: int) -> str:
    """Text from data that keeps its lines, each of them indented."""
    return "\n".join(" " * indent + escape(line) for line in clean(text).split("\n"))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Each row as one line with its cells below each other. Nothing is cut or wrapped, so ids can be copied."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def print_table(columns: Sequence[str], rows: Sequence[tuple[Sequence[str], str | None]]) -> None:
    """A header, each row below it, and below a row the note about it, if there is one."""
    header, *lines = aligned([columns, *(cells for cells, _ in rows)])
    out.print(f"[bold]{escape(header)}[/]")
    for line, (_, note) in zip(lines, rows, strict=True):
        out.print(escape(line))
        if note:
            out.print(f"  [yellow]{safe(note)}[/]")


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - cell_len(cell))


def print_json(value: Any) -> None:
    """What a terminal would obey stands in it as an escape of JSON, which is the same JSON."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    sys.stdout.write(_STEERING.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n")


def print_text(text: str) -> None:
    """Text from data as it is, for another program to read; at a terminal without what would steer that."""
    sys.stdout.write(clean(text) if sys.stdout.isatty() else text)


def moment(at: datetime | None) -> str:
    """A time as people at the machine read it: local, to the second."""
    return at.astimezone().strftime("%Y-%m-%d %H:%M:%S") if at else ""


@contextmanager
def told() -> Iterator[None]:
    """Turn the errors that a person can mend into one line each, and Ctrl-C into silence; let a bug show itself."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        sys.stdout = None  # nobody reads it any more, and Python would flush it once more
        sys.exit(WRONG_INPUT)
    except Exception as error:
        mistakes = _mendable(error)
        if not mistakes:
            raise
        fail(*mistakes)


def _mendable(error: Exception) -> Sequence[str]:
    """What to mend, in sentences; none where the error is a fault of ours. Imported only once something went wrong."""
    from actions.kit.registry import RegistryError
    from actions.kit.resources import ResourcesError
    from bot.directory.known import UnknownNamesError
    from bot.server import AddressError
    from bot.settings import SettingsError
    from bot.slack.client import SlackError, TokenRefusedError
    from bot.workbench.server import PortError
    from bot.yaml_file import FileError
    from storage.errors import StorageError

    if isinstance(error, SettingsError | RegistryError | FileError | UnknownNamesError):
        return error.mistakes
    advice: dict[type[Exception], str] = {
        StorageError: "",
        TokenRefusedError: "Copy it anew from your Slack app's page, and see that both tokens are of one app.",
        SlackError: "Look at the network, its proxy, and SLACK_API_URL.",
        AddressError: "Set SIGNOFF_PORT (0 takes a free one) or SIGNOFF_HOST.",
        PortError: "Give another: --port 0 takes a free one.",
        ResourcesError: "Nothing was started; mend that function, or what it needs.",
    }
    return [f"{error}. {what}".strip() for kind, what in advice.items() if isinstance(error, kind)][:1]
