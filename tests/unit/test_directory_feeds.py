"""Calendars are fetched when they are asked for, kept for a minute, and an old one stands in while a feed is down."""

import asyncio
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from aiohttp import web

from bot.directory import calendars
from bot.directory import feeds as module
from bot.directory.feeds import Feeds
from bot.directory.people_file import MOST_BYTES
from bot.engine.people import CouldNotVerify
from tests.unit.test_directory_calendars import ANN, OMAR, TODAY, calendar, event

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FEED = "secret-of-payments.ics"


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest_asyncio.fixture
async def feeds(clock):
    async with Feeds(budget=1.0, clock=clock, now=lambda: NOON) as feeds:
        yield feeds


@pytest.fixture
def feed(slack):
    """The address of a feed of this server, which says that Omar is on call."""
    shift_of(slack, OMAR)
    return f"{slack.url}/api/{FEED}"


def shift_of(slack, who):
    slack.methods[FEED] = lambda _: web.Response(text=calendar(event(TODAY, f"SUMMARY:{who}")))


def down(slack, **answer):
    slack.methods[FEED] = lambda _: web.Response(**answer)


async def on_duty(feeds, at):
    return calendars.on_duty(await feeds.shifts(at, None), NOON, {}).people


async def test_a_feed_is_fetched_once_a_minute_however_many_ask(slack, feeds, feed, clock):
    assert await asyncio.gather(*(on_duty(feeds, feed) for _ in range(6))) == [(OMAR,)] * 6
    clock.now += 59
    assert await on_duty(feeds, feed) == (OMAR,)
    assert len(slack.called(FEED)) == 1


async def test_a_new_shift_is_seen_within_a_minute(slack, feeds, feed, clock):
    assert await on_duty(feeds, feed) == (OMAR,)
    shift_of(slack, ANN)
    clock.now += 61
    assert await on_duty(feeds, feed) == (ANN,)


WRONG = [
    ({"status": 404}, "HTTP 404"),
    ({"text": "<html>Sign in</html>"}, "is no iCalendar"),
    ({"body": b"BEGIN:VCALENDAR\r\n\xff"}, "is not text in UTF-8"),
    ({"body": b"x" * (MOST_BYTES + 1)}, "is larger than"),
]


@pytest.mark.parametrize(("answer", "why"), WRONG)
async def test_a_feed_that_is_none_is_could_not_verify_without_its_address(slack, feeds, feed, answer, why):
    down(slack, **answer)
    with pytest.raises(CouldNotVerify, match=why) as raised:
        await on_duty(feeds, feed)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(("answer", "why"), WRONG)
async def test_an_old_calendar_stands_in_for_an_hour_and_not_longer(slack, feeds, feed, answer, why):
    await on_duty(feeds, feed)
    down(slack, **answer)
    feeds._clock.now += 3_599
    assert await on_duty(feeds, feed) == (OMAR,)
    feeds._clock.now += 2
    with pytest.raises(CouldNotVerify, match=why):
        await on_duty(feeds, feed)
    shift_of(slack, ANN)
    assert await on_duty(feeds, feed) == (ANN,)


async def test_a_feed_that_does_not_answer_is_waited_for_no_longer_than_a_click_may(
    slack, feeds, feed, clock, monkeypatch
):
    await on_duty(feeds, feed)
    released = asyncio.Event()

    async def late(_):
        await released.wait()
        return web.Response(text=calendar(event(TODAY, f"SUMMARY:{ANN}")))

    slack.methods[FEED] = late
    monkeypatch.setattr(module, "SOON", 0.01)
    feeds._budget = 0.01
    clock.now += 61
    assert await on_duty(feeds, feed) == (OMAR,)
    clock.now += 3_600
    with pytest.raises(CouldNotVerify, match="timeout"):
        await on_duty(feeds, feed)
    released.set()
    feeds._budget = 5.0
    assert await on_duty(feeds, feed) == (ANN,)


async def test_a_server_that_is_not_there_is_could_not_verify(feeds):
    with pytest.raises(CouldNotVerify, match="could not be reached"):
        await on_duty(feeds, "http://127.0.0.1:9/secret.ics")


async def test_a_redirect_is_followed_but_not_for_ever(slack, feeds, feed):
    slack.methods["moved.ics"] = lambda _: web.Response(status=302, headers={"Location": feed})
    assert await on_duty(feeds, f"{slack.url}/api/moved.ics") == (OMAR,)
    slack.methods["round.ics"] = lambda _: web.Response(status=302, headers={"Location": "round.ics"})
    with pytest.raises(CouldNotVerify, match="TooManyRedirects"):
        await on_duty(feeds, f"{slack.url}/api/round.ics")


async def test_a_file_is_read_from_the_disk(feeds, clock, tmp_path):
    file = tmp_path / "payments.ics"
    file.write_text(calendar(event(TODAY, f"SUMMARY:{OMAR}")), newline="")
    assert await on_duty(feeds, file) == (OMAR,)
    file.write_text(calendar(event(TODAY, f"SUMMARY:{ANN}")), newline="")
    clock.now += 61
    assert await on_duty(feeds, file) == (ANN,)
