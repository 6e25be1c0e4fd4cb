"""How far the deciders of a question are, in words: who is still waited for, what earlier stages decided, what was left out."""

from collections.abc import Iterable, Sequence

from actions.kit.policies.deciders import Decider, Needs, Person, Policy
from actions.kit.policies.quorum import needs_of
from actions.kit.policies.stages import entered
from actions.kit.policies.tally import counting, progress, reached, tally
from actions.kit.records.interrupts import Card, DecisionRecord, InterruptStatus
from blocks.deciding import deciders_listed, skipped_said, terms_said
from blocks.people import duration_words
from blocks.said import Who, Words, in_mrkdwn, joined, said
from blocks.text import is_person_id
from blocks.voices import voice_said

PEOPLE = 5
"""People who are named as those who agreed to one stage."""


def stage_said(policy: Policy) -> str:
    """Which stage is asked; empty where there is only one."""
    return f"Stage {policy.stage} of {len(policy.stages)}" if len(policy.stages) > 1 else ""


def staged_lines(card: Card) -> list[str]:
    """Mrkdwn, a line each: how many agree and who is waited for, each earlier stage, the later ones, those left out."""
    return [in_mrkdwn(words) for words in staged_said(card) if words]


def staged_said(card: Card) -> list[Words]:
    """The same for any surface."""
    is_open = card.interrupt.status is InterruptStatus.PENDING
    policy = card.interrupt.policy
    requester, several = card.run.requester, len(policy.stages) > 1
    skipped = skipped_said(policy, requester) if policy.skipped else ()
    return [
        *([_waiting(card)] if is_open else []),
        *(_decided(card) if several else []),
        *(_ahead(card) if several and is_open else []),
        said("Not asked: ", skipped) if skipped else (),
        *(escalation_said(card, number) for number in policy.escalated),
        *_gone(policy),
    ]


def _gone(policy: Policy) -> list[Words]:
    """Those whom the stage that is asked means, and who are not in Slack any more."""
    people = [said(Who(each)) for each in policy.gone if is_person_id(each)]
    unknown = [said(each) for each in policy.gone if not is_person_id(each)]
    return [
        said("Left out: ", _some(people), ", who left Slack") if people else (),
        said("Slack knows nobody by ", _some(unknown)) if unknown else (),
    ]


def _some(named: Sequence[Words]) -> Words:
    rest = len(named) - PEOPLE
    return said(joined(named[:PEOPLE]), f" and {rest} more" if rest > 0 else "")


def escalation_said(card: Card, number: int) -> Words:
    """To whom it was escalated, and why."""
    escalation = card.interrupt.policy.escalate[number - 1]
    to = deciders_listed(escalation.to, card.run.requester)
    return said("Escalated to ", to, f", as nobody had settled it after {duration_words(escalation.wait)}")


def votes_so_far(card: Card) -> tuple[DecisionRecord, ...]:
    """The answers that count in the stage that is asked."""
    return counting(card.interrupt.policy, card.interrupt.shape, card.decisions)


def _waiting(card: Card) -> Words:
    policy, shape = card.interrupt.policy, card.interrupt.shape
    far = progress(policy, shape, card.decisions)
    if not far.agreed:
        return ()
    voted = {voice for each in votes_so_far(card) for voice in each.voices}
    needs = zip(needs_of(policy), far.places, strict=True)
    left = [
        _left(need, need.count - places, voted, card.run.requester) for need, places in needs if need.count > places
    ]
    return said(f"{far.agreed} of {far.needed} agree, waiting for ", joined(left, by=" and "))


def _left(need: Needs, missing: int, voted: set[str], requester: str) -> Words:
    others = [each for each in need.of if not _is_one_of(each, voted)]
    return said(f"{missing} more of ", deciders_listed(others or list(need.of), requester))


def _is_one_of(decider: Decider, people: Iterable[str]) -> bool:
    return isinstance(decider, Person) and decider.id in set(people)


def _decided(card: Card) -> list[Words]:
    """Each stage that is done, with those who agreed, or declined, in it."""
    interrupt, lines = card.interrupt, list[Words]()
    at, settled = reached(entered(interrupt.policy, 1), interrupt.shape, card.decisions)
    done = at.stage if settled and interrupt.status is not InterruptStatus.PENDING else at.stage - 1
    for number in range(1, done + 1):
        stage = entered(interrupt.policy, number)
        so_far = [each for each in card.decisions if each.stage <= number]
        key = tally(stage, interrupt.shape, so_far)
        choice = interrupt.shape.choice(key or "")
        agreed = [each for each in counting(stage, interrupt.shape, so_far) if each.choice == key]
        word = choice.title if choice else "Agreed"
        lines.append(said(f"Stage {number} of {len(interrupt.policy.stages)}: {word} by ", _people(agreed)))
    return lines


def _people(agreed: Sequence[DecisionRecord]) -> Words:
    return _some([voice_said(each) for each in agreed])


def _ahead(card: Card) -> list[Words]:
    policy, requester = card.interrupt.policy, card.run.requester
    later = policy.stages[policy.stage :]
    told = joined((terms_said(stage, requester) for stage in later), by="; then ")
    return [said("Then: ", told)] if told else []
