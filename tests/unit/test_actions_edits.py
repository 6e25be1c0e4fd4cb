"""What may be edited of an input, what it then comes to, and what an action is told of it."""

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from actions import ActionError, Context, Person, Policy
from actions.kit.errors import AnswerError
from actions.kit.from_input import FromInput
from actions.kit.records.outcomes import Returned
from actions.kit.records.runs import Edit
from tests.authors import declare, execute_once

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MONEY = {"amount": "4000", "limit": "5000", "vendor": "Acme", "note": None}
EDITABLE = ("amount", "note")


class Spend(BaseModel):
    amount: Decimal = Field(gt=0)
    limit: Decimal
    vendor: str = Field(alias="to")
    note: str | None = None

    @model_validator(mode="after")
    def is_within(self) -> "Spend":
        if self.amount > self.limit:
            raise ValueError("It is more than the limit.")
        return self


async def spend(input: Spend, ctx: Context) -> str:
    return "; ".join(f"{each.person}: {each.field} {each.before} {each.after}" for each in ctx.edits)


SPEND = declare(spend, editable=EDITABLE)


def edited(given: dict[str, Any]) -> Any:
    return json.loads(SPEND.edit_input(json.dumps(MONEY), EDITABLE, given))


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ({"amount": "4500.00"}, {"amount": "4500.00"}),
        ({"amount": 4500, "note": "Now"}, {"amount": "4500", "note": "Now"}),
        ({"amount": "4000.00", "note": "Now"}, {"note": "Now"}),
        ({"amount": "4000.00"}, {}),
        ({"amount": "4000", "limit": "9999", "other": 1}, {}),
    ],
)
def test_the_other_fields_stay_and_what_means_the_same_is_no_change(given, changed):
    assert edited(given) == MONEY | changed


def test_a_field_that_was_emptied_has_its_default():
    text = json.dumps(MONEY | {"note": "Now"})
    assert json.loads(SPEND.edit_input(text, EDITABLE, {"amount": "4000"})) == MONEY


@pytest.mark.parametrize(
    ("given", "path", "words"),
    [
        ({"amount": "-1"}, ("amount",), "more than 0"),
        ({}, ("amount",), "required"),
        ({"amount": "6000"}, (), "more than the limit"),
    ],
)
def test_all_of_it_is_validated_and_problems_stand_at_their_fields(given, path, words):
    with pytest.raises(AnswerError) as caught:
        edited(given)
    [problem] = caught.value.problems
    assert problem.path == path
    assert words in problem.message


def test_the_form_has_just_the_editable_fields_as_the_form_of_a_new_run_has_them():
    form = SPEND.edit_schema(EDITABLE)
    assert list(form["properties"]) == ["amount", "note"]
    assert form["required"] == ["amount"]
    assert form["properties"]["amount"] == SPEND.input_schema["properties"]["amount"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"editable": "amount"}, "must be names of fields"),
        ({"editable": ("amont",)}, "has no field 'amont'; the fields are 'amount', 'limit', 'note'"),
        ({"editable": ("to",)}, "has no field 'to'"),
        ({"editable": ("amount",), "resume": Literal["S", "M"]}, "no approval"),
        (
            {"editable": ("amount",), "policy": FromInput(lambda _: Policy(deciders=Person("U0ANN")), "vendor")},
            "who decides",
        ),
    ],
)
def test_what_cannot_be_edited_is_told_at_start_up(options, words):
    with pytest.raises(ActionError, match=words):
        declare(spend, **options)


async def test_an_action_without_a_policy_is_told_of_that_alone():
    with pytest.raises(ActionError, match="nobody decides") as caught:
        declare(spend, editable=("amount",), policy=None)
    assert len(caught.value.mistakes) == 1


def an_edit(before: dict[str, Any], person: str) -> Edit:
    return Edit(person=person, at=NOON, source=person, question=1, before=json.dumps(before))


async def test_an_action_is_told_field_by_field_who_made_what_of_it():
    edits = (an_edit(MONEY, "U0ANN"), an_edit(MONEY | {"amount": "1"}, "U0BEN"))
    now = MONEY | {"amount": "2", "note": "Now"}
    outcome = await execute_once(SPEND, input_text=json.dumps(now), edits=edits)
    assert outcome == Returned('"U0ANN: amount 4000 1; U0BEN: amount 1 2; U0BEN: note None Now"')
