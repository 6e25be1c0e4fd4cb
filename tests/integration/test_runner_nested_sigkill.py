"""A process that is killed around a nested call: what ended is replayed by the next one, and what is in doubt is asked about."""

from pathlib import Path

import pytest

from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallStatus
from tests.integration.engine_room import Room, engine_room, order
from tests.integration.engine_victim import lines
from tests.integration.nested_victim import FIRST, PAY, victims
from tests.integration.test_runner_crashes import killed_at, recovered


async def statuses(room: Room, run_id: str) -> dict[str, CallStatus]:
    return {call.path: call.status for call in await room.store.calls.of_run(run_id)}


@pytest.mark.parametrize(("point", "paid"), [("before the mark", 0), ("finished", 1)])
async def test_killed_beside_a_call_the_run_goes_on_and_every_effect_happens_once(
    tmp_path: Path, point: str, paid: int
):
    await killed_at(tmp_path, point, "nested_victim")
    assert len(lines(tmp_path / PAY)) == paid
    async with engine_room(tmp_path, *victims(tmp_path, "")) as room:
        run = await recovered(room)
        assert (await room.ended(run)).status is RunStatus.SUCCEEDED
    assert (len(lines(tmp_path / FIRST)), len(lines(tmp_path / PAY))) == (1, 1)
    assert len(lines(tmp_path / "passes")) == 2


@pytest.mark.parametrize(("point", "paid"), [("marked", 0), ("effect", 1)])
@pytest.mark.parametrize("verb", ["run_again", "it_happened", "it_did_not"])
async def test_killed_within_a_call_the_run_stalls_at_it_and_goes_on_as_a_person_says(
    tmp_path: Path, point: str, paid: int, verb: str
):
    await killed_at(tmp_path, point, "nested_victim")
    async with engine_room(tmp_path, *victims(tmp_path, "")) as room:
        stalled = await room.ended(await recovered(room))
        assert stalled.failure is not None
        assert (stalled.status, stalled.failure.call) == (RunStatus.STALLED, PAY)
        assert "“Pay”" in stalled.failure.message
        assert await statuses(room, stalled.id) == {FIRST: CallStatus.FINISHED, PAY: CallStatus.EXECUTING}
        assert len(lines(tmp_path / PAY)) == paid
        await room.runner.order(order(stalled, verb, stalled.requester))
        ended = await room.ended(stalled, epoch=stalled.epoch + 1)
    assert ended.status is (RunStatus.FAILED if verb == "it_did_not" else RunStatus.SUCCEEDED)
    assert len(lines(tmp_path / FIRST)) == 1
    assert len(lines(tmp_path / PAY)) == paid + (verb == "run_again")
    assert len(set(lines(tmp_path / PAY))) <= 1
