"""What was given and what is expected are told in a line each, and nothing that somebody wrote is in either."""

from datetime import date
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from actions import Approve, Reject
from actions.kit.shapes.answers import Resume
from blocks.expected import expected_words, given_words, name_of, schema_words, shape_of, shape_words


class Line(BaseModel):
    sku: str
    count: int = 1


class Order(BaseModel):
    lines: list[Line]
    due: date | None = None
    speed: Literal["slow", "fast"]


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        (Approve | Reject, "“approve” · “reject” with {reason: text}"),
        (Literal["S", "M"], "“S” · “M”"),
        (int, "“answer” with whole number"),
        (Order, '“answer” with {lines: [{sku: text, count?: whole number}], due?: date | null, speed: "slow" | "fast"}'),
        ({"type": "object", "properties": {"free": {}}, "title": "Any"}, "“answer” with {free?: anything}"),
    ],
)  # fmt: skip
def test_what_is_expected_is_said_choice_by_choice(declared: Any, words: str):
    assert expected_words(Resume.of(declared).shape) == words


def test_a_schema_that_contains_itself_has_an_end():
    node = {"type": "object", "properties": {"child": {"$ref": "#/$defs/node"}}}
    assert "object" in schema_words({"$ref": "#/$defs/node", "$defs": {"node": node}})


def test_what_was_given_keeps_its_keys_and_none_of_its_values():
    shape = shape_of({"reason": "hunter2", "tags": ["hunter2"], "more": {"n": 7, "on": True, "no": None}, "empty": []})
    assert given_words("reject", shape) == (
        "“reject” with {reason: text, tags: [text], more: {n: number, on: true or false, no: null}, empty: []}"
    )
    assert given_words(None, None) == "no choice"


def test_a_key_is_told_only_where_it_is_a_name():
    assert name_of("reason") == "reason"
    assert name_of("xoxb-" + "1" * 60) == "(65 characters)"
    assert "<" not in shape_words(shape_of({"<!channel>": 1}))


@given(st.recursive(st.text(min_size=41) | st.none(), lambda inner: st.dictionaries(st.text(min_size=41), inner)))
def test_however_it_is_nested_nothing_that_is_long_is_told(value: Any):
    assert len(shape_words(shape_of(value))) < 2_000
    assert not [part for part in _texts(value) if part in shape_words(shape_of(value))]


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(text for each in value.values() for text in _texts(each))]
    return [value] if value else []
