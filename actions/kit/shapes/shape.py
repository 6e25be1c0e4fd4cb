"""What a declared resume type is on a card: the ways to answer, each with what validates it."""

import json
import types
from collections.abc import Iterator
from dataclasses import dataclass, is_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NewType, Union, get_args, get_origin

from pydantic import BaseModel, Discriminator, JsonValue, RootModel, Tag
from pydantic.fields import FieldInfo
from typing_extensions import is_typeddict

from actions.kit.errors import ShapeError
from actions.kit.names import humanise, humanise_value, snake_case
from actions.kit.shapes.json_text import NotJson, to_json_text
from actions.kit.shapes.typed import Typed, typed


class Missing(Enum):
    """No value, which is not the same as `None`."""

    MISSING = "missing"


MISSING = Missing.MISSING
"""Given where there is no value."""


MAX_CHOICES = 100
"""A select menu holds at most 100 options (docs.slack.dev, static select)."""


@dataclass(frozen=True)
class Variant:
    """One way to answer, before its key is made distinct: a type to be filled in, or (without one) a constant value.

    `json_value` is the constant as JSON, `value` as what the action gets.
    """

    key: str
    title: str
    schema: dict[str, Any]
    type: Typed | None = None
    json_value: Any = None
    value: Any = None


def variants_of_type(declared: Any) -> list[Variant]:
    """The ways to answer a Python type, in the order of declaration.

    Raises:
        ShapeError: One of them cannot be filled in, or has no JSON.
    """
    members = list(_members(declared))
    named = [member for member in members if _is_named(_bare(member))]
    if not named:
        return [of_value(None)] if members == [types.NoneType] else [answer(typed(declared))]
    if len(members) == 1 and _is_model(_bare(declared)):
        return [_only_model(declared)]
    if len(members) == 1 and _is_too_many(_bare(members[0])):
        return [answer(typed(declared))]
    chosen = [variant for member in members for variant in _chosen(member)]
    rest = [member for member in members if member not in named and member is not types.NoneType]
    return [*chosen, *([answer(typed(Union[tuple(rest)]))] if rest else [])]  # noqa: UP007 - made of a list


def answer(type_: Typed, *, title: str | None = None) -> Variant:
    """The one way to answer something that is no choice: fill it in."""
    return Variant("answer", title or "Answer", type_.json_schema, type_)


def constant(value: Any, title: str, key: str) -> Variant:
    """A choice that is its value."""
    try:
        json_value = json.loads(to_json_text(value, what=title))
    except NotJson as error:
        raise ShapeError(error.path, error.reason) from error
    return Variant(key, title, {"const": json_value}, None, json_value, value)


def of_value(value: Any) -> Variant:
    """The choice that a value of a `Literal`, or of an `enum` in a JSON Schema, gives."""
    match value:
        case Enum():
            return _of_member(value)
        case bool():
            return constant(value, "Yes" if value else "No", "yes" if value else "no")
        case str():
            return constant(value, humanise_value(value) or "(empty)", value)
        case None:
            return constant(None, "None", "none")
    return constant(value, str(value), str(value))


def has_form(schema: dict[str, Any]) -> bool:
    """Whether there is anything to fill in: not for an object whose properties, if any, can only have one value."""
    return "properties" not in schema or fixed(schema).keys() < schema["properties"].keys()


def fixed(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of an object that have one value only, and have to be there or are by default."""
    required = schema.get("required", ())
    constants = {
        name: member
        for name, member in schema.get("properties", {}).items()
        if isinstance(member, dict) and "const" in member
    }
    return {
        name: member["const"]
        for name, member in constants.items()
        if name in required or ("default" in member and member["default"] == member["const"])
    }


def _members(declared: Any) -> Iterator[Any]:
    """The members of a union, however it is written; what is no union is its own only member."""
    if hasattr(declared, "__value__") and declared is not JsonValue:
        yield from _members(declared.__value__)
    elif get_origin(declared) is Annotated:
        inner, *metadata = get_args(declared)
        members = list(_members(inner))
        kept = [each for each in metadata if not isinstance(each, FieldInfo | Discriminator | Tag)]
        yield from (_annotated(member, kept) for member in members) if len(members) > 1 else [declared]
    elif get_origin(declared) in (Union, types.UnionType):
        for member in get_args(declared):
            yield from _members(member)
    else:
        yield declared


def _is_too_many(bare: Any) -> bool:
    """Whether a type is more values than a select shows: then a form searches among them."""
    return len(bare if _is_enum(bare) else get_args(bare) if get_origin(bare) is Literal else ()) > MAX_CHOICES


def _annotated(member: Any, metadata: list[Any]) -> Any:
    return Annotated.__class_getitem__((member, *metadata)) if metadata else member  # type: ignore[attr-defined]


def _bare(member: Any) -> Any:
    """A type without annotations, aliases and new names."""
    while True:
        if get_origin(member) is Annotated:
            member = get_args(member)[0]
        elif hasattr(member, "__value__"):
            member = member.__value__
        elif isinstance(member, NewType):
            member = member.__supertype__
        else:
            return member


def _is_named(bare: Any) -> bool:
    return bare is bool or get_origin(bare) is Literal or _is_enum(bare) or _is_model(bare)


def _is_enum(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, Enum)


def _is_model(bare: Any) -> bool:
    origin = get_origin(bare) or bare
    if not isinstance(origin, type) or issubclass(origin, RootModel):
        return False
    return issubclass(origin, BaseModel) or is_dataclass(origin) or is_typeddict(origin)


def _chosen(member: Any) -> list[Variant]:
    """The choices that one member of a union gives."""
    bare = _bare(member)
    if bare is types.NoneType:
        return [of_value(None)]
    if bare is bool:
        return [of_value(value) for value in (True, False)]
    if get_origin(bare) is Literal:
        return [of_value(value) for value in get_args(bare)]
    if _is_enum(bare):
        return [_of_member(each) for each in bare]
    return [_of_model(member)] if _is_model(bare) else []


def _of_member(member: Enum) -> Variant:
    value, name = member.value, humanise(member.name.lower())
    if isinstance(value, str):
        return constant(member, humanise_value(value) or name, value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return constant(member, name, str(value) if is_number else member.name.lower())


def _of_model(declared: Any) -> Variant:
    name = _name(declared)
    prepared = _within(declared)
    title = explicit_title(prepared.json_schema, name) or humanise(name)
    return Variant(snake_case(name), title, prepared.json_schema, prepared)


def _only_model(declared: Any) -> Variant:
    """A model by itself: filled in as the answer; without fields it is a choice like any other."""
    prepared = _within(declared)
    if not has_form(prepared.json_schema):
        return _of_model(declared)
    return answer(prepared, title=explicit_title(prepared.json_schema, _name(declared)))


def _name(declared: Any) -> str:
    return str(getattr(_bare(declared), "__name__", "answer"))


def _within(declared: Any) -> Typed:
    """The model made ready; a mistake in it is told with its name."""
    try:
        return typed(declared)
    except ShapeError as error:
        raise ShapeError(f"{_name(declared)}.{error.path}" if error.path else _name(declared), error.reason) from error


def explicit_title(schema: dict[str, Any], name: str) -> str | None:
    """The title that the author gave, as opposed to the name of the class."""
    title = schema.get("title")
    return None if title in {None, name} else str(title)
