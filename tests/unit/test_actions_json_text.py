"""What is stored as JSON text comes back as it was, and what cannot is refused with its path."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, Secret, SecretBytes, SecretStr, computed_field

from actions.kit.shapes.json_text import MAX_JSON, NotJson, from_json_text, refuse_hidden, to_json_text

SMALLEST = 2**-1022
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), inner, max_size=4)
    ),
    max_leaves=20,
)


class Colour(Enum):
    RED = "red"


class Key(StrEnum):
    A = "a"


class Line(BaseModel):
    amount: float | Decimal = 0.0
    extra: Any = None


class Order(BaseModel):
    lines: list[Line] = []
    token: Any = None


@dataclass
class Point:
    x: int
    inner: Any = None


def refusal(value: Any, **options: Any) -> NotJson:
    with pytest.raises(NotJson) as caught:
        to_json_text(value, what="data", **options)
    return caught.value


@given(json_values)
def test_json_comes_back_as_it_was_types_and_key_order_included(value):
    again = json.loads(to_json_text(value, what="data"))
    assert repr(again) == repr(value)


@pytest.mark.parametrize("value", [False, 0, "", [], {}, None, -0.0, 10**400, 2**63, SMALLEST, "😀\u202e\u200b\x01"])
def test_falsy_large_and_odd_values_keep_their_exact_form(value):
    assert repr(json.loads(to_json_text(value, what="data"))) == repr(value)


def test_values_with_a_type_are_written_as_pydantic_writes_them():
    value = {
        "at": datetime(2026, 11, 30, 9, tzinfo=UTC),
        "on": date(2026, 11, 30),
        "lasts": timedelta(minutes=90),
        "amount": Decimal("12.50"),
        "id": UUID(int=1),
        "colour": Colour.RED,
        "path": Path("/a/b"),
        Key.A: (1, 2),
        "line": Line(amount=Decimal("1.10")),
        "point": Point(1, [Decimal(2)]),
    }
    assert json.loads(to_json_text(value, what="data")) == {
        "at": "2026-11-30T09:00:00Z",
        "on": "2026-11-30",
        "lasts": "PT1H30M",
        "amount": "12.50",
        "id": "00000000-0000-0000-0000-000000000001",
        "colour": "red",
        "path": "/a/b",
        "a": [1, 2],
        "line": {"amount": "1.10", "extra": None},
        "point": {"x": 1, "inner": ["2"]},
    }


def test_a_value_with_a_type_is_restored_by_that_type_whatever_it_computed():
    class Cart(BaseModel):
        model_config = ConfigDict(extra="forbid")
        cost: Decimal = Field(alias="Cost")
        at: datetime

        @computed_field
        def doubled(self) -> Decimal:
            return self.cost * 2

    cart = Cart(Cost=Decimal("1.10"), at=datetime(2026, 1, 1, tzinfo=UTC))
    assert from_json_text(to_json_text(cart, what="state"), Cart) == cart


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), Decimal("NaN"), Decimal("Infinity")])
def test_what_is_not_a_number_is_refused_wherever_it_hides(number):
    assert refusal({"lines": [0, 1, 2, {"amount": number}]}).path == "data.lines[3].amount"
    assert refusal(Order(lines=[Line(), Line(amount=number)])).path == "data.lines[1].amount"
    assert refusal(Point(1, number)).path == "data.inner"
    assert "is not a number in JSON" in refusal(number).reason


@pytest.mark.parametrize("secret", [SecretStr("hush"), SecretBytes(b"hush"), Secret[int](7)])
def test_a_secret_is_refused_wherever_it_hides_and_never_quoted(secret):
    for value in ({"token": secret}, Order(token=secret), Order(token={"deep": [secret]}), Point(1, secret)):
        error = refusal(value)
        assert "secret" in error.reason
        assert "hush" not in str(error)
    assert refusal(Order(lines=[Line(extra=(1, {"k": secret}))])).path == "data.lines[0].extra[1].k"


def test_a_signalling_nan_is_refused_like_any_other():
    assert refusal([Decimal("sNaN")]).path == "data[0]"


def test_a_decimal_beyond_every_float_keeps_its_digits():
    huge = Line(amount=Decimal("1E+400"))
    assert from_json_text(to_json_text(huge, what="data"), Line) == huge


def test_a_secret_that_a_model_computes_is_refused_and_not_stored_as_asterisks():
    class Login(BaseModel):
        name: str

        @computed_field
        def password(self) -> SecretStr:
            return SecretStr("hush")

    assert refusal([Login(name="ann")]).path == "data[0].password"


def test_a_secret_in_a_field_that_is_never_written_does_no_harm():
    class Login(BaseModel):
        name: str
        password: SecretStr = Field(exclude=True)

    assert to_json_text(Login(name="ann", password=SecretStr("hush")), what="data") == '{"name":"ann"}'


@pytest.mark.parametrize(
    ("text", "word"),
    [("a\0b", "NUL"), ("\ud800", "surrogate"), ("x\udfff", "surrogate"), ("\udc00\ud800", "surrogate")],
)
def test_text_that_cannot_be_stored_is_refused_as_value_and_as_key(text, word):
    assert word in refusal({"a": [text]}).reason
    assert refusal({"a": [text]}).path == "data.a[0]"
    assert word in refusal({"a": {text: 1}}).reason
    assert word in refusal(Order(token=text)).reason


def test_a_value_that_contains_itself_is_refused_where_it_does():
    loop: dict[str, Any] = {"name": "loop"}
    loop["children"] = [loop]
    assert str(refusal(loop)) == "data.children[0] contains itself"
    order = Order()
    order.token = [order]
    assert str(refusal(order)) == "data.token[0] contains itself"
    assert str(refusal({"order": order})) == "data.order.token[0] contains itself"


def test_a_value_that_stands_twice_side_by_side_does_not_contain_itself():
    shared = {"a": 1}
    assert to_json_text([shared, shared], what="data") == '[{"a":1},{"a":1}]'


def test_deep_nesting_is_refused_in_words():
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    assert "nested deeper than 100 levels" in refusal(deep).reason
    assert "nested deeper than 100 levels" in refusal(Order(token=deep)).reason


def test_a_hundred_levels_are_not_too_deep():
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    assert json.loads(to_json_text(deep, what="data")) == deep


@pytest.mark.parametrize(
    "value", [{1, 2}, frozenset(), b"x", PurePosixPath("a"), object(), int, len, iter([1]), 1j, range(3), NotJson]
)
def test_anything_else_is_refused_by_type(value):
    error = refusal({"odd key": value})
    assert error.path == "data['odd key']"
    assert type(value).__name__ in error.reason


def test_an_object_within_a_model_is_refused_at_its_path():
    assert refusal(Order(lines=[Line(extra=[object()])])).path == "data.lines[0].extra[0]"


def test_keys_must_be_text():
    assert str(refusal({"a": {1: 2}})) == "data.a has the key 1, and keys must be text"


def test_ten_thousand_fields_are_stored():
    value = {f"field {number}": number for number in range(10_000)}
    assert json.loads(to_json_text(value, what="data")) == value


def test_five_megabytes_are_refused_with_the_limit():
    assert str(refusal("x" * 5 * MAX_JSON)) == "data is 5.0 MiB as JSON; at most 1 MiB can be stored"
    assert str(refusal(["x" * 1000] * 66, limit=64 * 1024)) == "data is 64.6 KiB as JSON; at most 64 KiB can be stored"


def test_the_limit_counts_bytes_not_characters():
    assert to_json_text("é" * 30, what="data", limit=62)
    refusal("é" * 31, limit=63)


def test_an_integer_that_python_would_not_read_back_is_refused():
    assert "digits" in refusal(10**4001).reason
    assert json.loads(to_json_text(10**3999, what="data")) == 10**3999


def test_a_root_model_is_what_it_wraps():
    class Names(RootModel[list[str]]):
        pass

    assert to_json_text(Names(["a"]), what="data") == '["a"]'


def test_what_pydantic_would_hide_can_be_looked_for_alone():
    refuse_hidden(Order(token={1, 2}), what="output")
    with pytest.raises(NotJson, match=r"output\.token\.a is a secret"):
        refuse_hidden(Order(token={"a": SecretStr("x")}), what="output")
