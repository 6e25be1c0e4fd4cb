"""The JSON Schema that a type gives is the one that `actions/kit/shapes/schemas.py` describes, for forms and clients."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator
from pydantic import (
    AnyUrl,
    Base64Bytes,
    Base64Str,
    Base64UrlStr,
    BaseModel,
    ConfigDict,
    Field,
    SecretBytes,
    SecretStr,
    StringConstraints,
    create_model,
)

from actions.kit.errors import ShapeError
from actions.kit.names import distinct, humanise, humanise_value, snake_case
from actions.kit.shapes.schemas import adapter_of, emit
from actions.kit.shapes.typed import typed


class Currency(Enum):
    USD = "usd"
    EUR = "eur"


class Node(BaseModel):
    name: str
    inner: list["Node"] = []


class Spend(BaseModel):
    """What to spend."""

    amount: Annotated[
        Decimal, Field(gt=0, le=Decimal("500.50"), decimal_places=2, max_digits=6, multiple_of=Decimal("0.05"))
    ]
    currency: Currency = Field(default=Currency.USD, description="As on the receipt")
    receipt_link: AnyUrl | None = None
    limit: Decimal | None = Field(default=None, ge=1, title="At most")
    node: Node | None = None


def schema(declared: Any) -> dict[str, Any]:
    return emit(adapter_of(declared))


@pytest.mark.parametrize(
    ("declared", "emitted"),
    [
        (
            Annotated[str, StringConstraints(min_length=1, max_length=9, pattern="^a")],
            {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a"},
        ),
        (Annotated[int, Field(ge=1, lt=9)], {"type": "integer", "minimum": 1, "exclusiveMaximum": 9}),
        (float, {"type": "number"}),
        (Decimal, {"type": "string", "format": "decimal"}),
        (bool, {"type": "boolean"}),
        (Literal["a", "b"], {"enum": ["a", "b"], "type": "string"}),
        (Literal["a"], {"const": "a", "type": "string"}),
        (Currency, {"enum": ["usd", "eur"], "title": "Currency", "type": "string"}),
        (date, {"type": "string", "format": "date"}),
        (datetime, {"type": "string", "format": "date-time"}),
        (time, {"type": "string", "format": "time"}),
        (timedelta, {"type": "string", "format": "duration"}),
        (UUID, {"type": "string", "format": "uuid"}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (None, {"type": "null"}),
        (Any, {}),
    ],
)
def test_each_type_has_one_form(declared, emitted):
    assert schema(declared) == emitted


def test_a_model_states_every_field_with_its_title_in_the_order_of_declaration():
    emitted = schema(Spend)
    assert list(emitted["properties"]) == ["amount", "currency", "receipt_link", "limit", "node"]
    assert emitted["properties"]["amount"] == {
        "type": "string",
        "format": "decimal",
        "exclusiveMinimum": 0,
        "maximum": 500.5,
        "multipleOf": 0.05,
        "decimalPlaces": 2,
        "maxDigits": 6,
        "title": "Amount",
    }
    assert emitted["properties"]["currency"] == {
        "$ref": "#/$defs/Currency",
        "default": "usd",
        "description": "As on the receipt",
        "title": "Currency",
    }
    assert emitted["properties"]["limit"] == {
        "anyOf": [{"type": "string", "format": "decimal", "minimum": 1}, {"type": "null"}],
        "default": None,
        "title": "At most",
    }
    assert emitted["properties"]["receipt_link"]["title"] == "Receipt link"
    assert emitted["required"] == ["amount"]
    assert emitted["description"] == "What to spend."


def test_objects_that_list_their_properties_know_no_others_at_any_depth():
    class Loose(BaseModel):
        model_config = ConfigDict(extra="allow")
        node: Node

    emitted = schema(Loose)
    assert emitted["additionalProperties"] is False
    assert emitted["$defs"]["Node"]["additionalProperties"] is False


def test_the_whole_is_never_a_bare_reference():
    emitted = schema(Node)
    assert emitted["type"] == "object"
    assert emitted["properties"]["inner"]["items"] == {"$ref": "#/$defs/Node"}


@pytest.mark.parametrize("declared", [Spend, Node, Currency, list[Spend | None], Annotated[Node, Field(title="Tree")]])
def test_what_is_emitted_is_json_schema(declared):
    Draft202012Validator.check_schema(schema(declared))


@pytest.mark.parametrize(
    ("field", "path", "word"),
    [
        (SecretStr, "field", "secret"),
        (SecretStr | None, "field", "secret"),
        (list[dict[str, SecretStr]], "field[]", "secret"),
        (bytes, "field", "bytes"),
        (type, "field", "no JSON Schema"),
        (Annotated[str, Field(exclude=True)], "field", "lost between the pause and the re-run"),
        (Annotated[str, Field(json_schema_extra={"writeOnly": True})], "field", "secret"),
        (Annotated[str, Field(json_schema_extra={"format": "password"})], "field", "secret"),
        (SecretBytes, "field", "secret"),
        (Annotated[bytes, Field(max_length=9)], "field", "bytes"),
        (bytes | str, "field", "bytes"),
        (dict[str, bytes], "field", "bytes"),
        (Base64Bytes, "field", "bytes"),
        (Base64Str, "field", "bytes"),
        (Base64UrlStr, "field", "bytes"),
        (Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})], "field", "bytes"),
        (Annotated[str, Field(json_schema_extra={"format": "binary"})], "field", "bytes"),
    ],
)
def test_a_field_that_nobody_can_fill_in_is_named_wherever_it_stands(field, path, word):
    inner = create_model("Inner", field=field)
    outer = create_model("Outer", before=int, inner=list[inner])
    with pytest.raises(ShapeError) as caught:
        schema(inner)
    assert (caught.value.path, word in caught.value.reason) == (path, True)
    with pytest.raises(ShapeError) as caught:
        schema(outer)
    assert caught.value.path == f"inner[].{path}"


@pytest.mark.parametrize(
    ("field", "word"),
    [
        ({"type": "string", "writeOnly": True}, "secret"),
        ({"type": "string", "format": "password"}, "secret"),
        ({"type": "string", "format": "binary"}, "bytes"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}, "bytes"),
    ],
)
def test_a_json_schema_names_the_path_of_what_nobody_can_fill_in(field, word):
    inner = {"type": "object", "properties": {"field": field}}
    for path, within in (
        ("inner.field", {"properties": {"inner": inner}}),
        ("inner[].field", {"properties": {"inner": {"type": "array", "items": inner}}}),
        (
            "inner.field",
            {"properties": {"inner": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/I"}]}}, "$defs": {"I": inner}},
        ),
    ):
        with pytest.raises(ShapeError) as caught:
            typed({"type": "object", **within})
        assert (caught.value.path, word in caught.value.reason) == (path, True)


@pytest.mark.parametrize(
    ("name", "people", "machines"),
    [
        ("receipt_link", "Receipt link", "receipt_link"),
        ("ReceiptLink", "Receipt link", "receipt_link"),
        ("HTTPMethod", "HTTP method", "http_method"),
        ("userID", "User ID", "user_id"),
        ("address1", "Address1", "address1"),
        ("straße_ö", "Straße ö", "straße_ö"),
        ("_", "_", "_"),
    ],
)
def test_names_are_made_readable_and_keys_of_names(name, people, machines):
    assert humanise(name) == people
    assert snake_case(name) == machines


def test_values_are_made_readable_only_where_they_look_like_code():
    assert [humanise_value(text) for text in ("needs_work", "us-east-1", "Ship it NOW", "USD", "")] == [
        "Needs work",
        "us-east-1",
        "Ship it NOW",
        "USD",
        "",
    ]


def test_keys_are_distinct_whatever_they_were():
    assert distinct(["a", "a", "a-2", "a", ""]) == ["a", "a-2", "a-2-2", "a-3", "empty"]
