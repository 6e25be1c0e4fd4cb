"""The validator refuses what Slack would refuse, and what this bot must never send."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.validate import all_text, validate_blocks, validate_message, validate_view


def plain(text="Text"):
    return {"type": "plain_text", "text": text}


def mrkdwn(text="Text", **more):
    return {"type": "mrkdwn", "text": text, **more}


def option(number=1, **more):
    return {"text": plain(f"Option {number}"), "value": f"o{number}", **more}


def button(**more):
    return {"type": "button", "text": plain("Approve"), "action_id": "choice:0", **more}


def section(**more):
    return {"type": "section", "text": mrkdwn(), **more}


def actions(*elements, **more):
    return {"type": "actions", "elements": list(elements), **more}


def entry(element, **more):
    return {"type": "input", "label": plain("Label"), "element": element, **more}


def rich(*pieces):
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(pieces)}]}


def modal(*blocks, **more):
    return {"type": "modal", "title": plain("Title"), "submit": plain("Send"), "blocks": list(blocks), **more}


CONFIRM = {"title": plain(), "text": plain(), "confirm": plain(), "deny": plain()}
TYPED = {"type": "plain_text_input", "action_id": "value"}
NUMBER = {"type": "number_input", "is_decimal_allowed": True}
SELECT = {"type": "static_select", "options": [option(1), option(2)]}

SOUND = [
    section(),
    section(fields=[plain(), mrkdwn()], accessory=button()),
    {"type": "section", "fields": [plain()] * 10},
    section(text=mrkdwn("@here", verbatim=True)),
    {"type": "header", "text": {**plain("h" * 150), "emoji": True}},
    {"type": "divider", "block_id": "line"},
    {
        "type": "context",
        "elements": [mrkdwn(), plain(), {"type": "image", "alt_text": "x", "image_url": "https://x.example/"}],
    },
    actions(button(style="primary", value="v" * 2_000, confirm={**CONFIRM, "style": "danger"})),
    actions(*(button(action_id=f"choice:{number}") for number in range(25))),
    actions({"type": "overflow", "options": [option(url="https://x.example/")]}),
    actions({**SELECT, "initial_option": option(2), "placeholder": plain("p" * 150)}),
    actions(
        {"type": "users_select", "initial_user": "U0ANN"}, {"type": "datetimepicker", "initial_date_time": 1796036709}
    ),
    entry(
        {**TYPED, "multiline": True, "min_length": 3, "max_length": 10, "initial_value": "hello"},
        hint=plain(),
        optional=True,
    ),
    entry({**NUMBER, "min_value": "0", "max_value": "10.5", "initial_value": "3"}),
    entry({"type": "datepicker", "initial_date": "2026-11-30"}),
    entry({"type": "timepicker", "initial_time": "23:59", "timezone": "Europe/Berlin"}),
    entry({"type": "checkboxes", "options": [option(1), option(2)], "initial_options": [option(2)]}),
    entry(
        {
            "type": "radio_buttons",
            "options": [option(1, description=mrkdwn())],
            "initial_option": option(1, description=mrkdwn()),
        }
    ),
    entry(
        {
            "type": "multi_static_select",
            "option_groups": [{"label": plain(), "options": [option()]}],
            "max_selected_items": 1,
        }
    ),
    entry({"type": "conversations_select", "filter": {"include": ["private"]}}),
    {"type": "image", "alt_text": "A chart", "slack_file": {"id": "F0CHART"}, "title": plain()},
    rich(
        {"type": "text", "text": "<!channel> is literal here", "style": {"bold": True}},
        {"type": "user", "user_id": "U0ANN"},
    ),
    {"type": "card", "title": mrkdwn(), "actions": [button()]},
]

UNSOUND = [
    ({"type": "nonsense"}, "/0/type", "unsupported type: nonsense"),
    ({}, "/0", "missing required field: type"),
    ("words", "/0", "must be an object"),
    ({"type": "section"}, "/0", "must have at least one of: text, fields"),
    (section(text=mrkdwn("")), "/0/text/text", "must be more than 0 characters"),
    (section(text=mrkdwn("x" * 3_001)), "/0/text/text", "must be less than 3001 characters"),
    (section(text=mrkdwn(emoji=True)), "/0/text/emoji", "invalid additional property: emoji"),
    (section(text={**plain(), "verbatim": True}), "/0/text/verbatim", "invalid additional property: verbatim"),
    (section(fields=[plain()] * 11), "/0/fields", "no more than 10 items allowed"),
    (section(fields=[]), "/0/fields", "no fewer than 1 items allowed"),
    (section(fields=[plain("x" * 2_001)]), "/0/fields/0/text", "must be less than 2001 characters"),
    (section(accessory={"type": "datetimepicker"}), "/0/accessory/type", "unsupported type: datetimepicker"),
    (section(accessory=TYPED), "/0/accessory/type", "unsupported type: plain_text_input"),
    (section(colour="red"), "/0/colour", "invalid additional property: colour"),
    (section(block_id="x" * 256), "/0/block_id", "must be less than 256 characters"),
    ({"type": "header", "text": mrkdwn()}, "/0/text/type", "unsupported type: mrkdwn"),
    ({"type": "header", "text": plain("x" * 151)}, "/0/text/text", "must be less than 151 characters"),
    ({"type": "context", "elements": [plain()] * 11}, "/0/elements", "no more than 10 items allowed"),
    ({"type": "context", "elements": [button()]}, "/0/elements/0/type", "unsupported type: button"),
    (actions(), "/0/elements", "no fewer than 1 items allowed"),
    (actions(*(button(action_id=f"a{n}") for n in range(26))), "/0/elements", "no more than 25 items allowed"),
    (actions(button(), button()), "/0/elements/1/action_id", "action_id must be unique: choice:0"),
    (actions(button(text=plain("x" * 76))), "/0/elements/0/text/text", "must be less than 76 characters"),
    (actions(button(text=mrkdwn())), "/0/elements/0/text/type", "unsupported type: mrkdwn"),
    (actions(button(style="green")), "/0/elements/0/style", "must be a valid enum value"),
    (actions(button(value="x" * 2_001)), "/0/elements/0/value", "must be less than 2001 characters"),
    (actions(button(confirm={"title": plain(), "text": plain(), "confirm": plain()})), "/0/elements/0/confirm", "missing required field: deny"),
    (actions(button(confirm={**CONFIRM, "text": mrkdwn()})), "/0/elements/0/confirm/text/type", "unsupported type: mrkdwn"),
    (actions({"type": "overflow", "options": [option(n) for n in range(6)]}), "/0/elements/0/options", "no more than 5 items allowed"),
    (actions({"type": "static_select"}), "/0/elements/0", "must have exactly one of: options, option_groups"),
    (actions({**SELECT, "option_groups": [{"label": plain(), "options": [option()]}]}), "/0/elements/0", "must have exactly one of: options, option_groups"),
    (actions({**SELECT, "options": [option(n) for n in range(101)]}), "/0/elements/0/options", "no more than 100 items allowed"),
    (actions({**SELECT, "initial_option": option(3)}), "/0/elements/0/initial_option", "must be one of the options"),
    (actions({**SELECT, "options": [option(url="")]}), "/0/elements/0/options/0/url", "invalid additional property: url"),
    (actions({**SELECT, "options": [option(value="x" * 151)]}), "/0/elements/0/options/0/value", "must be less than 151 characters"),
    (actions({"type": "channels_select", "response_url_enabled": True}), "/0", "response_url_enabled works in input blocks only"),
    ({"type": "input", "element": TYPED}, "/0", "missing required field: label"),
    (entry(TYPED, label=mrkdwn()), "/0/label/type", "unsupported type: mrkdwn"),
    (entry(button()), "/0/element/type", "unsupported type: button"),
    (entry({**TYPED, "min_length": 5, "max_length": 4}), "/0/element", "min_length must be no more than max_length"),
    (entry({**TYPED, "max_length": 3, "initial_value": "long"}), "/0/element/initial_value", "must be 0 to 3 characters"),
    (entry({"type": "number_input"}), "/0/element", "missing required field: is_decimal_allowed"),
    (entry({**NUMBER, "min_value": 1}), "/0/element/min_value", "must be a number in a string"),
    (entry({**NUMBER, "min_value": "2", "max_value": "1"}), "/0/element", "min_value, initial_value and max_value must be in order"),
    (entry({**NUMBER, "max_value": "1", "initial_value": "2"}), "/0/element", "min_value, initial_value and max_value must be in order"),
    (entry({**NUMBER, "is_decimal_allowed": False, "initial_value": "0.5"}), "/0/element/initial_value", "must be a whole number"),
    (entry({"type": "datepicker", "initial_date": "2026-02-30"}), "/0/element/initial_date", "must be a valid date (YYYY-MM-DD)"),
    (entry({"type": "datepicker", "initial_date": "20261130"}), "/0/element/initial_date", "must be a valid date (YYYY-MM-DD)"),
    (entry({"type": "timepicker", "initial_time": "24:00"}), "/0/element/initial_time", "must be a valid time (HH:mm)"),
    (entry({"type": "datetimepicker", "initial_date_time": 12}), "/0/element/initial_date_time", "must be no less than 1000000000"),
    (entry({"type": "radio_buttons", "options": [option(n) for n in range(11)]}), "/0/element/options", "no more than 10 items allowed"),
    (entry({"type": "multi_users_select", "max_selected_items": 0}), "/0/element/max_selected_items", "must be no less than 1"),
    (entry({"type": "multi_users_select", "initial_users": ["U0ANN", "U0BOB"], "max_selected_items": 1}), "/0/element/initial_users", "no more than 1 items allowed"),
    (entry({"type": "conversations_select", "filter": {"include": []}}), "/0/element/filter/include", "no fewer than 1 items allowed"),
    (entry({"type": "conversations_select", "response_url_enabled": True}), "/0/element", "response_url_enabled works in modals only"),
    ({"type": "image", "alt_text": "x"}, "/0", "must have exactly one of: image_url, slack_file"),
    ({"type": "image", "image_url": "https://x.example/"}, "/0", "missing required field: alt_text"),
    (rich({"type": "text", "text": ""}), "/0/elements/0/elements/0/text", "must be more than 0 characters"),
    (rich({"type": "user", "user_id": "ann"}), "/0/elements/0/elements/0/user_id", "must be a user id"),
    ({"type": "alert", "text": plain()}, "/0/type", "unsupported type: alert"),
    ({"type": "task_card", "task_id": "1", "title": "x", "status": "pending"}, "/0/status", "must not be pending outside a plan"),
    ({"type": "container", "title": plain(), "child_blocks": [{"type": "divider"}], "default_collapsed": True}, "/0", "default_collapsed needs is_collapsible"),
]  # fmt: skip


def _told(faults):
    return [(fault.pointer, fault.message) for fault in faults]


@pytest.mark.parametrize("block", SOUND, ids=lambda block: block["type"])
def test_a_sound_block_has_no_faults(block):
    assert validate_blocks([block], "message") == []


@pytest.mark.parametrize(("block", "pointer", "message"), UNSOUND)
def test_an_unsound_block_is_told_where_and_why(block, pointer, message):
    assert _told(validate_blocks([block], "message")) == [(pointer, message)]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (mrkdwn("<!channel> hello", verbatim=True), True),
        (mrkdwn("<!subteam^S012345>", verbatim=True), True),
        (mrkdwn("tell @everyone"), True),
        (mrkdwn("ann@here.example"), False),
        (mrkdwn("&lt;!channel&gt;", verbatim=True), False),
        (mrkdwn("<!date^1796036709^{date}|2026-11-30>", verbatim=True), False),
    ],
)
def test_no_block_calls_a_whole_channel(text, refused):
    faults = validate_blocks([section(text=text)], "message")
    assert [fault.code for fault in faults] == (["house_rule"] if refused else [])


def test_a_broadcast_in_rich_text_is_refused():
    assert validate_blocks([rich({"type": "broadcast", "range": "channel"})], "message")[0].code == "house_rule"


def test_an_unsafe_link_is_refused():
    faults = validate_blocks([actions(button(url="javascript:alert(1)"))], "message")
    assert _told(faults) == [("/0/elements/0/url", "must be a safe URL")]


@pytest.mark.parametrize(
    ("kind", "surface", "allowed"),
    [
        ("alert", "modal", True),
        ("alert", "home", False),
        ("markdown", "message", True),
        ("markdown", "modal", False),
        ("file", "message", False),
    ],
)
def test_each_block_appears_only_where_slack_allows_it(kind, surface, allowed):
    block = {"type": kind, "text": plain() if kind == "alert" else "words"}
    assert (validate_blocks([block], surface) == []) is allowed


def test_a_block_id_is_unique_on_its_surface():
    faults = validate_blocks([section(block_id="same"), {"type": "divider", "block_id": "same"}], "home")
    assert _told(faults) == [("/1/block_id", "block_id must be unique: same")]


def test_a_message_holds_fifty_blocks():
    assert validate_message({"text": "t", "blocks": [{"type": "divider"}] * 50}) == []
    faults = validate_message({"text": "t", "blocks": [{"type": "divider"}] * 51})
    assert _told(faults) == [("/blocks", "no more than 50 items allowed")]


def test_a_message_always_has_a_text_to_fall_back_on():
    assert [fault.code for fault in validate_message({"blocks": [section()]})] == ["house_rule"]
    assert [fault.code for fault in validate_message({"text": ""})] == ["failed_constraint"]


def test_a_messages_text_neither_pings_nor_turns_names_into_mentions():
    faults = validate_message({"text": "<!here> look", "link_names": True})
    assert [fault.pointer for fault in faults] == ["/text", "/link_names"]


def test_the_text_of_all_blocks_together_has_a_limit_that_slack_does_not_document():
    def codes(count):
        return [
            fault.code
            for fault in validate_message({"text": "t", "blocks": [section(text=plain("x" * 1_000))] * count})
        ]

    assert codes(10) == []
    assert codes(11) == ["house_rule"]
    assert codes(14) == ["failed_constraint"]


def test_all_text_counts_what_is_shown():
    assert all_text([section(text=mrkdwn("abc"), fields=[plain("de")]), rich({"type": "text", "text": "f"})]) == 6


def test_metadata_is_flat():
    event = {"event_type": "copy", "event_payload": {"id": "c1", "tags": [{"a": 1}], "one": {"b": True}}}
    assert validate_message({"text": "t", "metadata": event}) == []
    deep = {"event_type": "copy", "event_payload": {"one": {"two": {"three": 3}}}}
    assert [fault.pointer for fault in validate_message({"text": "t", "metadata": deep})] == [
        "/metadata/event_payload/one"
    ]


def test_a_sound_modal_has_no_faults():
    assert validate_view(modal(entry(TYPED), callback_id="answer", private_metadata="{}", close=plain("Back"))) == []


@pytest.mark.parametrize(
    ("view", "pointer", "message"),
    [
        ({"type": "modal", "blocks": [section()]}, "/view", "missing required field: title"),
        (modal(section(), title=plain("x" * 25)), "/view/title/text", "must be less than 25 characters"),
        (modal(section(), submit=mrkdwn()), "/view/submit/type", "unsupported type: mrkdwn"),
        (modal(), "/view/blocks", "no fewer than 1 items allowed"),
        (modal(*[{"type": "divider"}] * 101), "/view/blocks", "no more than 100 items allowed"),
        (modal(section(), private_metadata="x" * 3_001), "/view/private_metadata", "must be less than 3001 characters"),
        (modal(section(), callback_id="x" * 256), "/view/callback_id", "must be less than 256 characters"),
        (modal(section(), size="big"), "/view/size", "invalid additional property: size"),
        (modal(section(), type="home"), "/view/type", "must be a valid enum value"),
        ("view", "/view", "must be an object"),
    ],
)
def test_an_unsound_modal_is_told_where_and_why(view, pointer, message):
    assert _told(validate_view(view)) == [(pointer, message)]


def test_a_modal_with_inputs_needs_a_submit_button():
    view = {"type": "modal", "title": plain(), "blocks": [entry(TYPED)]}
    assert _told(validate_view(view)) == [("/view", "missing required field: submit")]


def test_only_one_element_takes_the_focus():
    view = modal(entry({**TYPED, "focus_on_load": True}), entry({**NUMBER, "focus_on_load": True}))
    assert [fault.pointer for fault in validate_view(view)] == ["/view/blocks/1/element/focus_on_load"]


def test_a_view_of_more_than_250_kilobytes_is_refused():
    view = modal(*[section(text=plain("é" * 3_000))] * 50)
    assert [fault.constraint["type"] for fault in validate_view(view)] == ["max_bytes"]


def test_a_home_tab_has_neither_title_nor_submit():
    assert validate_view({"type": "home", "blocks": [section()]}, "home") == []
    faults = validate_view({"type": "home", "title": plain(), "blocks": [section()]}, "home")
    assert _told(faults) == [("/view/title", "invalid additional property: title")]


def test_a_fault_reads_like_slacks_own():
    (fault,) = validate_blocks([section(text={"type": "invalid", "text": "x"})], "message")
    assert fault.as_json() == {
        "code": "failed_constraint",
        "message": "unsupported type: invalid",
        "pointer": "/0/text/type",
        "constraint": {"type": "enum", "expected": ["mrkdwn", "plain_text"]},
    }
    assert str(fault) == "unsupported type: invalid [json-pointer:/0/text/type]"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["type", "text", "blocks", "elements", "options", "element", "~/"]) | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(JUNK)
def test_no_json_makes_the_validator_raise(junk):
    validate_message(junk)
    validate_view(junk)
    validate_blocks(junk, "home")


@given(st.sampled_from(SOUND), st.data())
def test_a_sound_block_with_any_part_replaced_never_makes_it_raise(block, data):
    block = json.loads(json.dumps(block))
    part = block
    while isinstance(part, dict) and part:
        key = data.draw(st.sampled_from(sorted(part)))
        if data.draw(st.booleans()):
            part[key] = data.draw(JUNK)
            break
        part = part[key]
    validate_blocks([block], "message")
