"""Forms of models that nobody wrote by hand: valid in every state, read back to what was meant, wrong at a place that is there."""

import json
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AnyHttpUrl, BaseModel, Field, create_model

from actions import SlackChannel, SlackUser
from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Draft
from actions.kit.shapes.typed import Typed, typed
from blocks.form import field_errors, is_outdated, is_redrawn, next_step, read_form, read_step, step_of, turned
from blocks.forms.drafts import ADD, BACK, REMOVE
from blocks.forms.layout import RowsFoot, RowsHead
from blocks.forms.plans import Input
from tests.filling import Values
from tests.form_person import filled_in, inputs_in, items_in, view_of

SLOW = settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow], deadline=None)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Card(BaseModel):
    kind: Literal["card"] = "card"
    number: str = Field(pattern="^[0-9]{4}$", examples=["1234"])


class Bank(BaseModel):
    kind: Literal["bank"] = "bank"
    iban: str
    limit: int | None = None


LETTERS = st.characters(codec="utf-8", categories=("L", "N", "P"))
WORDS = st.text(LETTERS, min_size=1, max_size=20)
MOMENTS = st.datetimes(datetime(2002, 1, 1), datetime(2280, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
CITIES = tuple(f"{'A very long name of a city ' * 4}{number}" for number in range(150))
CITY: Any = Literal.__getitem__(CITIES)
CARDS = st.from_regex("[0-9]{4}", fullmatch=True, alphabet="0123456789").map(
    lambda number: {"kind": "card", "number": number}
)
BANKS = st.builds(
    lambda iban, limit: {"kind": "bank", "iban": iban, "limit": limit}, WORDS, st.none() | st.integers(0, 9)
)
DECIMALS = st.decimals(0, 500, places=2).map(lambda number: format(number, "f"))

Kinds = tuple[Any, st.SearchStrategy[Any]]
LEAVES: list[Kinds] = [
    (str, WORDS),
    (Annotated[str, Field(min_length=2, max_length=400)], st.text(LETTERS, min_size=2, max_size=40)),
    (int, st.integers(-(10**9), 10**9)),
    (Annotated[int, Field(gt=-3, lt=9, multiple_of=2)], st.sampled_from([-2, 0, 4, 8])),
    (float, st.floats(-(10**9), 10**9, allow_nan=False)),
    (Annotated[Decimal, Field(ge=0, le=500, decimal_places=2)], DECIMALS),
    (bool, st.booleans()),
    (date, st.dates().map(date.isoformat)),
    (time, st.times().map(lambda moment: time(moment.hour, moment.minute).isoformat())),
    (datetime, MOMENTS.map(lambda moment: moment.replace(microsecond=0).isoformat().replace("+00:00", "Z"))),
    (AnyHttpUrl, st.just("https://example.com/a?b=1")),
    (Colour, st.sampled_from(["red", "blue"])),
    (Literal["a", "b", "c", "d", "e", "f", "g"], st.sampled_from("abcdefg")),
    (CITY, st.sampled_from(CITIES)),
    (list[Literal["x", "y", "z"]], st.lists(st.sampled_from("xyz"), unique=True)),
    (list[CITY], st.lists(st.sampled_from(CITIES), unique=True, max_size=3)),
    (list[str], st.lists(WORDS, max_size=3)),
    (list[int], st.lists(st.integers(-99, 99), max_size=3)),
    (list[date], st.lists(st.dates().map(date.isoformat), max_size=3)),
    (dict[str, int], st.dictionaries(WORDS, st.integers(), max_size=2)),
    (Any, st.sampled_from([1, "x", [1, None], {"a": {"b": []}}, False])),
    (SlackUser, st.sampled_from(["U012ANN", "W012BEN"])),
    (list[SlackUser], st.lists(st.sampled_from(["U012ANN", "U012BEN"]), unique=True)),
    (SlackChannel, st.just("C012GEN")),
    (int | str, st.integers() | WORDS),
    (Annotated[Card | Bank, Field(discriminator="kind")], CARDS | BANKS),
    (Card | Bank, CARDS | BANKS),
]
DEPTH = 2
HOW = ("required", "default", "null by default", "null or nothing", "null or a default")


def hollow(value: Any) -> bool:
    """Whether nothing of a value is to be seen in a form, so that it cannot be told from nothing at all."""
    if isinstance(value, dict):
        return all(hollow(each) for each in value.values())
    return value is None or value == []


@st.composite
def models(draw: st.DrawFn, depth: int = DEPTH) -> tuple[type[BaseModel], dict[str, Any]]:
    """A model, and a value for it that a person can give by Slack's inputs."""
    fields: dict[str, Any] = {}
    value: dict[str, Any] = {}
    for number in range(draw(st.integers(1, 5))):
        declared, given_value, default = draw(kinds(depth))
        how = draw(st.sampled_from(HOW))
        fields[f"field_{number}"], value[f"field_{number}"] = draw(
            member(declared, given_value, default, how, depth=depth)
        )
    return create_model(f"Model{depth}", **fields), value


@st.composite
def kinds(draw: st.DrawFn, depth: int) -> tuple[Any, Any, Any]:
    """A type, a value that is given, and another one for a default."""
    which = draw(st.integers(0, 9)) if depth else 9
    if which > 1:
        declared, values = draw(st.sampled_from(LEAVES))
        return declared, draw(values), draw(values)
    declared, value = draw(models(depth - 1))
    if which == 0:
        return declared, value, value
    return list[declared], [value] * draw(st.integers(0, 3)), [value] * draw(st.integers(0, 2))  # type: ignore[valid-type]


@st.composite
def member(draw: st.DrawFn, declared: Any, value: Any, default: Any, how: str, *, depth: int) -> tuple[Any, Any]:
    """A field as create_model takes it, and its value: null where that can be told from what is meant.

    Within an object that may be left out, what is left empty is the default, so that a list there is not empty instead.
    """
    if how == "default" and depth < DEPTH and hollow(value):
        how = "required"
    title = draw(st.sampled_from(["A title", "<!channel> *x*", "T" * 300]))
    empty = None if hollow(value) or draw(st.booleans()) else value
    if how == "required" or (declared is Any and how != "default"):
        return (declared, Field(title=title)), value
    if how == "default" and not (hollow(value) and isinstance(value, dict)):
        return (declared, Field(default=default, title=title)), value
    if how == "null or a default":
        return (declared | None, Field(default=default, title=title)), empty
    if how == "null by default":
        return (declared | None, Field(default=None, title=title)), empty
    return (declared | None, Field(title=title)), empty


@SLOW
@given(models())
def test_a_model_asked_for_step_by_step_is_read_back_as_it_was_meant(drawn: tuple[type[BaseModel], dict[str, Any]]):
    declared, value = drawn
    type_ = typed(declared)
    draft = filled_in(type_.json_schema, value)
    filled = read_form(type_.json_schema, draft.values, rows=draft.rows)
    assert filled.problems == ()
    assert as_stored(type_, filled.value) == as_stored(type_, value)


def as_stored(type_: Typed, value: Any) -> Any:
    return json.loads(type_.validate(value))


@SLOW
@given(models(), st.data())
def test_whatever_is_pressed_the_form_stays_one_that_slack_takes(
    drawn: tuple[type[BaseModel], Any], data: st.DataObject
):
    schema = typed(drawn[0]).json_schema
    draft = Draft()
    for _ in range(data.draw(st.integers(1, 8))):
        inputs = inputs_in(view_of(schema, draft))
        typed_so_far = {block_id: junk_state(data) for block_id in inputs}
        assert not is_outdated(schema, draft, {block_id: {} for block_id in inputs})
        action_id, value = data.draw(st.sampled_from(buttons(schema, draft)))
        draft = (
            turned(schema, draft, action_id, value, {**draft.values, **typed_so_far})
            if action_id
            else further(schema, draft)
        )
    view_of(schema, draft)
    assert read_step(schema, draft)


def further(schema: dict[str, Any], draft: Draft) -> Draft:
    return next_step(schema, draft) or draft


def buttons(schema: dict[str, Any], draft: Draft) -> list[tuple[str, str | None]]:
    """Everything that can be pressed, something that cannot, and going on."""
    found: list[tuple[str, str | None]] = [("", None), (BACK, "back"), ("form:add:field:/nowhere", "add")]
    for item in items_in(schema, draft):
        if isinstance(item, Input) and item.redraws:
            found += [(item.action_id, str(number)) for number in range(len(item.options) + 1)]
        if isinstance(item, RowsFoot):
            found.append((f"{ADD}{item.rows.id}", "add"))
        if isinstance(item, RowsHead):
            found += [(f"{REMOVE}{item.rows.id}", "0"), (f"{REMOVE}{item.rows.id}", "x")]
    return found


def junk_state(data: st.DataObject) -> dict[str, dict[str, Any]]:
    text = data.draw(st.sampled_from(["", "x", "12", "-1.5", "{", "[1]", "2026-01-01", "x\ny", "9" * 40]))
    option = data.draw(st.sampled_from([None, {"value": "0"}, {"value": "1"}, {"value": "77"}, {"value": text}]))
    return {
        "value": {
            "value": text,
            "selected_option": option,
            "selected_options": [option] if option else [],
            "selected_date": data.draw(st.sampled_from([None, "2026-02-03"])),
            "selected_user": data.draw(st.sampled_from([None, "U012ANN"])),
        }
    }


@SLOW
@given(models(), st.data())
def test_whatever_is_wrong_is_said_at_an_input_that_is_there(drawn: tuple[type[BaseModel], Any], data: st.DataObject):
    type_ = typed(drawn[0])
    schema = type_.json_schema
    draft = filled_in(schema, drawn[1])
    inputs = sorted(inputs_in(view_of(schema, draft)))
    spoilt: Values = {block_id: junk_state(data) for block_id in inputs if data.draw(st.booleans())}
    values = {**{block_id: draft.values[block_id] for block_id in inputs}, **spoilt}
    draft = draft.model_copy(update={"values": {**draft.values, **values}})
    problems = problems_of(type_, draft)
    errors = field_errors(schema, problems, values, draft=draft)
    assert errors.keys() <= set(inputs)
    assert bool(errors) is bool(problems and inputs)
    assert all(0 <= step_of(schema, problem) <= draft.step for problem in problems)
    view_of(schema, draft)


def problems_of(type_: Typed, draft: Draft) -> tuple[Problem, ...]:
    filled = read_form(type_.json_schema, draft.values, rows=draft.rows)
    if filled.problems:
        return filled.problems
    try:
        type_.validate(filled.value)
    except AnswerError as error:
        return error.problems
    return ()


def test_a_form_that_never_changes_needs_no_draft():
    assert not is_redrawn(typed(create_model("Flat", name=(str, ...), colour=(Colour, "red"))).json_schema)
    changing: list[Any] = [int | str, list[Card], Annotated[Card | Bank, Field(discriminator="kind")]]
    for each in changing:
        assert is_redrawn(typed(create_model("Changing", it=(each, ...))).json_schema)
    many: dict[str, Any] = {f"field_{number}": (str, ...) for number in range(40)}
    assert is_redrawn(typed(create_model("Long", **many)).json_schema)


@pytest.mark.parametrize("value", [{"it": [{"kind": "card", "number": "1234"}] * 3}])
def test_rows_of_a_list_are_read_in_their_order(value: Any):
    type_ = typed(create_model("Listed", it=(list[Card], ...)))
    draft = filled_in(type_.json_schema, value)
    assert read_form(type_.json_schema, draft.values, rows=draft.rows).value == value
