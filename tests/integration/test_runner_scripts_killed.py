"""Random scripts in the sandbox, killed between any two steps: what has an effect has it once, or a person is asked."""

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from actions.kit.sandbox.pool import Sandbox
from storage.database import Database
from tests.integration.nested_world import place
from tests.integration.script_world import SandboxWorld
from tests.integration.test_runner_nested_killed import Killed


@pytest.mark.timeout(400)  # Hypothesis shrinks before it tells
def test_wherever_a_script_in_the_sandbox_is_killed_no_effect_happens_twice_unasked(tmp_path: Path):
    class KilledInTheSandbox(Killed):
        """The same rules, and the same is looked at after each."""

    with closing(Database(place(tmp_path))) as database, closing(Sandbox()) as sandbox:
        database.open()
        KilledInTheSandbox.database = database
        KilledInTheSandbox.world_of = partial(SandboxWorld, sandbox=sandbox)
        run_state_machine_as_test(
            KilledInTheSandbox,
            settings=settings(
                max_examples=5,
                stateful_step_count=12,
                deadline=None,
                database=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )
