"""The database that a story of the storage runs on: each story runs once for each kind."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from storage.database import Database
from tests.integration.scenes import Scene
from tests.sqlite import sqlite_in, sqlite_url

KINDS = ("sqlite", "postgresql")


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_in(tmp_path)
    return str(request.getfixturevalue("postgresql_url"))


@pytest.fixture(params=KINDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield sqlite_url(tmp_path)
        return
    with request.getfixturevalue("cluster").database() as url:
        yield url


@pytest.fixture
async def scene(database_url: str) -> AsyncIterator[Scene]:
    async with Database(database_url) as database:
        yield Scene(database)
