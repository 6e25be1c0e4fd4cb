"""What a JSON Schema from outside has to keep to, because checking it, and what is answered to it, takes time."""

import json
from typing import Any

from actions.kit.shapes.patterns import refuse_slow_patterns

LARGEST = 64 * 1024
"""Bytes of a schema from outside: to check that it is one takes about a second for each 128 KiB."""


def refuse_hostile(schema: Any) -> None:
    """Raise `ValueError` for a schema with a pattern that may take for ever, or of a size that nobody fills in."""
    refuse_slow_patterns(schema)
    if len(json.dumps(schema)) > LARGEST:
        raise ValueError(f"must be at most {LARGEST // 1024} KiB of JSON; nobody fills in a form of more")
