"""How runs begin: by a form, by a command, once per request, by those who may."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from actions import Action, ActionInterrupt, Context, Person, Policy
from actions.kit.records.runs import Origin, RunStatus
from bot.engine import facts
from bot.engine.results import Checking, FieldErrors, OpenInput
from storage.results import NewRun, RunFilters, Started
from tests.authors import IN_THE_CHANNEL, declare
from tests.integration.engine_room import ANN, BEN, BOT, GUS, RITA, VIA, engine_room, refused, start_form


class Order(BaseModel):
    amount: int = Field(ge=1)
    note: str = ""


def ordering(**options: Any) -> Action:
    async def place(input: Order, ctx: Context) -> int:
        if ctx.resumption is None:
            raise ActionInterrupt("Shall I?")
        return input.amount

    return declare(place, **options)


async def test_a_form_starts_one_run_however_often_it_is_delivered(tmp_path: Path):
    action = ordering()
    async with engine_room(tmp_path, action) as room:
        deliveries = [room.runner.submit_start(start_form(action, {"/amount": "5"}, nonce="n1")) for _ in range(4)]
        started = await asyncio.gather(*deliveries)
        assert all(isinstance(each, Started) for each in started)
        assert len(await room.store.runs()) == 1
        card = await room.asked((await room.store.runs())[0])
        assert card.interrupt.shown == '{"amount":5,"note":""}'
        assert card.run.origin == Origin(via="slack")


async def test_two_forms_start_two_runs(tmp_path: Path):
    action = ordering()
    async with engine_room(tmp_path, action) as room:
        for nonce in ("n1", "n2"):
            await room.runner.submit_start(start_form(action, {"/amount": "5"}, nonce=nonce))
        assert len(await room.store.runs()) == 2


async def test_an_input_that_does_not_fit_starts_nothing_and_names_the_field(tmp_path: Path):
    action = ordering()
    async with engine_room(tmp_path, action) as room:
        errors = await room.runner.submit_start(start_form(action, {"/amount": "0"}, nonce="n1"))
        assert isinstance(errors, FieldErrors)
        assert [problem.path for problem in errors.problems] == [("amount",)]
        raw = await room.runner.start(action.id, {"amount": 1, "amuont": 2}, requester=RITA, origin=VIA)
        assert isinstance(raw, FieldErrors)
        assert "amuont" in str(raw.problems)
        assert await room.store.runs() == ()


@pytest.mark.parametrize(
    ("person", "words"), [(GUS, "Guests cannot start"), (BOT, "Only people"), ("U0NOBODY", "knows nobody by this id")]
)
async def test_who_may_not_start_is_told_why(tmp_path: Path, person, words):
    action = ordering()
    async with engine_room(tmp_path, action) as room:
        assert words in refused(await room.runner.open_input(action.id, person, None))
        assert words in refused(await room.runner.submit_start(start_form(action, {"/amount": "5"}, person, nonce="n")))
        assert await room.store.runs() == ()


async def test_only_the_starters_of_a_policy_may_start(tmp_path: Path):
    action = ordering(policy=Policy(deciders=Person(ANN), starters=Person(BEN)))
    async with engine_room(tmp_path, action) as room:
        assert isinstance(await room.runner.open_input(action.id, BEN, None), OpenInput)
        assert f"These may: <@{BEN}>" in refused(await room.runner.open_input(action.id, RITA, None))


async def test_an_unknown_action_is_refused_by_name(tmp_path: Path):
    async with engine_room(tmp_path, ordering()) as room:
        result = await room.runner.start("nonsense <!channel>", {}, requester=RITA, origin=VIA)
        assert "“nonsense &lt;!channel&gt;”" in refused(result)


async def test_the_same_key_finds_the_same_run(tmp_path: Path):
    action = ordering()
    async with engine_room(tmp_path, action) as room:
        first = await room.begin(action, {"amount": 1}, key="k")
        again = await room.begin(action, {"amount": 1}, key="k")
        assert first.id == again.id
        await room.asked(first)
        assert (await room.begin(action, {"amount": 1}, key="k")).status is RunStatus.WAITING


async def test_of_two_actions_that_raced_for_one_key_each_request_finds_its_own_run(tmp_path: Path):
    first, second = ordering(), ordering(id="second")
    async with engine_room(tmp_path, first, second) as room:
        made = {
            action.id: await room.store.start(
                NewRun(action.id, action.name, RITA, VIA, '{"amount": 1}', "k", f"hash of {action.id}"),
                lease=None,
                now=room.clock.now(),
            )
            for action in (first, second)
        }
        for action in (first, second):
            again = await room.runner.start(
                action.id,
                {"amount": 1},
                requester=RITA,
                origin=VIA,
                idempotency_key="k",
                request=f"hash of {action.id}",
            )
            assert isinstance(again, Started)
            assert (again.run.id, again.created) == (made[action.id].run.id, False)


async def test_a_slow_check_of_an_input_is_answered_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(facts.Budget.__init__, "__defaults__", (0.1,))

    class Slow(BaseModel):
        amount: int

        @field_validator("amount")
        @classmethod
        def _asks_somebody(cls, amount: int) -> int:
            time.sleep(0.4)
            return amount

    async def place(input: Slow, ctx: Context) -> int:
        return input.amount

    action = declare(place, policy=IN_THE_CHANNEL)
    async with engine_room(tmp_path, action) as room:
        checking = await room.runner.submit_start(start_form(action, {"/amount": "5"}, nonce="n1"))
        assert isinstance(checking, Checking)
        started = await checking.later
        assert isinstance(started, Started)
        assert (await room.ended(started.run)).status is RunStatus.SUCCEEDED


async def test_more_runs_than_places_all_get_their_turn(tmp_path: Path):
    together = 0
    most = 0

    async def busy(input: Order, ctx: Context) -> int:
        nonlocal together, most
        together += 1
        most = max(most, together)
        await asyncio.sleep(0.01)
        together -= 1
        return input.amount

    action = declare(busy)
    async with engine_room(tmp_path, action, concurrency=3) as room:
        runs = await asyncio.gather(*(room.begin(action, {"amount": number + 1}) for number in range(20)))
        ended = await asyncio.gather(*(room.ended(run) for run in runs))
        assert await room.store.runs(RunFilters(statuses=frozenset({RunStatus.QUEUED}))) == ()
    assert [run.output for run in ended] == [str(number + 1) for number in range(20)]
    assert most == 3
