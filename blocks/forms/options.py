"""Words for options, no two of them alike within Slack's 75 characters; and those that fit what somebody typed."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from actions.kit.sources import Found, source_of
from blocks import limits
from blocks.forms.plans import Option
from blocks.text import beginning, clip, ending, one_line, plain, width

HEAD = 44
"""Characters that are kept of a long option's beginning; the rest of the room is for its end."""


def told_apart(titles: Iterable[str]) -> list[str]:
    """Each title in one line within Slack's limit: shortened in its middle, and numbered where another is the same."""
    short = [_shortened(one_line(title) or "(empty)", limits.OPTION_TEXT) for title in titles]
    counts = Counter(short)
    if len(counts) == len(short):
        return short
    taken = {title for title, count in counts.items() if count == 1}
    given: Counter[str] = Counter()
    return [title if counts[title] == 1 else _numbered(title, taken, given) for title in short]


def _shortened(line: str, limit: int) -> str:
    """The beginning and the end, since what tells two long titles apart may be either."""
    if width(line) <= limit:
        return line
    head = min(HEAD, limit // 2)
    return f"{beginning(line, head)}…{ending(line, limit - 1 - head)}"


def _numbered(title: str, taken: set[str], given: Counter[str]) -> str:
    given[title] += 1
    while (candidate := _with_number(title, given[title])) in taken:
        given[title] += 1
    taken.add(candidate)
    return candidate


def _with_number(title: str, number: int) -> str:
    mark = f" ({number})"
    return f"{_shortened(title, limits.OPTION_TEXT - len(mark))}{mark}"


def options_of_values(pairs: Sequence[tuple[Any, str]]) -> tuple[Option, ...]:
    """Values and their titles as options that can be told apart."""
    titles = told_apart(title for _, title in pairs)
    return tuple(Option(value, title) for (value, _), title in zip(pairs, titles, strict=True))


def option(title: str, number: int | str, description: str | None = None) -> dict[str, Any]:
    """An option as Slack wants it; its value is its number, or its key in a source, which is read back and never trusted."""
    made = {"text": plain(clip(one_line(title), limits.OPTION_TEXT)), "value": str(number)}
    if description:
        made["description"] = plain(one_line(description), limits.OPTION_DESCRIPTION)
    return made


def select(options: list[dict[str, Any]]) -> dict[str, Any]:
    """A select; of more than a hundred options, grouped by hundreds."""
    placeholder = plain("Choose one")
    if len(options) <= limits.SELECT_OPTIONS:
        return {"type": "static_select", "placeholder": placeholder, "options": options}
    size = limits.OPTION_GROUP_OPTIONS
    groups = [
        {"label": plain(f"{start + 1} to {start + len(part)}"), "options": part}
        for start in range(0, len(options), size)
        if (part := options[start : start + size])
    ]
    return {"type": "static_select", "placeholder": placeholder, "option_groups": groups}


def found_option(found: Found) -> dict[str, Any]:
    return option(_shortened(one_line(found.title), limits.OPTION_TEXT), found.key, found.description)


def found_in(source: str, typed: str) -> list[dict[str, Any]]:
    """The options of a source that fit what was typed, the best first and no more than Slack takes."""
    known = source_of(source)
    return [found_option(each) for each in known.search(typed, limits.EXTERNAL_OPTIONS)] if known else []


def chosen_from(source: str, key: object) -> Found | None:
    """What a source has under a key; `None` for a key that it does not know."""
    known = source_of(source)
    return known.find(key) if known and isinstance(key, str) and len(key) <= limits.OPTION_VALUE else None


def found(options: Sequence[Option], typed: str) -> list[dict[str, Any]]:
    """The options that fit what was typed, the best first and no more than Slack takes.

    Best is what begins so, then what has a word that begins so, then what contains it, then what contains all its words.
    """
    sought = one_line(typed).casefold()
    ranked = ((_rank(each, sought), number) for number, each in enumerate(options))
    best = sorted((rank, number) for rank, number in ranked if rank is not None)
    return [option(options[number].title, number) for _, number in best[: limits.EXTERNAL_OPTIONS]]


def _rank(candidate: Option, sought: str) -> int | None:
    full = str(candidate.value) if isinstance(candidate.value, str) else ""
    texts = [one_line(text).casefold() for text in (candidate.title, full) if text]
    if any(text.startswith(sought) for text in texts):
        return 0
    if any(word.startswith(sought) for text in texts for word in text.split()):
        return 1
    if any(sought in text for text in texts):
        return 2
    return 3 if any(all(word in text for word in sought.split()) for text in texts) else None
