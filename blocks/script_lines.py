"""The line of a script in which a call of it stands, read from what the script was executed with."""

import json

from actions.kit.running.calls import CallRecord
from actions.kit.running.places import line_of
from blocks.life import Life

CODE = "code"
"""The field of an action's input that has its script."""


def line_words(path: str) -> str:
    """` in line 7 of the script`; empty for a place that stands in none."""
    line = line_of(path)
    return "" if line is None else f" in line {line} of the script"


def line_text(call: CallRecord, life: Life) -> str | None:
    """The text of that line; `None` for a call that no script made, or where the script cannot be found."""
    above, _, name = call.path.rpartition("/")
    number = line_of(name)
    if number is None:
        return None
    lines = _script(above, life).split("\n")
    return lines[number - 1].strip() if 0 < number <= len(lines) else None


def _script(path: str, life: Life) -> str:
    """What is executed at a path, the whole run's where that is empty."""
    given = next((call.input for call in life.calls if call.path == path), None) if path else life.run.input
    read = json.loads(given) if given else None
    code = read.get(CODE) if isinstance(read, dict) else None
    return code if isinstance(code, str) else ""
