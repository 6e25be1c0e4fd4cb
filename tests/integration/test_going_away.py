"""Somebody says that they are away: who they may name, how they are found, and why it is not kept."""

from collections.abc import AsyncIterator
from datetime import UTC, date, datetime, timedelta

import pytest

from actions.kit.policies.absences import Absence
from blocks.presence import AwayForm
from bot.engine.going_away import GoingAway, Gone, NotAway
from storage.database import Database
from storage.store import Store
from tests.integration.engine_room import ANN, BEN, BOT, EVE, GUS, RITA, People
from tests.sqlite import sqlite_in

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)


class Desk:
    """One store and a few people, at half past nine of a Tuesday."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.people = People()
        self.going_away = GoingAway(store.absences, self.people, now=lambda: NOW)

    async def says(self, text: str, person: str = ANN) -> Gone | NotAway:
        return await self.going_away.by_words(person, text, via="slack")


@pytest.fixture
async def desk(tmp_path) -> AsyncIterator[Desk]:
    async with Database(sqlite_in(tmp_path)) as database:
        yield Desk(Store(database))


@pytest.mark.parametrize(
    "whom",
    [f"<@{EVE}>", f"<@{EVE}|eve>", EVE, "@eve", "eve", "eve@example.com", "<mailto:eve@example.com|eve@example.com>"],
)
async def test_a_colleague_is_named_by_mention_id_address_or_name(desk: Desk, whom: str):
    gone = await desk.says(f"until friday, ask {whom}")
    assert isinstance(gone, Gone)
    until = datetime(2026, 12, 4, 18, tzinfo=UTC)
    assert gone.absence == Absence(ANN, EVE, NOW, until, "slack", NOW)
    assert gone.text == f"You are away until Friday 4 December 2026 18:00 (UTC); <@{EVE}> decides in your place."
    assert await desk.store.absences.open(NOW) == (gone.absence,)


async def test_what_is_to_come_and_what_a_status_says_is_told_so(desk: Desk):
    later = await desk.says("from monday until 12 Dec, ask @eve")
    assert isinstance(later, Gone)
    assert later.text.startswith("You are away from Monday 7 December 2026 00:00 (UTC) until Saturday 12 December 2026")
    status = await desk.says("when my status says so, ask @eve")
    assert isinstance(status, Gone)
    assert status.text.startswith(f"While your Slack status says that you are away, <@{EVE}> decides in your place.")
    assert status.absence.until == NOW + timedelta(days=90)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"today, ask <@{ANN}>", "cannot decide in your own place"),
        (f"today, ask <@{BOT}>", "That is a bot"),
        (f"today, ask <@{GUS}>", "They are a guest"),
        ("today, ask <@U0NOBODY>", "Slack knows nobody called “U0NOBODY”"),
        ("today, ask somebody@example.com", "Slack knows nobody called “somebody@example.com”"),
        ("today, ask <!channel>", "Slack knows nobody called “&lt;!channel&gt;”"),
        ("today, ask @everybody", f"Several people are called “@everybody”: <@{RITA}> (rita@example.com)"),
        ("until whenever, ask @eve", "do not understand"),
    ],
)
async def test_whom_nobody_may_name_is_refused_with_words(desk: Desk, text: str, why: str):
    refused = await desk.says(text)
    assert isinstance(refused, NotAway)
    assert why in refused.text
    assert await desk.store.absences.open(NOW) == ()


async def test_who_left_slack_and_whom_it_does_not_tell_of_is_not_named(desk: Desk):
    desk.people.left.add(EVE)
    gone = await desk.says(f"today, ask <@{EVE}>")
    desk.people.is_away = True
    unsure = await desk.says(f"today, ask <@{BEN}>")
    assert isinstance(gone, NotAway)
    assert isinstance(unsure, NotAway)
    assert gone.text.startswith("They have left Slack")
    assert unsure.text.startswith("Slack did not tell in time")


async def test_two_do_not_ask_each_other_nor_in_a_circle(desk: Desk):
    assert isinstance(await desk.says("today, ask @ben"), Gone)
    direct = await desk.says("today, ask @ann", BEN)
    assert isinstance(direct, NotAway)
    assert "asked you to decide in their place: you would stand in for yourself" in direct.text
    assert isinstance(await desk.says("today, ask @eve", BEN), Gone)
    over = await desk.says("today, ask @ann", EVE)
    assert isinstance(over, NotAway)
    assert "whoever decides in their place asked you in turn" in over.text


@pytest.mark.parametrize(
    ("form", "about"),
    [
        (AwayForm(ANN, None, date(2026, 11, 30), EVE), "until"),
        (AwayForm(ANN, date(2026, 12, 9), date(2026, 12, 8), EVE), "until"),
        (AwayForm(ANN, None, date(2027, 12, 8), EVE), "until"),
        (AwayForm(ANN, None, date(2026, 12, 8), GUS), "whom"),
        (AwayForm(ANN, None, date(2026, 12, 8), EVE), None),
        (AwayForm(ANN, date(2026, 11, 1), date(2026, 12, 1), EVE), None),
    ],
)
async def test_a_form_is_looked_at_in_the_same_way(desk: Desk, form: AwayForm, about: str | None):
    found = await desk.going_away.by_form(form)
    assert (found.about if isinstance(found, NotAway) else None) == about
