"""Scripts where actions run: on a loop that replaced a blocked one too, and when the bot stops while one computes."""

import asyncio
import threading
from functools import partial
from typing import Any

import pytest

from actions import Context
from actions.kit.records.outcomes import Outcome, Returned, Stopped
from actions.kit.resources import opened
from actions.script import open_sandbox, run_script
from bot.engine import host as host_module
from bot.engine.running import Job
from tests.authors import execute_once, executing
from tests.unit.test_engine_host import hosting, job, outcome, spins, until

SANDBOX = partial(opened, [open_sandbox])


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"WATCH_EVERY": 0.02, "BLOCKED_AFTER": 0.15, "MOVE_ON_AFTER": 0.3, "LAST_WORDS": 0.4}.items():
        monkeypatch.setattr(host_module, name, seconds)


def script(code: str) -> Job:
    async def body(ctx: Context) -> Any:
        return (await run_script(code, {}, ctx)).result

    async def work(resources: Any) -> Outcome:
        return await execute_once(executing(body), resources=resources)

    return job(work)


async def test_a_script_behind_an_action_that_blocks_its_loop_runs_in_the_sandbox_of_a_fresh_one():
    async with hosting(SANDBOX) as host:
        spinning = host.submit(job(spins, limit=0.5, run="spins"))
        await until(host.blocked)
        assert await outcome(host, script("6 * 7")) == Returned(output="42")
        await host.outcome(spinning)
        assert await outcome(host, script("6 * 8")) == Returned(output="48")


async def test_a_bot_that_stops_ends_a_script_that_computes_at_once():
    async with hosting(SANDBOX) as host:
        running = host.submit(script("while True: pass"))
        ending = asyncio.ensure_future(host.outcome(running))
        await until(lambda: running.task is not None)
        await asyncio.sleep(0.1)
        async with asyncio.timeout(1.5):
            assert await host.stop(grace=1.0)
        assert await ending == Stopped()
        await until(lambda: not [each for each in threading.enumerate() if each.name.startswith("script")], within=2)
