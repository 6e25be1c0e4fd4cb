"""Reading JSON Schema for forms: references resolved, null taken out, variants told apart. What cannot be read becomes `{}`."""

import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]

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
            target = _without(_target(schema["$ref"], root), "description")
            schema = _merged(target, _without(schema, "$ref"))
        elif isinstance(schema.get("allOf"), list) and len(schema["allOf"]) == 1:
            schema = _merged(schema["allOf"][0], _without(schema, "allOf"))
        else:
            return schema
    return {}


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
        return _split_types(schema)
    if isinstance(schema.get("enum"), list) and None in schema["enum"]:
        return {**schema, "enum": [value for value in schema["enum"] if value is not None]}, True
    variants = variants_of(schema, root)
    rest = [variant for variant in variants if not is_null(variant)]
    if not rest or (len(rest) == len(variants) and len(rest) > 1):
        return schema, False
    nullable = len(rest) < len(variants)
    outer = _without(schema, "anyOf", "oneOf", "discriminator")
    return ({**rest[0], **outer} if len(rest) == 1 else {**outer, "anyOf": rest}), nullable


def is_null(schema: Schema) -> bool:
    return schema.get("type") == "null" or ("const" in schema and schema["const"] is None)


def _split_types(schema: Schema) -> tuple[Schema, bool]:
    rest = [kind for kind in schema["type"] if kind != "null"]
    nullable = len(rest) < len(schema["type"])
    if len(rest) == 1:
        return {**schema, "type": rest[0]}, nullable
    return {**_without(schema, "type"), "anyOf": [{"type": kind} for kind in rest]}, nullable


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
    variants = variants_of(schema, root)
    if not variants or not all("const" in variant or isinstance(variant.get("enum"), list) for variant in variants):
        return [(schema["const"], schema.get("title") or spoken(schema["const"]))] if "const" in schema else []
    return [option for variant in variants for option in _constants(variant)]


def _constants(variant: Schema) -> list[tuple[Any, str]]:
    if "const" in variant:
        return [(variant["const"], variant.get("title") or spoken(variant["const"]))]
    return [(value, spoken(value)) for value in variant["enum"]]


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
        return schema.get("type") == "object" and _keys_fit(value, schema, root)
    return schema.get("type") in TYPES.get(type(value), ())


def _keys_fit(value: Schema, schema: Schema, root: Schema) -> bool:
    properties = schema.get("properties", {})
    if not value.keys() <= properties.keys() or not set(schema.get("required", ())) <= value.keys():
        return False
    tags = {name: resolve(properties[name], root) for name in value}
    return all(value[name] == tag["const"] for name, tag in tags.items() if "const" in tag)
