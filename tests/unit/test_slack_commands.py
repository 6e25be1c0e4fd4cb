"""What the slash command says to what it does not know."""

import pytest

from bot.slack.commands import unknown


@pytest.mark.parametrize("typed", ["spent", "Spend", "spend_"])
def test_a_slip_of_the_fingers_is_answered_with_what_was_meant(typed: str):
    assert "Did you mean `/signoff spend`?" in unknown("/signoff", typed, ["spend", "restart"])


@pytest.mark.parametrize(
    ("typed", "meant"), [("pendng", "pending"), ("mien", "mine"), ("shwo", "show"), ("cancle", "cancel")]
)
def test_a_misspelt_word_of_ours_is_known_too(typed: str, meant: str):
    assert f"Did you mean `/signoff {meant}`?" in unknown("/signoff", typed, ["spend"])


def test_what_was_typed_is_repeated_literally_and_led_on_to_the_list():
    said = unknown("/signoff", "<!channel>`*_", ["spend"])
    assert "<!channel>" not in said
    assert "“&lt;!channel&gt;`*_”" in said
    assert "`/signoff` lists what can be started" in said
