"""What is wrong is said in words for people, at the path of the value, for Python types and for JSON Schema."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal, get_args
from uuid import UUID

import pytest
from annotated_types import Ge, Gt, Le, Lt, MaxLen, MinLen, MultipleOf
from pydantic import (
    AfterValidator,
    AnyHttpUrl,
    AwareDatetime,
    BaseModel,
    Field,
    Json,
    NaiveDatetime,
    PastDate,
    StringConstraints,
)
from pydantic_core import PydanticCustomError, core_schema
from pydantic_core._pydantic_core import list_all_errors

from actions import SlackChannel, SlackConversation, SlackGroup, SlackUser
from actions.kit.errors import AnswerError, Problem, spell_path
from actions.kit.shapes.schema_paths import form_words
from actions.kit.shapes.typed import typed
from actions.kit.shapes.wording import _WORDS, words


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Card(BaseModel):
    kind: Literal["card"]
    number: str


class Bank(BaseModel):
    kind: Literal["bank"]
    iban: str


class Pay(BaseModel):
    by: Annotated[Card | Bank, Field(discriminator="kind")]


class Loose(BaseModel):
    what: Card | int


def refuse(value: Any) -> Any:
    raise PydanticCustomError("over", "is {more} over the budget", {"more": 5})


def told(declared: Any, value: Any) -> dict[tuple[Any, ...], str]:
    with pytest.raises(AnswerError) as caught:
        typed(declared).validate(value)
    return {problem.path: problem.message for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("declared", "value", "message"),
    [
        (str, 1, "must be text"),
        (Annotated[str, MinLen(1)], "", "must not be empty"),
        (Annotated[str, MinLen(3)], "ab", "must have at least 3 characters"),
        (Annotated[str, MaxLen(1)], "ab", "must have at most 1 character"),
        (Annotated[str, StringConstraints(pattern=r"^\d+$")], "a", "is not in the expected form"),
        (int, "x", "must be a whole number"),
        (int, 1.5, "must be a whole number"),
        (Annotated[int, Ge(1)], 0, "must be at least 1"),
        (Annotated[int, Gt(1)], 1, "must be more than 1"),
        (Annotated[int, MultipleOf(5)], 4, "must be a multiple of 5"),
        (float, "x", "must be a number such as 12.50"),
        (Annotated[float, Lt(0.1)], 0.1, "must be less than 0.1"),
        (Decimal, "x", "must be a number such as 12.50"),
        (Annotated[Decimal, Le(Decimal("500.00"))], "500.01", "must be at most 500.00"),
        (Annotated[Decimal, Ge(Decimal("1E+3"))], "1", "must be at least 1000"),
        (Annotated[Decimal, Field(decimal_places=2)], "1.234", "must have at most 2 decimal places"),
        (Annotated[Decimal, Field(decimal_places=0)], "1.2", "must have no decimal places"),
        (Annotated[Decimal, Field(max_digits=3)], "12.34", "must have at most 3 digits"),
        (bool, "maybe", "must be yes or no"),
        (Literal["a", "b"], "c", "must be one of: a, b"),
        (Literal["a"], "c", "must be one of: a"),
        (Colour, "green", "must be one of: red, blue"),
        (Literal["this or that", "a, b", "don't", "", -1], "c", 'must be one of: this or that, a, b, don\'t, "", -1'),
        (Literal[tuple(range(1000))], "c", f"must be one of: {', '.join(map(str, range(12)))} and 988 more"),
        (Json[list[int]], "[1", "is not JSON"),
        (date, "30.11.2026", "must be a date such as 2026-11-30"),
        (date, "2026-02-30", "must be a date such as 2026-11-30"),
        (Annotated[date, Ge(date(2026, 1, 1))], "2025-01-01", "must be 2026-01-01 or later"),
        (Annotated[date, Lt(date(2026, 1, 1))], "2026-01-01", "must be before 2026-01-01"),
        (PastDate, "9999-01-01", "must be in the past"),
        (datetime, "soon", "must be a date and time such as 2026-11-30T09:00:00Z"),
        (NaiveDatetime, "soon", "must be a date and time without a zone, such as 2026-11-30T09:00"),
        (AwareDatetime, "2026-11-30T09:00", "must say its time zone, such as the Z in 2026-11-30T09:00:00Z"),
        (time, "noon", "must be a time such as 09:30"),
        (timedelta, "long", "must be a duration such as PT1H30M"),
        (UUID, "x", "must be a UUID such as 123e4567-e89b-12d3-a456-426614174000"),
        (AnyHttpUrl, "x", "must be a link such as https://example.com/receipt"),
        (AnyHttpUrl, "ftp://a.b", "must be a link that begins with http:// or https://"),
        (list[int], "x", "must be a list"),
        (Annotated[list[int], MinLen(1)], [], "must not be empty"),
        (Annotated[list[int], MaxLen(2)], [1, 2, 3], "must have at most 2 entries"),
        (dict[str, int], [], "must be an object with named fields"),
        (Card, "x", "must be an object with named fields"),
        (None, 1, "must be left empty"),
        (int | date, "x", "must be a whole number, or must be a date such as 2026-11-30"),
        (Annotated[int, AfterValidator(refuse)], 1, "is 5 over the budget"),
    ],
)
def test_python_types_speak_plainly(declared, value, message):
    assert told(declared, value) == {(): message}


@pytest.mark.parametrize(
    ("declared", "value", "problems"),
    [
        (Pay, {"by": {}}, {("by",): "must say its kind in kind"}),
        (Pay, {"by": {"kind": "cash"}}, {("by",): "must say its kind in kind, one of: card, bank"}),
        (Pay, {"by": {"kind": "card"}}, {("by", "number"): "is required"}),
        (
            Pay,
            {"by": {"kind": "bank", "iban": 1, "number": "2"}},
            {("by", "iban"): "must be text", ("by", "number"): "is not known here"},
        ),
        (Loose, {"what": "x"}, {("what",): "must be an object with named fields, or must be a whole number"}),
        (dict[str, list[int]], {"a": [1, "x"]}, {("a", 1): "must be a whole number"}),
        (dict[int, int], {"x": 1}, {("x",): "must be a whole number"}),
        (set[Any], [1, [2]], {(1,): "must not be a list or an object"}),
    ],
)
def test_the_path_is_that_of_the_value_without_what_pydantic_adds(declared, value, problems):
    assert told(declared, value) == problems


NOT_FROM_JSON = {
    *("no_such_attribute", "needs_python_object", "frozen_field", "frozen_instance"),
    *("get_attribute_error", "iteration_error"),
    *("bytes_type", "bytes_too_short", "bytes_too_long", "bytes_invalid_encoding", "missing_sentinel_error"),
    *("ellipsis_error", "is_instance_of", "is_subclass_of", "callable_type", "missing_positional_only_argument"),
    "multiple_argument_values",
}
"""Errors of types that nobody can fill in, or of values that are not JSON."""


def test_every_error_that_a_json_value_can_give_has_words_of_ours():
    known = {each["type"] for each in list_all_errors()} | set(get_args(core_schema.ErrorType))
    assert known - _WORDS.keys() == NOT_FROM_JSON


@pytest.mark.parametrize(
    "each", [each for each in list_all_errors() if each["type"] not in NOT_FROM_JSON], ids=lambda each: each["type"]
)
def test_no_error_is_told_in_pydantics_own_words(each: Any):
    context: Any = each.get("example_context") or {}
    if each["type"] in {"value_error", "assertion_error"}:
        return  # these are the author's own
    details: Any = {
        "type": each["type"],
        "loc": (),
        "input": None,
        "msg": each["example_message_python"],
        "ctx": context,
    }
    told = words(details)
    assert told
    assert told[0].islower()
    assert "nput should" not in told
    assert told.casefold() not in each["example_message_python"].casefold()


class Invoice(BaseModel):
    number: str = Field(pattern=r"^[A-Z]{2}-\d{4}$", examples=["AB-1234"])
    account: str | None = Field(default=None, pattern=r"^\d+$", description="The number on the card, digits only")
    code: str = Field(default="", pattern=r"^$")
    others: "list[Invoice]" = []


def test_a_pattern_is_never_shown_but_what_the_author_says_of_it():
    wrong = {"number": "x", "account": "x", "code": "x", "others": [{"number": "y"}]}
    said = {
        ("number",): "must be in a form such as AB-1234",
        ("account",): "is not in the expected form: The number on the card, digits only",
        ("code",): "is not in the expected form",
        ("others", 0, "number"): "must be in a form such as AB-1234",
    }
    assert told(Invoice, wrong) == said
    assert told(typed(Invoice).json_schema, wrong) == said


def test_a_schema_that_contains_itself_says_what_it_wanted_in_bounded_time():
    node: dict[str, Any] = {"anyOf": [{"$ref": "#"}, {"type": "string", "pattern": "^a", "examples": ["abc"]}]}
    assert form_words({"allOf": [node, node], **node}, (0, "x") * 20) == "is not in the expected form"
    assert form_words(node, ()) == "must be in a form such as abc"


@pytest.mark.parametrize(
    ("declared", "name", "good", "bad", "said"),
    [
        (SlackUser, "slack-user", "U012ANN", "C012", "must be a person in Slack"),
        (SlackChannel, "slack-channel", "C012GEN", "D012", "must be a channel in Slack"),
        (SlackConversation, "slack-conversation", "D012", "U012", "must be a channel or conversation in Slack"),
        (SlackGroup, "slack-group", "S012", "G012", "must be the id of a user group in Slack, such as S0123ABCD"),
    ],
)
def test_ids_of_slack_are_held_to_what_they_name(declared: Any, name: str, good: str, bad: str, said: str):
    assert typed(declared).validate(good) == f'"{good}"'
    assert told(declared, bad) == {(): said}
    assert typed({"type": "string", "format": name}).validate(good) == f'"{good}"'
    assert told({"type": "string", "format": name}, bad) == {(): said}


ADDRESS = {"type": "object", "title": "Address", "properties": {"street": {"type": "string"}}, "required": ["street"]}


@pytest.mark.parametrize(
    ("schema", "value", "problems"),
    [
        ({"type": "string"}, 1, {(): "must be text"}),
        ({"type": ["string", "integer"]}, None, {(): "must be text, or must be a whole number"}),
        ({"type": "integer"}, True, {(): "must be a whole number"}),
        ({"type": "array", "items": {"type": "boolean"}}, [True, 1], {(1,): "must be yes or no"}),
        ({"type": "string", "minLength": 1}, "", {(): "must not be empty"}),
        ({"type": "string", "maxLength": 2}, "abc", {(): "must have at most 2 characters"}),
        ({"type": "string", "pattern": "^a"}, "b", {(): "is not in the expected form"}),
        ({"type": "array", "minItems": 2}, [1], {(): "must have at least 2 entries"}),
        ({"type": "array", "uniqueItems": True}, [1, 1], {(): "must not have the same entry twice"}),
        ({"type": "number", "maximum": 500.5}, 501, {(): "must be at most 500.5"}),
        ({"type": "number", "exclusiveMinimum": 0}, 0, {(): "must be more than 0"}),
        ({"type": "number", "multipleOf": 0.01}, 19.999, {(): "must be a multiple of 0.01"}),
        ({"enum": ["a", 1, None, ""]}, "b", {(): 'must be one of: a, 1, nothing, ""'}),
        ({"const": "a"}, "b", {(): "must be one of: a"}),
        ({"type": "string", "format": "date"}, "2026-02-30", {(): "must be a date such as 2026-11-30"}),
        (
            {"type": "string", "format": "date-time"},
            "x",
            {(): "must be a date and time such as 2026-11-30T09:00:00Z"},
        ),
        ({"type": "string", "format": "email"}, "x", {(): "must be an e-mail such as name@example.com"}),
        ({"type": "string", "format": "decimal"}, "1,5", {(): "must be a number such as 12.50"}),
        ({"type": "string", "format": "ipv4"}, "x", {(): "must be an IPv4 address such as 192.0.2.1"}),
        ({"not": {"type": "string"}}, "x", {(): "does not fit"}),
        (ADDRESS, {"stret": "A"}, {("street",): "is required", ("stret",): "is not known here"}),
        (ADDRESS, [], {(): "must be an object with named fields"}),
        ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, 1, {(): "must be at least 3"}),
        (
            {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "x",
            {(): "must be a whole number, or must be left empty"},
        ),
        ({"oneOf": [{"minimum": 1}, {"minimum": 2}]}, 3, {(): "fits more than one of the ways to fill it in"}),
        (
            {
                "oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}},
                    {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "integer"}}},
                ]
            },
            {"kind": "b", "y": "1", "z": 1},
            {("y",): "must be a whole number", ("z",): "is not known here"},
        ),
    ],
)
def test_json_schema_speaks_the_same_words(schema, value, problems):
    assert told(schema, value) == problems


def test_an_error_names_the_paths_of_all_its_problems():
    error = AnswerError([Problem(("lines", 3, "amount"), "is required"), Problem((), "does not fit")])
    assert str(error) == "lines[3].amount is required; does not fit"
    assert spell_path(("odd key", 0), root="data") == "data['odd key'][0]"


def test_a_time_with_a_zone_is_spelt_as_it_was_declared():
    declared = Annotated[datetime, Ge(datetime(2026, 1, 1, tzinfo=UTC))]
    assert "2026-01-01" in told(declared, "2025-01-01T00:00:00Z")[()]
