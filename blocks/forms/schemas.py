"""Reading JSON Schema for forms: references resolved, null taken out, variants told apart. What cannot be read becomes `{}`."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from actions.kit.names import humanise
from actions.kit.sources import KEYWORD, source_of

Schema = Mapping[str, Any]

_ABOUT = ("title", "description", "default", "examples")
"""What is said of a value, whichever of its types it has."""
_BY_KEYWORD = {
    "properties": "object",
    "items": "array",
    "minLength": "string",
    "maxLength": "string",
    "pattern": "string",
    "format": "string",
    "minimum": "number",
    "maximum": "number",
}
"""What a schema that names no type is about."""

TYPES: dict[type, tuple[str, ...]] = {
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    str: ("string",),
    list: ("array",),
    type(None): ("null",),
}


def resolve(schema: Any, root: Schema) -> Schema:
    """The schema itself, `$ref` and a lone `allOf` merged in.

    What stands beside a reference wins over what it names; a description counts only there, since that of a class
    explains the class and not the field.
    """
    for _ in range(16):
        if not isinstance(schema, Mapping):
            return {}
        if isinstance(schema.get("$ref"), str):
            target = _spoken_of(schema["$ref"], _without(_target(schema["$ref"], root), "description"))
            schema = _merged(target, _without(schema, "$ref"))
        elif isinstance(schema.get("allOf"), list) and len(schema["allOf"]) == 1:
            schema = _merged(schema["allOf"][0], _without(schema, "allOf"))
        else:
            return schema
    return {}


def _spoken_of(reference: str, target: Schema) -> Schema:
    """A definition whose title is but the name of a class, with a title for people."""
    name = reference.rpartition("/")[2]
    return {**target, "title": humanise(name)} if target.get("title") == name else target


def _merged(inner: Any, outer: Schema) -> Any:
    """Two schemas of one value as one; two lists of properties are more than can be read."""
    if not isinstance(inner, Mapping) or ("properties" in inner and "properties" in outer):
        return None
    return {**inner, **outer}


def _target(reference: str, root: Schema) -> Schema:
    if reference != "#" and not reference.startswith("#/"):
        return {}
    found: Any = root
    for part in reference[1:].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def _without(schema: Schema, *names: str) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name not in names}


def split_null(schema: Schema, root: Schema) -> tuple[Schema, bool]:
    """The schema without its null, and whether null was allowed: `anyOf` with null, a list of types, an enum with null."""
    if isinstance(schema.get("type"), list):
        rest, nullable = _split_types(schema)
        return split_null(rest, root)[0], nullable
    if isinstance(schema.get("enum"), list) and None in schema["enum"] and len(schema["enum"]) > 1:
        nullable = "type" not in schema
        return {**schema, "enum": [value for value in schema["enum"] if value is not None]}, nullable
    variants = variants_of(schema, root)
    rest_of_them = [variant for variant in variants if not is_null(variant)]
    if not rest_of_them or (len(rest_of_them) == len(variants) and len(rest_of_them) > 1):
        return schema, False
    nullable = len(rest_of_them) < len(variants)
    outer = _without(schema, "anyOf", "oneOf", "discriminator")
    if len(rest_of_them) > 1:
        return {**outer, "anyOf": rest_of_them}, nullable
    lone, inner_nullable = split_null({**rest_of_them[0], **outer}, root)
    return lone, nullable or inner_nullable


def _split_types(schema: Schema) -> tuple[Schema, bool]:
    """One type that is not null, or a union of several, each with all that is said beside them."""
    rest = [kind for kind in schema["type"] if kind != "null"]
    nullable = len(rest) < len(schema["type"])
    if not rest:
        return {**schema, "type": "null"}, False
    if len(rest) == 1 or set(rest) == {"integer", "number"}:
        return {**schema, "type": rest[0] if len(rest) == 1 else "number"}, nullable
    if isinstance(schema.get("enum"), list):
        return _without(schema, "type"), nullable
    shared = _without(schema, "type", *_ABOUT)
    about = {name: schema[name] for name in _ABOUT if name in schema}
    return {**about, "anyOf": [{**shared, "type": kind} for kind in rest]}, nullable


def type_of(schema: Schema) -> str | None:
    """The type that a value is asked for in: the one that is named, or the one that the first telling keyword is about."""
    if "type" in schema:
        named = schema["type"]
        return named if isinstance(named, str) else None
    return next((kind for keyword, kind in _BY_KEYWORD.items() if keyword in schema), None)


def is_null(schema: Schema) -> bool:
    alone = schema.get("type") in ("null", ["null"]) or schema.get("enum") == [None]
    return alone or ("const" in schema and schema["const"] is None)


def variants_of(schema: Schema, root: Schema) -> list[Schema]:
    """The resolved members of a union; empty where there is none."""
    for name in ("anyOf", "oneOf"):
        if isinstance(schema.get(name), list):
            return [resolve(variant, root) for variant in schema[name]]
    return []


def options_of(schema: Schema, root: Schema) -> list[tuple[Any, str]]:
    """The values to choose from and their titles, of an `enum`, or of a union whose members are all constants."""
    if isinstance(schema.get("enum"), list):
        return [(value, spoken(value)) for value in schema["enum"]]
    if schema.get("type") == "boolean":
        return [(True, "Yes"), (False, "No")]
    variants = variants_of(schema, root)
    if not variants or not all("const" in variant or isinstance(variant.get("enum"), list) for variant in variants):
        return [(schema["const"], schema.get("title") or spoken(schema["const"]))] if "const" in schema else []
    return [option for variant in variants for option in _constants(variant)]


def _constants(variant: Schema) -> list[tuple[Any, str]]:
    if "const" in variant:
        return [(variant["const"], variant.get("title") or spoken(variant["const"]))]
    return [(value, spoken(value)) for value in variant["enum"]]


def source_named(schema: Schema) -> str:
    """The source that a value is chosen from; empty where the schema names none, or one that does not exist."""
    name = schema.get(KEYWORD)
    return str(name) if source_of(name) else ""


def sources_within(schema: Any) -> Iterator[str]:
    """The sources that any part of a schema names."""
    left = [schema]
    while left:
        part = left.pop()
        if isinstance(part, Mapping):
            if source := source_named(part):
                yield source
            left += part.values()
        elif isinstance(part, list):
            left += part


def spoken(value: Any) -> str:
    """An option's words: what the author wrote, except that booleans are Yes and No."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return str(value) or "(empty)"


DIGITS = re.compile(r"\\d")


def is_decimal(schema: Schema, root: Schema) -> bool:
    """An exact decimal: text of format `decimal`, or pydantic's own union of a number and a text of digits."""
    if schema.get("type") == "string" and schema.get("format") == "decimal":
        return True
    variants = variants_of(schema, root)
    texts = [variant for variant in variants if variant.get("type") == "string"]
    if sorted(str(variant.get("type")) for variant in variants) != ["number", "string"]:
        return False
    return texts[0].get("format") == "decimal" or bool(DIGITS.search(str(texts[0].get("pattern", ""))))


def merged_decimal(schema: Schema, root: Schema) -> Schema:
    """The limits of a decimal in one place, whichever way it was written."""
    number = next((variant for variant in variants_of(schema, root) if variant.get("type") == "number"), {})
    return {**number, **_without(schema, "anyOf", "oneOf"), "type": "string", "format": "decimal"}


def fits(value: Any, schema: Schema, root: Schema) -> bool:
    """Whether a default belongs to this variant of a union: by its constants, keys and type, not by every constraint."""
    schema = resolve(schema, root)
    if "const" in schema:
        return bool(value == schema["const"])
    if isinstance(schema.get("enum"), list):
        return value in schema["enum"]
    if isinstance(value, Mapping):
        return type_of(schema) == "object" and _keys_fit(value, schema, root)
    return type_of(schema) in TYPES.get(type(value), ())


def _keys_fit(value: Schema, schema: Schema, root: Schema) -> bool:
    properties = schema.get("properties", {})
    if not value.keys() <= properties.keys() or not set(schema.get("required", ())) <= value.keys():
        return False
    tags = {name: resolve(properties[name], root) for name in value}
    return all(value[name] == tag["const"] for name, tag in tags.items() if "const" in tag)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one: `1` is not `true`."""
    return type(one) is type(other) and bool(one == other)
