"""What those who decide together answered: who said what so far, with which values, and whose values count in the end."""

from dataclasses import replace
from typing import Any

from actions.kit.policies.quorum import needed
from actions.kit.records.interrupts import Card, Choice, DecisionRecord
from actions.kit.shapes.shape import fixed
from blocks.data import facts_besides, facts_in
from blocks.described import described_by
from blocks.facts import Facts, Room
from blocks.people import NAMED, title_of
from blocks.staged import votes_so_far
from blocks.summary import are_cut, literal
from blocks.telling import NOTHING
from blocks.text import clip, mention, mrkdwn, one_line, width
from blocks.values import parse_json
from blocks.voices import voice_elements
from blocks.withheld import without_secrets

VALUES = 3
LABEL, VALUE = 40, 80
ANSWER = Room(passages=1)


def votes_blocks(card: Card) -> list[dict[str, Any]]:
    """Who answered what so far, where one answer is not enough; titles and values are someone's text, so literally."""
    counted = votes_so_far(card)
    if not counted:
        return []
    elements = [literal("Answers so far: ")]
    for number, decision in enumerate(counted[:NAMED]):
        lead = [literal(", ")] if number else []
        elements += [*lead, *voice_elements(decision), literal(f": {_vote(card, decision)}")]
    rest = len(counted) - NAMED
    more = f" and {rest} more" if rest > 0 else ""
    elements.append(literal(f"{more} · {needed(card.interrupt.policy)} needed in all"))
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}]


def _vote(card: Card, decision: DecisionRecord) -> str:
    choice = card.interrupt.shape.choice(decision.choice)
    title = title_of(choice.title if choice else decision.choice)
    values = _values(answer_facts(card, choice, decision.value))
    return f"{title} ({values})" if values else title


def are_votes_cut(card: Card) -> bool:
    """Whether `votes_blocks` leaves out somebody, or some of what they answered."""
    shape = card.interrupt.shape
    given = (answer_facts(card, shape.choice(each.choice), each.value) for each in votes_so_far(card))
    return len(votes_so_far(card)) > NAMED or any(map(_are_values_cut, given))


def _are_values_cut(found: Facts) -> bool:
    pairs = _pairs(found)
    longest = max((width(one_line(value)) for _, value in pairs), default=0)
    return len(pairs) > VALUES or longest > VALUE or are_cut(found)


def _pairs(found: Facts) -> list[tuple[str, str]]:
    pairs = [(fact.label, fact.value) for fact in found.facts if fact.value != NOTHING]
    return pairs + [(passage.label, passage.text) for passage in found.passages]


def _values(found: Facts) -> str:
    pairs = _pairs(found)
    told = [f"{clip(one_line(label), LABEL)} {clip(one_line(value), VALUE)}".strip() for label, value in pairs]
    left_out = len(told[VALUES:]) + found.left_out
    return ", ".join(told[:VALUES]) + (f" and {left_out:,} more" if left_out else "")


def answer_facts(card: Card, choice: Choice | None, answer: str | None) -> Facts:
    """An answer's own fields, as the form called them; what nobody was asked for, or is secret, is left out."""
    if answer is None or choice is None or not choice.has_form:
        return Facts()
    value, about = told_of(choice, answer), replace(described_by(choice.json_schema), people=card.names)
    return facts_besides(fixed(choice.json_schema), value, ANSWER, about) or facts_in(value, ANSWER, about)


def told_of(choice: Choice, answer: str) -> Any:
    """The value of an answer as it may be shown: without its secrets."""
    return without_secrets(parse_json(answer), choice.json_schema)


def counting_blocks(card: Card) -> list[dict[str, Any]]:
    words = counting_words(card)
    return [{"type": "context", "elements": [mrkdwn(words)]}] if words else []


def counting_words(card: Card) -> str:
    """Mrkdwn: whose values count, where several agreed on a choice with different ones; otherwise empty."""
    agreed = [decision for decision in card.decisions if decision.choice == card.interrupt.choice]
    if len({decision.value for decision in agreed}) < 2:  # noqa: PLR2004 - of different values there are at least two
        return ""
    return f"The values of {mention(agreed[-1].person)}, who answered last, count."
