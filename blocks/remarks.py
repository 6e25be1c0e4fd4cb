"""Who has taken a card on, and what was said about it: questions of deciders, the replies, comments. All of it literally."""

from collections.abc import Sequence
from typing import Any

from actions.kit.policies.remarks import Remark, RemarkKind
from actions.kit.records.interrupts import Card, InterruptStatus
from blocks.said import Who, Words, in_elements, said
from blocks.text import clean, clip, date_token, mention, one_line, width

SHOWN, LENGTH = 4, 200
"""Remarks, the latest, and characters of one, that a card shows."""
SIGNS = {RemarkKind.QUESTION: "❓", RemarkKind.REPLY: "↩️", RemarkKind.COMMENT: "💬"}
VERBS = {RemarkKind.QUESTION: "asks", RemarkKind.REPLY: "replies", RemarkKind.COMMENT: "says"}


def claim_lines(card: Card) -> list[str]:
    """Mrkdwn: who has taken it on, and until when."""
    interrupt = card.interrupt
    if interrupt.status is not InterruptStatus.PENDING or interrupt.claimed_until is None:
        return []
    return [f"🙋 {mention(interrupt.claimed_by or '')} is on it until {date_token(interrupt.claimed_until)}"]


def remark_said(remark: Remark, length: int = LENGTH) -> Words:
    """Such as "U0DANA asks: Is it urgent?", in one line."""
    text = clip(one_line(clean(remark.text)), length)
    return said(f"{SIGNS[remark.kind]} ", Who(remark.person), f" {VERBS[remark.kind]}: ", text)


def remark_blocks(card: Card) -> list[dict[str, Any]]:
    """On a card that waits: what was said about it last."""
    earlier = len(card.remarks) - SHOWN
    lines = [*([said(f"{earlier} earlier")] if earlier > 0 else []), *map(remark_said, card.remarks[-SHOWN:])]
    sections = [{"type": "rich_text_section", "elements": in_elements(line)} for line in lines]
    return [{"type": "rich_text", "elements": sections}] if sections else []


def are_remarks_cut(remarks: Sequence[Remark]) -> bool:
    return len(remarks) > SHOWN or any(width(one_line(each.text)) > LENGTH for each in remarks)


def remark_passages(card: Card) -> list[tuple[str, str]]:
    """All that was said about it: mrkdwn of who said it and when, and the words themselves."""
    return [
        (f"{SIGNS[each.kind]} {mention(each.person)} {VERBS[each.kind]} · {date_token(each.at)}", each.text)
        for each in card.remarks
    ]
