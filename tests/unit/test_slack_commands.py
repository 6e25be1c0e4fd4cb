"""What the slash command says about what may be started."""

import pytest

from actions import Action, Context
from actions.kit.declaration import RESERVED
from bot.slack.commands import HELP, listing, unknown
from bot.slack.stuck import NAME as STUCK
from tests.authors import Nothing, declare


def actions(*names: str) -> list[Action]:
    async def nothing(input: Nothing, ctx: Context) -> None:
        pass

    return [declare(nothing, id=name, description="Calls <!here>") for name in names]


def test_a_list_names_what_to_type_and_what_it_does_literally():
    assert listing("/signoff", actions("spend")) == "What can be started here:\n• `/signoff spend` Calls &lt;!here&gt;"


def test_a_list_without_end_is_cut_with_a_count():
    assert len(listing("/signoff", actions(*(f"action_{n}" for n in range(500))))) <= 3_500


def test_no_action_can_have_an_id_that_the_command_takes_for_something_else():
    assert {word for word in HELP if word.isalnum()} | {STUCK} <= RESERVED


@pytest.mark.parametrize("typed", ["spent", "Spend"])
def test_a_slip_of_the_fingers_is_answered_with_what_was_meant(typed):
    assert "Did you mean `/signoff spend`?" in unknown("/signoff", typed, actions("spend", "restart"))


def test_what_was_typed_is_repeated_literally():
    said = unknown("/signoff", "<!channel>`*_", actions("spend"))
    assert "<!channel>" not in said
    assert "“&lt;!channel&gt;`*_”" in said
