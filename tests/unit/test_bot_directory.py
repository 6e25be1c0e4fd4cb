"""The directory answers within a click's time, or says that it could not verify."""

import asyncio

import pytest
import pytest_asyncio
from aiohttp import web

from actions.kit.records.people import PersonFacts
from bot.slack.client import open_clients
from bot.slack.directory import CouldNotVerify, Directory
from tests.unit.tiny_slack import OK, failed

ANN = {
    "id": "U0ANN",
    "name": "ann",
    "real_name": "Ann Archer",
    "deleted": False,
    "is_bot": False,
    "is_restricted": False,
    "profile": {"real_name": "Ann Archer", "email": "ann@example.com"},
}
FACTS = PersonFacts("U0ANN", "Ann Archer", "ann@example.com")


class Clock:
    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest_asyncio.fixture
async def directory(slack, clock):
    async with open_clients("xoxb-test", slack.api_url) as clients:
        directory = Directory(clients.reader, clock=clock)
        yield directory
        await directory.close()


def channels(*names, cursor=""):
    listed = [{"id": f"C0{name.upper()}", "name": name, "name_normalized": name} for name in names]
    return {**OK, "channels": listed, "response_metadata": {"next_cursor": cursor}}


async def test_a_person_is_looked_up_once_and_kept_for_five_minutes(slack, directory, clock):
    slack.answer("users.info", {**OK, "user": ANN})
    assert await directory.person("U0ANN") == FACTS
    clock.now += 299
    assert await directory.person("U0ANN") == FACTS
    assert slack.called("users.info") == [{"user": "U0ANN"}]
    clock.now += 2
    await directory.person("U0ANN")
    assert len(slack.called("users.info")) == 2


@pytest.mark.parametrize(
    ("more", "facts"),
    [
        ({"is_bot": True}, {"is_bot": True}),
        ({"id": "USLACKBOT"}, {"id": "USLACKBOT", "is_bot": True}),
        ({"is_restricted": True}, {"is_guest": True}),
        ({"is_ultra_restricted": True}, {"is_guest": True}),
        ({"is_stranger": True}, {"is_guest": True}),
        ({"deleted": True}, {"is_deleted": True}),
        ({"real_name": "", "profile": {}}, {"name": "ann", "email": None}),
    ],
)
async def test_bots_guests_strangers_and_people_who_left_are_told_apart(slack, directory, more, facts):
    slack.answer("users.info", {**OK, "user": ANN | more})
    found = await directory.person("U0ANN")
    assert {name: getattr(found, name) for name in facts} == facts


async def test_somebody_whom_slack_does_not_know_is_nobody_and_not_an_error(slack, directory):
    slack.answer("users.info", failed("user_not_found"))
    slack.answer("users.lookupByEmail", failed("users_not_found"))
    assert await directory.person("U0NOBODY") is None
    assert await directory.by_email("nobody@example.com") is None


async def test_what_is_no_id_is_nobody_without_asking(slack, directory):
    assert await directory.person("ann; drop table") is None
    assert slack.calls == []


async def test_an_address_is_found_whatever_its_case_and_teaches_who_the_person_is(slack, directory):
    slack.answer("users.lookupByEmail", {**OK, "user": ANN})
    assert await directory.by_email(" Ann@Example.com ") == FACTS
    assert await directory.by_email("ann@example.com") == FACTS
    assert await directory.person("U0ANN") == FACTS
    assert slack.calls == [("users.lookupByEmail", {"email": "ann@example.com"})]


@pytest.mark.parametrize("error", ["missing_scope", "invalid_auth", "fatal_error"])
async def test_a_refused_look_up_is_could_not_verify_with_slacks_own_word(slack, directory, error):
    slack.answer("users.info", failed(error))
    with pytest.raises(CouldNotVerify, match=error):
        await directory.person("U0ANN")


async def test_a_failure_is_not_kept(slack, directory):
    slack.answer("users.info", failed("internal_error"))
    with pytest.raises(CouldNotVerify):
        await directory.person("U0ANN")
    slack.answer("users.info", {**OK, "user": ANN})
    assert await directory.person("U0ANN") == FACTS


async def test_an_answer_that_is_not_slacks_is_could_not_verify(slack, directory):
    slack.answer("users.info", web.Response(text="<html>proxy</html>", content_type="text/html"))
    with pytest.raises(CouldNotVerify, match="unreadable"):
        await directory.person("U0ANN")


async def test_nobody_answering_at_all_is_could_not_verify():
    async with open_clients("xoxb-test", "http://127.0.0.1:9/api/") as clients:
        directory = Directory(clients.reader)
        with pytest.raises(CouldNotVerify, match=r"unreachable|timeout"):
            await directory.person("U0ANN")
        await directory.close()


async def test_a_late_answer_is_could_not_verify_now_and_known_the_next_time(slack):
    asked, release = asyncio.Event(), asyncio.Event()

    async def slowly(_arguments):
        asked.set()
        await release.wait()
        return {**OK, "user": ANN}

    slack.methods["users.info"] = slowly
    async with open_clients("xoxb-test", slack.api_url) as clients:
        hasty, patient = 0.05, 5.0
        directory = Directory(clients.reader, budget=hasty)
        with pytest.raises(CouldNotVerify, match="timeout"):
            await directory.person("U0ANN")
        await asked.wait()
        directory._lookups._budget = patient
        waiting = asyncio.create_task(directory.person("U0ANN"))
        release.set()
        assert await waiting == FACTS
        assert len(slack.called("users.info")) == 1
        await directory.close()


async def test_many_who_ask_the_same_at_once_ask_slack_once(slack, directory):
    slack.answer("users.info", {**OK, "user": ANN})
    assert await asyncio.gather(*(directory.person("U0ANN") for _ in range(20))) == [FACTS] * 20
    assert len(slack.called("users.info")) == 1


async def test_closing_ends_what_is_still_being_looked_up(slack):
    asked = asyncio.Event()

    async def never(_arguments):
        asked.set()
        await asyncio.Event().wait()
        return OK

    slack.methods["users.info"] = never
    async with open_clients("xoxb-test", slack.api_url) as clients:
        directory = Directory(clients.reader)
        waiting = asyncio.create_task(directory.person("U0ANN"))
        await asked.wait()
        await directory.close()
        with pytest.raises(CouldNotVerify, match="closing"):
            await waiting


async def test_membership_is_read_page_by_page_and_kept_for_half_a_minute(slack, directory, clock):
    def members(arguments):
        if arguments.get("cursor") == "next":
            return {**OK, "members": ["U0BEN"], "response_metadata": {"next_cursor": ""}}
        return {**OK, "members": ["U0ANN"], "response_metadata": {"next_cursor": "next"}}

    slack.methods["conversations.members"] = members
    assert await directory.is_member("C0APPROVALS", "U0ANN")
    assert await directory.is_member("C0APPROVALS", "U0BEN")
    assert not await directory.is_member("C0APPROVALS", "U0EVE")
    assert len(slack.called("conversations.members")) == 2
    clock.now += 31
    await directory.is_member("C0APPROVALS", "U0ANN")
    assert len(slack.called("conversations.members")) == 4


async def test_membership_of_a_named_channel_finds_the_channel_first(slack, directory):
    slack.answer("users.conversations", channels("approvals"))
    slack.answer("conversations.members", {**OK, "members": ["U0ANN"]})
    assert await directory.is_member("#approvals", "U0ANN")
    assert slack.called("conversations.members")[0]["channel"] == "C0APPROVALS"


async def test_membership_of_a_channel_that_the_bot_cannot_see_is_not_known(slack, directory):
    slack.answer("conversations.members", failed("channel_not_found"))
    with pytest.raises(CouldNotVerify, match="channel_not_found"):
        await directory.is_member("C0SECRET", "U0ANN")
    slack.answer("users.conversations", channels())
    slack.answer("conversations.list", channels())
    with pytest.raises(CouldNotVerify, match="channel_not_found"):
        await directory.is_member("#secret", "U0ANN")


async def test_a_channel_is_found_among_the_bots_own_and_then_among_all(slack, directory):
    slack.answer("users.conversations", channels("approvals"))
    pages = {None: channels("general", cursor="more"), "more": channels("random")}
    slack.methods["conversations.list"] = lambda arguments: pages[arguments.get("cursor")]
    assert await directory.channel_id("#approvals") == "C0APPROVALS"
    assert slack.called("conversations.list") == []
    assert await directory.channel_id("#Random") == "C0RANDOM"
    assert await directory.channel_id("random") == "C0RANDOM"
    assert len(slack.called("conversations.list")) == 2


async def test_an_id_of_a_channel_is_returned_without_asking(slack, directory):
    assert await directory.channel_id("C0APPROVALS") == "C0APPROVALS"
    assert slack.calls == []


async def test_a_channel_that_was_missing_is_found_as_soon_as_it_was_made(slack, directory):
    slack.answer("users.conversations", channels())
    slack.answer("conversations.list", channels())
    assert await directory.channel_id("#new") is None
    slack.answer("users.conversations", channels("new"))
    assert await directory.channel_id("#new") == "C0NEW"
