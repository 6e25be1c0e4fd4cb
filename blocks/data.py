"""Any JSON as facts: the few that matter first, images and long texts apart, the rest counted.

What the data means is known from its author's schema, where there is one, and otherwise guessed from each value alone.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import unquote, urlsplit

from actions.kit.counting import counted
from blocks.described import NOTHING_KNOWN, Described
from blocks.facts import IMAGES, USUAL, Entry, Fact, Facts, Image, Passage, Room
from blocks.grids import grid
from blocks.live import Link, Live
from blocks.quantities import amount_of, money
from blocks.telling import LINE, NOTHING, Number, told
from blocks.text import clip, one_line
from blocks.texts import laid_out, note_on, pretty, style_of
from blocks.values import BENEATH, abbreviates, label_of, parse_json, words_for

AMOUNTS = frozenset({"amount", "total", "price", "cost", "sum", "fee", "budget", "value"})
PICTURES = (".gif", ".jpeg", ".jpg", ".png")
"""What Slack shows of images (docs.slack.dev, reference/block-kit/blocks/image-block)."""
READ = 100
"""Entries that are read for a card; what comes after them is only counted."""


def facts_of(text: str, room: Room = USUAL, about: Described = NOTHING_KNOWN) -> Facts:
    """What to show of stored JSON text, by what is known about it."""
    return facts_in(parse_json(text), room, about)


def facts_besides(drawn: Collection[str], value: Any, room: Room, about: Described) -> Facts | None:
    """The same without the entries that are `drawn` in another way; `None` where the value has no entries."""
    if not isinstance(value, Mapping):
        return None
    return facts_in({name: each for name, each in value.items() if name not in drawn}, room, about)


def facts_in(value: Any, room: Room = USUAL, about: Described = NOTHING_KNOWN) -> Facts:
    """The same of a value as `parse_json` gives it."""
    if value is None or value in ({}, []):
        return Facts()
    about = about.of(value)
    found: list[Entry] = [entry(each, room) for each in islice(_parts(value, about), max(READ, room.facts))]
    pictures = [each for each in found if isinstance(each, Image)]
    images = tuple(pictures[: room.images])
    links = [_as_link(each) for each in pictures[len(images) :]]
    short = sorted((each for each in found if isinstance(each, Fact)), key=_rank)
    long = [each for each in found if isinstance(each, Passage)]
    left_empty = sum(1 for fact in short[room.facts :] if fact.value == NOTHING)
    facts, passages = (*short[: room.facts], *links[:IMAGES]), tuple(long[: room.passages])
    shown = len(facts) + len(passages) + len(images)
    return Facts(
        facts,
        passages,
        left_out=_total(value, about) - left_empty - shown,
        is_abbreviated=any(fact.is_abbreviated for fact in facts) or any(each.is_abbreviated for each in passages),
        images=images,
    )


def entries_in(value: Any, room: Room, about: Described) -> dict[str, Entry]:
    """Each entry of an object as it would be shown, by its name; amounts are joined with their currencies."""
    about = about.of(value)
    return {part.name: entry(part, room) for part in _joined(value, about)} if isinstance(value, Mapping) else {}


def _rank(fact: Fact) -> int:
    if fact.money:
        return 0
    return 2 if fact.value == NOTHING else 1


@dataclass(frozen=True, slots=True)
class _Part:
    """An entry before it is told: its label and name, its value, what is known of it, and what stands beside it."""

    label: str
    value: Any
    about: Described
    name: str = ""
    beside: Mapping[str, Any] | None = None
    sum: str | None = None


def entry(part: _Part, room: Room) -> Entry:
    """An entry as a fact where it fits into a line, else as a passage."""
    about, value = part.about, part.value
    if sum_of := part.sum or (money(value) if isinstance(value, Mapping) else None):
        return Fact(part.label, sum_of, money=True, description=about.description)
    if isinstance(value, list) and (passage := _rows(part, value, room)):
        return passage
    if isinstance(value, Mapping | list):
        return _nested(part, room)
    if url := _picture(value, about):
        return Image(part.label, url, _alt(part, url))
    words, live, is_money = _told(part)
    if live is None and (about.media or len(words) > LINE or len(words.splitlines()) > 1):
        text = laid_out(words, about)
        note, style = note_on(text, about), style_of(text, about)
        if note or style == "code" or len(text) > LINE or len(text.splitlines()) > 1:
            return Passage(part.label, text, style=style, note=note, description=about.description)
    return Fact(part.label, words, money=is_money, live=live, description=about.description)


def _told(part: _Part) -> tuple[str, Live | None, bool]:
    found = told(part.value, part.about, name=part.name, beside=part.beside)
    return found.words, found.live, found.is_money


def _nested(part: _Part, room: Room) -> Fact | Passage:
    """A list or an object that stands in a line of words, where those are few."""
    if part.about.media == "application/json":
        return Passage(part.label, pretty(part.value), style="code", description=part.about.description)
    if isinstance(part.value, list) and (words := _beside_each_other(part.value, part.about)):
        return Fact(part.label, words, description=part.about.description)
    words = words_for(part.value, about=part.about, name=part.name)
    is_abbreviated = abbreviates(part.value)
    if isinstance(part.value, list) and part.value:
        return _listed(part, part.value, room)
    if len(words) <= LINE and len(words.splitlines()) <= 1:
        return Fact(part.label, words, is_abbreviated=is_abbreviated, description=part.about.description)
    return Passage(part.label, words, is_abbreviated=is_abbreviated, description=part.about.description)


def _beside_each_other(values: list[Any], about: Described) -> str | None:
    """All entries of a list in one line; `None` where that would be long, or nobody could tell where one ends."""
    if not 0 < len(values) <= LINE or any(isinstance(each, Mapping | list) for each in values):
        return None
    told_of = [words_for(each, about=about.item) for each in values]
    words = ", ".join(told_of)
    return words if len(words) <= LINE and not any("," in each or "\n" in each for each in told_of) else None


def _rows(part: _Part, values: list[Any], room: Room) -> Passage | None:
    """A list of objects or lists, as a table if it is one, else a line for each."""
    if not any(isinstance(each, Mapping | list) for each in values):
        return None
    table = grid(values, part.about.item, shown=room.rows, whole=room.whole)
    if table is None:
        return _listed(part, values, room)
    left = len(values) > room.rows
    note = counted(len(values), "row") + (f", the first {room.rows} of them" if left else "")
    return Passage(
        part.label, table.text, table.is_cut or left, style="code", note=note, description=part.about.description
    )


def _listed(part: _Part, values: list[Any], room: Room) -> Passage:
    """A line for each entry, as many as there is room for, then how many more."""
    shown = values[: room.rows]
    lines = [" ".join(words_for(each, about=part.about.item).split()) or NOTHING for each in shown]
    rest = len(values) - len(shown)
    return Passage(
        part.label,
        "\n".join([*lines, f"and {rest:,} more"] if rest else lines),
        is_abbreviated=bool(rest) or any(map(abbreviates, shown)),
        style="list",
        description=part.about.description,
    )


def _picture(value: Any, about: Described) -> str | None:
    """The https address of an image: as its author says, or as its path ends."""
    if not isinstance(value, str) or not isinstance(told(value, about).live, Link) or not value.startswith("https://"):
        return None
    is_said = about.format == "image" or about.media.startswith("image/")
    return value if is_said or urlsplit(value).path.lower().endswith(PICTURES) else None


def _alt(part: _Part, url: str) -> str:
    """What an image is, for whoever does not see it: what is said of it, its file and where it lies."""
    address = urlsplit(url)
    file = one_line(unquote(address.path.rpartition("/")[2]))
    said = part.about.description or part.label or "Image"
    return clip(one_line(f"{said} ({file} at {address.hostname})" if file else f"{said} (at {address.hostname})"), 500)


def _as_link(image: Image) -> Fact:
    return Fact(image.label, image.url, live=Link(image.url))


def _parts(value: Any, about: Described) -> Iterator[_Part]:
    """Labelled entries, objects within objects opened by one level, amounts joined with their currencies."""
    if not isinstance(value, Mapping):
        yield _lone(value, about)
        return
    for part in _joined(value, about):
        if not _opens(part.value, part.about):
            yield part
            continue
        for inner in _joined(part.value, part.about):
            yield _Part(
                f"{part.label}{BENEATH}{inner.label}", inner.value, inner.about, inner.name, inner.beside, inner.sum
            )


def _lone(value: Any, about: Described) -> _Part:
    if isinstance(value, list):
        return _Part(about.title("") or "Items", value, about)
    is_long = isinstance(value, str) and len(value) > LINE and not isinstance(value, Number)
    return _Part("" if is_long else "Value", value, about)


def _opens(value: Any, about: Described) -> bool:
    return isinstance(value, Mapping) and bool(value) and money(value) is None and not about.media


def _joined(value: Mapping[str, Any], about: Described) -> Iterator[_Part]:
    taken = _currencies(value, about)
    hidden = set(taken.values())
    for name, each in value.items():
        if name in hidden:
            continue
        known = about.entry(name).of(each)
        words = amount_of(each, value[taken[name]]) if name in taken else None
        yield _Part(one_line(label_of(name, known)), each, known, name, value, words)


def _currencies(value: Mapping[str, Any], about: Described) -> dict[str, str]:
    """Which entry names the currency of which amount: as the author says, else as their names tell."""
    partners = {name: _currency_beside(name, value, about) for name in islice(value, READ)}
    return {name: beside for name, beside in partners.items() if beside and amount_of(value[name], value[beside])}


def _currency_beside(name: str, value: Mapping[str, Any], about: Described) -> str | None:
    said = about.entry(name).of(value[name]).currency
    if said in value:
        return said
    if name.rsplit("_", 1)[-1].lower() not in AMOUNTS:
        return None
    candidates = (f"{name}_currency", f"{name.rpartition('_')[0]}_currency", "currency")
    return next((candidate for candidate in candidates if candidate in value), None)


def _total(value: Any, about: Described) -> int:
    if not isinstance(value, Mapping):
        return 1
    opened = [(each, about.entry(name).of(each)) for name, each in value.items() if isinstance(each, Mapping)]
    return _size(value, about) + sum(_size(each, known) - 1 for each, known in opened if _opens(each, known))


def _size(value: Mapping[str, Any], about: Described) -> int:
    return len(value) - len(set(_currencies(value, about).values()))
