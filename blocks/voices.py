"""Whose answer or edit it is, in words for each surface: who gave it, and in whose place where that is somebody else."""

from typing import Any

from actions.kit.records.interrupts import Card, DecisionRecord
from actions.kit.records.runs import Edit
from blocks.said import Who, Words, said
from blocks.summary import literal, person_element
from blocks.text import mention


def agreed(card: Card) -> tuple[DecisionRecord, ...]:
    """The answers that carried: of everyone who chose what the interrupt was settled with."""
    return tuple(decision for decision in card.decisions if decision.choice == card.interrupt.choice)


def voice_words(given: DecisionRecord | Edit) -> str:
    """Mrkdwn: "<@U0OMAR> for <@U0DANA>"."""
    place = f" for {mention(given.standing_for)}" if given.standing_for else ""
    return f"{mention(given.person)}{place}"


def voice_said(given: DecisionRecord | Edit) -> Words:
    """The same for any surface."""
    return said(Who(given.person), *((" for ", Who(given.standing_for)) if given.standing_for else ()))


def voice_elements(decision: DecisionRecord) -> list[dict[str, Any]]:
    """The same as elements of rich text."""
    place = [literal(" for "), person_element(decision.standing_for)] if decision.standing_for else []
    return [person_element(decision.person), *place]
