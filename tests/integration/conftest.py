"""The database that a story of the storage runs on: each story runs once for each kind."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from storage.database import Database
from tests.integration.scenes import Scene


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'signoff.db'}"


DATABASES: dict[str, Callable[[Path], str]] = {"sqlite": sqlite_url}


@pytest.fixture(params=sorted(DATABASES))
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return DATABASES[request.param](tmp_path)


@pytest.fixture
async def scene(database_url: str) -> AsyncIterator[Scene]:
    async with Database(database_url) as database:
        yield Scene(database)
