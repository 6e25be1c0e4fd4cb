"""A PostgreSQL of the whole test run, with a database for each test that asks for one; and no long pauses of the collector."""

import gc
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import structlog

from storage.database import Database
from tests.postgresql import Cluster, NoServerError, a_cluster
from tests.requirements import lacking


@pytest.fixture(scope="module", autouse=True)
def what_stays_is_looked_at_once() -> None:
    """A collection of all that thousands of tests leave behind stops every loop for longer than an acknowledgement may take."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def logs_are_as_they_were() -> Iterator[None]:
    """A command that set the logs up in this process, for a stream that is closed by now, sets up those of no later test."""
    yield
    structlog.reset_defaults()


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
