"""Standing grants in words: on the card that one settled, and in lists where they can be revoked."""

from collections.abc import Sequence
from typing import Any

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.grants import what_words
from blocks import limits
from blocks.card import Message
from blocks.choices import ORDER_CONFIRMS, ORDER_TITLES, actions_block, confirm_dialog, to_text
from blocks.summary import literal
from blocks.text import clip, date_token, escape, mention, mrkdwn, one_line, plain

SHOWN = 20
WHAT = 300
NOTHING = "No standing grant is in force that concerns you."


def grants_message(grants: Sequence[GrantRecord]) -> Message:
    """Those that concern somebody, each with a button that revokes it."""
    if not grants:
        return Message(NOTHING, [{"type": "section", "text": mrkdwn(NOTHING)}])
    head = f"Standing grants ({len(grants):,}):"
    lines = [f"• {escape(_what(grant))}\n  {_about(grant)}" for grant in grants[:SHOWN]]
    blocks = [{"type": "section", "text": mrkdwn(head)}, *grant_blocks(grants)]
    return Message(clip("\n".join([head, *lines]), limits.MESSAGE_TEXT), blocks)


def grant_blocks(grants: Sequence[GrantRecord], *, most: int = SHOWN) -> list[dict[str, Any]]:
    """What each allows, literally, over who holds it, how much is left and the button; and how many are left out."""
    blocks = [block for grant in grants[:most] for block in _entry(grant)]
    more = len(grants) - most
    return [*blocks, *([{"type": "context", "elements": [mrkdwn(f"and {more:,} more")]}] if more > 0 else [])]


def revoked_words(grant: GrantRecord) -> str:
    """Mrkdwn: for whoever revoked it."""
    return f"Revoked: “{escape(_what(grant))}” of {mention(grant.holder)}. What asks from now on is asked again."


def _entry(grant: GrantRecord) -> list[dict[str, Any]]:
    what = {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [literal(_what(grant))]}]}
    about = {"type": "context", "elements": [mrkdwn(_about(grant))]}
    return [what, about, *actions_block(f"grant:{grant.id}", [_revoke(grant)])]


def _what(grant: GrantRecord) -> str:
    return clip(one_line(what_words(grant.terms.action_name, grant.terms.where)), WHAT)


def _about(grant: GrantRecord) -> str:
    approved = ", ".join(map(mention, grant.approved_by))
    used = f"{grant.used:,} of {grant.terms.times:,} used"
    return f"For {mention(grant.holder)} · {used} · until {date_token(grant.until)} · approved by {approved} · `{grant.id}`"


def _revoke(grant: GrantRecord) -> dict[str, Any]:
    """An order about the run that asked for it, which has the grant's id."""
    return {
        "type": "button",
        "action_id": "order:revoke",
        "text": plain(ORDER_TITLES["revoke"]),
        "value": to_text({"order": "revoke", "run": grant.id, "epoch": 0}),
        "accessibility_label": clip(f"{ORDER_TITLES['revoke']}: {_what(grant)}", limits.BUTTON_ACCESSIBILITY_LABEL),
        "style": "danger",
        "confirm": confirm_dialog(ORDER_CONFIRMS["revoke"], "danger"),
    }
