"""The clock that people put forward: what is due by it, and what is not."""

from datetime import timedelta

import aiohttp
import pytest
from slack_sdk.errors import SlackApiError

from bot.workbench.acts import ActError
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import client_of, reason_view


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


async def test_a_trigger_is_too_old_once_the_clock_was_moved(workbench):
    trigger_id = workbench.bench.triggers.new("U0ANN")
    await workbench.move_clock(timedelta(seconds=4))
    with pytest.raises(SlackApiError, match="expired_trigger_id"):
        await client_of(workbench).views_open(trigger_id=trigger_id, view=reason_view())


async def test_a_response_url_lives_for_half_an_hour_of_the_clock(workbench):
    url = workbench.url.rstrip("/") + workbench.bench.response_urls.new("U0ANN", "C0GENERAL")
    async with aiohttp.ClientSession() as session:
        await workbench.move_clock(timedelta(minutes=29))
        assert (await session.post(url, json={"text": "In time"})).status == 200
        await workbench.move_clock(timedelta(minutes=2))
        late = await session.post(url, json={"text": "Late"})
        assert (late.status, await late.text()) == (404, "expired_url")


async def test_the_apps_own_deadlines_move_where_it_lets_them_and_slacks_stay(workbench):
    trigger_id = workbench.bench.triggers.new("U0ANN")
    moved: list[timedelta] = []

    async def on_clock(by: timedelta) -> None:
        moved.append(by)

    workbench.on_clock = on_clock
    await workbench.move_clock(timedelta(minutes=5))
    assert moved == [timedelta(minutes=5)]
    assert workbench.bench.moved == timedelta(minutes=5)
    assert (await client_of(workbench).views_open(trigger_id=trigger_id, view=reason_view()))["ok"]


async def test_nobody_puts_the_clock_back(workbench):
    with pytest.raises(ActError, match="forward"):
        await workbench.move_clock(timedelta(minutes=-5))
