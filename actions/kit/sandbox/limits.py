"""What a script may use up, and what is wrong with one that uses more, or fails."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from actions.kit.extras import install_advice

LIBRARY = "pydantic_monty"
"""What the extra `sandbox` installs."""
NOT_INSTALLED = f"this bot cannot run scripts: {LIBRARY} is not installed; {install_advice('sandbox')}"
SUSPENSIONS = 5_000
"""How often one execution of a script may turn to us for anything at all: what it calls, and what it is refused."""
DEEPEST = 200
"""Calls of its own functions within each other."""

LONGEST_SCRIPT = 50_000
"""Characters of a script."""

Kind = Literal["syntax", "error", "time", "memory", "output", "calls", "value", "crashed", "nested", "not_installed"]


def is_installed() -> bool:
    """Whether scripts can be run here: the extra `sandbox`."""
    return find_spec(LIBRARY) is not None


@dataclass(frozen=True, slots=True)
class Limits:
    """What one script may use, counted anew on each pass.

    `seconds` of computing, without what it waits for; `memory` in bytes; `output` in characters printed; `calls` of
    actions and looks at the clock.
    """

    seconds: float = 5.0
    memory: int = 64 * 1024 * 1024
    output: int = 64 * 1024
    calls: int = 1_000


class ScriptError(Exception):
    """A script that cannot run, or failed. `line` is the one of it where that happened, where one is known."""

    def __init__(self, kind: Kind, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.kind = kind
        self.line = line


class ScriptSyntaxError(ScriptError):
    """A script that cannot be read, so that nothing of it was executed."""
