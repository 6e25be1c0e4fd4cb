"""What people do with an open card besides answering it: the verbs, the buttons for them, and the forms that some need."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from actions.kit.policies.emergencies import way_through
from actions.kit.policies.steps import more_time
from actions.kit.records.interrupts import Card
from blocks.choices import actions_block, to_text
from blocks.people import duration_words
from blocks.text import plain

ActVerb = Literal["take", "let_go", "ask", "reply", "edit", "extend", "break_glass"]


@dataclass(frozen=True, slots=True)
class ActForm:
    """What an act asks for before it is done: a JSON Schema, in a modal of this title and with this word to send it."""

    title: str
    submit: str
    schema: dict[str, Any]
    explained: str = ""


def _edit(card: Card) -> list[dict[str, Any]]:
    """While nothing rests on the input yet."""
    return [act_button(card, "edit", "Edit…")] if card.interrupt.editable else []


def act_buttons(card: Card) -> list[dict[str, Any]]:
    """Those that a pending card offers. Who may press them is asked when they are pressed."""
    return [button for offered in OFFERS for button in offered(card)]


def _extend(card: Card) -> list[dict[str, Any]]:
    more = more_time(card.interrupt)
    return [act_button(card, "extend", f"Extend by {duration_words(more)}")] if more else []


def _claim(card: Card) -> list[dict[str, Any]]:
    """One of the two."""
    if card.interrupt.policy.claim_for is None:
        return []
    taken = card.interrupt.claimed_until is not None
    return [act_button(card, "let_go", "Let it go") if taken else act_button(card, "take", "I take it")]


def _ask(card: Card) -> list[dict[str, Any]]:
    return [act_button(card, "ask", "Ask for more…")] if card.interrupt.policy.may_ask else []


def _break_glass(card: Card) -> list[dict[str, Any]]:
    offered = way_through(card.interrupt) is not None
    return [act_button(card, "break_glass", "Break glass…", style="danger")] if offered else []


OFFERS: tuple[Callable[[Card], list[dict[str, Any]]], ...] = (_claim, _ask, _edit, _extend, _break_glass)
"""The buttons of each act, where a pending card offers it, in the order in which they stand."""


def act_button(card: Card, verb: ActVerb, title: str, *, style: str | None = None) -> dict[str, Any]:
    """A button for an act on this card, as far as its person saw it."""
    value = {"act": verb, "interrupt": card.interrupt.id, "version": card.interrupt.content_version}
    button = {"type": "button", "action_id": f"act:{verb}", "text": plain(title), "value": to_text(value)}
    return {**button, "style": style} if style else button


def acts_block(card: Card) -> list[dict[str, Any]]:
    """Their row on a card, below that of the choices; nothing where it offers none."""
    interrupt = card.interrupt
    return actions_block(f"acts:{interrupt.id}:{interrupt.content_version}", act_buttons(card))
