"""Whom a reminder calls by name, whom an escalation adds, and what happens while people cannot be looked up."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from actions import ActionInterrupt, Channel, Context, Group, Person, Policy, after, every
from actions.kit.policies.absences import Absence
from actions.kit.policies.deciders import DirectMessage
from actions.kit.policies.steps import StepNotice
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card
from blocks.nudging import render_notice
from bot.engine.results import Counted, Settled
from tests.authors import executing
from tests.integration.engine_room import ANN, BEN, EVE, GUS, RITA, People, Room, click, engine_room, refused

HOUR = timedelta(hours=1)
FINANCE, LEADS = Group("finance"), Group("leads")


async def _ask(ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Go on?")


REMINDED = executing(
    _ask, policy=Policy(deciders=FINANCE, quorum=2, remind=every(hours=1)), expires_in=timedelta(hours=9)
)
ESCALATED = executing(
    _ask, policy=Policy(deciders=Person(ANN), escalate=after(hours=1, to=LEADS)), expires_in=timedelta(hours=9)
)


def people() -> People:
    return People(stand_for={FINANCE: {ANN, BEN, EVE}, LEADS: {BEN, RITA}})


async def called(room: Room, card: Card) -> list[tuple[str, ...]]:
    copies = [each for each in await room.store.copies(card.run.id) if each.kind is CopyKind.NUDGE and each.text]
    return sorted({tuple(sorted(StepNotice.model_validate_json(each.text or "").people)) for each in copies})


async def test_a_reminder_calls_those_who_have_not_answered_and_who_stands_in_for_them(tmp_path: Path):
    async with engine_room(tmp_path, REMINDED, people=people()) as room:
        card = await room.post(await room.paused(REMINDED))
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Counted)
        now = room.clock.now()
        for stand_in, person in ((RITA, BEN), (GUS, RITA), (ANN, EVE)):
            await room.store.absences.set(Absence(person, stand_in, now, now + 9 * HOUR, "slack", now))
        room.clock.ahead = HOUR
        assert await room.runner.pace() == 1
        assert await room.runner.pace() == 0
        assert await called(room, card) == [()], (
            "neither the requester, nor whom they chose, nor who has answered is called in their place"
        )


async def test_who_stands_in_is_called_and_gets_a_card_and_who_is_away_is_left_alone(tmp_path: Path):
    two = executing(
        _ask, policy=Policy(deciders=(Person(ANN), Person(BEN)), remind=every(hours=1)), expires_in=timedelta(hours=9)
    )
    async with engine_room(tmp_path, two) as room:
        card = await room.post(await room.paused(two))
        now = room.clock.now()
        await room.store.absences.set(Absence(BEN, EVE, now, now + 9 * HOUR, "slack", now))
        room.clock.ahead = HOUR
        assert await room.runner.pace() == 1
        copies = await room.store.copies(card.run.id)
        [call] = [each for each in copies if each.kind is CopyKind.NUDGE]
        assert call.place == DirectMessage(Person(ANN))
        notice = StepNotice.model_validate_json(call.text or "")
        assert (notice.people, notice.standing_in) == ((ANN, EVE), (EVE,))
        said = render_notice(card, notice).text
        assert f"<@{EVE}> (in the place of somebody who is away)" in said
        assert f"<@{ANN}>," in said
        [standing] = [each for each in copies if each.kind is CopyKind.CARD and each.ts is None]
        assert standing.place == DirectMessage(Person(EVE))


async def test_where_nobody_else_is_asked_who_is_away_is_not_called_either(tmp_path: Path):
    one = executing(_ask, policy=Policy(deciders=Person(BEN), remind=every(hours=1)), expires_in=timedelta(hours=9))
    async with engine_room(tmp_path, one) as room:
        card = await room.post(await room.paused(one))
        now = room.clock.now()
        await room.store.absences.set(Absence(BEN, EVE, now, now + 9 * HOUR, "slack", now))
        room.clock.ahead = HOUR
        assert await room.runner.pace() == 1
        assert await called(room, card) == []
        card = await room.post(card)
        room.clock.ahead += HOUR
        assert await room.runner.pace() == 1
        assert await called(room, card) == [(EVE,)]


async def test_a_reminder_says_in_words_whom_it_calls_while_they_cannot_be_looked_up(tmp_path: Path):
    async with engine_room(tmp_path, REMINDED, people=people()) as room:
        card = await room.post(await room.paused(REMINDED))
        room.people.is_away, room.clock.ahead = True, HOUR
        assert await room.runner.pace() == 1
        assert await called(room, card) == [()]


async def test_an_escalation_waits_for_whom_it_adds_and_never_adds_who_asked(tmp_path: Path):
    async with engine_room(tmp_path, ESCALATED, people=people()) as room:
        card = await room.post(await room.paused(ESCALATED))
        room.people.is_away, room.clock.ahead = True, HOUR
        assert await room.runner.pace() == 0
        assert "did not tell" in refused(await room.runner.click(click(card, "approve", BEN)))
        room.people.is_away = False
        assert await room.runner.pace() == 0, "it was put off"
        room.clock.ahead += timedelta(minutes=1)
        assert await room.runner.pace() == 1
        card = await room.post(card)
        assert "You asked for this" in refused(await room.runner.click(click(card, "approve", RITA)))
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Settled)


async def test_an_escalation_waits_for_each_of_those_whom_it_adds(tmp_path: Path):
    both = executing(
        _ask, policy=Policy(deciders=Person(ANN), escalate=after(hours=1, to=(LEADS, Person(EVE)))), expires_in=9 * HOUR
    )
    async with engine_room(tmp_path, both, people=people()) as room:
        card = await room.post(await room.paused(both))
        leads = room.people.stand_for.pop(LEADS)
        room.clock.ahead = HOUR
        assert await room.runner.pace() == 0
        room.people.stand_for[LEADS] = leads
        room.clock.ahead += timedelta(minutes=1)
        assert await room.runner.pace() == 1
        places = {each.place for each in await room.store.copies(card.run.id) if each.kind is CopyKind.CARD}
        assert {DirectMessage(Person(BEN)), DirectMessage(Person(EVE))} <= places


@pytest.mark.parametrize(
    "told", [{"show": Channel("#general")}, {"notify": Person(ANN)}], ids=["in a channel", "some alone"]
)
async def test_whom_it_was_escalated_to_is_reminded_as_well_where_they_are_asked(tmp_path: Path, told: dict[str, Any]):
    policy = Policy(deciders=Person(ANN), remind=every(hours=2), escalate=after(hours=1, to=Person(EVE)), **told)
    action = executing(_ask, policy=policy, expires_in=9 * HOUR)
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        room.clock.ahead = HOUR
        assert await room.runner.pace() == 1
        card = await room.post(card)
        room.clock.ahead += HOUR
        assert await room.runner.pace() == 1
        assert (ANN, EVE) in await called(room, card)
        calls = [each for each in await room.store.copies(card.run.id) if each.kind is CopyKind.NUDGE]
        assert DirectMessage(Person(EVE)) in [each.place for each in calls]
