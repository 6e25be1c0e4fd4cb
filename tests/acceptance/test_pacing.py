"""What happens by itself while people wait: a reminder, a warning that gives more time, an escalation; also over a restart."""

from datetime import timedelta

from pydantic import BaseModel

from actions import ActionInterrupt, Channel, Context, Group, Person, Policy, Warn, action, after, every
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from tests.acceptance.office import Office

DANA, OMAR = Person("dana@example.com"), Person("omar@example.com")


class Nothing(BaseModel):
    """An input without fields."""


def shipping(policy: Policy) -> Registry:
    @action(id="ship", name="Ship", description="Ships.", policy=policy, expires_in=timedelta(hours=10))
    async def ship(input: Nothing, ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt("Ship it?")

    return Registry([ship])


async def test_a_reminder_calls_those_alone_who_have_not_answered(closed_office: Office):
    policy = Policy(deciders=Group("finance"), quorum=2, show=Channel("#general"), remind=every(hours=2))
    await closed_office.open(shipping(policy))
    run = await closed_office.start("ship", {})
    ann, ben = closed_office.person("ann"), closed_office.person("ben")
    card = await ann.sees("Ship it?", in_="#general")
    await ann.click(card, "Approve")
    await closed_office.move_deadlines(hours=2)
    reminder = await ben.sees("still waits for your answer", in_="#general")
    assert "@Ben Brook" in reminder.text
    assert "Ann" not in reminder.text
    await ben.click(card, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)


async def test_a_warning_gives_more_time_to_those_who_may_decide(closed_office: Office):
    policy = Policy(deciders=DANA, warn=Warn(at=0.8, extend_by=timedelta(hours=4)))
    await closed_office.open(shipping(policy))
    run = await closed_office.start("ship", {})
    dana, rita = closed_office.person("dana"), closed_office.person("rita")
    card = await dana.sees("Ship it?", in_="dm")
    first = (await closed_office.card(run.id)).interrupt.expires_at
    await closed_office.move_deadlines(hours=8)
    await dana.sees("Its card can give it 4 hours more", in_="dm")
    await rita.sees("Nobody has settled it yet", in_="dm")
    await dana.until(lambda: "Extend by 4 hours" in card.buttons, "the button of the card")
    await dana.click(card, "Extend by 4 hours")
    await dana.is_told("now.")
    extended = (await closed_office.card(run.id)).interrupt
    assert first is not None
    assert extended.expires_at == first - timedelta(hours=4)
    assert extended.extended == 1
    await closed_office.settled(run.id)
    await closed_office.close()
    await closed_office.open(shipping(policy))
    await dana.click(card, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)


async def test_whoever_it_is_escalated_to_may_decide_it_after_a_restart(closed_office: Office):
    policy = Policy(deciders=DANA, escalate=after(hours=4, to=OMAR))
    await closed_office.open(shipping(policy))
    run = await closed_office.start("ship", {})
    dana, omar = closed_office.person("dana"), closed_office.person("omar")
    card = await dana.sees("Ship it?", in_="dm")
    await closed_office.close()
    await closed_office.open(shipping(policy))
    await closed_office.move_deadlines(hours=4)
    theirs = await omar.sees("Ship it?", in_="dm")
    await dana.sees_on(card, "Escalated to @Omar")
    await omar.click(theirs, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
    assert [each.person for each in await closed_office.decisions(run.id)] == ["U0OMAR"]
