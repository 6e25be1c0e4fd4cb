r"""One clean JSON Schema per type, which forms are made from and which agents and HTTP clients read.

A declared type gives JSON Schema (draft 2020-12) in this form, keys of `properties` in the order of declaration:

| Python | emitted |
|---|---|
| `str` | `{"type": "string"}` with `minLength`, `maxLength`, `pattern` |
| `int`, `float` | `{"type": "integer"}`, `{"type": "number"}` with `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf` |
| `Decimal` | `{"type": "string", "format": "decimal"}` with the keywords of numbers, `decimalPlaces` and `maxDigits`; the value is text such as `"12.50"`, or a number |
| `bool` | `{"type": "boolean"}` |
| `Literal`, `Enum` | `{"enum": […]}`, for a single value `{"const": …}`, with `type` where the values share one; an `Enum` stands under `$defs` |
| `date`, `datetime`, `time`, `timedelta` | `{"type": "string", "format": "date"}`, `"date-time"`, `"time"`, `"duration"` |
| `NaiveDatetime` | `{"type": "string", "format": "date-time-local"}` |
| `EmailStr`, `HttpUrl`, `UUID` | `{"type": "string", "format": "email"}`, `"uri"`, `"uuid"` |
| `SlackUser`, `SlackChannel`, `SlackConversation`, `SlackGroup` | `{"type": "string", "format": "slack-user"}` and so on, with `pattern` |
| `list[X]`, `set[X]` | `{"type": "array", "items": X}` with `minItems`, `maxItems`, `uniqueItems` |
| `dict[str, X]` | `{"type": "object", "additionalProperties": X}` |
| a model, dataclass or TypedDict | `{"type": "object", "properties": …, "required": […], "additionalProperties": false}` |
| a model within another, an enum | `{"$ref": "#/$defs/Name"}`, maybe with `title`, `description`, `default` beside it |
| `X \| None` | `{"anyOf": [X, {"type": "null"}]}`, most often with `"default": null` |
| a union within a model | `{"anyOf": […]}`; with a discriminator `{"oneOf": […], "discriminator": {…}}` |
| `Any` | `{}` |

Every property has a `title` for people: the author's, or its name made readable (`receipt_link` → `Receipt link`).
`description`, `default` (as JSON) and `examples` are there when declared. What an author adds with `json_schema_extra`
is kept. The whole is never a bare `$ref`. Limits of a date are `formatMinimum` and so on; those of other moments are not
emitted. Validation holds them all.
"""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any

from pydantic import PydanticUserError, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError, PydanticUndefinedAnnotation
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, JsonSchemaWarningKind
from pydantic_core import SchemaError, core_schema

from actions.kit.errors import ShapeError
from actions.kit.names import humanise
from actions.kit.sources import KEYWORD, source_names, source_of

Schema = dict[str, Any]

_NO_TYPE = (
    *(PydanticSchemaGenerationError, PydanticUserError, PydanticUndefinedAnnotation, SchemaError),
    ImportError,  # a type that needs a package of its own, such as EmailStr
)
LOCAL = "date-time-local"
"""The format of a date and time without a zone, which no picker of Slack's gives."""
BYTES = "is bytes, which nobody can fill in; use text"
_UNFIT = "x-unfit"
_SECRET = frozenset({"password"})
_BINARY = frozenset({"binary", "byte", "base64", "base64url"})
_LIMITS = {
    "ge": "minimum",
    "le": "maximum",
    "gt": "exclusiveMinimum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
DATE_LIMITS = {
    "ge": "formatMinimum",
    "le": "formatMaximum",
    "gt": "formatExclusiveMinimum",
    "lt": "formatExclusiveMaximum",
}
"""No keywords of JSON Schema itself, but of its commonest validators; forms tell them."""
COMPOSED = ("anyOf", "oneOf", "allOf")
_IN_LISTS = (*COMPOSED, "prefixItems")
_IN_OBJECTS = ("patternProperties", "dependentSchemas")
_ALONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames")
_ELSEWHERE = ("$dynamicRef", "$recursiveRef")


def adapter_of(declared: Any) -> TypeAdapter[Any]:
    """The adapter that validates and serialises a type.

    Raises:
        ShapeError: Pydantic does not know how to validate it.
    """
    adapter: TypeAdapter[Any]
    try:
        adapter = TypeAdapter(declared)
        adapter.rebuild()
    except _NO_TYPE as error:
        raise ShapeError("", f"is no type that pydantic validates: {str(error).splitlines()[0]}") from error
    return adapter


def emit(adapter: TypeAdapter[Any]) -> Schema:
    """The JSON Schema of a type, in the form that this module describes.

    Raises:
        ShapeError: A field cannot be filled in or stored: a secret, bytes, a callable, an arbitrary class.
    """
    schema = flat(adapter.json_schema(schema_generator=Emitter))
    refuse_unfit(schema)
    _complete(schema)
    return schema


def flat(schema: Schema) -> Schema:
    """The schema with a `$ref` at its very top replaced by what it refers to; what stands beside it wins.

    Raises:
        ShapeError: There is nothing behind it.
    """
    seen: set[str] = set()
    while "$ref" in schema:
        if schema["$ref"] in seen:
            raise ShapeError("", f"refers to itself and nothing else ({schema['$ref']!r})")
        seen.add(schema["$ref"])
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        schema = {**resolve(schema, schema["$ref"]), **beside}
    return schema


def resolve(root: Schema, ref: str) -> Schema:
    """What a local reference (`#/$defs/Name`) refers to.

    Raises:
        ShapeError: It refers to nothing, or to another document.
    """
    found: Any = root
    for part in ref.split("/")[1:] if ref == "#" or ref.startswith("#/") else [ref]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise ShapeError("", f"refers to {ref!r}, which is not in the schema")
    return found


def children(schema: Schema) -> Iterator[tuple[str, Any]]:
    """The schemas directly within a schema, each with its part of the path to the value: `name`, `[]` or nothing."""
    yield from schema.get("properties", {}).items()
    for key in _IN_LISTS:
        yield from (("[]" if key == "prefixItems" else "", member) for member in schema.get(key, ()))
    for key in _IN_OBJECTS:
        yield from (("", member) for member in schema.get(key, {}).values())
    for key in _ALONE:
        if key in schema:
            yield "[]" if key == "items" else "", schema[key]


def beside(schema: Schema) -> list[Any]:
    """The schemas that the very same value must fit, or may have to: what a schema is composed of, its conditions."""
    members = [member for key in COMPOSED for member in schema.get(key, ())]
    members += [schema[key] for key in ("not", "if", "then", "else") if key in schema]
    return [*members, *schema.get("dependentSchemas", {}).values()]


def listed(schema: Any, root: Schema, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names of the properties that a schema lists, by itself or through what it is composed of."""
    if not isinstance(schema, dict):
        return frozenset()
    names = frozenset(schema.get("properties", {}))
    members = beside(schema)
    if "$ref" in schema and schema["$ref"] not in seen:
        seen |= {schema["$ref"]}
        members.append(resolve(root, schema["$ref"]))
    return names.union(*(listed(member, root, seen) for member in members))


class Emitter(GenerateJsonSchema):
    """Pydantic's own generator, with decimals as text, titles for people, and marks where a field is unfit."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012  (the base class declares it so)

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        limits = {_LIMITS[key]: _number(limit) for key, limit in schema.items() if key in _LIMITS}
        sizes = {"decimalPlaces": schema.get("decimal_places"), "maxDigits": schema.get("max_digits")}
        present = {name: size for name, size in sizes.items() if size is not None}
        return {"type": "string", "format": "decimal", **limits, **present}

    def date_schema(self, schema: core_schema.DateSchema) -> JsonSchemaValue:
        limits = {
            DATE_LIMITS[key]: limit.isoformat()
            for key, limit in schema.items()
            if isinstance(limit, date) and key in DATE_LIMITS
        }
        return {**super().date_schema(schema), **limits}

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchemaValue:
        is_local = schema.get("tz_constraint") == "naive"
        return {"type": "string", "format": LOCAL} if is_local else super().datetime_schema(schema)

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:  # noqa: ARG002  (the base class's name)
        return {_UNFIT: BYTES}

    def callable_schema(self, schema: core_schema.CallableSchema) -> JsonSchemaValue:  # noqa: ARG002  (as above)
        return {_UNFIT: "is a callable, which nobody can fill in"}

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:  # noqa: ARG002  (as above)
        return {_UNFIT: f"has no JSON Schema ({error_info.removeprefix('core_schema.')})"}

    def model_field_schema(self, schema: core_schema.ModelField) -> JsonSchemaValue:
        if schema.get("serialization_exclude"):
            return {_UNFIT: "is declared with exclude=True, so it would be lost between the pause and the re-run"}
        return super().model_field_schema(schema)

    def get_title_from_name(self, name: str) -> str:
        return humanise(name)


def _number(limit: Any) -> int | float:
    number = Decimal(str(limit))
    return int(number) if number == number.to_integral_value() else float(number)


def refuse_unfit(root: Schema) -> None:
    """Raise `ShapeError` for the first field that nobody can fill in, by its path, or for a reference to nothing."""
    seen: set[str] = set()
    waiting: list[tuple[str, Any]] = [("", root)]
    while waiting:
        path, schema = waiting.pop(0)
        if not isinstance(schema, dict):
            continue
        if unknown := next((key for key in _ELSEWHERE if key in schema), None):
            raise ShapeError(path, f"uses {unknown}, which a form cannot follow; use $ref")
        if schema.get("writeOnly") or schema.get("format") in _SECRET:
            raise ShapeError(path, "is a secret, and secrets are never asked for, shown or stored")
        if _UNFIT in schema:
            raise ShapeError(path, schema[_UNFIT])
        if KEYWORD in schema and source_of(schema[KEYWORD]) is None:
            known = ", ".join(source_names())
            raise ShapeError(
                path, f"takes its options from {schema[KEYWORD]!r}, which is no source; there are: {known}"
            )
        if "contentEncoding" in schema or schema.get("format") in _BINARY:
            raise ShapeError(path, BYTES)
        if "$ref" in schema and schema["$ref"] not in seen:
            seen.add(schema["$ref"])
            waiting.append((path, resolve(root, schema["$ref"])))
        waiting += [(_joined(path, part), child) for part, child in children(schema)]


def _joined(path: str, part: str) -> str:
    return f"{path}.{part}" if path and part and part != "[]" else path + part


def _complete(schema: Any) -> None:
    """Give every property a title, and state what validation does: an object that lists properties knows no others."""
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        schema["additionalProperties"] = False
    for name, member in schema.get("properties", {}).items():
        member.setdefault("title", humanise(name))
    for member in (*schema.get("$defs", {}).values(), *(child for _, child in children(schema))):
        _complete(member)
