"""`signoff cards`: the kinds of cards, with their answers; and what is said of an action that names another."""

import json

from tests.integration.command_line.desk import Desk
from tests.integration.command_line.test_cli_actions import module

NAMES_NO_KIND = """
    from pydantic import BaseModel
    from actions import ChannelMembers, Context, Policy, action

    class Nothing(BaseModel):
        pass

    @action(id="beam", name="Beam", description="D", policy=Policy(deciders=ChannelMembers("#crew")), ui="hologram")
    async def beam(input: Nothing, ctx: Context) -> None:
        return None
"""


def test_each_kind_says_what_it_shows_and_what_can_be_answered(desk: Desk):
    said = desk.signoff("cards").out
    (block,) = (each for each in said.split("\n    shows     ") if each.startswith("document, [before]"))
    assert "answers   accept {action, document}; edit {action, document}; respond" in block
    assert "confirm {name}; reject {reason}, declines" in said


def test_for_programs_there_are_schemas_of_the_answers(desk: Desk):
    found = {each["ui"]: each for each in json.loads(desk.signoff("cards", "--json").out)}
    answers = {choice["key"]: choice for choice in found["write_code"]["answers"]}
    assert {key: list(choice["json_schema"]["properties"]) for key, choice in answers.items()} == {
        "run": ["action", "code"],
        "edit_and_run": ["action", "code"],
        "cancel": ["action"],
    }
    assert answers["cancel"]["value"] == {"action": "cancel"}
    assert found["write_code"]["data_schema"]["required"] == ["code"]


def test_an_action_that_names_a_kind_which_nobody_made_is_told_with_those_that_are_there(desk: Desk):
    desk.set(ACTIONS=module(desk, NAMES_NO_KIND))
    told = desk.signoff("actions").one_error
    assert "action 'beam': ui='hologram' is no kind of card; there are: ask_location, choose, confirm" in told
