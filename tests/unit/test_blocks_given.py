"""A form that opens with a former input holds all of it, whatever it is made of, and reads back as the same."""

import json
from datetime import date
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from blocks.forms.filled import read_form
from blocks.forms.given import given_draft


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"
    name: str | None = None
    tricks: list[str] = []


class Line(BaseModel):
    what: str
    count: int | None = None


class Former(BaseModel):
    pet: Cat | Dog
    other: Cat | None = None
    lines: list[Line] = []
    day: date
    text: str = "default"
    empty: str | None = "default"
    within: Line
    sure: bool = True
    several: list[Literal["p", "q"]] = []
    share: float = 1.5


SIMPLE: dict[str, Any] = {"pet": Cat(lives=9), "day": date(2026, 1, 2), "within": Line(what="box", count=2)}


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"pet": Dog(name="Rex", tricks=["sit", "roll"]), "other": Cat(lives=1)},
        {"pet": Dog()},
        {"lines": [Line(what="one"), Line(what="two", count=4)]},
        {"lines": [Line(what=str(number)) for number in range(60)]},
        {"text": "", "empty": None, "sure": False, "several": ["q"], "share": 0.25},
    ],
)
def test_what_was_asked_for_stands_in_the_form_again(changed: dict[str, Any]):
    former = Former(**SIMPLE | changed)
    schema = Former.model_json_schema()
    draft = given_draft(schema, json.loads(former.model_dump_json()))
    read = read_form(schema, draft.values, rows=draft.rows)
    assert read.problems == ()
    assert Former.model_validate(read.value) == former


def test_what_the_form_does_not_know_any_more_is_left_out():
    draft = given_draft(Former.model_json_schema(), {"gone": 1, "text": 5, "pet": "neither", "lines": "none"})
    assert (draft.values, draft.rows) == ({}, {})
