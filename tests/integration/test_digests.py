"""Whom digests reach, and when they are left out, on a real store; what Slack tells of people is played."""

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from actions import ChannelMembers, Group, Person, Policy, Requester
from actions.kit.records.copies import CopyKind
from blocks.digest import DigestClick
from blocks.home import Home
from blocks.home_clicks import Looking
from bot.engine.stand_ins import StandIns
from bot.slack import digests
from bot.slack.digests import CROWD, LATEST, PUT_OFF, Digests
from bot.slack.home_drawing import HomeDrawing
from storage.database import Database
from storage.results import Digest
from tests.integration.engine_room import ANN, BEN, EVE, RITA, Clock, People
from tests.integration.scenes import Scene
from tests.sqlite import sqlite_in

MONTH = timedelta(days=30)
FRIDAY = 4
LEADS, ALL = Group("leads"), ChannelMembers("#all")


@dataclass
class Mornings:
    scene: Scene
    people: People = field(default_factory=People)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        store = self.scene.store
        stand_ins = StandIns(store.absences, self.people, now=self.clock.now)
        self.drawing = HomeDrawing(store, self.people, stand_ins)
        self.digests = Digests(store, self.people, self.drawing, hour=9, now=self.clock.now)

    async def asked(self, policy: Policy) -> str:
        run = await self.scene.running(now=self.clock.now(), requester=RITA)
        return (await self.scene.asked(run, policy=policy, now=self.clock.now(), expires_in=None)).run_id

    async def planned(self) -> tuple[Digest, ...]:
        return await self.scene.store.digests.due(self.clock.now() + MONTH, limit=100)

    async def morning_comes(self, *, late: timedelta = timedelta()) -> None:
        [digest] = await self.planned()
        self.clock.ahead += digest.at + late - self.clock.now()
        await self.digests.sweep()

    async def told(self, run_id: str) -> list[str | None]:
        return [copy.person for copy in await self.scene.copies(run_id, CopyKind.DIGEST)]


@pytest.fixture
async def mornings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(digests, "MEETS_EVERY", timedelta())
    async with Database(sqlite_in(tmp_path)) as database:
        yield Mornings(Scene(database))


@pytest.mark.parametrize(
    ("policy", "met"),
    [
        (Policy(deciders=Person(ANN)), [ANN]),
        (Policy(deciders=(LEADS, Person(ANN))), [ANN, BEN]),
        (Policy(deciders=(ALL, Person(ANN))), [ANN]),
        (Policy(deciders=(Group("unknown"), Person(EVE))), [EVE]),
        (Policy(deciders=LEADS, notify=Person(ANN)), [ANN]),
        (Policy(deciders=Requester()), [RITA]),
    ],
    ids=["by name", "of a group", "not of a crowd", "not who cannot be looked up", "who is notified", "who asks"],
)
async def test_they_reach_those_whom_questions_are_put_to(mornings: Mornings, policy: Policy, met: list[str]):
    mornings.people.stand_for = {LEADS: {ANN, BEN}, ALL: {f"U0{number}" for number in range(CROWD + 1)}}
    await mornings.asked(policy)
    await mornings.digests.sweep()
    assert sorted(each.person for each in await mornings.planned()) == met


@pytest.mark.parametrize("limit", ["MOST_LOOKUPS", "MET_AT_ONCE"])
async def test_everybody_is_met_in_time_however_much_waits(
    mornings: Mornings, monkeypatch: pytest.MonkeyPatch, limit: str
):
    monkeypatch.setattr(digests, limit, 1)
    for handle, person in (("a", ANN), ("b", BEN), ("e", EVE)):
        mornings.people.stand_for[Group(handle)] = {person}
        await mornings.asked(Policy(deciders=Group(handle)))
    for met in (1, 2, 3):
        await mornings.digests.sweep()
        assert len(await mornings.planned()) == met


async def test_nothing_is_told_before_the_morning_and_one_digest_then(mornings: Mornings):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    assert await mornings.told(run_id) == []
    await mornings.morning_comes()
    await mornings.digests.sweep()
    assert await mornings.told(run_id) == [ANN]


async def test_when_nothing_waits_any_more_nothing_is_told(mornings: Mornings):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    await mornings.scene.store.cancel(run_id, person=RITA, via="slack", now=mornings.clock.now())
    await mornings.morning_comes()
    assert await mornings.told(run_id) == []
    assert len(await mornings.planned()) == 1


async def test_a_digest_that_would_come_in_the_night_is_left_out(mornings: Mornings):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    await mornings.morning_comes(late=LATEST)
    assert await mornings.told(run_id) == []


@pytest.mark.parametrize(("hours", "told"), [(11, [ANN]), (13, [])])
async def test_a_digest_that_is_put_off_for_long_is_as_late_as_its_morning_is_over(
    mornings: Mornings, hours: int, told: list[str]
):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    mornings.people.is_away = True
    await mornings.morning_comes()
    for _ in range(hours):
        mornings.clock.ahead += timedelta(hours=1)
        await mornings.digests.sweep()
    mornings.people.is_away = False
    mornings.clock.ahead += PUT_OFF
    await mornings.digests.sweep()
    assert await mornings.told(run_id) == told


async def test_after_a_night_without_a_bot_the_morning_that_comes_is_told(mornings: Mornings):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    [first] = await mornings.planned()
    await mornings.morning_comes(late=timedelta(hours=23) if first.at.weekday() < FRIDAY else timedelta(hours=71))
    assert await mornings.told(run_id) == []
    [second] = await mornings.planned()
    assert second.at - mornings.clock.now() < timedelta(hours=1)
    await mornings.morning_comes()
    assert await mornings.told(run_id) == [ANN]


async def test_while_slack_tells_nothing_a_digest_is_put_off(mornings: Mornings):
    run_id = await mornings.asked(Policy(deciders=Person(ANN)))
    await mornings.digests.sweep()
    mornings.people.is_away = True
    await mornings.morning_comes()
    assert await mornings.told(run_id) == []
    mornings.people.is_away = False
    mornings.clock.ahead += PUT_OFF
    await mornings.digests.sweep()
    assert await mornings.told(run_id) == [ANN]


async def test_one_that_fails_keeps_no_other_back(mornings: Mornings, monkeypatch: pytest.MonkeyPatch):
    run_id = await mornings.asked(Policy(deciders=(Person(ANN), Person(BEN))))
    await mornings.digests.sweep()
    monkeypatch.setattr(digests, "AT_ONCE", 1)
    look = mornings.drawing.look

    async def broken_for_ann(person: str, looking: Looking) -> Home:
        if person == ANN:
            raise ValueError("It cannot be drawn.")
        return await look(person, looking)

    monkeypatch.setattr(mornings.drawing, "look", broken_for_ann)
    mornings.clock.ahead += max(each.at for each in await mornings.planned()) - mornings.clock.now()
    for _ in range(2):
        await mornings.digests.sweep()
    assert await mornings.told(run_id) == [BEN]


async def test_where_they_are_off_for_all_nobody_is_met_and_whoever_asks_is_told_why(mornings: Mornings):
    await mornings.asked(Policy(deciders=Person(ANN)))
    store, people = mornings.scene.store, mornings.people
    off = Digests(store, people, mornings.drawing, hour=None, now=mornings.clock.now)
    await off.sweep()
    assert await mornings.planned() == ()
    assert "for everybody" in await off.switch(DigestClick(ANN, on=True, response_url=None))
