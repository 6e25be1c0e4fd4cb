"""Each shape of an answer as a person meets it: the element, its hint, its default, and the value that comes of it."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, HttpUrl

from actions import SlackChannel, SlackConversation, SlackGroup, SlackUser
from actions.kit.shapes.typed import typed
from blocks.form import field_errors, form_blocks, read_form, suggestions
from blocks.forms.options import told_apart
from blocks.validate import validate_blocks
from blocks.values import BENEATH
from tests.filling import Values, fill, filled_draft

Schema = dict[str, Any]


def schema_of(declared: Any) -> Schema:
    return typed(declared).json_schema


def lone_block(declared: Any) -> dict[str, Any]:
    (block,) = form_blocks(declared if isinstance(declared, dict) else schema_of(declared))
    assert validate_blocks([block], "modal") == []
    return block


def answered(schema: Schema, **state: Any) -> Any:
    filled = read_form(schema, {"field:": {"value": state}})
    assert filled.problems == ()
    return filled.value


@pytest.mark.parametrize(
    ("declared", "element", "hint", "state", "value"),
    [
        (str, "plain_text_input", None, {"value": "x"}, "x"),
        (Annotated[str, Field(min_length=2, max_length=9)], "plain_text_input", "2 to 9 characters", {"value": "xy"}, "xy"),
        (int, "number_input", None, {"value": "-3"}, -3),
        (Annotated[int, Field(ge=1, multiple_of=5)], "number_input", "At least 1, in steps of 5", {"value": "5"}, 5),
        (Annotated[float, Field(gt=0, lt=1)], "number_input", "More than 0, less than 1", {"value": "0.5"}, 0.5),
        (Annotated[Decimal, Field(le=500, decimal_places=2)], "number_input", "At most 500, at most 2 decimal places", {"value": "12.50"}, "12.50"),
        ({"type": "string", "format": "email"}, "email_text_input", None, {"value": "a@example.com"}, "a@example.com"),
        (HttpUrl, "url_text_input", None, {"value": "https://example.com"}, "https://example.com"),
        (date, "datepicker", None, {"selected_date": "2026-11-30"}, "2026-11-30"),
        (Annotated[date, Field(ge=date(2026, 1, 1), lt=date(2030, 1, 1))], "datepicker", "2026-01-01 or later, before 2030-01-01", {"selected_date": "2026-11-30"}, "2026-11-30"),
        (time, "timepicker", None, {"selected_time": "09:30"}, "09:30:00"),
        (datetime, "datetimepicker", "In your own time zone", {"selected_date_time": 1_796_029_200}, "2026-11-30T09:00:00Z"),
        (SlackUser, "users_select", None, {"selected_user": "U012ANN"}, "U012ANN"),
        (list[SlackUser], "multi_users_select", None, {"selected_users": ["U012ANN"]}, ["U012ANN"]),
        (SlackChannel, "conversations_select", None, {"selected_conversation": "C012GEN"}, "C012GEN"),
        (list[SlackConversation], "multi_conversations_select", None, {"selected_conversations": ["D012"]}, ["D012"]),
        (SlackGroup, "plain_text_input", "The id of a user group, such as S0123ABCD", {"value": "S012ABC"}, "S012ABC"),
        (dict[str, int], "plain_text_input", "As JSON", {"value": '{"a": 1}'}, {"a": 1}),
        (list[str], "plain_text_input", "One per line", {"value": "a\n\n b "}, ["a", "b"]),
    ],
)  # fmt: skip
def test_each_type_has_its_element_and_its_value(declared: Any, element: str, hint: str | None, state: Any, value: Any):
    block = lone_block(declared)
    assert (block["element"]["type"], block.get("hint", {}).get("text")) == (element, hint)
    read = answered(schema_of(declared), **state)
    assert (read, type(read)) == (value, type(value))
    typed(declared).validate(read)


def test_slack_is_given_the_limits_that_it_can_keep():
    whole = lone_block(Annotated[int, Field(gt=0, lt=10)])["element"]
    assert (whole["min_value"], whole["max_value"], whole["is_decimal_allowed"]) == ("1", "9", False)
    amount = lone_block(Annotated[Decimal, Field(gt=0, le=Decimal("500.00"))])["element"]
    assert (amount.get("min_value"), amount["max_value"]) == (None, "500")
    text = lone_block(Annotated[str, Field(min_length=2, max_length=9)])["element"]
    assert (text["min_length"], text["max_length"], text["multiline"]) == (2, 9, False)


def test_bounds_that_contradict_each_other_are_left_to_the_check_afterwards():
    element = lone_block({"type": "integer", "minimum": 5, "maximum": 3})["element"]
    assert element.keys().isdisjoint({"min_value", "max_value"})


def test_a_pattern_is_shown_as_the_authors_example_and_never_as_itself():
    block = lone_block(Annotated[str, Field(pattern=r"^[A-Z]{2}-\d{4}$", examples=["AB-1234"])])
    assert block["element"]["placeholder"]["text"] == "Such as AB-1234"
    assert "hint" not in block


class Money(BaseModel):
    amount: Decimal = Field(gt=0, le=Decimal("500.00"), decimal_places=2)
    currency: Literal["EUR", "USD"] = "EUR"


class Purchase(BaseModel):
    price: Money


def test_money_is_an_amount_and_its_currency():
    schema = schema_of(Purchase)
    labels = [block["label"]["text"] for block in form_blocks(schema)]
    assert labels == [f"Price{BENEATH}Amount", f"Price{BENEATH}Currency"]
    value = {"price": {"amount": "12.50", "currency": "USD"}}
    assert read_form(schema, fill(schema, value)).value == value


@pytest.mark.parametrize(
    ("declared", "start"),
    [
        (Annotated[str, Field(default="x")], {"initial_value": "x"}),
        (Annotated[Decimal, Field(default=Decimal("12.50"))], {"initial_value": "12.50"}),
        (Annotated[date, Field(default=date(2026, 11, 30))], {"initial_date": "2026-11-30"}),
        (Annotated[time, Field(default=time(9, 30))], {"initial_time": "09:30"}),
        (Annotated[datetime, Field(default=datetime(2026, 11, 30, 9, tzinfo=UTC))], {"initial_date_time": 1_796_029_200}),
        (Annotated[SlackUser, Field(default="U012ANN")], {"initial_user": "U012ANN"}),
        (Annotated[list[str], Field(default=["a", "b"])], {"initial_value": "a\nb"}),
    ],
)  # fmt: skip
def test_an_input_starts_with_its_default(declared: Any, start: dict[str, Any]):
    element = lone_block(declared)["element"]
    assert {name: element[name] for name in element if name.startswith("initial")} == start


@pytest.mark.parametrize(
    "field",
    [
        {"type": "string", "default": "y" * 3001},
        {"type": "string", "default": "a\x00b"},
        {"type": "string", "format": "time", "default": "09:30:15"},
        {"type": "string", "format": "date-time", "default": "2026-11-30T09:00:00.5Z"},
        {"type": "integer", "default": 1.5},
        {"type": "array", "items": {"type": "string"}, "default": ["x" * 3001]},
        {"type": "array", "items": {"enum": ["a"]}, "default": "nonsense"},
        {"enum": ["a", "b"], "default": "gone"},
        {"type": "string", "format": "slack-user", "default": "nobody"},
    ],
)
def test_a_default_that_an_input_would_change_is_not_put_into_it_and_stands_when_left_empty(field: Schema):
    schema = {"type": "object", "properties": {"it": field}}
    (block,) = form_blocks(schema)
    assert validate_blocks([block], "modal") == []
    assert not [name for name in block["element"] if name.startswith("initial")]
    assert read_form(schema, {}).value == {}


def test_a_default_list_whose_entries_do_not_fit_on_lines_is_json():
    field = {"type": "array", "items": {"type": "string"}, "default": ["two\nlines"]}
    schema = {"type": "object", "properties": {"it": field}}
    (block,) = form_blocks(schema)
    assert block["hint"]["text"] == "As JSON"
    assert read_form(schema, {"field:/it": {"value": {"value": block["element"]["initial_value"]}}}).value == {
        "it": ["two\nlines"]
    }


# Absent, null and empty.


class Gaps(BaseModel):
    plain: str = "x"
    null: str | None = None
    needed: str | None
    pick: Literal["a", "b"] | None
    many: list[str] = ["a"]
    maybe: list[str] | None = None
    strict: list[str] | None


def test_what_is_left_empty_is_absent_null_or_empty_as_the_schema_has_it():
    schema = schema_of(Gaps)
    read = read_form(schema, {}).value
    assert read == {"plain": "", "null": None, "needed": None, "pick": None, "many": [], "maybe": None, "strict": []}


def test_null_is_said_on_purpose_where_empty_means_something_else():
    nullable = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    words = {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"note": nullable, "tags": words}}
    labels = [block["label"]["text"] for block in form_blocks(schema)]
    assert labels == ["Note", f"Note{BENEATH}None", "Tags", f"Tags{BENEATH}None"]
    values: list[Schema] = [{}, {"note": None}, {"note": "x"}, {"tags": []}, {"tags": None}, {"tags": ["a"]}]
    for value in values:
        assert read_form(schema, fill(schema, value)).value == value


def test_null_on_purpose_and_a_value_contradict_each_other():
    schema = {"type": "object", "properties": {"note": {"type": ["string", "null"]}}}
    values: Values = {
        "field:/note": {"value": {"value": "x"}},
        "field:/note?": {"value": {"selected_options": [{"value": "0"}]}},
    }
    filled = read_form(schema, values)
    assert field_errors(schema, filled.problems, values) == {
        "field:/note": "is filled in and said to be nothing as well: empty it, or take the tick away"
    }


MAYBE: Schema = {"anyOf": [{"type": "boolean"}, {"type": "null"}]}


def test_a_choice_that_may_be_null_has_a_word_for_it():
    (block,) = form_blocks(MAYBE)
    assert [option["text"]["text"] for option in block["element"]["options"]] == ["Yes", "No", "None"]
    assert answered(MAYBE, selected_option={"value": "2"}) is None
    assert answered(MAYBE, selected_option={"value": "1"}) is False


def test_a_choice_that_may_stay_unmade_is_a_select_since_a_radio_button_cannot_be_unpressed():
    field = {"enum": ["a", "b"]}
    needed = {"type": "object", "properties": {"it": field}, "required": ["it"]}
    (block,) = form_blocks(needed)
    assert block["element"]["type"] == "radio_buttons"
    (block,) = form_blocks({**needed, "required": []})
    assert block["element"]["type"] == "static_select"


# Many options.


def test_several_of_few_are_boxes_of_many_a_select_and_of_hundreds_searched_for():
    for count, element in ((3, "checkboxes"), (11, "multi_static_select"), (101, "multi_external_select")):
        schema = {
            "type": "array",
            "items": {"enum": [f"o{number}" for number in range(count)]},
            "maxItems": 2,
            "default": ["o1"],
        }
        (block,) = form_blocks(schema)
        assert validate_blocks([block], "modal") == []
        assert block["element"]["type"] == element
        assert [option["text"]["text"] for option in block["element"]["initial_options"]] == ["o1"]
        assert read_form(schema, fill(schema, ["o0", "o2"])).value == ["o0", "o2"]


SAME = [
    f"{'The same beginning of a long title ' * 4}{number} and the same end of it all, which is long too"
    for number in range(1000)
]


@pytest.mark.parametrize(
    "titles", [SAME, ["x" * 200] * 1000, ["a", "a", "a (1)", ""], [f"{'y' * 80}{n}" for n in range(101)]]
)
def test_long_titles_stay_apart_within_what_slack_shows(titles: list[str]):
    shown = told_apart(titles)
    assert len(set(shown)) == len(titles)
    assert max(map(len, shown)) <= 75


def test_an_option_that_is_searched_for_is_found_by_what_begins_so_first():
    cities = [
        "New York",
        "York",
        "Yorkton",
        "Fort Yorkshire",
        "East York",
        "Rome",
        *(f"City {number}" for number in range(995)),
    ]
    schema = {"type": "object", "properties": {"city": {"enum": cities}}}
    (block,) = form_blocks(schema)
    assert (block["element"]["type"], block["element"]["min_query_length"]) == ("external_select", 0)
    offered = [option["text"]["text"] for option in suggestions(schema, "field:/city", "york")]
    assert offered == ["York", "Yorkton", "New York", "Fort Yorkshire", "East York"]
    assert [each["text"]["text"] for each in suggestions(schema, "field:/city", "york new")] == ["New York"]
    assert len(suggestions(schema, "field:/city", "")) == 100
    assert suggestions(schema, "field:/elsewhere", "york") == []
    chosen = suggestions(schema, "field:/city", "yorkton")[0]
    assert read_form(schema, {"field:/city": {"value": {"selected_option": chosen}}}).value == {"city": "Yorkton"}


def test_options_of_1000_long_values_are_found_by_their_ends():
    schema = {"enum": SAME}
    best = suggestions(schema, "field:", SAME[77])[0]
    assert answered(schema, selected_option=best) == SAME[77]


# Nesting, references, recursion.


def nested(*names: str) -> Schema:
    schema: Schema = {"type": "string"}
    for name in reversed(names):
        schema = {"type": "object", "properties": {name: schema}, "required": [name]}
    return schema


def test_objects_are_opened_however_deep_they_are():
    schema = nested(*"abcdefgh")
    (block,) = form_blocks(schema)
    assert block["label"]["text"] == BENEATH.join("ABCDEFGH")
    value = {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": "x"}}}}}}}}
    assert read_form(schema, fill(schema, value)).value == value


def test_of_a_long_path_the_end_is_shown():
    (block,) = form_blocks(nested(*(f"a rather long name number {number}" for number in range(9))))
    assert block["label"]["text"].startswith("…A rather long name number 3")
    assert block["label"]["text"].endswith("A rather long name number 8")


def test_unions_are_opened_however_deep_they_are_and_their_variants_have_titles_for_people():
    class ByShip(BaseModel):
        kind: Literal["ship"]
        port: str

    class ByAir(BaseModel):
        kind: Literal["air"]
        line: str

    class Fast(BaseModel):
        kind: Literal["fast"]
        carrier: Annotated[ByShip | ByAir, Field(discriminator="kind")]

    class Slow(BaseModel):
        kind: Literal["slow"]
        patience: int

    class Sent(BaseModel):
        kind: Literal["sent"]
        how: Annotated[Fast | Slow, Field(discriminator="kind")]

    class PickUp(BaseModel):
        kind: Literal["here"]

    class Delivery(BaseModel):
        way: Annotated[Sent | PickUp, Field(discriminator="kind")]

    schema = schema_of(Delivery)
    value = {"way": {"kind": "sent", "how": {"kind": "fast", "carrier": {"kind": "air", "line": "LH"}}}}
    draft = filled_draft(schema, value)
    blocks = form_blocks(schema, draft)
    assert [block["element"]["type"] for block in blocks] == [*["radio_buttons"] * 3, "plain_text_input"]
    assert blocks[3]["label"]["text"] == BENEATH.join(("Way", "Sent", "How", "Fast", "Carrier", "By air", "Line"))
    assert [option["text"]["text"] for option in blocks[0]["element"]["options"]] == ["Sent", "Pick up"]
    assert read_form(schema, draft.values).value == value


class Unit(BaseModel):
    name: str
    above: "Unit | None" = None
    below: "list[Unit]" = []


class Stock(BaseModel):
    """What stands in it is neither asked for in rows nor in a line."""

    name: str
    below: list[Unit] = Field(default=[], min_length=25)


def test_a_model_that_contains_itself_asks_for_it_once_and_in_the_rows_of_a_list_once_more():
    schema = schema_of(Unit)
    value = {"name": "a", "above": {"name": "b"}, "below": [{"name": "c"}, {"name": "d", "below": [{"name": "e"}]}]}
    draft = filled_draft(schema, value)
    inputs = [block for block in form_blocks(schema, draft) if block["type"] == "input"]
    rest = {"Above": "As JSON", "Below": "One entry per line, as JSON"}
    assert {block["label"]["text"]: block.get("hint", {}).get("text") for block in inputs} == {
        "Name": None,
        "Above": "As JSON",
        **{f"Below {row}{BENEATH}{name}": hint for row in (1, 2) for name, hint in {"Name": None, **rest}.items()},
    }
    assert Unit.model_validate(read_form(schema, draft.values, rows=draft.rows).value) == Unit.model_validate(value)


@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ('{"name": "c"}\n{"name": "d",}', "line 2: a name in double quotes is expected (character 14)"),
        ('[{"name": "c"},\n{"name" "d"}]', "line 2: a colon is missing after the name (character 9)"),
        ("7 8", None),
    ],
)
def test_an_entry_that_is_no_json_is_told_by_its_line(entered: str, said: str | None):
    schema = schema_of(Stock)
    filled = read_form(
        schema, {"field:/name": {"value": {"value": "a"}}, "field:/below": {"value": {"value": entered}}}
    )
    assert [problem.message for problem in filled.problems] == ([said] if said else [])


def test_an_entry_that_does_not_fit_is_told_by_its_line_and_field():
    type_ = typed(Stock)
    values: Values = {
        **fill(type_.json_schema, {"name": "a"}),
        "field:/below": {"value": {"value": '{"name": "c"}\n\n{"name": 1}'}},
    }
    with pytest.raises(Exception, match="must be text") as caught:
        type_.validate(read_form(type_.json_schema, values).value)
    errors = field_errors(type_.json_schema, caught.value.problems, values)  # type: ignore[attr-defined]
    assert errors == {"field:/below": f"line 3{BENEATH}Name: must be text"}


# Empty texts.


@pytest.mark.parametrize("required", [["note"], []])
def test_a_text_may_be_empty_on_purpose_where_its_default_is(required: list[str]):
    schema: Schema = {
        "type": "object",
        "properties": {"note": {"type": "string", "default": ""}},
        "required": required,
    }
    (block,) = form_blocks(schema)
    assert block["optional"]
    filled = read_form(schema, {"field:/note": {"value": {"value": None}}})
    assert (filled.value, filled.problems) == ({"note": ""} if required else {}, ())


def test_a_required_text_is_filled_in_whether_or_not_it_says_how_long_it_must_be():
    (block,) = form_blocks({"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]})
    assert not block["optional"]


def test_a_text_whose_default_has_several_lines_has_several_lines():
    assert lone_block({"type": "string", "default": "one\ntwo"})["element"]["multiline"]
