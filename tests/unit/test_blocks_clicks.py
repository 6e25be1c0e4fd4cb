"""What Slack sends becomes a value, or `Other`; never an exception, never an approval by accident."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.clicks import (
    Act,
    ActTarget,
    AnswerTarget,
    Click,
    Command,
    Order,
    Other,
    StartTarget,
    Submission,
    parse_click,
    parse_command,
    parse_submission,
)

TRIGGER = "13345224609.738474920.8088930838d88f008e0"
COMMON = {
    "team": {"id": "T0ACME", "domain": "acme"},
    "enterprise": None,
    "is_enterprise_install": False,
    "user": {"id": "U0BOB", "username": "bob", "name": "bob", "team_id": "T0ACME"},
    "api_app_id": "A0SIGNOFF",
    "token": "deprecated",
    "trigger_id": TRIGGER,
}
CHOICE = {"interrupt": "i-7", "version": 2, "choice": "approve"}


def clicked(value=None, action_id="choice:0", **more):
    """A button in a channel, as Slack reports it."""
    return {
        **COMMON,
        "type": "block_actions",
        "container": {
            "type": "message",
            "message_ts": "1796036709.000200",
            "channel_id": "C0APPROVALS",
            "is_ephemeral": False,
        },
        "channel": {"id": "C0APPROVALS", "name": "approvals"},
        "message": {"type": "message", "user": "U0SIGNOFF", "ts": "1796036709.000200", "text": "Approve &amp; send?"},
        "state": {"values": {}},
        "response_url": "https://hooks.slack.example/actions/T0ACME/1/x",
        "actions": [
            {
                "type": "button",
                "block_id": "answers",
                "action_id": action_id,
                "text": {"type": "plain_text", "text": "Approve", "emoji": True},
                "value": json.dumps(CHOICE if value is None else value),
                "style": "primary",
                "action_ts": "1796036712.345678",
                **more,
            }
        ],
    }


def submitted(carried=None, callback_id="answer", **more):
    """A modal, as Slack reports it: without channel, message or response URL."""
    return {
        **COMMON,
        "type": "view_submission",
        "view": {
            "id": "V0FORM",
            "team_id": "T0ACME",
            "type": "modal",
            "callback_id": callback_id,
            "private_metadata": json.dumps(CHOICE if carried is None else carried),
            "state": {"values": {"field:reason": {"value": {"type": "plain_text_input", "value": "Too early"}}}},
            "hash": "1796036709.55b5e41b",
            "title": {"type": "plain_text", "text": "Reject"},
            "blocks": [],
            "root_view_id": "V0FORM",
            **more,
        },
        "response_urls": [],
    }


def typed(**more):
    """A slash command's form."""
    return {
        "token": "deprecated",
        "team_id": "T0ACME",
        "team_domain": "acme",
        "channel_id": "C0APPROVALS",
        "channel_name": "approvals",
        "user_id": "U0ANN",
        "user_name": "ann",
        "command": "/signoff",
        "text": " send_message ",
        "response_url": "https://hooks.slack.example/commands/T0ACME/1/x",
        "trigger_id": TRIGGER,
        "api_app_id": "A0SIGNOFF",
        "is_enterprise_install": "false",
        **more,
    }


def test_a_click_names_the_choice_and_who_pressed_it_where():
    assert parse_click(clicked()) == Click(
        interrupt_id="i-7",
        content_version=2,
        choice_key="approve",
        person="U0BOB",
        channel="C0APPROVALS",
        message_ts="1796036709.000200",
        trigger_id=TRIGGER,
        response_url="https://hooks.slack.example/actions/T0ACME/1/x",
        source="click:1796036712.345678:U0BOB",
    )


def test_a_click_on_the_home_tab_has_no_channel():
    payload = clicked() | {"container": {"type": "view", "view_id": "V0HOME"}}
    del payload["channel"], payload["response_url"], payload["message"]
    click = parse_click(payload)
    assert isinstance(click, Click)
    assert (click.channel, click.message_ts, click.response_url) == (None, None, None)


def test_a_click_in_an_ephemeral_message_takes_its_channel_from_the_container():
    payload = clicked()
    del payload["channel"], payload["message"]
    click = parse_click(payload)
    assert isinstance(click, Click)
    assert click.channel == "C0APPROVALS"


def test_a_redelivered_click_has_the_same_source_and_a_second_click_another():
    first, again, second = (
        parse_click(payload) for payload in (clicked(), clicked(), clicked(action_ts="1796036713.000001"))
    )
    assert isinstance(first, Click)
    assert isinstance(again, Click)
    assert isinstance(second, Click)
    assert first.source == again.source != second.source


def test_the_button_over_many_choices_carries_an_empty_key():
    click = parse_click(clicked({**CHOICE, "choice": ""}, action_id="choose"))
    assert isinstance(click, Click)
    assert click.choice_key == ""


@pytest.mark.parametrize(
    ("verb", "interrupt"),
    [("run_again", None), ("it_happened", None), ("it_did_not", None), ("deliver_again", "i-7")],
)
def test_an_order_names_the_run_and_the_epoch_it_was_drawn_at(verb, interrupt):
    value = {"order": verb, "run": "r-1", "epoch": 3} | ({"interrupt": interrupt} if interrupt else {})
    order = parse_click(clicked(value, action_id=f"order:{verb}"))
    assert isinstance(order, Order)
    assert (order.verb, order.run_id, order.epoch, order.interrupt_id) == (verb, "r-1", 3, interrupt)
    assert (order.person, order.channel, order.source) == ("U0BOB", "C0APPROVALS", "click:1796036712.345678:U0BOB")


@pytest.mark.parametrize(
    "value",
    [
        "",
        "approve",
        "null",
        "[]",
        "{}",
        '"approve"',
        '{"interrupt": "i-7", "version": 2}',
        '{"interrupt": "i-7", "version": 2, "chioce": "approve"}',
        '{"interrupt": "i-7", "version": 2, "choice": "approve", "also": 1}',
        '{"interrupt": "i-7", "version": 2, "choice": "reject", "choice": "approve"}',
        '{"interrupt": "i-7", "version": "2", "choice": "approve"}',
        '{"interrupt": "i-7", "version": true, "choice": "approve"}',
        '{"interrupt": "i-7", "version": -1, "choice": "approve"}',
        '{"interrupt": "i-7", "version": 1e400, "choice": "approve"}',
        '{"interrupt": "i-7", "version": 99999999999, "choice": "approve"}',
        '{"interrupt": "", "version": 2, "choice": "approve"}',
        '{"interrupt": "i\\u0000", "version": 2, "choice": "approve"}',
        '{"interrupt": "i-7", "version": 2, "choice": null}',
        '{"interrupt": "i-7", "version": 2, "choice": ["approve"]}',
        '{"interrupt": "i-7", "version": 2, "choice": "\\ud800"}',
        "[" * 2_500,
        '{"interrupt": "i-7", "version": ' + "9" * 5_000 + ', "choice": "approve"}',
    ],
)
def test_an_empty_misspelt_tagless_or_doubly_tagged_answer_is_refused(value):
    payload = clicked()
    payload["actions"][0]["value"] = value
    other = parse_click(payload)
    assert isinstance(other, Other)
    assert other.ours
    assert (other.person, other.channel) == ("U0BOB", "C0APPROVALS")
    assert other.response_url == "https://hooks.slack.example/actions/T0ACME/1/x"


def test_a_button_without_a_value_is_refused():
    payload = clicked()
    del payload["actions"][0]["value"]
    other = parse_click(payload)
    assert isinstance(other, Other)
    assert other.ours


@pytest.mark.parametrize(
    ("action_id", "value"),
    [
        ("order:it_happened", {"order": "it_did_not", "run": "r-1", "epoch": 3}),
        ("order:delete", {"order": "delete", "run": "r-1", "epoch": 3}),
        ("order:deliver_again", {"order": "deliver_again", "run": "r-1", "epoch": 3}),
        ("order:run_again", CHOICE),
        ("choice:0", {"order": "run_again", "run": "r-1", "epoch": 3}),
        ("choose", CHOICE),
        ("choice:0", {**CHOICE, "choice": ""}),
    ],
)
def test_a_button_whose_parts_contradict_each_other_is_refused(action_id, value):
    other = parse_click(clicked(value, action_id=action_id))
    assert isinstance(other, Other)
    assert other.ours


ACT = {"act": "take", "interrupt": "i-7", "version": 2}


def test_an_act_names_its_card_and_who_pressed_it():
    assert parse_click(clicked(ACT, "act:take")) == Act(
        verb="take",
        interrupt_id="i-7",
        content_version=2,
        person="U0BOB",
        trigger_id=TRIGGER,
        response_url="https://hooks.slack.example/actions/T0ACME/1/x",
        source="click:1796036712.345678:U0BOB",
    )


@pytest.mark.parametrize(
    ("value", "action_id"),
    [
        (ACT, "act:ask"),
        ({**ACT, "act": "approve"}, "act:approve"),
        ({**ACT, "choice": "approve"}, "act:take"),
        ({"act": "take", "interrupt": "i-7"}, "act:take"),
    ],
)
def test_an_act_that_carries_something_else_is_refused(value, action_id):
    other = parse_click(clicked(value, action_id))
    assert isinstance(other, Other)
    assert other.ours


def test_a_submitted_form_of_an_act_names_its_card():
    submission = parse_submission(submitted(ACT, callback_id="act"))
    assert isinstance(submission, Submission)
    assert submission.target == ActTarget("take", "i-7", 2)


def test_two_clicks_in_one_payload_are_refused():
    payload = clicked()
    payload["actions"] *= 2
    assert isinstance(parse_click(payload), Other)


@pytest.mark.parametrize("more", [{"type": "static_select"}, {"action_id": "receipt"}, {"action_id": ""}])
def test_a_click_on_something_else_is_not_ours(more):
    other = parse_click(clicked(**more))
    assert isinstance(other, Other)
    assert not other.ours
    assert other.person == "U0BOB"


@pytest.mark.parametrize("person", ["", "bob", "B0BOT", "U0BOB> <!channel", None, 7])
def test_a_click_by_nobody_is_refused(person):
    payload = clicked()
    payload["user"] = {"id": person}
    other = parse_click(payload)
    assert isinstance(other, Other)
    assert other.person is None


def test_a_reason_repeats_nothing_that_was_sent():
    other = parse_click(clicked({**CHOICE, "version": "my secret"}))
    assert isinstance(other, Other)
    assert "secret" not in other.reason
    assert "version" in other.reason


def test_a_submitted_answer_names_its_choice_and_brings_its_values():
    submission = parse_submission(submitted())
    assert isinstance(submission, Submission)
    assert submission.target == AnswerTarget("i-7", 2, "approve")
    assert submission.values == {"field:reason": {"value": {"type": "plain_text_input", "value": "Too early"}}}
    assert (submission.person, submission.view_id, submission.trigger_id) == ("U0BOB", "V0FORM", TRIGGER)


@pytest.mark.parametrize("channel", ["C0APPROVALS", None])
def test_a_submitted_input_names_its_action_and_where_it_was_asked_for(channel):
    carried = {"action": "send_message", "channel": channel, "nonce": "n-1"}
    submission = parse_submission(submitted(carried, callback_id="start"))
    assert isinstance(submission, Submission)
    assert submission.target == StartTarget("send_message", channel, "n-1")


def test_a_redelivered_submission_has_the_same_source_and_a_corrected_one_another():
    first, again = parse_submission(submitted()), parse_submission(submitted())
    corrected = parse_submission(submitted(state={"values": {"field:reason": {"value": {"value": "Later"}}}}))
    assert isinstance(first, Submission)
    assert isinstance(again, Submission)
    assert isinstance(corrected, Submission)
    assert first.source == again.source != corrected.source


@pytest.mark.parametrize("state", [None, {}, {"values": {}}])
def test_a_view_without_inputs_brings_no_values(state):
    submission = parse_submission(submitted(state=state))
    assert isinstance(submission, Submission)
    assert submission.values == {}


@pytest.mark.parametrize(
    "carried", [{}, {"interrupt": "i-7"}, {**CHOICE, "state": 1}, [], "x", {"action": "a", "nonce": "n"}]
)
@pytest.mark.parametrize("callback_id", ["answer", "start", "act"])
def test_a_view_that_carries_nonsense_is_refused(carried, callback_id):
    other = parse_submission(submitted(carried, callback_id=callback_id))
    assert isinstance(other, Other)
    assert other.ours
    assert other.person == "U0BOB"


@pytest.mark.parametrize("values", [[], {"field:reason": {"value": "Too early"}}, {"field:reason": None}])
def test_a_view_of_ours_that_cannot_be_read_is_still_ours(values):
    other = parse_submission(submitted(state={"values": values}))
    assert isinstance(other, Other)
    assert other.ours


def test_another_apps_view_is_not_ours():
    other = parse_submission(submitted(callback_id="survey"))
    assert isinstance(other, Other)
    assert not other.ours


def test_a_view_that_was_only_closed_is_no_submission():
    assert isinstance(parse_submission(submitted() | {"type": "view_closed", "is_cleared": False}), Other)


def test_a_command_says_who_typed_what_where():
    assert parse_command(typed()) == Command(
        command="/signoff",
        text="send_message",
        person="U0ANN",
        channel="C0APPROVALS",
        trigger_id=TRIGGER,
        response_url="https://hooks.slack.example/commands/T0ACME/1/x",
        source=f"command:{TRIGGER}",
    )


@pytest.mark.parametrize("more", [{"user_id": None}, {"user_id": "ann"}, {"channel_id": ""}, {"trigger_id": None}])
def test_a_command_that_lacks_something_is_refused(more):
    assert isinstance(parse_command(typed(**more)), Other)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_no_json_makes_the_parsers_raise(junk):
    assert isinstance(parse_click(junk), Other)
    assert isinstance(parse_submission(junk), Other)
    assert isinstance(parse_command(junk), Other)


@given(st.sampled_from([clicked(), submitted(), typed()]), JSON, st.data())
def test_no_damaged_payload_makes_the_parsers_raise(payload, junk, data):
    payload = copy.deepcopy(payload)
    part = payload
    while True:
        key = data.draw(st.sampled_from(sorted(part) if isinstance(part, dict) else list(range(len(part)))))
        if not isinstance(part[key], dict | list) or not part[key] or data.draw(st.booleans()):
            part[key] = junk
            break
        part = part[key]
    assert isinstance(parse_click(payload), Click | Other)
    assert isinstance(parse_submission(payload), Submission | Other)
    assert isinstance(parse_command(payload), Command | Other)


@given(st.text(st.characters(codec=None)))
def test_no_text_in_a_button_becomes_a_click(value):
    payload = clicked()
    payload["actions"][0]["value"] = value
    assert isinstance(parse_click(payload), Other)
