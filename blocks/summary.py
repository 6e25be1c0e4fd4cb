"""The part of a card that stays the same while it waits and after it is settled: the question and the facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from actions.kit.records.interrupts import Card
from blocks import limits
from blocks.facts import Fact, Facts, Image, Passage, Room
from blocks.live import in_mrkdwn, in_rich_text
from blocks.shown import facts_shown
from blocks.text import clean, clip, clip_lines, escape, is_person_id, mrkdwn, one_line, plain, width

QUESTION = 1_500
LABEL = 60
COLUMN = 40
"""Characters up to which a value stands beside another: Slack gives each of two fields half of the card."""
PASSAGE = 1_500
PASSAGE_SETTLED = 400

# What mrkdwn would turn into style, an emoji or a quote: rich text takes such values literally.
WILD = re.compile(r"[*~`].*[*~`]|_.*_|:[\w+'-]+:|^\s*>|^\s*•")


@dataclass(frozen=True, slots=True)
class Summary:
    """The blocks, and whether anything was cut from them."""

    blocks: list[dict[str, Any]]
    is_cut: bool


def summarise(card: Card, *, passage: int = PASSAGE, in_view: bool = False) -> Summary:
    """The question as header, then the facts of what it is about; texts are cut to `passage` characters.

    In a view (a modal, the Home tab) people are mentioned, which calls nobody there. Images are links: Slack refuses the
    whole where it cannot fetch one.
    """
    return summary_of(card.interrupt.message, facts_shown(card, Room()), passage=passage, in_view=in_view)


def summary_of(message: str, found: Facts, *, passage: int = PASSAGE, in_view: bool = False) -> Summary:
    blocks = [*question_blocks(message), *facts_blocks(found, passage=passage, in_view=in_view)]
    return Summary(blocks, is_question_cut(message) or are_cut(found, passage=passage))


def is_question_cut(message: str) -> bool:
    return width(split_question(message)[1]) > QUESTION


def are_cut(found: Facts, *, passage: int = PASSAGE) -> bool:
    """Whether `facts_blocks` shows less than all of them."""
    labels = [fact.label for fact in found.facts] + [image.label for image in found.images]
    labels += [item.label for item in found.passages]
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


def facts_blocks(
    found: Facts, *, passage: int = PASSAGE, in_view: bool = False, explained: bool = False
) -> list[dict[str, Any]]:
    """Short facts side by side, wide ones, images and long texts in blocks of their own, then how many entries are left.

    All facts are drawn in the same way: where mrkdwn would misread one, or what they mean is `explained` beneath them,
    all of them stand in rich text.
    """
    is_literal = any(map(_is_wild, found.facts)) or (explained and any(fact.description for fact in found.facts))
    draw = partial(_literal, explained=explained) if is_literal else _marked_up
    blocks = [draw(row, in_view=in_view) for row in _rows(found.facts)]
    blocks += [image_block(image) for image in found.images]
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
    """What is live says for itself what it is."""
    texts = (fact.label,) if fact.live else (fact.label, fact.value)
    return any(WILD.search(one_line(text)) for text in texts)


def _marked_up(facts: tuple[Fact, ...], *, in_view: bool) -> dict[str, Any]:
    fields = [mrkdwn(_field(fact, in_view=in_view), limits.SECTION_FIELD_TEXT) for fact in facts]
    return {"type": "section", "text": fields[0]} if len(fields) == 1 else {"type": "section", "fields": fields}


def _field(fact: Fact, *, in_view: bool) -> str:
    shown = in_mrkdwn(fact.live, one_line(fact.value), in_view=in_view)
    return f"*{escape(clip(one_line(fact.label), LABEL))}*\n{shown or '—'}"


def _literal(facts: tuple[Fact, ...], *, in_view: bool, explained: bool) -> dict[str, Any]:
    """The same in rich text, each label over its value as well, but one below the other; apart where they are explained."""
    elements: list[dict[str, Any]] = []
    for fact in facts:
        elements += [bold(clip(one_line(fact.label), LABEL)), literal("\n")]
        elements += [in_rich_text(fact.live, one_line(fact.value), in_view=in_view)]
        elements += [literal("\n"), *_explanation(fact.description)] if explained and fact.description else []
        elements += [literal("\n\n" if explained else "\n")]
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements[:-1]}]}


def _explanation(description: str) -> list[dict[str, Any]]:
    """What an author said of a field, apart from its value."""
    return [{"type": "text", "text": description, "style": {"italic": True}}] if description else []


def image_block(image: Image) -> dict[str, Any]:
    block = {"type": "image", "image_url": image.url, "alt_text": clip(one_line(image.alt), limits.IMAGE_ALT_TEXT)}
    label = clip(one_line(image.label), LABEL)
    return block | {"title": plain(label)} if label else block


def passage_block(passage: Passage, limit: int) -> dict[str, Any]:
    """A long text as it was written: a quote, a list, or preformatted where its spaces mean something."""
    text = clean(passage.text).strip("\n")
    shown = clip(text.strip(), limit) if passage.style == "prose" else clip_lines(text, limit)
    return {"type": "rich_text", "elements": [*passage_head(passage), passage_body(passage, shown)]}


def passage_head(passage: Passage, *, explained: bool = False) -> list[dict[str, Any]]:
    """Its label and what is to be known beforehand, if there is anything to say."""
    label, note = clip(one_line(passage.label), LABEL), one_line(passage.note)
    elements = [bold(label)] if label else []
    elements += [literal(f" · {note}" if label else note)] if note else []
    elements += [literal("\n"), *_explanation(passage.description)] if explained and passage.description else []
    return [{"type": "rich_text_section", "elements": elements}] if elements else []


def passage_body(passage: Passage, text: str) -> dict[str, Any]:
    """`text` is what is shown of it."""
    if passage.style == "list":
        entries = [{"type": "rich_text_section", "elements": [literal(line)]} for line in text.split("\n")]
        return {"type": "rich_text_list", "style": "bullet", "elements": entries}
    kind = "rich_text_preformatted" if passage.style == "code" else "rich_text_quote"
    return {"type": kind, "elements": [literal(text)]}


def literal(text: str) -> dict[str, Any]:
    """A text element of rich text: nothing in it is read as markup."""
    return {"type": "text", "text": text or "—"}


def bold(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text or "—", "style": {"bold": True}}


def person_element(person: str) -> dict[str, Any]:
    return {"type": "user", "user_id": person} if is_person_id(person) else bold(clean(person))
