"""Stages by clicks: who is asked when, what is looked up anew at each click, and what a change of the action still allows."""

import asyncio
from pathlib import Path

import pytest
from pydantic import BaseModel

from actions import (
    Action,
    ActionInterrupt,
    Context,
    Group,
    ManagerOf,
    Needs,
    OnCall,
    Person,
    Policy,
    Requester,
    Stage,
    field,
)
from actions.kit.policies.deciders import DirectMessage, Lookup
from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import RunStatus
from bot.engine.results import Checking, Counted, Settled
from storage.results import Redelivering
from tests.authors import declare
from tests.integration.engine_room import ANN, BEN, EVE, GUS, RITA, People, click, engine_room, order, refused

MANAGER, FINANCE, ON_CALL = ManagerOf(Requester()), Group("finance"), OnCall("payments")
CHAIN = Policy(
    stages=(
        Stage(deciders=MANAGER),
        Stage(deciders=FINANCE, when=field("amount") > 5_000),
    )
)


class Spend(BaseModel):
    amount: int = 9_000


def asking(policy: Policy, *, given: Policy | None = None) -> Action:
    """`given` is the policy that the pause itself brings."""

    async def spend(input: Spend, ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Spend {input.amount}?", policy=given)

    return declare(spend, policy=policy)


def people() -> People:
    return People(stand_for={MANAGER: {ANN}, FINANCE: {BEN, GUS, RITA}, ON_CALL: {EVE}})


async def test_a_manager_and_then_finance_agree_each_told_when_it_is_their_turn(tmp_path: Path):
    action = asking(CHAIN)
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action)
        assert [copy.place for copy in await room.store.copies(card.run.id)] == [DirectMessage(Person(ANN))]
        assert "not one of those" in refused(await room.runner.click(click(card, "approve", BEN)))
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
        second = await room.asked(card.run)
        places = [copy.place for copy in await room.store.copies(card.run.id) if copy.kind is CopyKind.CARD]
        assert DirectMessage(Person(BEN)) in places
        assert DirectMessage(Person(RITA)) not in places
        assert "You asked for this" in refused(await room.runner.click(click(second, "approve", RITA)))
        assert "Guests" in refused(await room.runner.click(click(second, "approve", GUS)))
        assert isinstance(await room.runner.click(click(second, "approve", BEN)), Settled)
        run = await room.ended(card.run)
    assert run.status is RunStatus.SUCCEEDED


async def test_a_stage_that_does_not_apply_is_left_out(tmp_path: Path):
    action = asking(CHAIN)
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action, {"amount": 100})
        assert len(card.interrupt.policy.skipped) == 1
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)


async def test_a_rota_that_changes_between_two_clicks_is_asked_anew(tmp_path: Path):
    action = asking(Policy(deciders=ON_CALL))
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action)
        room.people.stand_for[ON_CALL] = {BEN}
        assert "not one of those" in refused(await room.runner.click(click(card, "approve", EVE)))
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Settled)


async def test_what_cannot_be_looked_up_refuses(tmp_path: Path):
    action = asking(CHAIN)
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action)
        manager = room.people.stand_for.pop(MANAGER)
        assert "did not tell in time" in refused(await room.runner.click(click(card, "approve", ANN)))
        room.people.stand_for[MANAGER] = manager
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)


async def test_a_stage_whose_people_cannot_be_looked_up_is_told_and_one_that_has_nobody_too(tmp_path: Path):
    action = asking(CHAIN)
    for gone, why in ((None, "not_looked_up"), (set[str](), "nobody_decides")):
        place = tmp_path / why
        place.mkdir()
        async with engine_room(place, action, people=people()) as room:
            card = await room.paused(action)
            room.people.stand_for.pop(FINANCE)
            room.people.stand_for |= {} if gone is None else {FINANCE: gone}
            assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
            assert (await room.asked(card.run)).interrupt.undeliverable == why


async def test_whose_people_cannot_be_looked_up_when_it_is_asked_is_told_and_delivered_once_they_can(tmp_path: Path):
    action = asking(Policy(deciders=FINANCE))
    async with engine_room(tmp_path, action, people=people()) as room:
        finance = room.people.stand_for.pop(FINANCE)
        card = await room.paused(action)
        assert card.interrupt.undeliverable == "not_looked_up"
        assert card.interrupt.expires_at is not None
        again = order(card.run, "deliver_again", RITA, interrupt=card.interrupt.id)
        assert "Nobody is found yet" in refused(await room.runner.order(again))
        room.people.stand_for[FINANCE] = finance
        assert isinstance(await room.runner.order(again), Redelivering)
        places = [copy.place for copy in await room.store.copies(card.run.id) if copy.kind is CopyKind.CARD]
        assert DirectMessage(Person(BEN)) in places


async def test_a_stage_that_nobody_could_settle_fails_the_run_before_anybody_is_asked(tmp_path: Path):
    action = asking(CHAIN)
    async with engine_room(tmp_path, action, people=people()) as room:
        room.people.stand_for[FINANCE] = {RITA}
        run = await room.ended(await room.begin(action))
    assert run.failure is not None
    assert "stage 2 of 2" in run.failure.message
    assert "members of @finance" in run.failure.message


async def test_guests_of_a_group_are_not_enough_unless_they_are_named(tmp_path: Path):
    action = asking(Policy(deciders=FINANCE))
    async with engine_room(tmp_path, action, people=People(stand_for={FINANCE: {GUS}})) as room:
        run = await room.ended(await room.begin(action))
    assert run.failure is not None
    assert "guests who are not named" in run.failure.message
    named = asking(Policy(deciders=(FINANCE, Person(GUS))))
    async with engine_room(tmp_path, named, people=People(stand_for={FINANCE: {GUS}})) as room:
        assert isinstance(await room.runner.click(click(await room.paused(named), "approve", GUS)), Settled)


class Hanging(People):
    """Whoever asks for a group waits in vain."""

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        if isinstance(lookup, Group):
            await asyncio.Event().wait()
        return await super().expand(lookup, requester=requester)


async def test_a_later_stage_that_is_not_told_in_time_holds_up_nobody_in_the_one_that_is_asked(tmp_path: Path):
    action = asking(Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=(FINANCE, Person(BEN))))))
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action)
    async with engine_room(tmp_path, action, people=Hanging(stand_for={MANAGER: {ANN}})) as room:
        checked = await room.runner.click(click(card, "approve", ANN))
        assert isinstance(await checked.later if isinstance(checked, Checking) else checked, Counted)
        second = await room.asked(card.run)
        assert second.interrupt.policy.stage == 2
        assert DirectMessage(Person(BEN)) in [copy.place for copy in await room.store.copies(card.run.id)]


async def test_one_person_fills_one_place_and_both_needs_are_needed(tmp_path: Path):
    action = asking(Policy(deciders=(Needs(1, FINANCE), Needs(1, Person(EVE), Person(BEN)))))
    async with engine_room(tmp_path, action, people=people()) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Counted)
        assert isinstance(await room.runner.click(click(card, "approve", EVE)), Settled)


BOTH = Policy(deciders=(Person(ANN), Person(BEN)))


@pytest.mark.parametrize(
    ("today", "given", "allowed"),
    [
        (Policy(deciders=Person(ANN)), None, {ANN}),
        (Policy(deciders=(Person(ANN), Person(BEN), Person(EVE))), None, {ANN, BEN}),
        (Policy(deciders=BOTH.deciders, exclude=Person(BEN)), None, {ANN}),
        (Policy(deciders=Person(EVE)), None, set()),
        (Policy(deciders=Person(EVE)), BOTH, {ANN, BEN}),
    ],
)
async def test_a_later_edit_of_the_action_narrows_who_decides_and_never_widens_it(
    tmp_path: Path, today: Policy, given: Policy | None, allowed: set[str]
):
    asked = BOTH if given is None else Policy(deciders=Person(EVE))
    async with engine_room(tmp_path, asking(asked, given=given)) as room:
        card = await room.paused(asking(asked, given=given))
    async with engine_room(tmp_path, asking(today, given=given)) as room:
        for person in sorted({ANN, BEN, EVE} - allowed):
            refused(await room.runner.click(click(card, "approve", person)))
        for person in sorted(allowed)[:1]:
            assert isinstance(await room.runner.click(click(card, "approve", person)), Settled)


def two_stages(*second: Person, first: Person) -> Policy:
    return Policy(stages=(Stage(deciders=first), Stage(deciders=second)))


async def test_who_may_not_decide_a_stage_any_more_is_not_counted_in_it_for_another_that_they_may_decide(
    tmp_path: Path,
):
    asked = two_stages(Person(ANN), Person(BEN), first=Person(ANN))
    async with engine_room(tmp_path, asking(asked)) as room:
        card = await room.paused(asking(asked))
    async with engine_room(tmp_path, asking(two_stages(Person(BEN), first=Person(ANN)))) as room:
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
        second = await room.asked(card.run)
        assert "not decide this any more" in refused(await room.runner.click(click(second, "approve", ANN)))
        assert isinstance(await room.runner.click(click(second, "approve", BEN)), Settled)


async def test_who_may_not_fill_a_need_any_more_fills_only_what_they_still_may(tmp_path: Path):
    asked = Policy(deciders=(Needs(1, Person(ANN), Person(BEN)), Needs(1, Person(ANN), Person(EVE))))
    today = Policy(deciders=(Needs(1, Person(BEN)), Needs(1, Person(ANN), Person(EVE))))
    async with engine_room(tmp_path, asking(asked)) as room:
        card = await room.paused(asking(asked))
    async with engine_room(tmp_path, asking(today)) as room:
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
        assert isinstance(await room.runner.click(click(card, "approve", EVE)), Counted)
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Settled)
