"""The digest of a morning: what it says, and what is pressed in it."""

import json
from dataclasses import replace

from blocks.digest import DigestClick, DigestState, parse_digest_click, render_digest
from blocks.home import Home, home_view
from blocks.home_clicks import Looking
from blocks.validate import validate_message, validate_view
from tests.cards import spend_request_card

HOSTILE = "<!channel> *Ship* <https://evil.example|it>?"


def test_a_digest_lists_what_waits_and_how_much_more_there_is():
    card = spend_request_card()
    message = render_digest([card] * 10, 23)
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    assert message.text == "☀️ 23 questions wait for your answer"
    words = json.dumps(message.blocks, ensure_ascii=False)
    assert words.count(card.interrupt.message) == 10
    assert f"asked by <@{card.run.requester}> <!date^" in words
    assert "… and 13 more." in words


def test_what_is_asked_calls_nobody():
    card = spend_request_card()
    asked = replace(card, interrupt=replace(card.interrupt, message=HOSTILE))
    [entry] = [block for block in render_digest([asked], 1).blocks if block["type"] == "rich_text"]
    [section] = entry["elements"]
    assert {element["type"] for element in section["elements"]} == {"text"}


def test_what_was_settled_meanwhile_is_said():
    assert render_digest([], 0).text == "✅ What waited for your answer is settled."


def test_home_says_whether_there_are_digests_and_lets_one_choose():
    for is_on, button in ((True, "digest:off"), (False, "digest:on")):
        view = home_view(Home(Looking(), digest=DigestState(is_on, 9)))
        assert validate_view(view, "home") == []
        pressed = [each["accessory"]["action_id"] for each in view["blocks"] if "accessory" in each]
        assert [each for each in pressed if each.startswith("digest:")] == [button]
    assert "digest" not in json.dumps(home_view(Home(Looking())))


def test_a_button_switches_it():
    pressed = {"type": "button", "action_id": "digest:on", "block_id": "digest", "action_ts": "1"}
    body = {"type": "block_actions", "user": {"id": "U0ANN"}, "trigger_id": "1.2.a", "actions": [pressed]}
    assert parse_digest_click(body) == DigestClick("U0ANN", on=True, response_url=None)
    other = body | {"actions": [pressed | {"action_id": "digest:never"}]}
    assert parse_digest_click(other) is None
    assert parse_digest_click({"type": "block_actions"}) is None
