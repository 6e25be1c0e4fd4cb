"""The reply below a card with which a requester asks those to look who must act: it names them, and nobody else."""

from collections.abc import Collection, Iterable

from actions.kit.policy import Decider, Person, Requester, those
from actions.kit.records import Card, InterruptStatus
from actions.kit.tally import counting
from blocks.card import Message
from blocks.deciding import deciders_listed
from blocks.said import in_mrkdwn
from blocks.states import card_state
from blocks.text import clean, clip, escape, mention, mrkdwn, one_line

QUESTION = 200


def render_nudge(card: Card, person: str) -> Message:
    """Drawn when it is posted, so that whoever answered meanwhile is not called; of a settled question it says that alone."""
    if card.interrupt.status is not InterruptStatus.PENDING:
        return _message(escape(clean(card_state(card))))
    question = escape(clip(one_line(card.interrupt.message), QUESTION))
    return _message(f"👋 {must_act_words(card)}: {mention(person)} still waits for your answer to “{question}”.")


def nudged_words(card: Card) -> str:
    """Mrkdwn for the requester: it is done, and whom it calls."""
    return f"👋 Nudged: {must_act_words(card)}."


def must_act_words(card: Card) -> str:
    """Mrkdwn: whose answers are needed now: neither of those who gave theirs, nor of those who asked.

    Where the policy says whom to notify, it is those.
    """
    policy, shape = card.interrupt.policy, card.interrupt.shape
    done = {voice for each in counting(policy, shape, card.decisions) for voice in each.voices}
    if shape.is_approval or policy.requester_excluded:
        done |= set(card.run.requesters)
    requester = card.run.requester
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
