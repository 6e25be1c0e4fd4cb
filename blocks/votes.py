"""What those who decide together answered: who said what so far, with which values, and whose values count in the end."""

from typing import Any

from actions.kit.records import Card, Choice, DecisionRecord
from blocks.data import Facts, facts_of
from blocks.people import NAMED, title_of
from blocks.summary import literal, person_element
from blocks.text import clean, clip, mention, mrkdwn, one_line
from blocks.values import NOTHING

VALUES = 3
LABEL, VALUE = 40, 80


def votes_blocks(card: Card) -> list[dict[str, Any]]:
    """Who answered what so far, where one answer is not enough; titles and values are someone's text, so literally."""
    if not card.decisions:
        return []
    elements = [literal("Answers so far: ")]
    for number, decision in enumerate(card.decisions[:NAMED]):
        lead = [literal(", ")] if number else []
        elements += [*lead, person_element(decision.person), literal(f": {_vote(card, decision)}")]
    rest = len(card.decisions) - NAMED
    more = f" and {rest} more" if rest > 0 else ""
    elements.append(literal(f"{more} · {card.interrupt.policy.quorum} needed"))
    return [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": elements}]}]


def _vote(card: Card, decision: DecisionRecord) -> str:
    choice = card.interrupt.shape.choice(decision.choice)
    title = title_of(choice.title if choice else decision.choice)
    values = _values(answer_facts(choice, decision.value))
    return f"{title} ({values})" if values else title


def _values(found: Facts) -> str:
    pairs = [(fact.label, fact.value) for fact in found.facts if fact.value != NOTHING]
    pairs += [(passage.label, passage.text) for passage in found.passages]
    told = [f"{clip(one_line(label), LABEL)} {clip(one_line(value), VALUE)}".strip() for label, value in pairs]
    left_out = len(told[VALUES:]) + found.left_out
    return ", ".join(told[:VALUES]) + (f" and {left_out:,} more" if left_out else "")


def answer_facts(choice: Choice | None, answer: str | None) -> Facts:
    """An answer's own fields, as the form called them; what is marked as secret is left out."""
    if answer is None or choice is None or not choice.has_form:
        return Facts()
    properties = choice.json_schema.get("properties", {})
    hidden = frozenset(name for name, schema in properties.items() if _is_secret(schema))
    titles = {name: clean(schema["title"]) for name, schema in properties.items() if _has_title(schema)}
    return facts_of(answer, passages=1, hidden=hidden, titles=titles)


def _has_title(schema: Any) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("title"), str)


def _is_secret(schema: Any) -> bool:
    return isinstance(schema, dict) and (schema.get("writeOnly") is True or schema.get("format") == "password")


def counting_blocks(card: Card) -> list[dict[str, Any]]:
    """Whose values count, where several agreed on a choice with different ones."""
    agreed = [decision for decision in card.decisions if decision.choice == card.interrupt.choice]
    if len({decision.value for decision in agreed}) < 2:  # noqa: PLR2004 - of different values there are at least two
        return []
    words = f"The values of {mention(agreed[-1].person)}, who answered last, count."
    return [{"type": "context", "elements": [mrkdwn(words)]}]
