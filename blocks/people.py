"""Who asks, who may decide, until when and what then, in words."""

from datetime import timedelta
from typing import assert_never

from actions.kit.counting import counted
from actions.kit.policies.hours import Hours
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import Answer, Card, Decline, Expire, OnExpiry, Shape
from blocks.deciding import NAMED, policy_said
from blocks.said import Words, in_mrkdwn, said
from blocks.text import clip, one_line

__all__ = ["NAMED"]

UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def deciders_words(policy: Policy, requester: str, *, named: int = NAMED) -> str:
    """Mrkdwn: "<@U0BEA> or members of <#C0APP>"; of a quorum "2 of …"."""
    return in_mrkdwn(policy_said(policy, requester, named=named))


def deadline_said(card: Card) -> Words:
    """Until when, and what happens then. Before the first post the clock has not started."""
    interrupt = card.interrupt
    then = _then(interrupt.on_expiry, interrupt.shape)
    hours = interrupt.policy.hours
    if interrupt.paused_at is not None:
        return said("while the clock is paused, ", _left(interrupt.time_left or interrupt.expires_in, then))
    counted_so = f", counted {hours_words(hours)}" if hours else ""
    if interrupt.expires_at is not None:
        return said("until ", interrupt.expires_at, f"{counted_so}, {then}")
    if interrupt.expires_in is not None:
        return said(f"for {duration_words(interrupt.expires_in)}{counted_so}, {then}")
    return said("without a deadline")


def _left(left: timedelta | None, then: str) -> str:
    return "without a deadline" if left is None else f"{duration_words(left)} left, {then}"


def deadline_words(card: Card) -> str:
    """The same as mrkdwn."""
    return in_mrkdwn(deadline_said(card))


def _then(on_expiry: OnExpiry, shape: Shape) -> str:
    """What happens when nobody answers in time."""
    match on_expiry:
        case Expire():
            return "then it expires"
        case Decline():
            return "then it counts as declined"
        case Answer():
            choice = shape.choice(on_expiry.choice)
            return f"then the answer is “{title_of(choice.title if choice else on_expiry.choice)}”"
    assert_never(on_expiry)


def duration_words(length: timedelta) -> str:
    """The two largest units: "5 minutes", "1 day 6 hours"."""
    seconds = max(1, int(length.total_seconds()))
    words: list[str] = []
    for unit, size in UNITS:
        number, seconds = divmod(seconds, size)
        if number:
            words.append(counted(number, unit))
    return " ".join(words[:2])


def hours_words(hours: Hours) -> str:
    """Such as "in working hours (Berlin)"."""
    return f"in working hours ({hours.zone.rpartition('/')[2].replace('_', ' ')})"


def title_of(title: str) -> str:
    return clip(one_line(title), 75)
