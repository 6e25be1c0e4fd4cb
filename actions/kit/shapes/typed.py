"""Types that people's values must fit: an action's input and output, and each way to answer. Prepared once per type."""

import json
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from actions.kit.errors import AnswerError, Problem
from actions.kit.shapes.json_text import MAX_JSON, NotJson, refuse_hidden, to_json_text
from actions.kit.shapes.schema_type import SchemaType, schema_text
from actions.kit.shapes.schemas import Schema, adapter_of, emit
from actions.kit.shapes.wording import problems_of

UNSTABLE = "cannot be stored: it does not read back as it was written, which the action's author must mend"


class Typed(Protocol):
    """Something that validates, stores and restores values: a Python type, or a JSON Schema."""

    @property
    def json_schema(self) -> Schema:
        """What forms, agents and HTTP clients are told, in the form that `schemas` describes."""

    def validate(self, raw: Any, *, what: str = "input", limit: int = MAX_JSON) -> str:
        """A JSON value that people filled in, as the JSON text that is stored.

        Raises:
            AnswerError: It does not fit; unknown keys are refused at every depth.
        """

    def restore(self, text: str) -> Any:
        """The typed value of a stored text.

        Raises:
            AnswerError: It no longer fits the type.
        """

    def store(self, value: Any, *, what: str = "output") -> str:
        """A value that the action itself made (models and the like are welcome), as JSON text.

        Raises:
            AnswerError: It does not fit, or is not JSON.
        """


def typed(declared: Any) -> Typed:
    """A declared type (or a JSON Schema, as a dict) made ready; the same one for the same type.

    Raises:
        ShapeError: Nobody can fill it in, or it cannot be stored.
    """
    if isinstance(declared, dict):
        return _schema_type(schema_text(declared))
    try:
        return _python_type(declared, repr(declared))
    except TypeError:  # what cannot be hashed cannot be remembered
        return PythonType(declared)


@lru_cache(maxsize=1024)
def _python_type(declared: Any, _spelt: str) -> "PythonType":
    """Remembered by its spelling too, because `A | B` equals `B | A`."""
    return PythonType(declared)


@lru_cache(maxsize=256)
def _schema_type(text: str) -> SchemaType:
    return SchemaType(text)


class PythonType:
    """A type that pydantic validates."""

    def __init__(self, declared: Any) -> None:
        self._adapter: TypeAdapter[Any] = adapter_of(declared)
        self.json_schema = emit(self._adapter)

    def validate(self, raw: Any, *, what: str = "input", limit: int = MAX_JSON) -> str:
        try:
            given = to_json_text(raw, what=what, limit=limit)
            return self._text(self._read(given, by_name=None), given, what, limit)
        except NotJson as error:
            raise AnswerError([Problem(error.keys, error.reason)]) from error

    def restore(self, text: str) -> Any:
        return self._read(text, by_name=True)

    def store(self, value: Any, *, what: str = "output") -> str:
        try:
            return self._text(self._checked(value, self._adapter.validate_python), None, what, MAX_JSON)
        except NotJson as error:
            raise AnswerError([Problem(error.keys, error.reason)]) from error

    def _read(self, text: str, *, by_name: bool | None) -> Any:
        read = partial(self._adapter.validate_json, text, extra="forbid", by_alias=by_name, by_name=by_name)
        return self._checked(json.loads(text), lambda _: read())

    def _checked(self, raw: Any, check: Callable[[Any], Any]) -> Any:
        try:
            return check(raw)
        except ValidationError as error:
            raise AnswerError(problems_of(error, raw, self.json_schema)) from error
        except Exception as error:  # a validator is the author's code, and its fault is no answer
            message = f"could not be checked: {type(error).__name__} in the action's own validation"
            raise AnswerError([Problem((), message)]) from error

    def _text(self, value: Any, given: str | None, what: str, limit: int) -> str:
        """The value as text that surely reads back as the same value."""
        try:
            refuse_hidden(value, what=what)
            text = to_json_text(self._dumped(value), what=what, limit=limit)
            is_stable = text == given or self._reads_back(text, value)
        except (AnswerError, NotJson):
            raise
        except Exception as error:  # what serialises, computes or compares may be the author's code
            told = str(error) if isinstance(error, PydanticSerializationError) else type(error).__name__
            raise AnswerError([Problem((), f"cannot be stored: {told}")]) from error
        if not is_stable:
            raise AnswerError([Problem((), UNSTABLE)])
        return text

    def _reads_back(self, text: str, value: Any) -> bool:
        try:
            again = self.restore(text)
        except AnswerError:
            return False
        return bool(again == value) or self._dumped(again) == self._dumped(value)

    def _dumped(self, value: Any) -> Any:
        return self._adapter.dump_python(value, mode="json", round_trip=True, by_alias=False, warnings=False)
