"""Explains what people take for broken in a run: a card that never appears, cards that stack up, an answer that does nothing."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from actions.kit.counting import counted
from actions.kit.policies.quorum import candidates, declines_needed, needed
from actions.kit.records.interrupts import Card, InterruptRecord
from blocks.deciding import policy_said
from blocks.faults import Fault, Trouble
from blocks.life import Life
from blocks.refused import refused_said, what_to_send
from blocks.said import said
from blocks.stacks import stacks_up
from blocks.staged import votes_so_far
from blocks.standing import PATIENCE, SERVE
from blocks.undelivered import remedy_words, undelivered_words


def faults_of(life: Life, now: datetime) -> tuple[Fault, ...]:
    """What is wrong with a run that waits or executes; nothing of one that ended."""
    if life.run.status.ended:
        return ()
    card = life.pending
    about_card = [*_never_appears(life, card, now), *_does_nothing(life, card)] if card else []
    return (*about_card, *stacks_up(life))


def _never_appears(life: Life, card: Card, now: datetime) -> Iterator[Fault]:
    interrupt = card.interrupt
    if interrupt.undeliverable:
        seen = said("The card could not be posted: ", undelivered_words(interrupt.undeliverable), ".")
        then = " Then have it delivered again: an operator, with /signoff stuck."
        yield Fault(Trouble.UNDELIVERED, seen, said(remedy_words(interrupt.undeliverable), then), interrupt.id)
    elif interrupt.posted_at is None and now - interrupt.created_at > PATIENCE:
        seen = said("The card does not stand in Slack since ", interrupt.created_at, _why_not(life, interrupt), ".")
        yield Fault(Trouble.UNPOSTED, seen, said(SERVE, " signoff doctor looks at Slack."), interrupt.id)
    if life.missing.ui:
        yield _unknown_kind(life, interrupt)
    yield from _nobody(card)


def _why_not(life: Life, interrupt: InterruptRecord) -> str:
    error = next((copy for copy in life.cards_in_slack(interrupt) if copy.error), None)
    return f"; Slack says {error.error}, after {counted(error.attempts, 'attempt')}" if error else ""


def _unknown_kind(life: Life, interrupt: InterruptRecord) -> Fault:
    missing = life.missing
    meant = f" Did you mean “{missing.similar}”?" if missing.similar else ""
    seen = f"No kind of card is called “{missing.ui}”, so it is the generic card, which can be answered as well.{meant}"
    fix = "signoff cards lists the kinds; docs/kinds.md shows how to add one."
    return Fault(Trouble.UNKNOWN_KIND, said(seen), said(fix), interrupt.id)


def _nobody(card: Card) -> Iterator[Fault]:
    interrupt, policy = card.interrupt, card.interrupt.policy
    most = candidates(policy, requester=card.run.requester, approval=interrupt.shape.is_approval)
    if most is None:
        return
    if most < needed(policy):
        seen = said(
            f"It takes {needed(policy)} to answer, and {most or 'nobody'} can: ",
            policy_said(policy, card.run.requester),
            ". Whoever asks for an approval does not count.",
        )
        yield Fault(Trouble.NOBODY, seen, said("Cancel it, and name other people in the policy."), interrupt.id)
    elif not _may_still_agree(card, most):
        seen = said("The answers are split, so that no choice can reach ", str(needed(policy)), " any more.")
        yield Fault(Trouble.SPLIT, seen, said("Cancel it, and ask again."), interrupt.id)


def _may_still_agree(card: Card, most: int) -> bool:
    """Whether those who have not answered could bring one choice to its threshold; a decline takes few."""
    interrupt, votes = card.interrupt, Counter(decision.choice for decision in votes_so_far(card))
    left = most - votes.total()
    declines = [choice for choice in interrupt.shape.choices if choice.declines]
    if any(votes[choice.key] + left >= declines_needed(interrupt.policy) for choice in declines):
        return True
    return any(votes[choice.key] + left >= needed(interrupt.policy) for choice in interrupt.shape.choices)


def _does_nothing(life: Life, card: Card) -> Iterator[Fault]:
    interrupt = card.interrupt
    if life.missing.action or life.missing.answer:
        yield _code_gone(life, card)
    refused = life.refused(interrupt)
    if refused:
        seen = said(
            refused_said(refused[-1]), f" It is one of {len(refused)} that were refused." if refused[1:] else ""
        )
        yield Fault(Trouble.REFUSED, seen, what_to_send(refused[-1], card), interrupt.id)


def _code_gone(life: Life, card: Card) -> Fault:
    action = life.missing.action
    gone = f"no action “{action}”" if action else f"no such question of the action “{card.asker_id}”"
    seen = f"The code here knows {gone} (any more), so every answer is refused as on hold."
    fix = "Bring it back, in actions/ or a module that ACTIONS names, and start the bot; or cancel the run."
    return Fault(Trouble.CODE_GONE, said(seen), said(fix), card.interrupt.id)
