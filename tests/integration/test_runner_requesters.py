"""What requesters may do through the runner, and only they: nudge, withdraw, ask again, share a run; refused alike everywhere."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from actions import Action, ActionError, ActionInterrupt, Context, Person, Policy, Requester
from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.shapes.answers import MISSING
from bot.engine import refusals
from bot.engine.answers import Given
from bot.engine.results import CancelDone, NudgeDone, OpenInput, Settled
from storage.results import Started
from tests.authors import IN_THE_CHANNEL, declare
from tests.integration.engine_room import (
    ANN,
    BEN,
    EVE,
    GUS,
    RITA,
    VIA,
    Room,
    click,
    engine_room,
    order,
    refused,
    start_form,
)


class Restart(BaseModel):
    service: str
    hosts: list[str] = []


def restarting(**options: Any) -> Action:
    async def restart(input: Restart, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Restart {input.service}?")
        return "restarted"

    return declare(restart, id="restart", joins=True, **options)


INPUT = {"service": "web", "hosts": ["a", "b"]}


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with engine_room(tmp_path, restarting(), operators=[EVE]) as opened:
        yield opened


async def asks(room: Room, person: str, raw: Any = INPUT, **options: Any) -> Started:
    started = await room.runner.start("restart", raw, requester=person, origin=VIA, **options)
    assert isinstance(started, Started), started
    return started


async def endings(room: Room, run: RunRecord) -> int:
    return sum(copy.kind is CopyKind.OUTCOME for copy in await room.store.copies(run.id))


async def test_an_equal_request_joins_whatever_the_order_of_its_entries(room: Room):
    run = (await asks(room, RITA)).run
    await room.asked(run)
    joined = await asks(room, BEN, {"hosts": ["a", "b"], "service": "web"})
    assert (joined.run.id, joined.joined) == (run.id, True)
    assert not (await asks(room, BEN, INPUT | {"hosts": ["b", "a"]})).joined


async def test_who_joined_approves_it_on_no_route(room: Room):
    card = await room.asked((await asks(room, RITA)).run)
    await asks(room, BEN)
    own = "nobody approves their own request"
    assert own in refused(await room.runner.click(click(card, "approve", BEN)))
    given = Given(card.interrupt.id, "approve", MISSING, BEN, "call 1")
    assert own in refused(await room.runner.answer(given))
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)
    run = await room.ended(card.run)
    assert run.status is RunStatus.SUCCEEDED
    assert await endings(room, run) == 2


async def test_a_form_that_is_sent_again_joins_once_and_finds_the_run_for_ever(room: Room):
    card = await room.asked((await asks(room, RITA, {"service": "web"})).run)
    form = start_form(restarting(), {"/service": "web"}, BEN, nonce="n1")
    first, again = await room.runner.submit_start(form), await room.runner.submit_start(form)
    assert isinstance(first, Started)
    assert isinstance(again, Started)
    assert (first.run.id, first.joined, again.run.id, again.joined) == (card.run.id, True, card.run.id, True)
    await room.runner.click(click(card, "approve", ANN))
    await room.ended(card.run)
    late = await room.runner.submit_start(form)
    assert isinstance(late, Started)
    assert late.run.id == card.run.id
    assert len(await room.store.runs()) == 1


async def test_who_may_not_start_does_not_join(room: Room):
    await room.asked((await asks(room, RITA)).run)
    assert "Guests cannot start" in refused(await room.runner.start("restart", INPUT, requester=GUS, origin=VIA))


async def test_whoever_is_needed_to_decide_gets_a_run_of_their_own(tmp_path: Path):
    policy = Policy(deciders=(Person(ANN), Person(BEN)), quorum=2)
    async with engine_room(tmp_path, restarting(policy=policy)) as room:
        run = (await asks(room, RITA)).run
        await room.asked(run)
        own = await asks(room, ANN)
        assert (own.joined, own.run.id == run.id) == (False, False)
        assert (await asks(room, EVE)).joined
        assert (await asks(room, RITA)).joined


async def test_without_the_flag_each_request_has_a_run_of_its_own(tmp_path: Path):
    async def restart(input: Restart, ctx: Context) -> str:
        raise ActionInterrupt("Restart?")

    async with engine_room(tmp_path, declare(restart, id="restart")) as room:
        await room.asked((await asks(room, RITA)).run)
        assert (await asks(room, BEN)).created


@pytest.mark.parametrize("deciders", [Requester(), (Person(ANN), Requester())])
def test_requests_whose_deciders_depend_on_who_asks_cannot_share_a_run(deciders: Any):
    with pytest.raises(ActionError, match="depends on who asks"):
        restarting(policy=Policy(deciders=deciders), resume=bool)


async def test_a_key_that_joined_is_refused_for_another_request(room: Room):
    await room.asked((await asks(room, RITA)).run)
    assert (await asks(room, BEN, idempotency_key="k", request="one")).joined
    assert (await asks(room, BEN, idempotency_key="k", request="one")).joined
    other = await room.runner.start("restart", INPUT, requester=BEN, origin=VIA, idempotency_key="k", request="two")
    assert refused(other) == refusals.KEY_REUSED


async def test_a_requester_withdraws_alone_and_an_operator_cancels_for_all(room: Room):
    run = (await asks(room, RITA)).run
    await room.asked(run)
    await asks(room, BEN)
    left = await room.runner.order(order(await room.reaches(run, RunStatus.WAITING), "cancel", RITA))
    assert isinstance(left, CancelDone)
    assert left.withdrew
    assert "Only the requester" in refused(await room.runner.cancel(run.id, ANN))
    ended = await room.runner.cancel(run.id, BEN)
    assert isinstance(ended, CancelDone)
    assert (ended.run.status, ended.run.ended_by) == (RunStatus.CANCELLED, BEN)
    assert await endings(room, run) == 2
    other = (await asks(room, RITA)).run
    card = await room.asked(other)
    await asks(room, BEN)
    done = await room.runner.order(order(card.run, "cancel", EVE))
    assert isinstance(done, CancelDone)
    assert not done.withdrew


async def test_a_nudge_is_for_requesters_and_rests_for_four_hours(room: Room):
    card = await room.asked((await asks(room, RITA)).run)
    assert refused(await room.runner.order(order(card.run, "nudge", RITA))) == refusals.NOT_STANDING
    card = await room.post(card)
    for person in (ANN, EVE, GUS):
        assert refused(await room.runner.order(order(card.run, "nudge", person))) == refusals.NOT_ASKED_BY_YOU
    assert isinstance(await room.runner.order(order(card.run, "nudge", RITA)), NudgeDone)
    await asks(room, BEN)
    assert "nudged already" in refused(await room.runner.order(order(card.run, "nudge", BEN)))
    await room.runner.click(click(card, "approve", ANN))
    run = await room.ended(card.run)
    assert "no longer open" in refused(await room.runner.order(order(run, "nudge", RITA)))


@pytest.mark.parametrize("choice", ["approve", "withdrawn", "expired"])
async def test_asking_again_opens_the_form_with_the_former_input(room: Room, choice: str):
    card = await room.post(await room.asked((await asks(room, RITA)).run))
    assert "no longer open" in refused(await room.runner.order(order(card.run, "ask_again", RITA)))
    match choice:
        case "approve":
            await room.runner.click(click(card, "approve", ANN))
        case "withdrawn":
            await room.runner.cancel(card.run.id, RITA)
        case "expired":
            await room.store.expire_due(now=(card.interrupt.expires_at or room.clock.now()))
    run = await room.ended(card.run)
    form = await room.runner.order(order(run, "ask_again", RITA))
    assert isinstance(form, OpenInput)
    assert form.shown.draft is not None
    held = {key: next(iter(state.values())) for key, state in form.shown.draft.values.items()}
    assert held == {"field:/service": {"value": "web"}, "field:/hosts": {"value": "a\nb"}}
    assert refused(await room.runner.order(order(run, "ask_again", ANN))) == refusals.NOT_ASKED_BY_YOU


async def test_asking_again_takes_being_allowed_to_start_still(tmp_path: Path):
    async with engine_room(tmp_path, restarting(policy=Policy(deciders=IN_THE_CHANNEL.deciders))) as room:
        run = (await asks(room, RITA)).run
        await room.asked(run)
        await room.runner.cancel(run.id, RITA)
        run = await room.ended(run)
    narrowed = restarting(policy=Policy(deciders=IN_THE_CHANNEL.deciders, starters=Person(BEN)))
    async with engine_room(tmp_path, narrowed) as room:
        assert "You may not start" in refused(await room.runner.order(order(run, "ask_again", RITA)))
