"""The publisher of Home tabs, on a real store and a real workbench, whatever Slack says to it and to its look-ups."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from actions.kit.policies.absences import Absence
from actions.kit.policies.deciders import ChannelMembers, Person, Policy, Stage
from actions.kit.policies.stages import begun
from blocks.home_clicks import Looking
from bot import clock
from bot.engine.stand_ins import StandIns
from bot.slack.client import open_clients
from bot.slack.home_drawing import HomeDrawing
from bot.slack.home_publisher import HomePublisher
from bot.workbench.journal import Call
from bot.workbench.modals import Home
from bot.workbench.server import Workbench
from storage.database import Database
from storage.store import Store
from tests.integration.engine_room import ANN, BEN, EVE, People
from tests.integration.scenes import Scene
from tests.sqlite import sqlite_in
from tests.waiting import until

QUESTION = "Approve sending this message?"
IN_CHANNEL = Policy(deciders=ChannelMembers("#approvals"))
BY_NAME = Policy(deciders=Person(ANN))


class HomePress:
    """One database and one workbench; publishers come and go. What Slack tells of people is played."""

    def __init__(self, workbench: Workbench, database: Database) -> None:
        self.workbench = workbench
        self.people = People()
        self.due = asyncio.Event()
        self.scene = Scene(database)
        self.scene.store = self.store = Store(database, on_wake=self.scene.wakes.append, on_home=self.due.set)

    @property
    def drawing(self) -> HomeDrawing:
        return HomeDrawing(self.store, self.people, StandIns(self.store.absences, self.people, now=clock.now))

    @asynccontextmanager
    async def publishing(self, owner: str = "publisher") -> AsyncIterator[None]:
        async with open_clients(self.workbench.bot_token, self.workbench.api_url) as clients:
            publisher = HomePublisher(
                self.store, clients.writer, self.drawing, due=self.due, owner=owner, check_views=True
            )
            publisher.start()
            try:
                yield
            finally:
                await publisher.stop()

    async def open(self, *people: str) -> None:
        for person in people:
            await self.store.homes.open(person, view="{}", now=clock.now())

    async def asked(self, policy: Policy = IN_CHANNEL, **values: Any) -> str:
        run = await self.scene.running(now=clock.now(), requester="U0RITA")
        return (await self.scene.asked(run, places=(), now=clock.now(), policy=policy, **values)).id

    async def home(self, name: str, text: str = "") -> Home:
        return await self.workbench.person(name).home(text)

    @property
    def published(self) -> list[Call]:
        return [call for call in self.workbench.calls if call.method == "views.publish"]

    async def idle(self) -> None:
        """Every Home tab shows what is wanted, and none is to be drawn again."""

        async def is_idle() -> bool:
            return await self.store.homes.next_due(clock.now()) is None

        await until(is_idle, "every Home tab to be shown")


@pytest_asyncio.fixture
async def press(tmp_path: Path) -> AsyncIterator[HomePress]:
    async with Workbench() as workbench, Database(sqlite_in(tmp_path)) as database:
        yield HomePress(workbench, database)


async def test_two_processes_share_the_work_and_publish_each_view_once(press: HomePress):
    async with press.publishing("one"), press.publishing("other"):
        await press.open(ANN, BEN)
        await press.home("ann", "Nothing waits")
        await press.asked(BY_NAME)
        await press.home("ann", QUESTION)
        await press.idle()
    assert [call.arguments["user_id"] for call in press.published].count(BEN) == 1
    assert [call.arguments["user_id"] for call in press.published].count(ANN) <= 3


async def test_what_was_wanted_while_nobody_published_is_published_by_the_next_process(press: HomePress):
    async with press.publishing():
        await press.open(ANN)
        await press.home("ann", "Nothing waits")
    await press.asked()
    async with press.publishing("next"):
        await press.home("ann", QUESTION)


async def test_what_slack_does_not_tell_is_not_shown_and_that_is_said(press: HomePress):
    await press.asked()
    press.people.is_away = True
    async with press.publishing():
        await press.open(ANN)
        assert QUESTION not in (await press.home("ann", "Slack did not tell who you are")).text

        async def is_put_off() -> bool:
            due = await press.store.homes.next_due(clock.now())
            return due is not None and timedelta(seconds=20) < due - clock.now() < timedelta(seconds=31)

        await until(is_put_off, "it to be looked up again in half a minute")
        press.people.is_away = False
        await press.store.homes.look_again(ANN, now=clock.now())
        await press.home("ann", QUESTION)


async def test_of_a_channel_that_slack_does_not_tell_about_the_rest_is_shown(press: HomePress):
    async def is_member(channel: str, person: str) -> bool:
        del channel, person
        press.people.is_away = True
        return await People.is_member(press.people, "", "")

    await press.asked()
    named = await press.asked(BY_NAME, message="By name?")
    press.people.is_member = is_member  # type: ignore[method-assign]
    async with press.publishing():
        await press.open(ANN)
        home = await press.home("ann", "Slack did not tell who is in #approvals")
    assert "By name?" in home.text
    assert QUESTION not in home.text
    assert named


async def test_a_guest_and_whoever_asked_see_no_more_than_they_may_decide(press: HomePress):
    await press.asked()
    async with press.publishing():
        await press.open("U0GUS", "U0RITA")
        for name in ("gus", "rita"):
            assert "Approve" not in (await press.home(name, "Nothing waits")).buttons


async def test_who_decided_one_stage_and_may_decide_the_next_has_it_waiting_and_not_among_what_is_decided(
    press: HomePress,
):
    first = Stage(deciders=(Person(ANN), Person(BEN)), quorum=2)
    asked = await press.asked(begun(Policy(stages=(first, Stage(deciders=Person(ANN)))), {}, None))
    for person in (ANN, BEN):
        await press.scene.vote(asked, person, now=clock.now(), fits=((0,), ()))
    ann, ben = await press.drawing.look(ANN, Looking()), await press.drawing.look(BEN, Looking())
    assert ([card.interrupt.id for card in ann.waiting], ann.decided) == ([asked], ())
    assert (ben.waiting, [card.interrupt.id for card in ben.decided]) == ((), [asked])


async def test_who_stands_in_has_what_waits_for_the_other_and_neither_what_they_asked_for_nor_what_is_answered(
    press: HomePress,
):
    now = clock.now()
    await press.store.absences.set(Absence(ANN, EVE, now, now + timedelta(hours=1), "slack", now))
    asked, alone = await press.asked(BY_NAME), await press.asked(BY_NAME.model_copy(update={"stand_ins": False}))
    answered = await press.asked(Policy(deciders=(Person(ANN), Person(BEN)), quorum=2))
    await press.scene.vote(answered, ANN, now=now)
    eve = await press.drawing.look(EVE, Looking())
    assert [(card.interrupt.id, card.answering_for) for card in eve.waiting] == [(asked, ANN)]
    assert [way[0].person for way in eve.presence.places] == [ANN]
    ann = await press.drawing.look(ANN, Looking())
    assert {card.interrupt.id for card in ann.waiting} == {asked, alone}
    await press.scene.vote(asked, EVE, now=now, standing_for=ANN)
    ann = await press.drawing.look(ANN, Looking())
    assert [card.interrupt.id for card in ann.waiting] == [alone]
    assert asked in {card.interrupt.id for card in ann.decided}


async def test_one_that_another_process_published_meanwhile_is_published_over_it(press: HomePress):
    async with press.publishing():
        await press.open(ANN)
        home = await press.home("ann", "Nothing waits")
        await press.idle()
        home.view.hash = "of somebody else"
        await press.asked()
        await press.home("ann", QUESTION)
    assert [call.answer.get("error") for call in press.published if not call.answer["ok"]] == ["hash_conflict"]


async def test_a_view_that_slack_finds_too_large_is_published_in_brief(press: HomePress):
    await press.asked()
    press.workbench.faults.fail("views.publish", "view_too_large")
    async with press.publishing():
        await press.open(ANN)
        home = await press.home("ann", QUESTION)
    assert "Answer…" in home.buttons
    assert "Approve" not in home.buttons


async def test_an_app_without_a_home_tab_is_not_asked_again_until_somebody_opens_it(press: HomePress):
    press.workbench.workspace.app.home_tab = False
    async with press.publishing():
        await press.open(ANN)
        await press.idle()
        await press.asked()
        assert len(press.published) == 1
        press.workbench.workspace.app.home_tab = True
        await press.open(ANN)
        await press.home("ann", QUESTION)


@pytest.mark.parametrize("fault", ["internal_error", "service_unavailable", "token_revoked"])
async def test_a_hiccup_is_tried_again(press: HomePress, fault: str):
    press.workbench.faults.fail("views.publish", fault)
    async with press.publishing():
        await press.open(ANN)
        await press.home("ann", "Nothing waits")


async def test_a_rate_limit_quiets_all_home_tabs_for_as_long_as_slack_says(press: HomePress):
    press.workbench.faults.rate_limit("views.publish", retry_after=2)
    async with press.publishing():
        await press.open(ANN)
        await until(lambda: _true(len(press.published) == 1), "the refusal")
        began = clock.now()
        await press.open(BEN)
        await press.home("ben", "Nothing waits")
        await press.home("ann", "Nothing waits")
    assert clock.now() - began > timedelta(seconds=1.5)


async def _true(value: bool) -> bool:
    return value


async def test_nobody_who_has_not_opened_it_for_a_month_costs_anything(press: HomePress):
    await press.store.homes.open(ANN, view="{}", now=clock.now() - timedelta(days=31))
    await press.open(BEN)
    async with press.publishing():
        await press.home("ben", "Nothing waits")
        await press.idle()
    assert [call.arguments["user_id"] for call in press.published] == [BEN]
