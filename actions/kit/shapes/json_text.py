"""Values to JSON text and back, strictly: what cannot return as it was is refused with the path of the value.

Text rather than a database's own JSON, so that key order, `-0.0`, large integers and decimals stay what they were.
"""

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

from pydantic import AnyUrl, BaseModel, RootModel, Secret, SecretBytes, SecretStr, TypeAdapter
from pydantic_core import MultiHostUrl, Url, to_jsonable_python

from actions.kit.errors import spell_path

MAX_JSON = 1024 * 1024
"""The most that data, state, an input or an output may take as JSON text, in bytes of UTF-8."""

MAX_DEPTH = 100
"""The most levels of lists and objects within each other; readers of JSON give up at about 200."""

MAX_DIGITS = 4000
"""The most digits of an integer; Python reads no more than 4,300 back."""

_SECRETS = (Secret, SecretStr, SecretBytes)
_SCALARS = (
    *(date, time, timedelta, Decimal, UUID, Path, Url, MultiHostUrl, AnyUrl),
    *(IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network),
)

_Keys = tuple[str | int, ...]
_T = TypeVar("_T")


class NotJson(ValueError):  # noqa: N818  (it is an answer to "is this JSON?")
    """A value that cannot be stored. `path` is written as people do (`data.lines[3].amount`); `keys` is the same, apart."""

    def __init__(self, path: str, reason: str, keys: _Keys = ()) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason
        self.keys = keys


class _RefusedError(Exception):
    """A refusal on its way up, before the name of the whole is known."""

    def __init__(self, path: _Keys, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason

    def named(self, what: str) -> NotJson:
        return NotJson(spell_path(self.path, root=what), self.reason, self.path)


def to_json_text(value: Any, *, what: str, limit: int = MAX_JSON) -> str:
    """The value as JSON text. `what` names it in errors (`data`, `state`, `input`).

    Models, dataclasses, datetimes, decimals, enums, UUIDs, paths and the like are written as pydantic serialises them.

    Raises:
        NotJson: For cycles, NaN and infinities, NUL and unpaired surrogates, secret types anywhere, keys that are not
            text, any other object, more than 100 levels, and more than `limit` bytes.
    """
    try:
        text = json.dumps(_plain(value, (), ()), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except _RefusedError as refusal:
        raise refusal.named(what) from None
    size = len(text.encode())
    if size > limit:
        raise NotJson(what, f"is {_spell_size(size)} as JSON; at most {_spell_size(limit)} can be stored")
    return text


def storable(text: str) -> str:
    """The text as every database can keep it: without NUL, and without halves of surrogate pairs."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")


def refuse_hidden(value: Any, *, what: str) -> None:
    """Refuse what pydantic would serialise although it cannot return: secrets (as asterisks), NaN (as text), cycles.

    Raises:
        NotJson: With the path of the first such value.
    """
    try:
        _inspect(value, (), ())
    except _RefusedError as refusal:
        raise refusal.named(what) from None


def from_json_text(text: str, declared: type[_T]) -> _T:
    """The text as a value of `declared`, which wrote it. Keys that the type does not know are passed over.

    Raises:
        pydantic.ValidationError: It does not fit the type.
    """
    return TypeAdapter(declared).validate_json(text, extra="ignore", by_alias=True, by_name=True)


def _plain(value: Any, path: _Keys, above: tuple[int, ...]) -> Any:
    """The value in JSON's own types. `above` are the ids of the containers that it stands in."""
    match value:
        case Enum():
            return _plain(value.value, path, above)
        case None | bool():
            return value
        case str():
            return _text(value, path)
        case int():
            return _integer(value, path)
        case float():
            return _finite(value, path)
        case _:
            return _compound(_open(value, path), path, above)


def _compound(value: Any, path: _Keys, outside: tuple[int, ...]) -> Any:
    if isinstance(value, _SCALARS):
        return _plain(to_jsonable_python(_finite(value, path)), path, outside)
    above = _entered(value, path, outside)
    match value:
        case Mapping():
            return {_key(key, path): _plain(item, (*path, _key(key, path)), above) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item, (*path, place), above) for place, item in enumerate(value)]
        case set() | frozenset():
            raise _RefusedError(path, f"is a value of type {type(value).__name__}, which is not JSON; make it a list")
        case _ if _has_fields(value):
            _inspect(value, path, outside)
            return _plain(_serialised(value, path), path, above)
        case _:
            raise _RefusedError(path, f"is a value of type {type(value).__name__}, which is not JSON")


def _open(value: _T, path: _Keys) -> _T:
    if isinstance(value, _SECRETS):
        raise _RefusedError(path, f"is a secret ({type(value).__name__}), and secrets are never stored")
    return value


def _entered(value: Any, path: _Keys, above: tuple[int, ...]) -> tuple[int, ...]:
    if id(value) in above:
        raise _RefusedError(path, "contains itself")
    if len(above) >= MAX_DEPTH:
        raise _RefusedError(path[:3], f"is nested deeper than {MAX_DEPTH} levels")
    return (*above, id(value))


def _has_fields(value: Any) -> bool:
    return isinstance(value, BaseModel) or (dataclasses.is_dataclass(value) and not isinstance(value, type))


def _serialised(value: Any, path: _Keys) -> Any:
    """A model or dataclass as pydantic serialises it."""
    try:
        return to_jsonable_python(value)
    except ValueError as error:
        raise _RefusedError(*_blame(value, path, str(error))) from None


def _blame(value: Any, path: _Keys, reason: str) -> tuple[_Keys, str]:
    """The innermost field that pydantic cannot serialise, and why."""
    for key, item in _parts(value):
        try:
            to_jsonable_python(item)
        except ValueError as error:
            return _blame(item, (*path, *key), str(error))
    return path, f"is not JSON: {reason}"


def _inspect(value: Any, path: _Keys, above: tuple[int, ...]) -> None:
    parts = list(_parts(_finite(_open(value, path), path)))
    if parts:
        inside = _entered(value, path, above)
        for key, item in parts:
            _inspect(item, (*path, *key), inside)


def _parts(value: Any) -> Iterator[tuple[_Keys, Any]]:
    """What a value holds, each with the rest of its path."""
    match value:
        case RootModel():
            yield (), value.root
        case BaseModel():
            excluded = {name for name, field in type(value).model_fields.items() if field.exclude}
            for name, item in value:
                if name not in excluded:
                    yield (name,), item
            yield from (((name,), getattr(value, name)) for name in type(value).model_computed_fields)
        case Mapping():
            yield from (((str(key),), item) for key, item in value.items())
        case list() | tuple() | set() | frozenset():
            yield from (((place,), item) for place, item in enumerate(value))
        case _ if _has_fields(value):
            yield from (((field.name,), getattr(value, field.name)) for field in dataclasses.fields(value))


def _key(key: Any, path: _Keys) -> str:
    if not isinstance(key, str):
        raise _RefusedError(path, f"has the key {key!r}, and keys must be text")
    return _text(str(key.value) if isinstance(key, Enum) else key, path)


def _text(text: str, path: _Keys) -> str:
    if "\0" in text:
        raise _RefusedError(path, "contains a NUL character, which cannot be stored")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise _RefusedError(path, "contains half of a surrogate pair, which is not a character")
    return str(text)


def _integer(number: int, path: _Keys) -> int:
    if number.bit_length() > MAX_DIGITS * math.log2(10):
        raise _RefusedError(path, f"has more than {MAX_DIGITS:,} digits")
    return int(number)


def _finite(value: _T, path: _Keys) -> _T:
    if not _is_finite(value):
        raise _RefusedError(path, f"is {value}, which is not a number in JSON")
    return value


def _is_finite(value: Any) -> bool:
    """A decimal is asked itself: as a float, 1E+400 would be infinite."""
    return value.is_finite() if isinstance(value, Decimal) else not isinstance(value, float) or math.isfinite(value)


def _spell_size(size: int) -> str:
    if size % 1024 == 0:
        return f"{size // 1024 // 1024} MiB" if size % MAX_JSON == 0 else f"{size // 1024} KiB"
    return f"{size / MAX_JSON:.1f} MiB" if size > MAX_JSON else f"{size / 1024:.1f} KiB"
