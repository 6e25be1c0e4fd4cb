"""What a failed call of Slack's means, whatever answered it."""

from datetime import timedelta

import aiohttp
import pytest
from aiohttp import web
from slack_sdk.errors import SlackApiError

from bot.slack.client import open_clients
from bot.slack.replies import (
    NOT_THE_BOT,
    Blocked,
    Deleted,
    Passing,
    Refused,
    Reply,
    TooMuch,
    reply_of,
    reply_of_word,
)
from tests.unit.tiny_slack import DROP, failed


async def reply_to(slack, answer, url=None) -> Reply:
    slack.answer("chat.postMessage", answer)
    async with open_clients("xoxb-test", url or slack.api_url) as clients:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - which one is what reply_of tells
            await clients.writer.chat_postMessage(channel="C0APPROVALS", text="confidential")
    assert isinstance(caught.value, Exception)
    return reply_of(caught.value)


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("not_in_channel", Refused),
        ("is_archived", Refused),
        ("restricted_action", Refused),
        ("something_new", Refused),
        ("invalid_blocks", TooMuch),
        ("msg_too_long", TooMuch),
        ("message_not_found", Deleted),
        ("cannot_reply_to_message", Deleted),
        ("service_unavailable", Passing),
        ("fatal_error", Passing),
        ("ratelimited", Passing),
        *((word, Blocked) for word in sorted(NOT_THE_BOT)),
    ],
)
async def test_an_error_word_is_told_by_what_may_be_done_about_it(slack, word, kind):
    reply = await reply_to(slack, failed(word))
    assert isinstance(reply, kind)
    assert reply.error == word


@pytest.mark.parametrize("word", ["fatal_error", "internal_error"])
async def test_of_some_errors_slack_says_that_it_may_have_happened(slack, word):
    assert await reply_to(slack, failed(word)) == Passing(word, unsure=True)


@pytest.mark.parametrize("word", ["timeout", "unreachable", "closing"])
def test_a_look_up_that_got_no_answer_says_that_slack_is_away(word):
    assert reply_of_word(word) == Passing(word, away=True)


@pytest.mark.parametrize(
    ("after", "seconds"),
    [("30", 30), ("0", 1), ("-5", 1), ("1.5", 1.5), ("soon", 5), ("nan", 1), ("1e300", 3600), ("inf", 3600), (None, 5)],
)
async def test_slacks_own_word_for_how_long_to_wait_is_taken_within_reason(slack, after, seconds):
    headers = {} if after is None else {"Retry-After": after}
    answer = web.json_response(failed("ratelimited"), status=429, headers=headers)
    assert await reply_to(slack, answer) == Passing("ratelimited", wait=timedelta(seconds=seconds))


HTML = "<html>confidential</html>"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (web.Response(text=HTML, content_type="text/html", status=502), "http_502"),
        (web.Response(text=HTML, content_type="text/html"), "unreadable_answer"),
        (web.Response(text=HTML, content_type="application/json", status=500), "http_500"),
        (web.Response(text=HTML, content_type="application/json"), "unreadable_answer"),
        (web.Response(text=HTML, content_type="text/plain", status=503), "http_503"),
        (web.Response(text=HTML, content_type="text/plain"), "connection_lost"),
        (web.Response(body=b"\xff\xfe", content_type="application/json"), "connection_lost"),
        (web.Response(text="[1]", content_type="application/json"), "connection_lost"),
        (web.Response(text="null", content_type="application/json"), "unreadable_answer"),
        (web.Response(text="", content_type="application/json"), "unreadable_answer"),
        (web.json_response({"ok": False}), "unreadable_answer"),
        (web.json_response({"ok": False, "error": 5}), "unreadable_answer"),
        (DROP, "connection_lost"),
    ],
)
async def test_whatever_else_answers_for_slack_passes_and_may_have_done_it(slack, answer, error):
    assert await reply_to(slack, answer) == Passing(error, unsure=True)


async def test_a_rate_limit_is_known_by_its_status_even_where_a_proxy_words_it(slack):
    answer = web.Response(text=HTML, content_type="text/html", status=429, headers={"Retry-After": "7"})
    assert await reply_to(slack, answer) == Passing("ratelimited", wait=timedelta(seconds=7))


async def test_where_nobody_listens_slack_is_away_and_nothing_happened(slack):
    assert await reply_to(slack, {}, "http://127.0.0.1:9/api/") == Passing("unreachable", away=True)


async def test_a_name_that_cannot_be_resolved_is_away_too(slack):
    assert await reply_to(slack, {}, "http://nowhere.invalid/api/") == Passing("unreachable", away=True)


@pytest.mark.parametrize("error", [TimeoutError(), aiohttp.ServerTimeoutError()])
def test_of_a_call_that_took_too_long_nobody_knows(error):
    assert reply_of(error) == Passing("timeout", unsure=True)


def test_an_error_of_our_own_is_raised_again():
    with pytest.raises(KeyError):
        reply_of(KeyError("ours"))


def test_an_answer_without_anything_is_told_too():
    assert reply_of(SlackApiError("nothing", None)) == Passing("unreadable_answer", unsure=True)
