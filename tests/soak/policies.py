"""The stories of `tests.integration.deciding.machine.py` for long: five hundred of forty steps each, others in every run.

./dev test tests/soak/policies.py -s --timeout 7200
"""

import os

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.integration.deciding.machine import Deciding

STORIES = int(os.environ.get("SIGNOFF_SOAK_STORIES", "500"))


def test_no_story_however_long_ends_in_an_approval_that_the_policy_forbids():
    run_state_machine_as_test(
        Deciding,
        settings=settings(
            max_examples=STORIES,
            stateful_step_count=40,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
