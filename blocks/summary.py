"""The part of a card that stays the same while it waits and after it is settled: the question and the facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from blocks import limits
from blocks.data import Fact, Facts, Passage, facts_of
from blocks.text import clean, clip, escape, is_person_id, is_safe_url, link, mrkdwn, one_line, plain, width

QUESTION = 1_500
LABEL = 60
COLUMN = 40
"""Characters up to which a value stands beside another: Slack gives each of two fields half of the card."""
PASSAGE = 1_500
PASSAGE_SETTLED = 400

# What mrkdwn would turn into style, an emoji or a quote: rich text takes such values literally.
WILD = re.compile(r"[*~`].*[*~`]|_.*_|:[\w+'-]+:|^\s*>|^\s*•")
INDENTED = re.compile(r"^(?:  |\t|[{\[]$)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Summary:
    """The blocks, and whether anything was cut from them."""

    blocks: list[dict[str, Any]]
    is_cut: bool


def summarise(message: str, shown: str, *, passage: int = PASSAGE) -> Summary:
    """The question as header, then the facts of the JSON text `shown`; texts are cut to `passage` characters."""
    return summary_of(message, facts_of(shown), passage=passage)


def summary_of(message: str, found: Facts, *, passage: int = PASSAGE) -> Summary:
    blocks = [*question_blocks(message), *facts_blocks(found, passage=passage)]
    return Summary(blocks, is_question_cut(message) or are_cut(found, passage=passage))


def is_question_cut(message: str) -> bool:
    return width(split_question(message)[1]) > QUESTION


def are_cut(found: Facts, *, passage: int = PASSAGE) -> bool:
    """Whether `facts_blocks` shows less than all of them."""
    labels = [*(fact.label for fact in found.facts), *(item.label for item in found.passages)]
    return (
        found.left_out > 0
        or found.is_abbreviated
        or any(width(clean(item.text).strip()) > passage for item in found.passages)
        or any(width(one_line(label)) > LABEL for label in labels)
    )


def question_blocks(message: str) -> list[dict[str, Any]]:
    head, rest = split_question(message)
    header = {"type": "header", "text": plain(head, limits.HEADER_TEXT)}
    return [header, {"type": "section", "text": plain(rest, QUESTION)}] if rest else [header]


def split_question(message: str) -> tuple[str, str]:
    """What fits into a header, and the rest: parted after the first line, or between two words."""
    first, _, rest = clean(message).strip().partition("\n")
    first = one_line(first)
    if width(first) <= limits.HEADER_TEXT:
        return first, rest.strip()
    head = words_within(first, limits.HEADER_TEXT - 1)
    if not head:
        return clip(first, limits.HEADER_TEXT), clean(message).strip()
    return f"{head}…", f"…{first[len(head) :].lstrip()}\n{rest}".strip()


def words_within(text: str, limit: int) -> str:
    """As many whole words of one line as fit; empty where not even the first does."""
    kept = ""
    for word in text.split(" "):
        longer = f"{kept} {word}".strip()
        if width(longer) > limit:
            break
        kept = longer
    return kept


def facts_blocks(found: Facts, *, passage: int = PASSAGE) -> list[dict[str, Any]]:
    """Short facts side by side, wide ones and long texts in blocks of their own, then how many entries are not shown.

    All facts are drawn in the same way: where mrkdwn would misread one, all of them stand in rich text.
    """
    draw = _literal if any(map(_is_wild, found.facts)) else _marked_up
    blocks = [draw(row) for row in _rows(found.facts)]
    blocks += [passage_block(item, passage) for item in found.passages]
    if found.left_out > 0:
        blocks.append({"type": "context", "elements": [plain(f"and {found.left_out:,} more")]})
    return blocks


def _rows(facts: tuple[Fact, ...]) -> Iterator[tuple[Fact, ...]]:
    """What stands in one block, in the order of the facts."""
    for is_wide, neighbours in groupby(facts, key=_is_wide):
        together = tuple(neighbours)
        size = 1 if is_wide else limits.SECTION_FIELDS
        yield from (together[start : start + size] for start in range(0, len(together), size))


def _is_wide(fact: Fact) -> bool:
    return width(one_line(fact.value)) > COLUMN


def _is_wild(fact: Fact) -> bool:
    return any(WILD.search(one_line(text)) for text in (fact.label, fact.value) if not is_safe_url(text))


def _marked_up(facts: tuple[Fact, ...]) -> dict[str, Any]:
    if len(facts) == 1:
        return {"type": "section", "text": mrkdwn(_field(facts[0]), limits.SECTION_FIELD_TEXT)}
    return {"type": "section", "fields": [mrkdwn(_field(fact), limits.SECTION_FIELD_TEXT) for fact in facts]}


def _field(fact: Fact) -> str:
    value = one_line(fact.value)
    shown = link(value) if is_safe_url(value) else escape(value)
    return f"*{escape(clip(one_line(fact.label), LABEL))}*\n{shown or '—'}"


def _literal(facts: tuple[Fact, ...]) -> dict[str, Any]:
    """The same in rich text, each label over its value as well, but one below the other."""
    elements = [element for fact in facts for element in (*_literal_field(fact), literal("\n"))]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements[:-1]}]}


def _literal_field(fact: Fact) -> list[dict[str, Any]]:
    return [bold(clip(one_line(fact.label), LABEL)), literal("\n"), _literal_value(one_line(fact.value))]


def _literal_value(value: str) -> dict[str, Any]:
    return {"type": "link", "url": value} if is_safe_url(value) else literal(value)


def passage_block(passage: Passage, limit: int) -> dict[str, Any]:
    """A long text as it was written: a quote, or preformatted where its indentation means something."""
    kind = "rich_text_preformatted" if INDENTED.search(passage.text) else "rich_text_quote"
    body = {"type": kind, "elements": [literal(clip(clean(passage.text).strip(), limit))]}
    if not passage.label:
        return {"type": "rich_text", "elements": [body]}
    label = {"type": "rich_text_section", "elements": [bold(clip(one_line(passage.label), LABEL))]}
    return {"type": "rich_text", "elements": [label, body]}


def literal(text: str) -> dict[str, Any]:
    """A text element of rich text: nothing in it is read as markup."""
    return {"type": "text", "text": text or "—"}


def bold(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text or "—", "style": {"bold": True}}


def person_element(person: str) -> dict[str, Any]:
    return {"type": "user", "user_id": person} if is_person_id(person) else bold(clean(person))
