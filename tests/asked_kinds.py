"""A card of each kind, as an action would ask it, for whoever draws, answers or looks at one in a test."""

import json
from dataclasses import replace
from typing import Any

from actions.kit.cards import OF_KIND, kind_of
from actions.kit.policies.policy import ChannelMembers, Policy
from actions.kit.records.interrupts import Card
from tests.cards import interrupt_record, run_record

CODE = "totals = {}\nfor order in orders:\n    totals[order.customer] = totals.get(order.customer, 0) + order.total\nprint(totals)\n"
LETTER = "Dear customers,\n\nthe shop is closed on Sunday.\n\nYour team\n"
SIZE = {"type": "integer", "title": "Size", "minimum": 1, "description": "In gigabytes"}
COLOUR = {"enum": ["red", "blue"], "title": "Colour"}

QUESTIONS: dict[str, tuple[str, Any]] = {
    "confirm": ("Delete this database?", {"name": "orders-2024", "size": "48 GB", "last_used": "2025-03-01"}),
    "choose": (
        "Where should it run?",
        {
            "service": "checkout",
            "options": [
                "Frankfurt",
                {"value": "us-1", "title": "Virginia", "description": "The cheapest"},
                "Singapore",
            ],
        },
    ),
    "review": (
        "Send this letter?",
        {"to": "customers@example.com", "document": LETTER, "before": LETTER.replace("Sunday", "Saturday")},
    ),
    "form": (
        "Which disk?",
        {
            "server": "web-3",
            "schema": {"type": "object", "properties": {"size": SIZE, "colour": COLOUR}, "required": ["size"]},
            "values": {"size": 20},
        },
    ),
    "write_code": ("Run this?", {"code": CODE, "why": "You asked for the total of each customer"}),
}


def card_of_kind(ui: str, data: Any = None) -> Card:
    """The card, waiting: with the question and the data above, unless there is other `data`."""
    question, usual = QUESTIONS[ui]
    shown, kind = usual if data is None else data, kind_of(ui)
    assert kind is not None
    run = run_record(f"asks_{ui}", "Ask", {})
    shape = kind.resume.as_shown(json.dumps(shown)).shape
    policy = Policy(deciders=ChannelMembers("C0APPROVALS"))
    asked = interrupt_record(run, question, shown, policy=policy, shape=shape, ui=ui)
    return Card(run, replace(asked, resume=f"{OF_KIND}{ui}", shown_schema=kind.data_schema))
