"""Ways to start, drawn and parsed: within Slack's limits however many actions there are, and nothing read as markup."""

import json
from typing import Any

import pytest

from blocks import limits
from blocks.starts import (
    LISTED,
    PICK,
    Begin,
    Pick,
    Startable,
    parse_begin,
    parse_pick,
    parse_start_shortcut,
    pick_view,
    starts_message,
)
from blocks.validate import validate_message, validate_view
from tests.unit.test_blocks_clicks import COMMON, TRIGGER

HOSTILE = "<!channel> <@U0EVIL> <https://evil.example|bank> & `x` *b* @here \u202e\u200b 😀" * 20
SPEND = Startable("spend", "Spend money", "Asks a manager")


def many(count: int, text: str = "Does something") -> list[Startable]:
    return [Startable(f"action_{number}", f"Action {number} {text}", text) for number in range(count)]


@pytest.mark.parametrize("text", ["Does something", HOSTILE])
@pytest.mark.parametrize("count", [0, 1, LISTED, LISTED + 1, 500])
def test_a_list_is_within_slacks_limits_and_harmless(count: int, text: str):
    message = starts_message("/signoff", many(count, text), ["a hint"])
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    markup = [message.text, *(block["text"]["text"] for block in message.blocks if block["type"] == "section")]
    assert not [part for part in markup if "<!channel>" in part]
    buttons = sum(block.get("accessory") is not None for block in message.blocks)
    assert buttons == min(count, LISTED) or text == HOSTILE
    assert (f"and {count - buttons:,} more" in json.dumps(message.blocks)) is (count > buttons)


@pytest.mark.parametrize("text", ["Does something", HOSTILE])
@pytest.mark.parametrize("count", [1, 100, 101, 500])
def test_every_action_can_be_picked_however_many_there_are(count: int, text: str):
    view = pick_view(many(count, text))
    assert validate_view(view) == []
    element = view["blocks"][0]["element"]
    groups = element.get("option_groups", [element])
    assert sum(len(group["options"]) for group in groups) == count
    assert max(len(group["options"]) for group in groups) <= limits.SELECT_OPTIONS


def pressed(button: dict[str, Any], **more: Any) -> dict[str, Any]:
    action = {"type": "button", "block_id": "b", "action_ts": "1.2", **button}
    return {**COMMON, "type": "block_actions", "actions": [action], "container": {"type": "message"}, **more}


def test_a_pressed_button_says_which_action_and_where():
    (_, block, *_) = starts_message("/signoff", [SPEND], []).blocks
    begin = parse_begin(pressed(block["accessory"], channel={"id": "C0GENERAL"}))
    assert begin == Begin("spend", "U0BOB", "C0GENERAL", TRIGGER)


@pytest.mark.parametrize("value", [None, "", "{", "[]", '{"action":5}', '{"action":"a","more":1}'])
def test_a_button_that_does_not_say_which_asks(value: str | None):
    begin = parse_begin(pressed({"action_id": "begin", **({} if value is None else {"value": value})}))
    assert begin is not None
    assert begin.action_id is None


@pytest.mark.parametrize("body", [None, [], {}, pressed({"action_id": "choice:0"}), pressed({"action_id": "begin:x"})])
def test_any_other_click_begins_nothing(body: Any):
    assert parse_begin(body) is None


def used(**more: Any) -> dict[str, Any]:
    return {**COMMON, "type": "shortcut", "callback_id": "start_request", "action_ts": "1.2", **more}


def test_the_shortcut_is_known_by_its_id():
    assert parse_start_shortcut(used()) == Begin(None, "U0BOB", None, TRIGGER)
    others: list[Any] = [used(callback_id="other"), used(type="message_action"), used(user={"id": 5}), None, []]
    for other in others:
        assert parse_start_shortcut(other) is None


def submitted(state: Any, callback_id: str = "pick") -> dict[str, Any]:
    view = {"id": "V1", "hash": "1.x", "callback_id": callback_id, "private_metadata": "", "state": state}
    return {**COMMON, "type": "view_submission", "view": view}


def chosen(value: Any) -> dict[str, Any]:
    return {"values": {PICK: {PICK: {"type": "static_select", "selected_option": value}}}}


def test_what_was_picked_is_the_action():
    assert parse_pick(submitted(chosen({"value": "spend"}))) == Pick("spend", "U0BOB")


@pytest.mark.parametrize("state", [chosen(None), chosen({"value": 5}), {"values": {}}, {"values": {PICK: {}}}])
def test_a_pick_without_a_choice_is_none(state: Any):
    assert parse_pick(submitted(state)) is None
    assert parse_pick(submitted(chosen({"value": "spend"}), callback_id="start")) is None
