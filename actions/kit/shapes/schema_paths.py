"""What a JSON Schema says about the value at a path, for errors that have to say what was wanted there."""

from collections.abc import Iterator
from typing import Any

from actions.kit import slack_ids
from actions.kit.errors import ShapeError
from actions.kit.shapes.schemas import Schema, beside, resolve

OUT_OF_FORM = "is not in the expected form"
MOST = 200
"""Schemas that are looked at for one value: a recursive union has no end."""


def form_words(root: Schema, path: tuple[str | int, ...]) -> str:
    """What to say where a text does not match its pattern, which says nothing to people.

    It is the author's first example, else the author's description, else that the form is another one.
    """
    found = list(at_path(root, path))
    known = (str(each.get("format")) for each in found)
    if picked := next((slack_ids.WORDS[name] for name in known if name in slack_ids.WORDS), None):
        return picked
    examples = (each["examples"] for each in found if isinstance(each.get("examples"), list))
    if example := next((str(one) for given in examples for one in given if one not in (None, "")), None):
        return f"must be in a form such as {example}"
    described = (str(each["description"]).strip() for each in found if each.get("description"))
    if description := next((words for words in described if words), None):
        return f"{OUT_OF_FORM}: {description}"
    return OUT_OF_FORM


def at_path(root: Schema, path: tuple[str | int, ...]) -> Iterator[Schema]:
    """Every schema that the value at `path` has to fit, or may have to, the outermost first."""
    found = list(_all_of_it(root, root))
    for key in path:
        found = [each for outer in found for inner in _below(outer, key) for each in _all_of_it(inner, root)][:MOST]
    yield from found


def _all_of_it(schema: Any, root: Schema) -> Iterator[Schema]:
    """A schema, what it refers to and what it is composed of."""
    waiting, seen = [schema], 0
    while waiting and seen < MOST:
        each = waiting.pop(0)
        if not isinstance(each, dict):
            continue
        seen += 1
        yield each
        waiting += beside(each)
        if isinstance(each.get("$ref"), str):
            waiting.append(_resolved(root, each["$ref"]))


def _resolved(root: Schema, reference: str) -> Schema | None:
    """What is referred to, without its description: that of a class explains the class and not the field."""
    try:
        return {key: value for key, value in resolve(root, reference).items() if key != "description"}
    except ShapeError:
        return None


def _below(schema: Schema, key: str | int) -> Iterator[Any]:
    if isinstance(key, int):
        prefix = schema.get("prefixItems", ())
        yield prefix[key] if key < len(prefix) else schema.get("items")
    elif key in schema.get("properties", {}):
        yield schema["properties"][key]
    else:
        yield schema.get("additionalProperties")
