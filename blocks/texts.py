"""What kind of text a long one is: prose, code, JSON, a diff. A diff's additions and removals are counted in words."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from actions.kit.counting import counted
from blocks.described import Described
from blocks.telling import Number

Style = Literal["prose", "code", "list"]

CODE = frozenset(
    {"application/javascript", "application/sql", "application/toml", "application/xml", "application/yaml"}
)
PROSE = frozenset({"text/html", "text/markdown", "text/plain"})
"""Texts that people read as they are written; the words of a mark-up language are read as words."""
JSON = frozenset({"application/json"})
DIFF = frozenset({"text/x-diff", "text/x-patch"})

INDENTED = re.compile(r"^(?:  |\t|[{\[]$)", re.MULTILINE)
BEGINS_A_DIFF = re.compile(r"\A(?:diff --git .*\n|--- .*\n\+\+\+ .*\n@@ -)|^--- .*\n\+\+\+ .*\n@@ -\d", re.MULTILINE)
HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def style_of(text: str, about: Described) -> Style:
    """How a text is laid out: code keeps its spaces, as does what is indented."""
    media = about.media
    if media in PROSE and not is_diff(text, about):
        return "prose"
    if media in CODE | JSON | DIFF or media.startswith("text/") or is_diff(text, about):
        return "code"
    return "code" if INDENTED.search(text) else "prose"


def is_diff(text: str, about: Described) -> bool:
    return about.media in DIFF or (not about.media and BEGINS_A_DIFF.search(text) is not None)


def note_on(text: str, about: Described) -> str:
    """What is to be known before a text is read: "3 lines added, 1 line removed"; empty where it needs nothing."""
    if not is_diff(text, about):
        return ""
    added, removed = _changed(text)
    words = [f"{counted(added, 'line')} added"] if added else []
    words += [f"{counted(removed, 'line')} removed"] if removed else []
    return ", ".join(words) or "no line changed"


def _changed(text: str) -> tuple[int, int]:
    """Lines added and removed, by what each hunk says of its own length: a removed "-- x" looks like a file's name."""
    lines = {"+": 0, "-": 0}
    old = new = 0
    for line in text.splitlines():
        if old <= 0 and new <= 0:
            if hunk := HUNK.match(line):
                old, new = (int(count) if count is not None else 1 for count in hunk.groups())
            continue
        sign = line[:1]
        old -= sign in {"-", " ", ""}
        new -= sign in {"+", " ", ""}
        if sign in lines:
            lines[sign] += 1
    return lines["+"], lines["-"]


def laid_out(text: str, about: Described) -> str:
    """JSON in one line, of which the author says that it is JSON, an entry in each line; any other text as it is.

    So is JSON that says a key twice: laid out, one of the two would be hidden.
    """
    if about.media not in JSON or "\n" in text.strip():
        return text
    try:
        return pretty(json.loads(text, parse_float=Number, parse_int=Number, object_pairs_hook=_without_doubles))
    except (ValueError, RecursionError):
        return text


def pretty(value: Any) -> str:
    """A value of `parse_json` as JSON, an entry in each line, its numbers as they were written."""
    return "".join(_written(value, ""))


def _written(value: Any, pad: str) -> Iterator[str]:
    inner, parted = f"{pad}  ", ",\n"
    match value:
        case Mapping() if value:
            yield "{\n"
            for place, (name, entry) in enumerate(value.items()):
                yield f"{parted if place else ''}{inner}{json.dumps(name, ensure_ascii=False)}: "
                yield from _written(entry, inner)
            yield f"\n{pad}}}"
        case list() if value:
            yield "[\n"
            for place, entry in enumerate(value):
                yield f"{parted if place else ''}{inner}"
                yield from _written(entry, inner)
            yield f"\n{pad}]"
        case Number():
            yield str(value)
        case _:
            yield json.dumps(value, ensure_ascii=False)


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key comes twice")
    return dict(pairs)
