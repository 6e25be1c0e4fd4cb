"""All of a card as a file, for what no window holds: its question, its data and every answer, without secrets."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from actions.kit.edits import FieldEdit, field_edits
from actions.kit.records.interrupts import Card, DecisionRecord
from blocks.shown import data_of
from blocks.texts import pretty
from blocks.values import parse_json
from blocks.votes import told_of


@dataclass(frozen=True, slots=True)
class File:
    """A name that says nothing of its content, and the text."""

    name: str
    text: str


def details_file(card: Card) -> File:
    """As JSON; a text that is all there is stands in the file as it was written."""
    value, _ = data_of(card)
    edits = [_edit(each) for each in field_edits(card.edits, card.input_then)]
    if type(value) is str and not card.decisions and not edits:
        return File("details.txt", f"{card.interrupt.message}\n\n{value}\n")
    whole = {
        "question": card.interrupt.message,
        "data": value,
        **({"edits": edits} if edits else {}),
        "answers": [_answer(card, decision) for decision in card.decisions],
    }
    return File("details.json", f"{_written(whole)}\n")


def _edit(edit: FieldEdit) -> dict[str, Any]:
    return asdict(edit) | {"at": edit.at.isoformat()}


def _answer(card: Card, decision: DecisionRecord) -> dict[str, Any]:
    choice = card.interrupt.shape.choice(decision.choice)
    value = told_of(choice, decision.value) if choice and choice.has_form else parse_json(decision.value)
    return {
        "person": decision.person,
        **({"standing_for": decision.standing_for} if decision.standing_for else {}),
        "choice": choice.title if choice else decision.choice,
        "value": value,
        "note": decision.note,
        "at": decision.at.isoformat(),
    }


def _written(value: Any) -> str:
    try:
        return pretty(value)
    except RecursionError:
        return json.dumps(value, ensure_ascii=False)
