"""What an author said about data travels with the pause, and never stands in its way."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field, computed_field

from actions import ActionInterrupt, Context, Person, Policy, action
from actions.kit.action import Action
from actions.kit.records.outcomes import Paused
from actions.kit.running.execution import execute
from actions.kit.shapes.shown import MAX_SCHEMA, schema_of_data, schema_of_input


class Line(BaseModel):
    """One line of an order."""

    what: str = Field(title="Article", description="As the supplier calls it", min_length=1, examples=["Chair"])
    price: Decimal = Field(json_schema_extra={"unit": "EUR"})


class Order(BaseModel):
    lines: list[Line]
    parent: "Order | None" = None

    @computed_field(title="Number of lines")
    def count(self) -> int:
        return len(self.lines)


@dataclass
class Window:
    opens: datetime
    lasts: timedelta


def told(value: Any) -> Any:
    text = schema_of_data(value)
    return None if text is None else json.loads(text)


LINE = {
    "properties": {
        "what": {"description": "As the supplier calls it", "title": "Article", "type": "string"},
        "price": {"format": "decimal", "title": "Price", "type": "string", "unit": "EUR"},
    },
    "required": ["what", "price"],
    "type": "object",
}


def test_a_model_tells_titles_units_and_formats_and_nothing_that_only_a_form_needs():
    assert told(Line(what="Chair", price=Decimal("9.90"))) == LINE


def test_models_within_plain_json_are_told_at_any_depth():
    line = Line(what="Chair", price=Decimal(9))
    assert told({"draft": {"lines": [line, line]}, "n": 3}) == {
        "type": "object",
        "properties": {
            "draft": {"type": "object", "properties": {"lines": {"type": "array", "items": LINE}}},
        },
    }


def test_what_computes_itself_and_what_refers_to_itself_is_told_too():
    schema = told(Order(lines=[], parent=Order(lines=[])))
    order = schema["$defs"]["Order"]
    assert order["properties"]["count"] == {"title": "Number of lines", "type": "integer"}
    assert schema["$ref"] == "#/$defs/Order"


def test_python_types_that_json_does_not_know_are_told_without_a_model():
    found = told({"at": datetime(2026, 11, 30, tzinfo=UTC), "day": date(2026, 11, 30), "ttl": timedelta(hours=1)})
    assert {name: entry["format"] for name, entry in found["properties"].items()} == {
        "at": "date-time",
        "day": "date",
        "ttl": "duration",
    }
    assert told(Window(datetime(2026, 11, 30, tzinfo=UTC), timedelta(1)))["properties"]["lasts"]["format"] == "duration"


@pytest.mark.parametrize("value", [None, {}, [], {"a": 1, "b": [1, "x"], "c": {"d": None}}, "text", 5])
def test_plain_json_tells_itself(value: Any):
    assert schema_of_data(value) is None


def test_two_types_of_one_name_are_not_mixed_up():
    def made(title: str) -> BaseModel:
        class Inner(BaseModel):
            x: int = Field(default=1, title=title)

        class Outer(BaseModel):
            inner: Inner = Inner()

        return Outer()

    properties = told({"a": made("One"), "b": made("Two")})["properties"]
    assert set(properties) == {"a"}


def test_a_schema_that_is_too_large_or_cannot_be_made_costs_nothing_but_itself():
    class Wide(BaseModel):
        x: int = Field(default=1, description="d" * MAX_SCHEMA)

    class Broken(BaseModel):
        x: int = 1

        @classmethod
        def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> Any:
            raise RuntimeError("no schema today")

    assert schema_of_data(Wide()) is None
    assert ActionInterrupt("Go?", data=Broken()).data_schema is None


def test_ten_thousand_entries_are_not_all_looked_at():
    found = told({f"f{number}": date(2026, 11, 30) for number in range(10_000)})
    assert 0 < len(found["properties"]) <= 200


class Ask(BaseModel):
    wait: timedelta = Field(alias="waitFor", title="How long")


def asking(*, with_data: bool) -> Action:
    @action(id="ask_it", name="Ask it", description="Asks.", policy=Policy(deciders=Person("U0ANN")))
    async def ask_it(input: Ask, ctx: Context) -> None:
        raise ActionInterrupt(
            "Go?", data={"at": Window(datetime(2026, 11, 30, tzinfo=UTC), input.wait)} if with_data else None
        )

    return ask_it


async def paused(*, with_data: bool) -> Any:
    asked = asking(with_data=with_data)
    text = asked.validate_input({"waitFor": "PT5M"})
    context = Context.build(run_id="r", requester="U0ANN", resume=asked.resume, answered=(), report=print, resources=())
    outcome = await execute(asked, text, context)
    assert isinstance(outcome, Paused)
    return outcome.request


async def test_the_schema_travels_with_the_pause_of_the_data_or_of_the_input_as_it_is_stored():
    of_data, of_input = [json.loads((await paused(with_data=each)).shown_schema) for each in (True, False)]
    assert set(of_data["properties"]["at"]["properties"]) == {"opens", "lasts"}
    assert of_input["properties"] == {"wait": {"format": "duration", "title": "How long", "type": "string"}}


def test_a_json_schema_describes_itself():
    assert schema_of_input({"type": "object", "properties": {"a": {"type": "string"}}}) is not None
