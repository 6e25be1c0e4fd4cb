"""A person at the command line: a working directory of their own, an environment without settings, and what is printed."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from bot.cli.commands import app
from bot.settings import Settings
from storage.database import Database
from tests.integration.scenes import Scene

MAIN = "from bot.cli import main; main()"
PATIENCE = 60.0


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it printed."""

    status: int
    out: str
    err: str

    @property
    def one_error(self) -> str:
        """The only line on standard error, of a command that said what to mend."""
        assert self.status == 2, self
        assert self.out == ""
        (line,) = self.err.splitlines()
        assert line.startswith("signoff: ")
        return line.removeprefix("signoff: ")


@dataclass
class Serving:
    """A command in a process of its own; what it prints is in a file."""

    process: subprocess.Popen[bytes]
    printed: Path

    @property
    def text(self) -> str:
        return self.printed.read_text(encoding="utf-8")

    def says(self, words: str) -> str:
        """Everything that it printed, once the words are among it."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text:
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.text}"
            assert time.monotonic() < deadline, f"never said {words!r}: {self.text}"
            time.sleep(0.05)
        return self.text

    def ends(self, with_signal: int | None = None) -> int:
        """Its exit status."""
        if with_signal is not None:
            self.process.send_signal(with_signal)
        return self.process.wait(PATIENCE)


@dataclass
class Desk:
    """`settings` is the environment of every command from here on."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    settings: dict[str, str] = field(default_factory=dict)
    served: list[Serving] = field(default_factory=list)

    def set(self, **settings: str) -> None:
        self.settings |= settings
        for name, value in settings.items():
            self.monkeypatch.setenv(name, value)

    def signoff(self, *arguments: str, stdin: str | None = None) -> Said:
        """A command in this process."""
        result = CliRunner().invoke(app, list(arguments), input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    def process(self, *arguments: str) -> Said:
        """A command in a process of its own."""
        ended = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-c", MAIN, *arguments], capture_output=True, env=os.environ, check=False, timeout=PATIENCE
        )
        return Said(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def serve(self, *arguments: str) -> Serving:
        """A command that runs until it is told to end."""
        printed = self.folder / f"printed-{len(self.served)}"
        with printed.open("wb") as file:
            process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-c", MAIN, *arguments], stdout=file, stderr=file, env=os.environ
            )
        self.served.append(Serving(process, printed))
        return self.served[-1]

    def waits(self, reached: Callable[[], bool]) -> bool:
        """Whether it came true while a person would wait for it."""
        deadline = time.monotonic() + PATIENCE
        while not reached():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)
        return True

    def stop(self) -> None:
        for each in self.served:
            if each.process.poll() is None:
                each.ends(signal.SIGKILL)

    def happens(self, story: Callable[[Scene], Coroutine[Any, Any, Any]]) -> Any:
        """What the bot of this directory wrote: the story's result. The database is made where there is none."""

        async def told() -> Any:
            async with Database(str(Settings.model_fields["database_url"].default)) as database:
                return await story(Scene(database))

        return asyncio.run(told())
