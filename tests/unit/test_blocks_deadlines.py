"""How a card says until when it waits, and what then."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from actions import Hours
from blocks.people import deadline_said
from blocks.said import in_plain
from bot.slack.drawing import with_deadline
from tests.cards import spend_request_card

DUE = datetime(2026, 12, 7, 9, 30, tzinfo=UTC)
HOUR = timedelta(hours=1)
OFFICE = Hours("America/New_York")
UNPOSTED: dict[str, Any] = {"expires_at": None, "posted_at": None}


@pytest.mark.parametrize(
    ("fields", "hours", "words"),
    [
        ({"expires_at": DUE}, None, "until 2026-12-07 09:30 UTC, then it expires"),
        (
            {"expires_at": DUE},
            OFFICE,
            "until 2026-12-07 09:30 UTC, counted in working hours (New York), then it expires",
        ),
        (UNPOSTED, OFFICE, "for 4 hours, counted in working hours (New York), then it expires"),
        ({"expires_at": DUE, "paused_at": DUE - HOUR}, None, "while the clock is paused, 1 hour left, then it expires"),
        (UNPOSTED | {"paused_at": DUE}, None, "while the clock is paused, 4 hours left, then it expires"),
        (UNPOSTED | {"paused_at": DUE, "expires_in": None}, None, "while the clock is paused, without a deadline"),
        (UNPOSTED | {"expires_in": None}, OFFICE, "without a deadline"),
    ],
)
def test_a_deadline_reads_as_it_counts(fields: dict[str, Any], hours: Hours | None, words: str):
    card = spend_request_card()
    policy = card.interrupt.policy.model_copy(update={"hours": hours})
    values: dict[str, Any] = {"policy": policy, "expires_in": 4 * HOUR, "posted_at": DUE - 9 * HOUR, **fields}
    asked = replace(card.interrupt, **values)
    assert in_plain(deadline_said(replace(card, interrupt=asked))) == words


def test_a_card_that_is_about_to_stand_shows_the_deadline_that_this_sets_unless_its_clock_is_paused():
    card = spend_request_card()
    about_to = replace(card, interrupt=replace(card.interrupt, expires_in=4 * HOUR, **UNPOSTED))
    paused = replace(about_to, interrupt=replace(about_to.interrupt, paused_at=DUE - HOUR))
    assert with_deadline(about_to, DUE).interrupt.expires_at == DUE + 4 * HOUR
    assert with_deadline(paused, DUE) == paused
