"""The effects of the worked actions: a file that is only ever appended to, one line for each execution.

An action that ran twice on one answer would show here as two lines of one key. This is also how a team opens what its
actions share: the function marked `@resources` runs once at start-up, and actions find what it yields by type.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actions import resources

DEFAULT_PATH = "var/ledger.jsonl"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: the kind of effect, the idempotency key of the step that had it, and its facts."""

    kind: str
    key: str
    facts: Mapping[str, Any]


class Ledger:
    """JSON lines in a file, each on disk before `record` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path

    async def record(self, kind: str, key: str, facts: Mapping[str, Any]) -> None:
        """Append one line, off the loop. `facts` must be JSON. Raises `OSError`."""
        await asyncio.to_thread(self._append, json.dumps({"kind": kind, "key": key, "facts": facts}) + "\n")

    def entries(self, key: str | None = None) -> list[Entry]:
        """Every line so far, or those of one key, in the order of writing."""
        if not self.path.exists():
            return []
        lines = self.path.read_text(encoding="utf-8").splitlines()
        found = [Entry(**json.loads(line)) for line in lines]
        return [entry for entry in found if key is None or entry.key == key]

    def _append(self, line: str) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab", buffering=0) as file:
            file.write(line.encode())
            os.fsync(file.fileno())


@resources
async def open_ledger() -> AsyncIterator[Ledger]:
    """The ledger at `SIGNOFF_LEDGER`, or below the working directory."""
    yield Ledger(Path(os.environ.get("SIGNOFF_LEDGER") or DEFAULT_PATH))
