"""The desk that every story of the command line begins at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.integration.command_line.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A command line in an empty directory, without any settings."""
    for name in Settings.model_fields:
        monkeypatch.delenv(Settings.env_name(name), raising=False)
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.chdir(tmp_path)
    opened = Desk(tmp_path, monkeypatch)
    yield opened
    opened.stop()
