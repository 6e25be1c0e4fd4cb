"""The errors of JSON Schema in words for people, at the path of the value that caused them."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from actions.kit import slack_ids
from actions.kit.errors import Problem
from actions.kit.shapes import wording
from actions.kit.shapes.schema_paths import form_words
from actions.kit.shapes.schemas import LOCAL, Schema, listed

if TYPE_CHECKING:
    from jsonschema import ValidationError

_Path = tuple[str | int, ...]

OTHERWISE = "does not fit"
_TYPES = {
    "string": "must be text",
    "integer": wording.WHOLE,
    "number": wording.NUMBER,
    "boolean": "must be yes or no",
    "array": "must be a list",
    "object": wording.GROUP,
    "null": "must be left empty",
}
_FORMATS = {
    "date": wording.DATE,
    "date-time": wording.MOMENT,
    LOCAL: wording.LOCAL_MOMENT,
    "time": wording.TIME,
    "duration": wording.DURATION,
    "uuid": wording.UUID,
    "uri": wording.LINK,
    "decimal": wording.NUMBER,
    "email": "must be an e-mail such as name@example.com",
    "ipv4": "must be an IPv4 address such as 192.0.2.1",
    "ipv6": "must be an IPv6 address such as 2001:db8::1",
    "hostname": "must be the name of a host such as www.example.com",
    "regex": "must be a regular expression",
    "json-pointer": "must be a JSON pointer such as /a/0",
    **slack_ids.WORDS,
}
_WORDS: dict[str, Callable[[Any], str]] = {
    "enum": wording.one_of,
    "const": lambda value: wording.one_of([value]),
    "minLength": lambda number: wording.at_least(number, "character"),
    "maxLength": lambda number: wording.at_most(number, "character"),
    "minItems": lambda number: wording.at_least(number, "entry"),
    "maxItems": lambda number: wording.at_most(number, "entry"),
    "minProperties": lambda number: wording.at_least(number, "entry"),
    "maxProperties": lambda number: wording.at_most(number, "entry"),
    "uniqueItems": lambda _: "must not have the same entry twice",
    "minimum": lambda limit: f"must be at least {wording.spell(limit)}",
    "maximum": lambda limit: f"must be at most {wording.spell(limit)}",
    "exclusiveMinimum": lambda limit: f"must be more than {wording.spell(limit)}",
    "exclusiveMaximum": lambda limit: f"must be less than {wording.spell(limit)}",
    "decimalPlaces": wording.places,
    "maxDigits": lambda number: wording.at_most(number, "digit"),
    "multipleOf": lambda step: f"must be a multiple of {wording.spell(step)}",
    "format": lambda name: _FORMATS.get(name, f"must be of the format {name}"),
}


def problems_in(errors: "Iterable[ValidationError]", root: Schema) -> tuple[Problem, ...]:
    """What is wrong with a value, each path once."""
    found: dict[_Path, dict[str, None]] = {}
    for error in errors:
        for path, message in list(_told(error, root)) or [(tuple(error.absolute_path), OTHERWISE)]:
            found.setdefault(path, {})[message] = None
    return tuple(Problem(path, ", and ".join(messages)) for path, messages in found.items())


def _told(error: "ValidationError", root: Schema) -> Iterator[tuple[_Path, str]]:
    """One error of the library's, which may speak of several keys, or of the branches of a union."""
    path = tuple(error.absolute_path)
    instance: Any = error.instance
    wanted: Any = error.validator_value
    match error.validator:
        case "required":
            yield from (((*path, name), wording.REQUIRED) for name in wanted if name not in instance)
        case "dependentRequired":
            missing = [name for key, names in wanted.items() if key in instance for name in names]
            yield from (((*path, name), wording.REQUIRED) for name in missing if name not in instance)
        case "additionalProperties" | "unevaluatedProperties":
            known = listed(error.schema, root)
            yield from (((*path, name), wording.UNKNOWN) for name in instance if name not in known)
        case "anyOf" | "oneOf":
            yield from _of_branches(error, root)
        case "type":
            yield path, _type_words(error)
        case "pattern":
            yield path, form_words(root, path)
        case _:
            words = _WORDS.get(str(error.validator))
            yield path, words(wanted) if words else OTHERWISE


def _of_branches(error: "ValidationError", root: Schema) -> Iterator[tuple[_Path, str]]:
    """The errors of the branch that comes nearest; of branches that are all of other types, what they want."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        at = inner.relative_schema_path  # empty where the branch is `false`
        branches.setdefault(at[0] if at else None, []).append(inner)
    if not branches:
        yield tuple(error.absolute_path), "fits more than one of the ways to fill it in"
        return
    near = [branch for branch in branches.values() if not any(_is_of_another_type(inner) for inner in branch)]
    if not near:
        yield (
            tuple(error.absolute_path),
            ", or ".join(dict.fromkeys(_branch_words(branch) for branch in branches.values())),
        )
        return
    for inner in min(near, key=lambda branch: (any(_is_tag(inner) for inner in branch), len(branch))):
        yield from _told(inner, root)


def _is_of_another_type(error: "ValidationError") -> bool:
    return error.validator == "type" and not error.relative_path


def _is_tag(error: "ValidationError") -> bool:
    return error.validator == "const"


def _branch_words(branch: "list[ValidationError]") -> str:
    return next(_type_words(inner) for inner in branch if _is_of_another_type(inner))


def _type_words(error: "ValidationError") -> str:
    wanted: Any = error.validator_value
    kinds = [wanted] if isinstance(wanted, str) else wanted
    return ", or ".join(_TYPES.get(kind, OTHERWISE) for kind in kinds)
