"""Deciding in somebody's place through the runner: every route asks the same, and one voice counts once."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from actions import ActionInterrupt, ChannelMembers, Context, Group, Person, Policy, Stage
from actions.kit.action import Action
from actions.kit.policies.absences import Absence
from actions.kit.policies.deciders import DirectMessage
from actions.kit.policies.policy import Allowed, Refused
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card
from actions.kit.shapes.answers import MISSING
from blocks.staged import staged_lines
from bot.engine.answers import Given
from bot.engine.facts import Budget
from bot.engine.people import CouldNotVerify, Status
from bot.engine.results import Counted, Settled
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, EVE, GUS, RITA, People, Room, click, engine_room, refused

SICK = Status(":face_with_thermometer:", "Out sick", is_away=True)


async def _ask(ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt("Go on?")
    return " ".join(f"{each.who}/{each.standing_for}" for each in ctx.resumption.decisions)


def asking(name: str, policy: Policy) -> Action:
    return executing(_ask, id=name, policy=policy)


ONE = asking("one", Policy(deciders=Person(ANN)))
MEMBERS = asking("members", Policy(deciders=ChannelMembers("#approvals")))
TWO = asking("two", Policy(deciders=(Person(ANN), Person(BEN)), quorum=2))
NONE = asking("none", Policy(deciders=Person(ANN), stand_ins=False))
STAGED = asking("staged", Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=(Person(ANN), Person(BEN))))))
LATER = asking("later", Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=(Person(BEN), Person(EVE))))))
APART = asking(
    "apart",
    Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=(Person(ANN), Person(BEN)), exclude=Group("finance")))),
)
EITHER = asking("either", Policy(deciders=(Person(ANN), Person(BEN))))
ADDRESS = asking("address", Policy(deciders=(Person("old@example.com"), Person(BEN))))
GROUP = asking("group", Policy(deciders=Group("finance")))


ACTIONS = (ONE, MEMBERS, TWO, NONE, STAGED, LATER, APART, EITHER, ADDRESS, GROUP)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with engine_room(tmp_path, *ACTIONS) as opened:
        yield opened


async def away(room: Room, person: str, stand_in: str, *, by_status: bool = False) -> None:
    now = room.clock.now()
    absence = Absence(person, stand_in, now, now + timedelta(hours=1), "slack", now, by_status=by_status)
    assert await room.store.absences.set(absence) == absence


async def asked(room: Room, action: Action) -> Card:
    return await room.post(await room.paused(action))


@pytest.mark.parametrize("action", [ONE, MEMBERS])
async def test_a_stand_in_decides_and_the_action_hears_for_whom(room: Room, action: Action):
    await away(room, ANN, EVE)
    card = await asked(room, action)
    settled = await room.runner.click(click(card, "approve", EVE))
    assert isinstance(settled, Settled)
    (decision,) = settled.card.decisions
    assert (decision.person, decision.standing_for) == (EVE, ANN)
    assert (await room.ended(card.run)).output == f'"{EVE}/{ANN}"'


async def test_over_http_it_is_the_same_and_nobody_decides_once_the_absence_is_over(room: Room):
    await away(room, ANN, EVE)
    first, second = await asked(room, ONE), await asked(room, ONE)
    given = Given(first.interrupt.id, "approve", MISSING, EVE, "http:1")
    assert isinstance(await room.runner.answer(given), Settled)
    room.clock.ahead = timedelta(hours=2)
    assert "not one of those" in refused(await room.runner.click(click(second, "approve", EVE)))


async def test_who_may_decide_themselves_does_so_as_themselves(room: Room):
    await away(room, ANN, BEN)
    card = await asked(room, TWO)
    counted = await room.runner.click(click(card, "approve", BEN))
    assert isinstance(counted, Counted)
    assert counted.card.decisions[0].standing_for is None
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)


async def test_whoever_returns_is_told_who_answered_in_their_place_and_the_other_way_round(room: Room):
    await away(room, ANN, EVE)
    card = await asked(room, TWO)
    assert isinstance(await room.runner.click(click(card, "approve", EVE)), Counted)
    told = refused(await room.runner.click(click(card, "approve", ANN)))
    assert told.startswith(f"<@{EVE}> has already answered in your place with “Approve”")
    told = refused(await room.runner.click(click(card, "approve", EVE)))
    assert told.startswith("You have already answered with “Approve”")
    assert f"in the place of <@{ANN}>; your answer stands." in told

    other = await asked(room, TWO)
    assert isinstance(await room.runner.click(click(other, "approve", ANN)), Counted)
    told = refused(await room.runner.click(click(other, "approve", EVE)))
    assert told.startswith(f"<@{ANN}> has already answered with “Approve”")
    assert told.endswith("; that answer stands.")


async def test_of_two_in_whose_place_somebody_may_decide_it_is_who_was_not_heard_and_only_once(room: Room):
    await away(room, ANN, EVE)
    await away(room, BEN, EVE)
    card = await asked(room, TWO)
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
    settled = await room.runner.click(click(card, "approve", EVE))
    assert isinstance(settled, Settled)
    assert settled.card.decisions[-1].standing_for == BEN

    alone = await asked(room, TWO)
    assert isinstance(await room.runner.click(click(alone, "approve", EVE)), Counted)
    assert "already answered" in refused(await room.runner.click(click(alone, "approve", EVE)))


async def test_an_answer_in_somebodys_place_does_not_count_in_a_later_stage_that_leaves_out_whoever_gave_it(room: Room):
    await away(room, ANN, EVE)
    room.people.stand_for[Group("finance")] = {EVE}
    card = await asked(room, APART)
    assert isinstance(await room.runner.click(click(card, "approve", EVE)), Counted)
    second = await room.asked(card.run)
    assert "left out" in refused(await room.runner.click(click(second, "approve", EVE)))
    assert isinstance(await room.runner.click(click(second, "approve", BEN)), Settled)


@pytest.mark.parametrize(
    ("today", "is_allowed"),
    [
        (ONE.policy, True),
        (TWO.policy, True),
        (MEMBERS.policy, True),
        (NONE.policy, False),
        (Policy(deciders=Person(BEN)), False),
        (ONE.policy.model_copy(update={"exclude": (Person(EVE),)}), False),
    ],
)
async def test_an_edit_of_the_action_narrows_what_a_stand_in_may_do_and_never_widens_it(
    room: Room, today: Policy, is_allowed: bool
):
    await away(room, ANN, EVE)
    await away(room, BEN, EVE)
    card = await asked(room, ONE)
    found = await room.entitlement.to_answer(card, EVE, Budget(), today=today)
    assert found == (Allowed(standing_for=ANN) if is_allowed else Refused("not_a_decider"))


async def test_an_absence_that_begins_by_itself_has_home_tabs_drawn_again(room: Room):
    await room.store.homes.open(EVE, view="{}", now=room.clock.now())
    (home,) = await room.store.homes.take(
        owner="me", now=room.clock.now(), lease_until=room.clock.now() + timedelta(minutes=1), limit=1
    )
    later = room.clock.now() + timedelta(hours=1)
    await room.store.absences.set(Absence(ANN, EVE, later, later + timedelta(hours=1), "slack", room.clock.now()))
    await room.store.homes.published(home, owner="me", digest="d", view_hash=None, now=room.clock.now())
    room.clock.ahead = timedelta(minutes=30)
    assert await _drawn(room) == 1
    await room.runner.turn_absences()
    assert await _drawn(room) == 0
    room.clock.ahead = timedelta(minutes=90)
    await room.runner.turn_absences()
    assert await _drawn(room) == 1


async def _drawn(room: Room) -> int:
    """Draws the Home tabs that are behind; how many there were."""
    now = room.clock.now() + timedelta(seconds=5)
    taken = await room.store.homes.take(owner="me", now=now, lease_until=now + timedelta(minutes=1), limit=9)
    for home in taken:
        await room.store.homes.published(home, owner="me", digest="d", view_hash=None, now=now)
    return len(taken)


async def test_the_requester_decides_in_nobodys_place(room: Room):
    await away(room, ANN, RITA)
    card = await asked(room, ONE)
    assert "nobody approves their own request" in refused(await room.runner.click(click(card, "approve", RITA)))


async def test_the_requester_does_not_choose_who_decides_in_the_place_of_somebody_who_asked_them_to(room: Room):
    await away(room, ANN, RITA)
    await away(room, RITA, EVE)
    card = await asked(room, ONE)
    assert await told_directly(room, card) == {ANN}
    told = refused(await room.runner.click(click(card, "approve", EVE)))
    assert told.endswith(
        "whoever asked for this decides it in nobody's place, and nobody decides it in or through theirs."
    )


@pytest.mark.parametrize(
    ("action", "person", "why"),
    [
        (NONE, EVE, "by the policy of this action nobody decides in the place of somebody else"),
        (ONE, GUS, "only a full member decides in the place of somebody else"),
    ],
)
async def test_a_stand_in_who_may_not_is_told_why(room: Room, action: Action, person: str, why: str):
    await away(room, ANN, person)
    card = await asked(room, action)
    assert refused(await room.runner.click(click(card, "approve", person))) == f"You stand in for <@{ANN}>, but {why}."


async def test_somebody_who_left_slack_gives_no_authority(room: Room):
    await away(room, ANN, EVE)
    card = await asked(room, ONE)
    room.people.left.add(ANN)
    assert "not one of those" in refused(await room.runner.click(click(card, "approve", EVE)))


async def test_a_group_that_cannot_be_looked_up_is_no_pass_in_somebodys_place(room: Room):
    room.people.stand_for[Group("finance")] = {ANN}
    await away(room, ANN, EVE)
    card = await asked(room, GROUP)
    del room.people.stand_for[Group("finance")]
    assert "did not tell in time" in refused(await room.runner.click(click(card, "approve", EVE)))
    room.people.stand_for[Group("finance")] = {ANN}
    assert isinstance(await room.runner.click(click(card, "approve", EVE)), Settled)


async def test_an_absence_by_status_holds_while_slack_says_so(room: Room, monkeypatch: pytest.MonkeyPatch):
    await away(room, ANN, EVE, by_status=True)
    card = await asked(room, ONE)
    assert "not one of those" in refused(await room.runner.click(click(card, "approve", EVE)))

    async def unsaid(_: object, person: str) -> Status:
        raise CouldNotVerify(person)

    with monkeypatch.context() as broken:
        broken.setattr(People, "status_of", unsaid)
        assert "not one of those" in refused(await room.runner.click(click(card, "approve", EVE)))
    room.people.statuses[ANN] = SICK
    assert isinstance(await room.runner.click(click(card, "approve", EVE)), Settled)


async def test_one_way_over_another_who_is_away_counts_for_the_first(room: Room):
    await away(room, ANN, GUS)
    await away(room, GUS, EVE)
    card = await asked(room, ONE)
    settled = await room.runner.click(click(card, "approve", EVE))
    assert isinstance(settled, Settled)
    assert settled.card.decisions[0].standing_for == ANN


async def test_what_was_agreed_to_in_a_place_settles_the_stages_of_the_same_person(room: Room):
    await away(room, ANN, EVE)
    card = await asked(room, STAGED)
    assert isinstance(await room.runner.click(click(card, "approve", EVE)), Settled)


async def told_directly(room: Room, card: Card) -> set[str | None]:
    """Whom a card of this question goes to by direct message."""
    copies = [each for each in await room.store.copies(card.run.id) if each.kind is CopyKind.CARD]
    return {each.place.person.id for each in copies if isinstance(each.place, DirectMessage) and each.place.person}


async def test_a_card_by_direct_message_goes_to_the_stand_in_too_and_never_to_the_requester(room: Room):
    await away(room, ANN, EVE)
    await away(room, BEN, RITA)
    assert await told_directly(room, await asked(room, TWO)) == {ANN, BEN, EVE}
    assert await told_directly(room, await asked(room, NONE)) == {ANN}


async def test_of_a_way_over_somebody_away_the_first_who_is_there_is_told(room: Room):
    await away(room, ANN, BEN)
    await away(room, BEN, EVE)
    assert await told_directly(room, await asked(room, ONE)) == {ANN, EVE}


async def test_the_stand_in_of_a_later_stage_is_told_when_it_is_asked(room: Room):
    card = await asked(room, LATER)
    assert await told_directly(room, card) == {ANN}
    await away(room, BEN, EVE)
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
    assert await told_directly(room, card) == {ANN, BEN, EVE}


async def test_who_left_slack_is_skipped_and_the_card_says_so(room: Room):
    room.people.left.add(ANN)
    room.people.stand_for[Group("finance")] = {ANN, BEN}
    named, group = await asked(room, EITHER), await asked(room, GROUP)
    for card in (named, group):
        assert card.interrupt.policy.gone == (ANN,)
        assert f"Left out: <@{ANN}>, who left Slack" in staged_lines(card)
        assert await told_directly(room, card) == {BEN}
    unreachable = await room.ended(await room.begin(ONE))
    assert unreachable.failure is not None
    assert unreachable.failure.kind == "unreachable"


async def test_of_an_address_that_slack_does_not_know_the_card_says_so(room: Room):
    card = await asked(room, ADDRESS)
    assert card.interrupt.policy.gone == ("old@example.com",)
    assert "Slack knows nobody by old@example.com" in staged_lines(card)


async def test_who_left_before_a_later_stage_is_told_of_there(room: Room):
    card = await asked(room, LATER)
    room.people.left.add(EVE)
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
    card = await room.asked(card.run)
    assert (card.interrupt.policy.stage, card.interrupt.policy.gone) == (2, (EVE,))
    assert await told_directly(room, card) == {ANN, BEN}
