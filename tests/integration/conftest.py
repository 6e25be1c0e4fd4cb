"""The database that a story of the storage runs on: each story runs once for each kind."""

from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from storage.database import Database
from tests.integration.scenes import Scene
from tests.postgresql import Cluster, NoServerError, a_cluster
from tests.requirements import lacking

KINDS = ("sqlite", "postgresql")


def sqlite_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'signoff.db'}"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with ExitStack() as stack:
        try:
            yield stack.enter_context(a_cluster())
        except NoServerError as error:
            lacking("postgres", str(error))


@pytest.fixture(scope="session")
def migrated(cluster: Cluster) -> Iterator[str]:
    """What every other database on the cluster is copied from."""
    with cluster.database() as url:
        database = Database(url)
        database.open()
        database.close()
        yield url


@pytest.fixture
def postgresql_url(cluster: Cluster, migrated: str) -> Iterator[str]:
    with cluster.database(migrated) as url:
        yield url


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
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
