"""Reads what a graph interrupts with: the question, what the deciders see, which card shows it, and what can be answered."""

import json
from dataclasses import dataclass
from typing import Any

from actions.kit.json_text import to_json_text

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
        """Of the value and the schema of an interrupt; `asker` is named where the value has no words."""
        value = json.loads(to_json_text(value, what="interrupt"))
        resume = response_schema if isinstance(response_schema, dict) else None
        if not isinstance(value, dict):
            said = isinstance(value, str) and value.strip()
            return cls(value if said else f"{asker} asks", {} if said else {"value": value}, None, resume)
        ui = value.get("ui")
        if isinstance(ui, str) and ui.strip():
            return cls(_words(value) or f"{asker} asks", value.get("data") or {}, ui, resume)
        return cls(_words(value) or f"{asker} asks", value, None, resume)

    def again(self, because: str) -> "Question":
        """The same question once more, because the graph did not take the answer."""
        shown = self.data if isinstance(self.data, dict) else {"value": self.data}
        return Question(self.message, {"not_taken": because, **shown}, self.ui, self.resume)


def place_of(node: str, interrupt: str) -> str:
    """The name of the place at which an interrupt of a node is asked: the same on every pass."""
    shown = "".join(each if each.isprintable() and each not in "/#" else "-" for each in node)[:LONGEST_NODE].strip()
    return f"{shown or 'node'} {interrupt[:12]}"


def _words(value: dict[str, Any]) -> str | None:
    said = (value.get(key) for key in ASKING)
    return next((each for each in said if isinstance(each, str) and each.strip()), None)
