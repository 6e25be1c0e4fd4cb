"""Signals between a test and an action, as files beside the ledger, so that they reach into another process too."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from tests.waiting import LOOK_EVERY, until


@dataclass(frozen=True, slots=True)
class Gate:
    """A place in an action at which it says that it arrived, and waits until the test lets it through."""

    folder: Path
    name: str

    @classmethod
    def here(cls, name: str) -> "Gate":
        """The gate as an action finds it."""
        return cls(Path(os.environ["SIGNOFF_LEDGER"]).parent, name)

    async def passed(self) -> None:
        """The action's side."""
        self._file("reached").touch()
        await until(self._is_open, f"somebody to open the gate {self.name!r}", timeout=120)

    def passed_blocking(self) -> None:
        """The action's side where nothing may be awaited, such as a validator. Once it was open, it stays so."""
        self._file("reached").touch()
        while not self.is_open:
            time.sleep(LOOK_EVERY)

    async def reached(self, *, timeout: float = 10.0) -> None:
        """The test's side: the action stands before the gate."""
        await until(self._is_reached, f"an action to reach the gate {self.name!r}", timeout=timeout)

    @property
    def is_open(self) -> bool:
        return self._file("open").exists()

    def open(self) -> None:
        """The test's side: whoever waits, or comes later, goes through."""
        self._file("open").touch()

    async def _is_open(self) -> bool:
        return self.is_open

    async def _is_reached(self) -> bool:
        return self._file("reached").exists()

    def _file(self, what: str) -> Path:
        return self.folder / f"{self.name}.{what}"
