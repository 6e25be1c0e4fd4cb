"""What the directory says of somebody's status, and whom it finds by what they are called."""

import pytest
import pytest_asyncio

from bot.engine.people import Status
from bot.slack.client import open_clients
from bot.slack.directory import CouldNotVerify, Directory
from tests.unit.tiny_slack import OK, failed

NOON = 1_800_000_000


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest_asyncio.fixture
async def directory(slack, clock):
    async with open_clients("xoxb-test", slack.api_url) as clients:
        opened = Directory(clients.reader, clock=clock, away_statuses=[":palm_tree:"], wall_clock=lambda: NOON)
        yield opened
        await opened.close()


def user(person="U0ANN", **profile):
    return {"id": person, "name": person[2:].lower(), "real_name": person, "profile": profile}


@pytest.mark.parametrize(
    ("profile", "status"),
    [
        ((":palm_tree:", "Vacationing", 0), Status(":palm_tree:", "Vacationing", is_away=True)),
        ((":palm_tree:", "", NOON + 1), Status(":palm_tree:", "", is_away=True)),
        ((":palm_tree:", "Vacationing", NOON), None),
        ((":bus:", "Commuting", 0), Status(":bus:", "Commuting", is_away=False)),
        (("", "palm_tree", 0), Status("", "palm_tree", is_away=False)),
        (("", "", 0), None),
    ],
)
async def test_a_status_is_away_by_its_emoji_until_it_expires(slack, directory, profile, status):
    profile = dict(zip(("status_emoji", "status_text", "status_expiration"), profile, strict=True))
    slack.answer("users.info", {**OK, "user": user(**profile)})
    assert await directory.status_of("U0ANN") == status


async def test_a_status_is_kept_for_a_minute_and_a_failure_is_not_kept(slack, directory, clock):
    slack.answer("users.info", failed("internal_error"))
    with pytest.raises(CouldNotVerify):
        await directory.status_of("U0ANN")
    slack.answer("users.info", {**OK, "user": user(status_emoji=":palm_tree:")})
    before = len(slack.called("users.info"))
    for _ in range(2):
        await directory.status_of("U0ANN")
    assert len(slack.called("users.info")) == before + 1
    clock.now += 61
    await directory.status_of("U0ANN")
    assert len(slack.called("users.info")) == before + 2


async def test_whoever_is_called_so_is_found_by_handle_or_display_name_and_nobody_who_left(slack, directory):
    sams = [user("U0SAM"), user("U0SUE", display_name="Sam"), user("U0SID", display_name="samuel")]
    gone = [
        {**user("U0OLD", display_name="sam"), "deleted": True},
        {**user("U0BOT", display_name="sam"), "is_bot": True},
    ]
    slack.answer("users.list", {**OK, "members": [*sams, *gone]})
    assert [each.id for each in await directory.by_handle("@sam")] == ["U0SAM", "U0SUE"]
    assert await directory.by_handle("nobody") == ()
