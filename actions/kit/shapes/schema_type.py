"""Values that must fit a plain JSON Schema, as it arrives over HTTP or from an agent (draft 2020-12)."""

import json
from decimal import Decimal
from typing import Any

from actions.kit.errors import AnswerError, Problem, ShapeError
from actions.kit.shapes.json_text import MAX_JSON, NotJson, to_json_text
from actions.kit.shapes.schema_wording import problems_in
from actions.kit.shapes.schemas import Schema, beside, children, flat, listed, refuse_unfit


def schema_text(schema: Schema) -> str:
    """A JSON Schema as text. Raises `ShapeError` where it is not even JSON."""
    try:
        return to_json_text(schema, what="schema")
    except NotJson as error:
        raise ShapeError(error.path, error.reason) from error


DEFINITIONS = ("$defs", "definitions")


class SchemaType:
    """A JSON Schema, given as text. Objects that list their properties know no others, unless they say that they do."""

    def __init__(self, text: str) -> None:
        from actions.kit.shapes.schema_checks import check, validator_of  # noqa: PLC0415 - importing jsonschema takes a second

        schema: Schema = json.loads(text)
        check(schema)
        self.json_schema = flat(schema)
        refuse_unfit(self.json_schema)
        _close(self.json_schema, self.json_schema)
        self._validator = validator_of(self.json_schema)

    def validate(self, raw: Any, *, what: str = "input", limit: int = MAX_JSON) -> str:
        """See `Typed.validate`."""
        try:
            text = to_json_text(_with_numbers(raw), what=what, limit=limit)
        except NotJson as error:
            raise AnswerError([Problem(error.keys, error.reason)]) from error
        self.restore(text)
        return text

    def restore(self, text: str) -> Any:
        """See `Typed.restore`. It is the JSON value itself."""
        value = json.loads(text)
        try:
            problems = problems_in(self._validator.iter_errors(value), self.json_schema)
        except RecursionError:
            problems = (Problem((), "could not be checked: the schema refers to itself without end"),)
        if problems:
            raise AnswerError(problems)
        return value

    def store(self, value: Any, *, what: str = "output") -> str:
        """See `Typed.store`."""
        return self.validate(value, what=what)


def _with_numbers(value: Any) -> Any:
    """Decimals as JSON numbers, which is what a JSON Schema means by a number."""
    match value:
        case Decimal() if value.is_finite():
            return int(value) if value == value.to_integral_value() else float(value)
        case dict():
            return {key: _with_numbers(item) for key, item in value.items()}
        case list():
            return [_with_numbers(item) for item in value]
    return value


def _close(schema: Any, root: Schema) -> None:
    """Forbid unknown keys where an object lists its properties, by itself or through what it is composed of."""
    if not isinstance(schema, dict):
        return
    open_ended = "additionalProperties" in schema or "unevaluatedProperties" in schema
    composed = "$ref" in schema or bool(beside(schema))
    if not open_ended and listed(schema, root):
        schema["unevaluatedProperties" if composed else "additionalProperties"] = False
    for name in DEFINITIONS:
        for definition in schema.get(name, {}).values():
            _close_within(definition, root)
    _close_within(schema, root)


def _close_within(schema: Any, root: Schema) -> None:
    """Close the values within; members of a composition are closed by what they make up, so their tops stay open."""
    if not isinstance(schema, dict):
        return
    members = beside(schema)
    for member in members:
        _close_within(member, root)
    for _, child in children(schema):
        if not any(child is member for member in members):
            _close(child, root)
