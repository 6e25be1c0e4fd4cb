"""No order of votes, edits, absences, escalations, grants, changed policies and expiries ends in what the policy forbids."""

from contextlib import AbstractContextManager
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.integration.deciding.machine import Deciding
from tests.postgresql import Cluster


def examples(count: int, steps: int) -> settings:
    return settings(
        max_examples=count,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.timeout(240)
def test_whatever_happens_in_whichever_order_it_is_settled_as_the_policy_says():
    run_state_machine_as_test(Deciding, settings=examples(12, 35))


class DecidingOnPostgresql(Deciding):
    cluster: ClassVar[Cluster]
    migrated: ClassVar[str]

    def new_database(self) -> AbstractContextManager[str]:
        return self.cluster.database(self.migrated)


@pytest.mark.timeout(240)
def test_on_postgresql_it_is_the_same(cluster: Cluster, migrated: str):
    DecidingOnPostgresql.cluster, DecidingOnPostgresql.migrated = cluster, migrated
    run_state_machine_as_test(DecidingOnPostgresql, settings=examples(3, 25))
