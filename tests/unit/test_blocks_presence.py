"""The section of the Home tab about being away, and the words for whoever stands in."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from actions.kit.policies.absences import Absence
from blocks.presence import Presence, away_view, presence_blocks, presence_lines, stands_in_words
from blocks.validate import validate_view

NOW = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
AWAY = Absence("U0DANA", "U0OMAR", NOW, NOW + timedelta(days=2), "slack", NOW)
LATER, BY_STATUS = replace(AWAY, starts=NOW + timedelta(days=1)), replace(AWAY, by_status=True)
UNTIL = "<!date^1796290200^{date_short_pretty} at {time}|2026-12-03 09:30 UTC>"


@pytest.mark.parametrize(
    ("presence", "line"),
    [
        (Presence(), "You are here: nobody decides in your place."),
        (Presence(AWAY, is_away=True), f"You are away until {UNTIL}; <@U0OMAR> decides in your place."),
        (Presence(LATER), "You are away from <!date^"),
        (Presence(BY_STATUS), "While your Slack status says that you are away, <@U0OMAR> decides in your place."),
        (
            Presence(BY_STATUS, is_away=True),
            "You are away, as your Slack status says; <@U0OMAR> decides in your place.",
        ),
    ],
)
def test_how_it_stands_is_said_in_a_line(presence, line):
    assert presence_lines(presence)[0].startswith(line)


def test_in_whose_places_somebody_decides_and_how_each_of_them_is_away():
    over = replace(AWAY, person="U0EVE", stand_in="U0DANA")
    presence = Presence(places=((AWAY,), (BY_STATUS,), (over, AWAY), *[(AWAY,)] * 4))
    assert presence_lines(presence)[1:4] == [
        f"You stand in for <@U0DANA> until {UNTIL}.",
        "You stand in for <@U0DANA> (Slack status).",
        f"You stand in for <@U0EVE> until {UNTIL}, by way of <@U0DANA>.",
    ]
    assert presence_lines(presence)[-1] == "And you stand in for 2 more."


@pytest.mark.parametrize(
    ("absence", "waiting", "words"),
    [
        (AWAY, 0, f"<@U0DANA> chose you to decide in their place until {UNTIL}. What"),
        (AWAY, 1, "1 question waits for you in their place: they are in the *Home* tab"),
        (AWAY, 3, "3 questions wait for you in their place"),
        (LATER, 0, "in their place from <!date^"),
        (BY_STATUS, 0, "in their place while their Slack status says that they are away. What"),
    ],
)
def test_a_stand_in_is_told_once_for_how_long_and_how_many_wait(absence, waiting, words):
    assert words in stands_in_words(absence, waiting)


def test_what_is_drawn_is_taken_by_slack():
    assert validate_view(away_view(), "modal") == []
    for presence, button in ((Presence(), "away:open"), (Presence(AWAY), "away:back")):
        blocks = presence_blocks(presence)
        assert blocks[-1]["accessory"]["action_id"] == button
        assert validate_view({"type": "home", "blocks": blocks}, "home") == []
