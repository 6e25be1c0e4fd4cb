"""What is pressed, chosen and looked for inside our forms becomes a value, or `Other`; never an exception."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.kit.records.interrupts import Draft
from blocks.clicks import (
    AnswerTarget,
    FormClick,
    Mark,
    Other,
    StartTarget,
    Submission,
    Suggestion,
    parse_click,
    parse_submission,
    parse_suggestion,
)
from tests.unit.test_blocks_clicks import CHOICE, JSON, clicked, submitted

STATE = {"values": {"field:/note": {"value": {"type": "plain_text_input", "value": "so far"}}}}
START = {"action": "spend_request", "channel": None, "nonce": "n-1", "draft": "0ff1ce:2"}


def pressed(carried: Any = None, callback_id: str = "answer", **more: Any) -> dict[str, Any]:
    """Something in one of our forms, as Slack reports it: with the view, without channel or response URL."""
    payload = clicked() | {"container": {"type": "view", "view_id": "V0FORM"}}
    for gone in ("channel", "message", "response_url", "state"):
        del payload[gone]
    view = submitted(carried or {**CHOICE, "draft": "0ff1ce:2"}, callback_id, state=STATE)["view"]
    action = {
        "type": "button",
        "block_id": "b",
        "action_id": "form:add:/items",
        "action_ts": "1796036712.345678",
        **more,
    }
    return {**payload, "view": view, "actions": [action]}


def looked_for(typed: str = "ber", **more: Any) -> dict[str, Any]:
    """What Slack asks while somebody types into a searchable select."""
    payload = pressed(**more)
    del payload["actions"]
    return {**payload, "type": "block_suggestion", "block_id": "field:/town", "action_id": "value", "value": typed}


def test_a_press_in_a_form_names_its_draft_and_brings_what_was_typed_so_far():
    assert parse_click(pressed(value="3")) == FormClick(
        target=AnswerTarget("i-7", 2, "approve"),
        mark=Mark("0ff1ce", 2),
        action_id="form:add:/items",
        value="3",
        values=STATE["values"],
        person="U0BOB",
        view_id="V0FORM",
        view_hash="1796036709.55b5e41b",
        source="click:1796036712.345678:U0BOB",
    )


@pytest.mark.parametrize("kind", ["static_select", "radio_buttons", "external_select", "overflow"])
def test_what_was_chosen_in_a_form_is_told_whatever_it_was_chosen_in(kind):
    option = {"text": {"type": "plain_text", "text": "By train"}, "value": "1"}
    click = parse_click(pressed(START, "start", type=kind, action_id="form:variant:/way", selected_option=option))
    assert isinstance(click, FormClick)
    assert click.target == StartTarget("spend_request", None, "n-1")
    assert (click.action_id, click.value) == ("form:variant:/way", "1")


def test_a_choice_that_was_taken_back_has_no_value():
    click = parse_click(pressed(type="static_select", action_id="form:variant:/way", selected_option=None))
    assert isinstance(click, FormClick)
    assert click.value is None


@pytest.mark.parametrize(
    "draft", ["", "0ff1ce", "0ff1ce:", "0ff1ce:x", "0ff1ce:-1", "0ff1ce:9999", "OFFICE:1", "a:1:2", None, 7]
)
def test_a_press_in_a_form_without_a_mark_of_ours_is_refused(draft):
    other = parse_click(pressed({**CHOICE, "draft": draft}))
    assert isinstance(other, Other)
    assert other.ours


@pytest.mark.parametrize("gone", ["view", "hash", "private_metadata"])
def test_a_press_outside_of_a_form_is_refused(gone):
    payload = pressed()
    del (payload if gone == "view" else payload["view"])[gone]
    other = parse_click(payload)
    assert isinstance(other, Other)
    assert other.ours


def test_a_press_in_a_view_of_another_kind_is_refused():
    assert isinstance(parse_click(pressed(callback_id="stuck")), Other)


def test_a_submission_tells_which_step_of_which_draft_it_shows():
    submission = parse_submission(submitted({**CHOICE, "draft": "0ff1ce:2"}))
    assert isinstance(submission, Submission)
    assert submission.mark == Mark("0ff1ce", 2)
    plain = parse_submission(submitted())
    assert isinstance(plain, Submission)
    assert plain.mark is None


def test_a_mark_comes_back_as_it_was_put_into_the_form():
    mark = Mark.of("0ff1ce", Draft(step=11))
    assert Mark.parse(str(mark)) == mark == Mark("0ff1ce", 11)


def test_who_looks_for_options_is_understood_with_and_without_a_draft():
    asked = Suggestion(AnswerTarget("i-7", 2, "approve"), "field:/town", "ber", "U0BOB")
    assert parse_suggestion(looked_for()) == asked
    assert parse_suggestion(looked_for(carried=CHOICE)) == asked


def test_of_what_is_typed_into_a_select_no_more_than_anybody_types_is_looked_at():
    suggestion = parse_suggestion(looked_for("x" * 5_000))
    assert isinstance(suggestion, Suggestion)
    assert len(suggestion.typed) == 200


@pytest.mark.parametrize("callback_id", ["survey", "stuck", ""])
def test_options_for_another_view_are_not_ours_to_give(callback_id):
    other = parse_suggestion(looked_for(callback_id=callback_id))
    assert isinstance(other, Other)
    assert not other.ours


@given(JSON)
def test_no_json_makes_the_parser_of_suggestions_raise(junk):
    assert isinstance(parse_suggestion(junk), Other)


@given(st.sampled_from([pressed(), pressed(START, "start"), looked_for()]), JSON, st.data())
def test_no_damaged_payload_from_a_form_makes_the_parsers_raise(payload, junk, data):
    payload = part = copy.deepcopy(payload)
    while True:
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else list(range(len(part)))))
        if not isinstance(part[key], dict | list) or not part[key] or data.draw(st.booleans()):
            part[key] = junk
            break
        part = part[key]
    assert isinstance(parse_click(payload), FormClick | Other)
    assert isinstance(parse_suggestion(payload), Suggestion | Other)


@given(st.text(st.characters(codec=None)))
def test_no_text_in_a_form_becomes_a_press(carried):
    payload = pressed()
    payload["view"]["private_metadata"] = carried
    assert isinstance(parse_click(payload), Other)
    assert json.dumps(payload)
