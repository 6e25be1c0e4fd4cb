"""The replies below a card that ask those to look who must act, from its requester or by themselves: they name those, and nobody else."""

from collections.abc import Collection, Iterable
from typing import assert_never

from actions.kit.policies.policy import Decider, Person, Requester, those
from actions.kit.policies.steps import StepKind, StepNotice, more_time
from actions.kit.policies.tally import counting
from actions.kit.records.interrupts import Card, InterruptStatus
from blocks.card import Message
from blocks.deciding import deciders_listed
from blocks.people import deadline_words, duration_words
from blocks.said import in_mrkdwn
from blocks.staged import escalation_said
from blocks.states import card_state
from blocks.text import clean, clip, escape, mention, mrkdwn, one_line

QUESTION = 200
IN_A_PLACE = " (in the place of somebody who is away)"


def render_nudge(card: Card, person: str) -> Message:
    """Drawn when it is posted, so that whoever answered meanwhile is not called; of a settled question it says that alone."""
    if card.interrupt.status is not InterruptStatus.PENDING:
        return _message(escape(clean(card_state(card))))
    question = escape(clip(one_line(card.interrupt.message), QUESTION))
    return _message(f"👋 {must_act_words(card)}: {mention(person)} still waits for your answer to “{question}”.")


def render_notice(card: Card, notice: StepNotice, *, to_requester: bool = False) -> Message:
    """What came by itself: a reminder, the warning, an escalation. Drawn when it is posted, as above."""
    if card.interrupt.status is not InterruptStatus.PENDING:
        return _message(escape(clean(card_state(card))))
    question = f"“{escape(clip(one_line(card.interrupt.message), QUESTION))}”"
    match notice.kind:
        case StepKind.REMIND:
            return _message(f"⏰ {must_act_words(card, notice)}: {question} still waits for your answer.")
        case StepKind.WARN:
            who = "Nobody has settled it yet" if to_requester else must_act_words(card, notice)
            return _message(f"⏳ {who}: {question} {deadline_words(card)}.{'' if to_requester else _more_time(card)}")
        case StepKind.ESCALATE:
            return _message(f"⏫ {in_mrkdwn(escalation_said(card, notice.number))}.")
        case StepKind.LAPSE | StepKind.RESUME:
            return _message(question)
    assert_never(notice.kind)


def _more_time(card: Card) -> str:
    more = more_time(card.interrupt)
    return f" Its card can give it {duration_words(more)} more." if more else ""


def nudged_words(card: Card) -> str:
    """Mrkdwn for the requester: it is done, and whom it calls."""
    return f"👋 Nudged: {must_act_words(card)}."


def must_act_words(card: Card, notice: StepNotice | None = None) -> str:
    """Mrkdwn: whose answers are needed now: neither of those who gave theirs, nor of those who asked.

    Where the policy says whom to notify, it is those; where they were looked up, those of the notice.
    """
    policy, shape = card.interrupt.policy, card.interrupt.shape
    done = {voice for each in counting(policy, shape, card.decisions) for voice in each.voices}
    if shape.is_approval or policy.requester_excluded:
        done |= set(card.run.requesters)
    requester = card.run.requester
    if notice and (named := [each for each in notice.people if each not in done]):
        return ", ".join(f"{mention(each)}{IN_A_PLACE if each in notice.standing_in else ''}" for each in named)
    left = _left(policy.notify, done, requester) or _left(those(policy.deciders), done, requester)
    return in_mrkdwn(deciders_listed(left, requester)) or "whoever may decide"


def _left(deciders: Iterable[Decider], done: Collection[str], requester: str) -> list[Decider]:
    return [each for each in deciders if _id_of(each, requester) not in done]


def _id_of(decider: Decider, requester: str) -> str | None:
    match decider:
        case Person():
            return decider.id
        case Requester():
            return requester
    return None


def _message(text: str) -> Message:
    return Message(text, [{"type": "section", "text": mrkdwn(text)}])
