"""One run examined: where it stands, what people may take for broken in it, and what Slack says of those who are to answer."""

from datetime import datetime

from actions.kit.counting import counted
from actions.kit.policies.policy import lookups
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunStatus
from blocks.diagnosis import faults_of
from blocks.life import Life
from blocks.said import in_plain
from blocks.standing import standing
from bot.directory.directory import Directory
from bot.directory.who import stage_now
from bot.doctor.findings import Finding, fail, ok, warn
from bot.doctor.lookups import lookup_finding
from bot.doctor.named import named_by
from bot.doctor.people import decider_finding
from bot.doctor.places import channel_finding
from bot.doctor.questions import fault_finding
from bot.doctor.slack import Met


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
        *[await lookup_finding(directory, each, whos, card.run.requester) for each, whos in named.lookups.items()],
        *([await _deciders_finding(directory, card)] if lookups(card.interrupt.policy) else []),
    ]


async def _deciders_finding(directory: Directory, card: Card) -> Finding:
    """Whether enough of those for whom its policy stands now may answer."""
    policy, approval = card.interrupt.policy, card.interrupt.shape.is_approval
    stage = await stage_now(directory, policy, requester=card.run.requester, approval=approval)
    able, among = len(stage.able), counted(len(stage.people) + stage.more, "candidate")
    if able >= stage.needed:
        return ok("deciders", f"enough may answer: it takes {stage.needed}, and of {among} {able} may")
    if stage.notes:
        fix = "Invite the bot to the channel: /invite, and see the scopes and names: signoff doctor"
        return warn("deciders", "; ".join(stage.notes), fix)
    if stage.more:
        return ok("deciders", f"{able or 'none'} of the first {len(stage.people)} may answer, of {among}")
    seen = (
        f"it takes {stage.needed}, and of {among} {able or 'none'} may answer: not the requester of an approval, no bot, "
        "no guest"
    )
    return fail("deciders", seen, "Have somebody join the channel, the group or the rota who may decide.")
