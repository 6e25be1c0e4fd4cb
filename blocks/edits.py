"""What deciders made of a request, field by field, in the words in which a card shows its data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import Any

from actions.kit.records.interrupts import Card
from actions.kit.records.runs import Edit, RunRecord
from blocks.data import entries_in
from blocks.described import Described, described
from blocks.facts import Entry, Fact, Image, Passage, Room
from blocks.said import Words, in_elements, in_mrkdwn, in_plain, joined, said
from blocks.telling import NOTHING
from blocks.text import clip, one_line, width
from blocks.values import parse_json
from blocks.voices import voice_said

EDITS, FIELDS, LINES = 2, 5, 20
"""Edits, the latest, and fields of one, that a card shows; and fields that whoever hears of it is told."""
LABEL, VALUE = 40, 60
"""Characters of a label and of a value, there."""
LEAD = 15
"""Characters before the first difference of two long texts that are told with it."""
WHOLE = Room(facts=100, passages=100, rows=500, whole=True)
EDITED = "✏️"


@dataclass(frozen=True, slots=True)
class Difference:
    """One field in words: its label, and its value before and after."""

    label: str
    before: str
    after: str

    @property
    def is_long(self) -> bool:
        return width(self.label) > LABEL or any(width(one_line(each)) > VALUE for each in (self.before, self.after))


@dataclass(frozen=True, slots=True)
class Made:
    """One edit, and what it changed."""

    edit: Edit
    differences: tuple[Difference, ...]

    @property
    def is_cut(self) -> bool:
        return len(self.differences) > FIELDS or any(each.is_long for each in self.differences)


def made_of(run: RunRecord, names: Mapping[str, str] | None = None) -> tuple[Made, ...]:
    """Every edit of a run, in their order. `names` are those of people in the data, by id."""
    texts = pairwise([*(each.before for each in run.edits), run.input])
    return tuple(
        Made(edit, differences(before, after, described(edit.described, names)))
        for edit, (before, after) in zip(run.edits, texts, strict=True)
    )


def differences(before: str, after: str, about: Described) -> tuple[Difference, ...]:
    """What reads otherwise in two inputs, given as JSON text."""
    old, new = (entries_in(parse_json(text), WHOLE, about) for text in (before, after))
    found = (_difference(old.get(name), new.get(name)) for name in {**old, **new})
    return tuple(each for each in found if each.before != each.after)


def edits_shown(card: Card) -> tuple[Made, ...]:
    """The edits that led to what a card shows, in their order."""
    return made_of(card.run, card.names)[: len(card.edits)]


def are_edits_cut(card: Card) -> bool:
    shown = edits_shown(card)
    return len(shown) > EDITS or any(each.is_cut for each in shown)


def edit_said(made: Made) -> Words:
    """Such as "Edited by U0DANA: Amount 4,000.00 EUR → 6,000.00 EUR", cut as a card needs it."""
    return said("Edited by ", voice_said(made.edit), ": ", _changes(made.differences))


def edit_blocks(card: Card) -> list[dict[str, Any]]:
    """On a card that waits: the latest edits, and that earlier answers do not count."""
    shown = edits_shown(card)
    earlier = len(shown) - EDITS
    lines = [*([said(f"{earlier} earlier")] if earlier > 0 else []), *(edit_said(each) for each in shown[-EDITS:])]
    if not lines:
        return []
    lines.append(said("Answers from before that do not count."))
    sections = [
        {"type": "rich_text_section", "elements": in_elements(said(f"{EDITED} " if not number else "", line))}
        for number, line in enumerate(lines)
    ]
    return [{"type": "rich_text", "elements": sections}]


def edited_blocks(card: Card) -> list[dict[str, Any]]:
    """What the edit that ended a question changed, a line for each field."""
    made = made_of(card.run, card.names)[len(card.edits) : len(card.edits) + 1]
    found = made[0].differences if made else ()
    rest = len(found) - LINES
    lines = [_told(each) for each in found[:LINES]] + ([f"and {rest} more"] if rest > 0 else [])
    sections = [{"type": "rich_text_section", "elements": in_elements(said(line))} for line in lines]
    return (
        [{"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": sections}]}]
        if sections
        else []
    )


def edit_lines(card: Card) -> list[str]:
    """Mrkdwn for a settled card: the latest edit that led to it, or the one that ended it."""
    made = made_of(card.run, card.names)
    told = made[: len(card.edits) + 1] if card.edited_away else edits_shown(card)
    return [f"{EDITED} {in_mrkdwn(edit_said(each))}" for each in told[-1:]]


def edited_line(before: str, after: str, schema: str | None) -> str:
    """For the thread, after the name of whoever did it: "edited Amount 4,000.00 EUR → 6,000.00 EUR"."""
    return f"edited {in_plain(_changes(differences(before, after, described(schema))))}"


def edited_words(card: Card) -> str:
    """Mrkdwn for whoever edited it."""
    line = "".join(edit_lines(card)[-1:])
    return f"{line}\nWhoever decides this is asked again, with a new card."


def _changes(found: Sequence[Difference]) -> Words:
    rest = len(found) - FIELDS
    told = [said(_told(each)) for each in found[:FIELDS]] or [said("the same in other words")]
    return said(joined(told, by="; "), f" and {rest} more" if rest > 0 else "")


def _told(found: Difference) -> str:
    before, after = one_line(found.before), one_line(found.after)
    if found.is_long:
        same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(before, after, strict=False)))
        start = max(0, same - LEAD)
        before, after = (f"…{each[start:]}" if start else each for each in (before, after))
    return f"{clip(found.label, LABEL)} {clip(before, VALUE)} → {clip(after, VALUE)}"


def _difference(old: Entry | None, new: Entry | None) -> Difference:
    label = next((each.label for each in (new, old) if each), "")
    return Difference(label, _words(old), _words(new))


def _words(entry: Entry | None) -> str:
    match entry:
        case Fact(value=value):
            return value
        case Passage(text=text):
            return text
        case Image(url=url):
            return url
    return NOTHING
