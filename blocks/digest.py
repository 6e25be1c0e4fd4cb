"""The digest of a morning: what waits for one person, and how they switch it off and on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from actions.kit.counting import counted
from actions.kit.records.interrupts import Card
from blocks.card import Message
from blocks.choices import actions_block
from blocks.home_items import told_block
from blocks.payloads import BlockActions
from blocks.people import deadline_words
from blocks.text import clip, date_token, escape, mention, mrkdwn, one_line, plain

NAME = 60
ON, OFF = "digest:on", "digest:off"


@dataclass(frozen=True, slots=True)
class DigestClick:
    """A person wants digests, or none any more."""

    person: str
    on: bool
    response_url: str | None


@dataclass(frozen=True, slots=True)
class DigestState:
    """Whether somebody gets digests, and at what hour of their own time."""

    is_on: bool
    hour: int


def render_digest(waiting: Sequence[Card], total: int) -> Message:
    """The first of what waits for somebody, of so many. It stays as it is, so it has no buttons that answer."""
    if not waiting:
        words = "✅ What waited for your answer is settled."
        return Message(words, [{"type": "section", "text": mrkdwn(words)}])
    waits = "waits" if total == 1 else "wait"
    head = f"☀️ {counted(total, 'question')} {waits} for your answer"
    rest = total - len(waiting)
    more = f"… and {rest:,} more. " if rest > 0 else ""
    blocks = [
        {"type": "header", "text": plain(head)},
        *(block for card in waiting for block in _entry(card)),
        _context(f"{more}Answer on the cards, or all in one place in the *Home* tab of this app."),
        *actions_block("digest", [_button(OFF, "No more digests")]),
    ]
    return Message(head, blocks)


def switched_words(command: str, *, on: bool) -> str:
    """Mrkdwn, for whoever switched it."""
    if on:
        return f"☀️ You get a digest on weekday mornings when something waits for you. `{command} digest off` ends that."
    return f"You get no more digests. `{command} digest on`, and your *Home* tab, bring them back."


def digest_section(state: DigestState) -> dict[str, Any]:
    """The line of the Home tab about it."""
    said, button = "You get no digests of what waits for you.", _button(ON, "Switch on")
    if state.is_on:
        said = f"☀️ On weekdays at {state.hour}:00 your time a digest says what waits for you, if anything does."
        button = _button(OFF, "Switch off")
    return {"type": "section", "text": mrkdwn(said), "accessory": button}


def parse_digest_click(body: Any) -> DigestClick | None:
    """A button that switches it; `None` for every other click."""
    try:
        sent = BlockActions.model_validate(body)
    except ValidationError:
        return None
    pressed = sent.actions[0].action_id
    return DigestClick(sent.user.id, pressed == ON, sent.response_url) if pressed in {ON, OFF} else None


def _entry(card: Card) -> list[dict[str, Any]]:
    name = escape(clip(one_line(card.run.action_name), NAME))
    since = date_token(card.interrupt.posted_at or card.interrupt.created_at)
    about = f"{name} · asked by {mention(card.run.requester)} {since} · 🕐 {deadline_words(card)}"
    return [told_block(card.interrupt.message), _context(about)]


def _context(line: str) -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn(line)]}


def _button(action_id: str, title: str) -> dict[str, Any]:
    return {"type": "button", "action_id": action_id, "text": plain(title)}
