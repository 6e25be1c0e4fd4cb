"""Forms from JSON Schema: drawn, filled in, read back to exactly the value, and every problem at its input."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, NaiveDatetime

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Card, Choice, Draft, Shape
from actions.kit.shapes.answers import Resume
from blocks.choices import click_value
from blocks.form import answer_view, choose_view, chosen, field_errors, form_blocks, input_view, notice_view, read_form
from blocks.forms.planning import plan_of
from blocks.forms.plans import Kind, inputs_of
from blocks.validate import validate_blocks, validate_view
from blocks.values import BENEATH
from tests.cards import CARDS, REASON, REJECT, spend_request_card
from tests.filling import fill
from tests.filling import text as typed
from tests.golden_files import assert_golden

Schema = dict[str, Any]

SPEND: Schema = {
    "title": "SpendRequest",
    "type": "object",
    "properties": {
        "amount": {
            "title": "Amount",
            "type": "string",
            "format": "decimal",
            "exclusiveMinimum": 0,
            "maximum": 500,
            "decimalPlaces": 2,
        },
        "currency": {"$ref": "#/$defs/Currency"},
        "vendor": {"title": "Vendor", "type": "string", "minLength": 1, "maxLength": 120},
        "justification": {
            "title": "Justification",
            "type": "string",
            "maxLength": 2000,
            "description": "What it is for",
        },
        "receipt_link": {
            "title": "Receipt link",
            "anyOf": [{"type": "string", "format": "uri"}, {"type": "null"}],
            "default": None,
        },
        "needed_by": {"title": "Needed by", "type": "string", "format": "date"},
        "recurring": {"title": "Recurring", "type": "boolean", "default": False},
        "tags": {"title": "Tags", "type": "array", "items": {"type": "string"}, "maxItems": 3},
        "ship_to": {"$ref": "#/$defs/Address"},
    },
    "required": ["amount", "currency", "vendor", "justification", "needed_by", "ship_to"],
    "additionalProperties": False,
    "$defs": {
        "Currency": {"enum": ["EUR", "USD", "GBP"], "title": "Currency", "type": "string"},
        "Address": {
            "title": "Address",
            "type": "object",
            "properties": {
                "street": {"title": "Street", "type": "string"},
                "zip": {"title": "Zip", "type": "integer", "minimum": 1},
            },
            "required": ["street", "zip"],
            "additionalProperties": False,
        },
    },
}
SPENT = {
    "amount": "19.90",
    "currency": "USD",
    "vendor": "Northwind",
    "justification": "Two\nlines",
    "receipt_link": "https://example.com/1",
    "needed_by": "2026-12-15",
    "recurring": True,
    "tags": ["desk", "screen"],
    "ship_to": {"street": "Main St 1", "zip": 10115},
}


def blocks_by_label(schema: Schema) -> dict[str, dict[str, Any]]:
    return {block["label"]["text"]: block for block in form_blocks(schema)}


def block_of(schema: Schema, *path: str) -> str:
    return next(plan.block_id for plan in inputs_of(plan_of(schema)) if plan.path == path)


def test_a_form_asks_for_each_property_in_its_order_and_in_its_kind():
    elements = {label: block["element"]["type"] for label, block in blocks_by_label(SPEND).items()}
    assert elements == {
        "Amount": "number_input",
        "Currency": "radio_buttons",
        "Vendor": "plain_text_input",
        "Justification": "plain_text_input",
        "Receipt link": "url_text_input",
        "Needed by": "datepicker",
        "Recurring": "radio_buttons",
        "Tags": "plain_text_input",
        f"Ship to{BENEATH}Street": "plain_text_input",
        f"Ship to{BENEATH}Zip": "number_input",
    }


def test_hints_say_what_is_accepted():
    hints = {label: block.get("hint", {}).get("text") for label, block in blocks_by_label(SPEND).items()}
    assert hints["Amount"] == "More than 0, at most 500, at most 2 decimal places"
    assert hints["Justification"] == "What it is for · at most 2000 characters"
    assert hints["Tags"] == "One per line, at most 3 entries"
    assert hints["Recurring"] is None


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"minLength": 3, "maxLength": 500}, "3 to 500 characters"),
        ({"minLength": 3}, "At least 3 characters"),
        ({"minLength": 1, "maxLength": 500}, "At most 500 characters"),
        ({"minLength": 4, "maxLength": 4}, "Exactly 4 characters"),
    ],
)
def test_a_hint_says_how_long_a_text_may_be(limits: Schema, words: str):
    (block,) = form_blocks({"type": "object", "properties": {"code": {"type": "string", **limits}}})
    assert block["hint"]["text"] == words


def test_optional_fields_are_optional_and_defaults_are_filled_in():
    blocks = blocks_by_label(SPEND)
    assert blocks["Receipt link"]["optional"]
    assert blocks["Tags"]["optional"]
    assert not blocks["Amount"]["optional"]
    assert not blocks["Recurring"]["optional"]
    assert blocks["Recurring"]["element"]["initial_option"]["text"]["text"] == "No"


def test_long_texts_get_several_lines():
    blocks = blocks_by_label(SPEND)
    assert blocks["Justification"]["element"]["multiline"]
    assert not blocks["Vendor"]["element"]["multiline"]


def test_a_filled_form_is_read_to_exactly_its_value():
    assert read_form(SPEND, fill(SPEND, SPENT)).value == SPENT
    assert read_form(SPEND, fill(SPEND, SPENT)).problems == ()


def test_what_was_left_empty_is_null_where_null_is_allowed_and_left_out_elsewhere():
    filled = read_form(
        SPEND, fill(SPEND, {name: SPENT[name] for name in SPENT if name not in {"receipt_link", "tags"}})
    )
    assert filled.value["receipt_link"] is None
    assert "tags" not in filled.value


def test_what_is_required_and_empty_is_named_at_its_input():
    filled = read_form(SPEND, {})
    missing = [".".join(map(str, problem.path)) for problem in filled.problems]
    assert missing == ["amount", "currency", "vendor", "justification", "needed_by", "ship_to.street", "ship_to.zip"]
    assert field_errors(SPEND, filled.problems)[block_of(SPEND, "ship_to", "zip")] == "is required"


@pytest.mark.parametrize("typed_text", ["0.10", "1250.00", "-0.5", "100000000000000000.01"])
def test_decimals_are_kept_exactly_as_they_were_typed(typed_text: str):
    schema = {"type": "string", "format": "decimal"}
    assert read_form(schema, fill(schema, typed_text)).value == typed_text


@pytest.mark.parametrize(
    ("typed_text", "value"),
    [("5", 5), ("0.1", 0.1), ("1e3", 1000.0), ("0.1234567890123456789", Decimal("0.1234567890123456789"))],
)
def test_numbers_lose_no_digit(typed_text: str, value: Any):
    read = read_form({"type": "number"}, {"field:": {"value": typed(typed_text)}}).value
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    ("schema", "entered", "said"),
    [
        ({"type": "integer"}, "1.5", "must be a whole number such as 42"),
        ({"type": "integer"}, "9" * 5000, "must be a whole number such as 42"),
        ({"type": "number"}, "1,5", "must be a number such as 12.5"),
        ({"type": "string", "format": "decimal"}, "NaN", "must be a number such as 1250.00"),
        ({}, '{"a": 1', "line 1: a comma or a closing bracket is missing (character 8)"),
        ({}, '{\n"a": 1,\n"b" 2}', "line 3: a colon is missing after the name"),
        ({}, "[1, 2,]", "line 1: "),
        ({}, "[yes]", "line 1: a value is missing, or a text has no double quotes"),
        ({}, "[" * 2900, "is JSON that cannot be stored: it is nested too deep"),
        ({}, "NaN", "is JSON that cannot be stored: NaN is no number there"),
        ({}, "1e9999", "is JSON that cannot be stored: 1e9999 is no number there"),
        ({}, '{"a": 1, "a": 2}', "is JSON that cannot be stored: 'a' comes twice in one object"),
    ],
)
def test_what_cannot_be_read_is_a_problem_in_words(schema: Schema, entered: str, said: str):
    filled = read_form(schema, {"field:": {"value": typed(entered)}})
    (problem,) = filled.problems
    assert problem.message.startswith(said)


def test_a_line_that_cannot_be_read_is_named_by_its_number():
    schema = {"type": "object", "properties": {"ports": {"type": "array", "items": {"type": "integer"}}}}
    filled = read_form(schema, {"field:/ports": {"value": typed("80\nhttp\n\n443")}})
    assert filled.problems == (Problem(("ports", 1), "must be a whole number such as 42"),)
    values = {"field:/ports": {"value": typed("80\n\n\nhttp")}}
    problems = read_form(schema, values).problems
    assert field_errors(schema, problems, values) == {"field:/ports": "line 4: must be a whole number such as 42"}


CONTACT: Schema = {
    "type": "object",
    "properties": {
        "reach": {
            "anyOf": [
                {"type": "object", "title": "By mail", "properties": {"kind": {"const": "mail", "type": "string", "default": "mail"}, "to": {"type": "string"}}, "required": ["to"]},
                {"type": "object", "title": "By phone", "properties": {"kind": {"const": "phone", "type": "string", "default": "phone"}, "to": {"type": "string"}}, "required": ["to"]},
            ]
        }
    },
    "required": ["reach"],
}  # fmt: skip


def test_a_union_asks_for_its_variant_and_reads_only_that_ones_fields():
    value = {"reach": {"kind": "phone", "to": "+49 30 1"}}
    values = fill(CONTACT, value)
    values["field:/reach|0/to"] = {"value": typed("left over")}
    assert read_form(CONTACT, values).value == value
    assert list(blocks_by_label(CONTACT)) == ["Reach"]
    labels = [block["label"]["text"] for block in form_blocks(CONTACT, Draft(values=values))]
    assert labels == ["Reach", f"Reach{BENEATH}By phone{BENEATH}To"]


def test_problems_within_a_union_land_on_the_variant_that_was_chosen():
    values = fill(CONTACT, {"reach": {"kind": "phone", "to": "x"}})
    problem = Problem(("reach", "to"), "must be a number of a phone")
    assert field_errors(CONTACT, [problem], values) == {"field:/reach|1/to": "must be a number of a phone"}


def test_a_variant_that_lacks_a_required_field_says_so_there():
    values = fill(CONTACT, {"reach": {"kind": "mail", "to": ""}})
    filled = read_form(CONTACT, values)
    assert field_errors(CONTACT, filled.problems, values) == {"field:/reach|0/to": "is required"}


def test_an_optional_object_is_left_out_when_nothing_in_it_was_filled_in():
    schema = {**SPEND, "required": ["vendor"]}
    assert read_form(schema, fill(schema, {"vendor": "x", "recurring": False})).value == {
        "vendor": "x",
        "receipt_link": None,
        "recurring": False,
    }
    half = read_form(schema, fill(schema, {"vendor": "x", "ship_to": {"street": "Main St"}}))
    assert half.problems == (Problem(("ship_to", "zip"), "is required"),)


def test_a_text_whose_default_was_cleared_is_empty_and_not_the_default():
    schema = {"type": "object", "properties": {"note": {"type": "string", "default": "none"}}}
    assert form_blocks(schema)[0]["element"]["initial_value"] == "none"
    assert read_form(schema, {}).value == {"note": ""}


def test_an_empty_list_is_an_answer():
    schema = {"type": "array", "items": {"type": "string"}}
    assert read_form(schema, {}).value == []
    assert form_blocks(schema)[0]["optional"]


def test_a_word_that_may_be_left_out_is_asked_for_and_one_that_may_not_is_filled_in():
    word = {"const": "yes", "type": "string"}
    properties = {"kind": word, "tag": {**word, "default": "yes"}, "sure": word, "maybe": {"anyOf": [word, NULL]}}
    schema = {"type": "object", "properties": properties, "required": ["kind", "maybe"]}
    assert list(blocks_by_label(schema)) == ["Sure", "Maybe"]
    assert read_form(schema, {}).value == {"kind": "yes", "tag": "yes", "maybe": None}
    given = {"kind": "yes", "tag": "yes", "sure": "yes", "maybe": "yes"}
    assert read_form(schema, fill(schema, given)).value == given


NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"allOf": [{"properties": {"b": {"type": "string"}}}]}, {"a": "x", "b": "y"}),
        ({"if": {"required": ["a"]}, "then": {"properties": {"b": {"type": "string"}}}}, {"a": "x", "b": "y"}),
        ({"dependentSchemas": {"a": {"properties": {"b": {}}, "required": ["b"]}}}, {"a": "x", "b": 1}),
    ],
)
def test_an_object_with_more_than_its_properties_is_one_field_for_json(schema: Schema, value: Any):
    holds_as_json({"type": "object", "properties": {"a": {"type": "string"}}, **schema}, value)


def test_an_object_whose_keys_follow_a_pattern_is_one_field_for_json():
    holds_as_json({"type": "object", "patternProperties": {"^x": {}}, "additionalProperties": False}, {"x1": 1})


def holds_as_json(schema: Schema, value: Any) -> None:
    (block,) = form_blocks(schema)
    assert block["hint"]["text"] == "As JSON"
    resume = Resume.of(schema)
    assert json.loads(resume.validate("answer", read_form(schema, fill(schema, value)).value)) == value


def test_a_time_is_read_as_a_schema_takes_it():
    schema = {"type": "string", "format": "time"}
    read = read_form(schema, {"field:": {"value": {"selected_time": "10:30"}}}).value
    assert Resume.of(schema).validate("answer", read) == '"10:30:00"'


def test_a_moment_without_a_zone_is_typed_in_the_form_that_its_hint_shows():
    schema = Resume.of(NaiveDatetime).shape.choices[0].json_schema
    (block,) = form_blocks(schema)
    assert block["element"]["type"] == "plain_text_input"
    assert block["hint"]["text"] == "Such as 2026-11-30T09:00"


def test_false_and_zero_are_answers():
    schema = {
        "type": "object",
        "properties": {"a": {"type": "boolean"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    }
    filled = read_form(schema, fill(schema, {"a": False, "b": 0}))
    assert filled.value == {"a": False, "b": 0}
    assert not filled.problems


@pytest.mark.parametrize(
    ("count", "element"),
    [(2, "radio_buttons"), (5, "radio_buttons"), (6, "static_select"), (11, "static_select"), (100, "static_select"),
     (101, "external_select"), (1000, "external_select")],
)  # fmt: skip
def test_options_stand_side_by_side_fold_into_a_select_or_are_searched_for(count: int, element: str):
    schema = {"enum": [f"option {number}" for number in range(count)]}
    (block,) = form_blocks(schema)
    assert block["element"]["type"] == element
    assert validate_blocks([block], "modal") == []
    last = f"option {count - 1}"
    assert read_form(schema, fill(schema, last)).value == last


def test_several_of_an_enum_are_checkboxes():
    schema = {"type": "array", "items": {"enum": ["a", "b", "c"]}, "default": ["b"]}
    (block,) = form_blocks(schema)
    assert block["element"]["type"] == "checkboxes"
    assert [option["text"]["text"] for option in block["element"]["initial_options"]] == ["b"]
    assert read_form(schema, fill(schema, ["a", "c"])).value == ["a", "c"]


def test_an_option_that_was_never_there_is_refused():
    filled = read_form({"enum": ["a", "b"]}, {"field:": {"value": {"selected_option": {"value": "7"}}}})
    assert filled.problems == (Problem((), "is not one of the options"),)


def test_moments_come_back_in_utc():
    schema = {"type": "string", "format": "date-time"}
    seconds = int(datetime(2026, 11, 30, 10, 42, tzinfo=UTC).timestamp())
    assert read_form(schema, {"field:": {"value": {"selected_date_time": seconds}}}).value == "2026-11-30T10:42:00Z"


class Node(BaseModel):
    name: str
    children: list["Node"] = []
    parent: "Node | None" = None


def test_a_schema_that_contains_itself_ends_in_a_field_for_json():
    schema = Resume.of(Node).shape.choices[0].json_schema
    assert Kind.JSON in {plan.kind for plan in inputs_of(plan_of(schema))}
    assert validate_blocks(form_blocks(schema), "modal") == []


def test_a_form_with_too_many_inputs_is_one_field_for_json():
    schema = {"type": "object", "properties": {f"field_{number}": {"type": "string"} for number in range(10_000)}}
    (block,) = form_blocks(schema)
    assert block["hint"]["text"] == "As JSON"
    assert read_form(schema, {"field:": {"value": typed('{"field_1": "x"}')}}).value == {"field_1": "x"}


def test_problems_of_a_whole_object_go_to_its_first_input_and_strays_to_the_first_of_all():
    problems = [
        Problem(("ship_to",), "is no address"),
        Problem((), "is over budget"),
        Problem(("ghost", "x"), "is not known here"),
    ]
    assert field_errors(SPEND, problems) == {
        block_of(SPEND, "ship_to", "street"): "Ship to: is no address",
        block_of(SPEND, "amount"): f"is over budget; Ghost{BENEATH}X: is not known here",
    }


def test_a_form_without_inputs_has_no_place_for_errors():
    assert form_blocks({"type": "object", "properties": {}}) == []
    assert field_errors({"type": "object", "properties": {}}, [Problem((), "no")]) == {}


def test_paths_that_are_long_or_alike_keep_apart_within_slacks_limit():
    long = "x" * 250
    inner = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    schema = {
        "type": "object",
        "properties": {
            long: inner,
            "a/b": {"type": "string"},
            "a": {"type": "object", "properties": {"b": {"type": "string"}}},
        },
    }
    ids = [block["block_id"] for block in form_blocks(schema)]
    assert len(set(ids)) == len(ids) == 4
    assert validate_blocks(form_blocks(schema), "modal") == []


class Amounts(BaseModel):
    total: Decimal = Field(gt=0, le=500, decimal_places=2)
    count: int | None = None
    colour: Literal["red", "blue"] = "red"
    due: datetime | None = None


@pytest.mark.parametrize("value", [{"total": "500.00", "count": None, "colour": "blue", "due": None}])
def test_what_is_read_passes_the_declared_type(value: dict[str, Any]):
    resume = Resume.of(Amounts)
    (choice,) = resume.shape.choices
    read = read_form(choice.json_schema, fill(choice.json_schema, value)).value
    assert json.loads(resume.validate(choice.key, read)) == value


# Every supported kind, with values that a person can enter.

NAMES = st.text("abcdefg_", min_size=1, max_size=8)
LINES = st.text(st.characters(codec="utf-8", categories=("L", "N", "P")), min_size=1, max_size=30)
DATES = st.dates().map(lambda day: day.isoformat())
MOMENTS = st.datetimes(datetime(2002, 1, 1), datetime(2280, 1, 1), timezones=st.just(UTC)).map(  # noqa: DTZ001
    lambda moment: moment.replace(microsecond=0).isoformat().replace("+00:00", "Z")
)
DECIMALS = st.decimals(-(10**9), 10**9, places=2).map(lambda number: format(number, "f"))
OPTIONS = [None, "EUR", 1, True, {"a": 1}]


def kinds() -> st.SearchStrategy[tuple[Schema, st.SearchStrategy[Any]]]:
    plain: list[tuple[Schema, st.SearchStrategy[Any]]] = [
        ({"type": "string"}, LINES),
        ({"type": "string", "maxLength": 2000, "format": "multiline"}, LINES),
        ({"type": "integer", "minimum": -5}, st.integers(-5, 10**12)),
        (
            {"type": "number"},
            st.floats(allow_nan=False, allow_infinity=False).filter(lambda number: abs(number) < 1e15),
        ),
        ({"type": "string", "format": "decimal", "maximum": 10**9}, DECIMALS),
        ({"type": "boolean"}, st.booleans()),
        ({"enum": ["a", "b", 3, False]}, st.sampled_from(["a", "b", 3, False])),
        ({"oneOf": [{"const": 1, "title": "One"}, {"const": "two"}]}, st.sampled_from([1, "two"])),
        ({"type": "string", "format": "date"}, DATES),
        ({"type": "string", "format": "date-time"}, MOMENTS),
        ({"type": "array", "items": {"type": "string"}}, st.lists(LINES, max_size=4)),
        ({"type": "array", "items": {"type": "integer"}}, st.lists(st.integers(-999, 999), max_size=4)),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": True},
            st.sampled_from([[], ["a"], ["a", "b"]]),
        ),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, st.integers() | LINES),
        ({}, st.sampled_from([1, "x", [1], {"a": None}, False])),
    ]
    return st.sampled_from(plain)


@st.composite
def objects(draw: st.DrawFn, depth: int = 2) -> tuple[Schema, Any]:
    """An object schema and a value for it, as a person could have entered it."""
    properties: Schema = {}
    value: dict[str, Any] = {}
    required = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=4, unique=True)):
        if depth and draw(st.booleans()):
            schema, given_value = draw(objects(depth - 1))
        else:
            schema, values = draw(kinds())
            given_value = draw(values)
        role = draw(st.sampled_from(["required", "nullable"]))
        properties[name] = schema if role == "required" else {"anyOf": [schema, {"type": "null"}], "default": None}
        required += [name] if role == "required" else []
        is_null = role == "nullable" and (given_value in ([], {}) or draw(st.booleans()) or is_hollow(given_value))
        value[name] = None if is_null else given_value
    return {"type": "object", "properties": properties, "required": required}, value


def is_hollow(value: Any) -> bool:
    """Whether an object has nothing in it that one could see in a form."""
    if isinstance(value, Mapping):
        return all(is_hollow(item) for item in value.values())
    return value is None or value == []


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(objects())
def test_schema_to_form_to_state_to_value_is_the_identity(drawn: tuple[Schema, Any]):
    schema, value = drawn
    assert validate_blocks(form_blocks(schema), "modal") == []
    filled = read_form(schema, fill(schema, value))
    assert filled.problems == ()
    assert filled.value == value


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(objects(), st.lists(st.lists(NAMES | st.integers(0, 3), max_size=3), min_size=1, max_size=4))
def test_every_problem_lands_on_an_input_that_is_there(drawn: tuple[Schema, Any], paths: list[list[str | int]]):
    schema, value = drawn
    values = fill(schema, value)
    ids = {block["block_id"] for block in form_blocks(schema, Draft(values=values)) if block["type"] == "input"}
    errors = field_errors(schema, [Problem(tuple(path), "is wrong") for path in paths], values)
    assert errors
    assert errors.keys() <= ids


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["value", "selected_option", "a"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(objects(), JSON)
def test_junk_instead_of_a_state_never_raises(drawn: tuple[Schema, Any], junk: Any):
    schema, _ = drawn
    read_form(schema, {block["block_id"]: junk for block in form_blocks(schema)})
    read_form(schema, {block["block_id"]: {"value": junk} for block in form_blocks(schema)})


# The modals.


def test_the_answer_modal_shows_the_question_and_the_facts_above_its_inputs():
    view = answer_view(spend_request_card(), REJECT)
    assert validate_view(view) == []
    assert [block["type"] for block in view["blocks"]] == [
        "header",
        "section",
        "section",
        "section",
        "divider",
        "input",
    ]
    assert json.loads(view["private_metadata"]) == {"interrupt": "int_spend_request", "version": 1, "choice": "Reject"}
    assert (view["callback_id"], view["title"]["text"], view["submit"]["text"]) == ("answer", "Reject", "Reject")


@pytest.mark.parametrize("name", ["send_message", "spend_request"])
def test_the_modals_look_as_they_were_drawn(name: str):
    card = CARDS[name]()
    assert_golden(f"modals/{name}_reject", answer_view(card, REJECT))


def test_the_input_modal_looks_as_it_was_drawn():
    view = input_view(
        "spend_request", "Spend request", "Orders something for money.", SPEND, channel="C0APP", nonce="n1"
    )
    assert validate_view(view) == []
    assert json.loads(view["private_metadata"]) == {"action": "spend_request", "channel": "C0APP", "nonce": "n1"}
    assert_golden("modals/spend_request_input", view)


def many_choices(count: int) -> Card:
    choices = tuple(
        Choice(
            key=f"k{number}",
            title=f"Choice {number}",
            json_schema={"const": number},
            has_form=False,
            value=number,
            description="Why",
        )
        for number in range(count)
    )
    card = spend_request_card()
    return replace(card, interrupt=replace(card.interrupt, shape=Shape(choices=choices)))


@pytest.mark.parametrize("count", [6, 250])
def test_many_choices_are_a_select_whose_choice_is_read_back(count: int):
    card = many_choices(count)
    view = choose_view(card)
    assert validate_view(view) == []
    assert view["private_metadata"] == click_value(card.interrupt, "")
    values = {"choice": {"value": {"type": "static_select", "selected_option": {"value": str(count - 1)}}}}
    assert chosen(card.interrupt.shape, values) == card.interrupt.shape.choices[-1]


@pytest.mark.parametrize(
    "junk",
    [
        {},
        {"choice": None},
        {"choice": {"value": {"selected_option": None}}},
        {"choice": {"value": {"selected_option": {"value": "-1"}}}},
    ],
)
def test_nothing_chosen_is_no_choice(junk: Any):
    assert chosen(many_choices(6).interrupt.shape, junk) is None


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Reject", "Reject"),
        ("Approve with conditions attached", "Approve with conditions…"),
        ("Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahrtsg…"),
        ("  two\nlines  ", "two lines"),
    ],
)
def test_titles_of_modals_are_cut_between_words(title: str, shown: str):
    assert notice_view(title, "x")["title"]["text"] == shown


def test_a_notice_is_valid_even_when_it_says_nothing():
    assert validate_view(notice_view("", "")) == []


HOSTILE = "<!channel> <@U0EVIL> & `*_~ \u202e \u200b \x00 " * 100


def test_hostile_schemas_and_cards_make_valid_modals():
    schema = {
        "type": "object",
        "title": HOSTILE,
        "properties": {
            HOSTILE: {
                "type": "string",
                "title": HOSTILE,
                "description": HOSTILE,
                "default": HOSTILE,
                "pattern": HOSTILE,
            },
            "e": {"enum": [HOSTILE, "", 0], "default": HOSTILE},
            "l": {"type": "array", "items": {"type": "string"}, "default": [HOSTILE]},
        },
    }
    choice = Choice(key="k", title=HOSTILE, description=HOSTILE, json_schema=REASON, has_form=True)
    card = spend_request_card()
    card = replace(card, interrupt=replace(card.interrupt, message=HOSTILE, shown=json.dumps({HOSTILE: HOSTILE})))
    assert validate_view(answer_view(card, choice)) == []
    assert validate_blocks(form_blocks(schema), "modal") == []
    assert validate_view(input_view("a", HOSTILE, HOSTILE, REASON, channel=None, nonce="n")) == []
