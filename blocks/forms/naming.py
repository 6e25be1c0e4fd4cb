"""What parts of a form are called, and which of them nobody needs to be asked for."""

from collections import Counter

from blocks.forms.plans import Place
from blocks.forms.schemas import Schema, resolve, same, source_named

TYPE_TITLES = {
    "string": "Text",
    "integer": "Whole number",
    "number": "Number",
    "boolean": "Yes or no",
    "array": "List",
    "object": "Several fields",
}


def root_label(root: Schema) -> str:
    """A lone value is labelled by its title; the fields of an object have labels of their own."""
    whole = resolve(root, root)
    is_object = "properties" in whole and not source_named(whole)
    return "" if is_object else str(root.get("title") or "Answer")


def is_given_by_itself(schema: Schema, place: Place) -> bool:
    """What can only be one value, and is that by default, or is a word that has to be there, such as the tag of a union.

    Nobody is asked for it; for a `true` that has to be there somebody is, since that is how people agree to terms.
    """
    if "const" not in schema:
        return False
    return same(schema.get("default"), schema["const"]) or (isinstance(schema["const"], str) and place.required)


def titles_of_variants(variants: list[Schema], root: Schema) -> list[str]:
    """The titles of a union's members; where two are alike, each with its tag or its number."""
    titles = [_title(variant) for variant in variants]
    counts = Counter(titles)
    return [
        title if counts[title] == 1 else f"{title} ({_tag(variant, root) or number + 1})"
        for number, (title, variant) in enumerate(zip(titles, variants, strict=True))
    ]


def _title(variant: Schema) -> str:
    return str(variant.get("title") or TYPE_TITLES.get(str(variant.get("type")), "Other"))


def _tag(variant: Schema, root: Schema) -> str:
    properties = variant.get("properties")
    members = properties.values() if isinstance(properties, dict) else ()
    tags = (resolve(member, root).get("const") for member in members)
    return next((tag for tag in tags if isinstance(tag, str)), "")
