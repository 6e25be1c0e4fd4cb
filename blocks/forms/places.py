"""Where the parts of a form stand: the paths, keys, labels and defaults of members, rows and variants."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from blocks.forms.plans import ABSENT, Input, Kind, Option, Place
from blocks.values import BENEATH, humanise


def member_place(outer: Place, name: str, schema: Any, *, required: bool, free: bool) -> Place:
    schema = schema if isinstance(schema, Mapping) else {}
    given = outer.default.get(name, ABSENT) if isinstance(outer.default, Mapping) else ABSENT
    own = ABSENT if free and outer.default in (ABSENT, None) else schema.get("default", ABSENT)
    label = str(schema.get("title") or humanise(name))
    return Place(
        path=(*outer.path, name),
        key=f"{outer.key}/{name.replace('~', '~0').replace('/', '~1')}",
        label=f"{outer.label}{BENEATH}{label}" if outer.label else label,
        required=required,
        free=free,
        depth=outer.depth + 1,
        default=own if given is ABSENT else given,
    )


def default_of_row(place: Place, number: int) -> Any:
    given = place.default if isinstance(place.default, list) else []
    return given[number] if number < len(given) else ABSENT


def row_place(place: Place, number: int, position: int, default: Any) -> Place:
    return Place(
        path=(*place.path, position),
        key=f"{place.key}/{number}",
        label=f"{place.label or 'Entry'} {position + 1}",
        depth=place.depth + 1,
        default=default,
    )


def variant_place(place: Place, number: int, title: str, *, chosen: Any) -> Place:
    return replace(
        place,
        key=f"{place.key}|{number}",
        label=f"{place.label}{BENEATH}{title}" if place.label else title,
        required=True,
        depth=place.depth + 1,
        default=place.default if chosen == number else ABSENT,
    )


def is_in_rows(place: Place) -> bool:
    return any(isinstance(part, int) for part in place.path)


def on_purpose(place: Place, *, with_empty: bool) -> Input:
    """The box that says null; of a list that may be left out, another one that says that it is empty."""
    options = (Option(None, "Say that there is none"), *([Option([], "Say that it is empty")] if with_empty else []))
    own = replace(
        place, key=f"{place.key}?", label=f"{place.label}{BENEATH}None", required=False, free=True, default=ABSENT
    )
    return Input(Kind.SEVERAL, own, {}, options=options)
