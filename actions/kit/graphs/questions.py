"""Reads what a graph interrupts with: the question, what the deciders see, which card shows it, and what can be answered."""

import json
from dataclasses import dataclass, replace
from typing import Any

from actions.kit.shapes.json_text import to_json_text

ASKING = ("message", "question", "instruction")
"""Where graphs put the words of their question, the first one that is there counts."""
LONGEST_NODE = 50


@dataclass(frozen=True, slots=True)
class Question:
    """An interrupt of a graph. `resume` is a JSON Schema, or `None` for what the card or the action says."""

    message: str
    data: Any
    ui: str | None
    resume: dict[str, Any] | None

    @classmethod
    def of(cls, value: Any, response_schema: Any, *, asker: str) -> "Question":
        """Of the value and the schema of an interrupt; `asker` is named where the value has no words.

        Where nothing but the words is there, the deciders see what the graph was started with.
        """
        value = json.loads(to_json_text(value, what="interrupt"))
        resume = response_schema if isinstance(response_schema, dict) else None
        if not isinstance(value, dict):
            said = isinstance(value, str) and value.strip()
            return cls(value if said else f"{asker} asks", None if said else {"value": value}, None, resume)
        ui, key = value.get("ui"), _key_of_words(value)
        message = f"{asker} asks" if key is None else value[key]
        if isinstance(ui, str) and ui.strip():
            return cls(message, {} if value.get("data") is None else value["data"], ui, resume)
        return cls(message, _beside(value, key), None, resume)

    def again(self, because: str) -> "Question":
        """The same question once more, because the graph did not take the answer."""
        return replace(self, message=f"{self.message} The last answer was not taken: {because}")


def place_of(node: str, interrupt: str) -> str:
    """The name of the place at which an interrupt of a node is asked: the same on every pass."""
    shown = "".join(each if each.isprintable() and each not in "/#" else "-" for each in node)[:LONGEST_NODE].strip()
    return f"{shown or 'node'} {interrupt[:12]}"


def _beside(value: dict[str, Any], key: str | None) -> dict[str, Any] | None:
    """What is shown beside the words: all the rest, or what stands in `data` where that is all the rest."""
    match {name: each for name, each in value.items() if name != key}:
        case {"data": dict(data), **others} if data and not others:
            return data
        case rest:
            return rest or None


def _key_of_words(value: dict[str, Any]) -> str | None:
    return next((key for key in ASKING if isinstance(value.get(key), str) and value[key].strip()), None)
