"""A message as it is quoted: the words that people saw, and nothing that Slack would read as more than words."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.quotes import NO_TEXT, QUOTE, AboutMessage, mentioned, parse_about_message, quote
from blocks.text import width
from tests.unit.test_blocks_clicks import COMMON, TRIGGER

NAMES = {"U0ANN": "Ann Archer"}


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("Hello", "Hello"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("<@U0ANN> and <@U0BEN>", "@Ann Archer and @U0BEN"),
        ("<@U0BEN|ben>", "@ben"),
        ("<#C0GENERAL|general> <#C0OPS|> <#C0OPS>", "#general #C0OPS #C0OPS"),
        ("<!here> <!channel|channel> <!subteam^S0TEAM|@team>", "@here channel @team"),
        ("<!date^1796036712^{date}|Monday>", "Monday"),
        (
            "<https://example.com/a|the plan> <https://example.com>",
            "the plan (https://example.com/a) https://example.com",
        ),
        ("<mailto:ann@example.com|ann@example.com>", "ann@example.com"),
        ("&lt;!channel&gt;", "<!channel>"),
        ("", NO_TEXT),
        (" \u200b ", NO_TEXT),
        ("<>", NO_TEXT),
    ],
)
def test_slacks_tokens_become_what_people_see(sent: str, shown: str):
    assert quote(sent, NAMES) == shown


def test_a_quote_names_who_wrote_it():
    assert quote("Hello", NAMES, author="U0ANN") == "Ann Archer wrote:\nHello"
    assert quote("Hello", NAMES, author="U0BEN") == "U0BEN wrote:\nHello"


def test_a_long_message_is_cut_with_a_count():
    assert quote("x" * 5_000, {}).endswith("characters)")


@given(st.text(), st.text(max_size=40))
def test_whatever_was_written_is_quoted_within_the_field(text: str, name: str):
    assert 0 < width(quote(text, {"U0ANN": name}, author="U0ANN")) <= QUOTE


def test_those_who_are_mentioned_are_looked_up_once_each_and_not_without_end():
    assert mentioned("<@U0ANN> <@W0BEN|ben> <@U0ANN> <#C0OPS> @U0EVE") == ("U0ANN", "W0BEN")
    assert len(mentioned(" ".join(f"<@U0P{number:03d}>" for number in range(500)))) == 10


def used(message: Any, **more: Any) -> dict[str, Any]:
    body = {**COMMON, "type": "message_action", "callback_id": "ask_about_message", "message": message}
    return body | {"channel": {"id": "C0OPS"}, "message_ts": "1.2", "response_url": "https://hooks.slack.com/x", **more}


def test_the_shortcut_says_which_message_of_whom():
    about = parse_about_message(
        used({"type": "message", "ts": "1.2", "text": "Hi", "user": "U0ANN"}), "ask_about_message"
    )
    assert about == AboutMessage("U0BOB", "C0OPS", "1.2", "Hi", "U0ANN", TRIGGER, "https://hooks.slack.com/x")


def test_a_message_of_a_bot_or_without_text_can_be_asked_about_too():
    about = parse_about_message(used({"ts": "1.2", "bot_id": "B0BOT", "user": "USLACK BOT"}), "ask_about_message")
    assert about is not None
    assert (about.text, about.author) == ("", None)


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        used("text"),
        used({"text": "Hi"}),
        used({"ts": "1.2", "text": 5}),
        used({"ts": "1.2"}, callback_id="other"),
        used({"ts": "1.2"}, channel=None),
        used({"ts": "1.2"}, type="shortcut"),
    ],
)
def test_anything_else_is_none(body: Any):
    assert parse_about_message(body, "ask_about_message") is None
