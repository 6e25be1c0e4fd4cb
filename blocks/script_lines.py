"""The line of a script in which a call of it stands, read from what the script was executed with."""

import json
import re

from actions.kit.calls import CallRecord
from blocks.life import Life

CODE = "code"
"""The field of an action's input that has its script."""
_PLACE = re.compile(r"line ([0-9]+)(?:#[0-9]+)?")


def line_text(call: CallRecord, life: Life) -> str | None:
    """The text of that line; `None` for a call that no script made, or where the script cannot be found."""
    above, _, name = call.path.rpartition("/")
    place = _PLACE.fullmatch(name)
    if place is None:
        return None
    lines = _script(above, life).split("\n")
    number = int(place[1])
    return lines[number - 1].strip() if 0 < number <= len(lines) else None


def _script(path: str, life: Life) -> str:
    """What is executed at a path, the whole run's where that is empty."""
    given = next((call.input for call in life.calls if call.path == path), None) if path else life.run.input
    read = json.loads(given) if given else None
    code = read.get(CODE) if isinstance(read, dict) else None
    return code if isinstance(code, str) else ""
