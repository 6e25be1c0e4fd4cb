"""What people read in Slack, as programs get it: the same words, without marks."""

import re
from datetime import UTC, datetime

import pytest

from blocks.text import date_token
from bot.api.words import plain

NO_MARKS = re.compile(r"[^<>*&]*")


@pytest.mark.parametrize(
    ("mrkdwn", "words"),
    [
        ("Already approved by <@U0ANN>.", "Already approved by U0ANN."),
        ("members of <#C0APP> or #ops", "members of C0APP or #ops"),
        ("“Fish &amp; chips” &lt;now&gt;", "“Fish & chips” <now>"),
        ("the run is now 🎉 *Done*", "the run is now 🎉 Done"),
        ("2 * 3 = 6", "2 * 3 = 6"),
    ],
)
def test_marks_go_and_words_stay(mrkdwn, words):
    assert plain(mrkdwn) == words


def test_a_moment_is_told_in_utc():
    token = date_token(datetime(2026, 11, 30, 10, 42, tzinfo=UTC))
    assert plain(f"Already approved {token}.").endswith("10:42 UTC.")
