"""One run examined: where it stands, what people may take for broken in it, and what Slack says of those who are to answer."""

from collections.abc import Sequence
from datetime import datetime

from actions.kit.counting import counted
from actions.kit.policy import Allowed, Person, lookups, verdict
from actions.kit.records import Card, PersonFacts, RunStatus
from blocks.diagnosis import faults_of
from blocks.life import Life
from blocks.said import in_plain
from blocks.standing import standing
from bot.doctor.findings import Finding, fail, ok, warn
from bot.doctor.named import named_by
from bot.doctor.people import decider_finding, looked_up
from bot.doctor.places import channel_finding
from bot.doctor.questions import fault_finding
from bot.doctor.slack import Met
from bot.slack.directory import CouldNotVerify, Directory

LOOKED_AT = 50
"""Members of a channel that are looked up, until one is found who may answer."""


def run_findings(life: Life, now: datetime) -> list[Finding]:
    """What its rows say."""
    stands = standing(life, now)
    seen, fix = in_plain(stands.why), in_plain(stands.fix)
    told = fail if life.run.status in {RunStatus.QUEUED, RunStatus.RUNNING} else warn
    return [told("run", seen, fix) if fix else ok("run", seen), *map(fault_finding, faults_of(life, now))]


async def answering_findings(directory: Directory, card: Card, met: Met) -> list[Finding]:
    """What Slack says of the channels and people of a waiting question, and whether anybody in them may answer."""
    named = named_by((), (card,))
    return [
        *[await channel_finding(directory, each, whos, met.scopes) for each, whos in named.channels.items()],
        *[await decider_finding(directory, each, whos) for each, whos in named.people.items()],
        *([await _members_finding(directory, card)] if lookups(card.interrupt.policy) else []),
    ]


async def _members_finding(directory: Directory, card: Card) -> Finding:
    """Whether enough of the members of its channels, and of those whom it names as deciders, may answer."""
    policy = card.interrupt.policy
    named = [person for each in policy.deciders if isinstance(each, Person) and (person := each.id or each.email)]
    try:
        members = await _members(directory, lookups(policy))
        able, looked = await _able(directory, card, [*named, *members])
    except CouldNotVerify as error:
        fix = "Invite the bot to the channel: /invite, and see the scopes: signoff doctor"
        return warn("deciders", f"who is in the channel could not be looked up: {error}", fix)
    whom = f"{counted(len(members), 'member')}{f' and {len(named)} named beside them' if named else ''}"
    if able >= policy.quorum:
        return ok("deciders", f"enough may answer: {policy.quorum} of {whom}")
    if looked < len(named) + len(members):
        return ok("deciders", f"{able or 'none'} of the first {looked} may answer; there are {whom}")
    seen = (
        f"it takes {policy.quorum}, and of {whom} {able or 'none'} may answer: not the requester of an approval, no bot, "
        "no guest"
    )
    return fail("deciders", seen, "Have somebody join the channel who may decide.")


async def _members(directory: Directory, channels: Sequence[str]) -> list[str]:
    found = [await directory.members(channel) for channel in channels]
    return sorted(frozenset[str]().union(*found))


async def _able(directory: Directory, card: Card, people: Sequence[str]) -> tuple[int, int]:
    """How many may answer, until there are enough; and how many were looked at."""
    able, looked = set[str](), 0
    for person in people[:LOOKED_AT]:
        facts = await looked_up(directory, person)
        able |= {facts.id} if facts is not None and _may(card, facts) else set()
        looked += 1
        if len(able) >= card.interrupt.policy.quorum:
            break
    return len(able), looked


def _may(card: Card, facts: PersonFacts) -> bool:
    policy, approval = card.interrupt.policy, card.interrupt.shape.is_approval
    everywhere = dict.fromkeys(lookups(policy), True)
    judged = verdict(policy, facts, requester=card.run.requester, approval=approval, member_of=everywhere)
    return isinstance(judged, Allowed)
