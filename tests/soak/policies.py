"""The stories of `tests/integration/deciding/` for long: five hundred of forty steps, on each database, others in every run.

./dev test tests/soak/policies.py -s --timeout 7200

SIGNOFF_SOAK_STORIES=50 tells fewer.
"""

import os

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.integration.deciding.machine import Deciding
from tests.integration.test_runner_policies import DecidingOnPostgresql
from tests.postgresql import Cluster

LONG = settings(
    max_examples=int(os.environ.get("SIGNOFF_SOAK_STORIES", "500")),
    stateful_step_count=40,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def test_no_story_however_long_ends_in_an_approval_that_the_policy_forbids():
    run_state_machine_as_test(Deciding, settings=LONG)


def test_nor_on_postgresql_where_two_bots_write_at_once(cluster: Cluster, migrated: str):
    DecidingOnPostgresql.cluster, DecidingOnPostgresql.migrated = cluster, migrated
    run_state_machine_as_test(DecidingOnPostgresql, settings=LONG)
