"""The conversation around a decision: somebody takes it on, asks for more and is answered; words typed below it decide nothing."""

from datetime import timedelta

from pydantic import BaseModel

from actions import ActionInterrupt, Channel, Context, Group, Policy, action
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from tests.acceptance.office import Office

QUESTION = "Ship it?"
POLICY = Policy(
    deciders=Group("finance"),
    show=Channel("#general"),
    claim_for=timedelta(minutes=30),
    may_ask="pauses the clock",
)


class Nothing(BaseModel):
    """An input without fields."""


@action(id="ship", name="Ship", description="Ships.", policy=POLICY, expires_in=timedelta(hours=4))
async def ship(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(QUESTION)


async def test_a_decider_asks_the_requester_replies_and_the_card_shows_both(closed_office: Office):
    await closed_office.open(Registry([ship]))
    run = await closed_office.start("ship", {})
    ann, ben, rita = map(closed_office.person, ("ann", "ben", "rita"))
    card = await ann.sees(QUESTION, in_="#general")
    await rita.click(card, "Ask for more…")
    await rita.is_told("You asked for this")
    await ann.click(card, "Ask for more…")
    await ann.submit(await ann.modal("Ask for more"), {"Question": "Is it tested?"})
    asked = await rita.sees("Is it tested?", in_="dm")
    await ann.sees_on(card, "while the clock is paused")
    await rita.click(asked, "Reply…")
    await rita.submit(await rita.modal("Reply"), {"Reply": "Since yesterday."})
    await ann.sees("Since yesterday.", in_="dm")
    await ann.sees_on(card, "Is it tested?")
    await ann.sees_on(card, "@Rita Rossi replies: Since yesterday.")
    assert (await closed_office.card(run.id)).interrupt.paused_at is None
    await ben.click(card, "Ask for more…")
    await ben.submit(await ben.modal("Ask for more"), {"Question": "By whom?"})
    await rita.sees("By whom?", in_="dm")
    rita.say("By me <!channel>", thread=card)
    await ben.sees_on(card, "By me")
    assert (await closed_office.card(run.id)).interrupt.paused_at is None
    await ben.click(card, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
    await closed_office.settled(run.id)


async def test_words_typed_below_a_card_are_kept_and_decide_nothing(closed_office: Office):
    await closed_office.open(Registry([ship]))
    run = await closed_office.start("ship", {})
    ann, ben = closed_office.person("ann"), closed_office.person("ben")
    card = await ann.sees(QUESTION, in_="#general")
    await closed_office.card(run.id)
    ann.say("approved", thread=card)
    await ben.sees_on(card, "@Ann Archer says: approved")
    ann.say("elsewhere", in_="#general")
    ben.say("ok", thread=card)
    await ann.sees_on(card, "@Ben Brook says: ok")
    await closed_office.settled(run.id)
    lines = [
        each.text for each in await closed_office.store.copies(run.id) if each.text and "decide nothing" in each.text
    ]
    assert len(lines) == 1
    known = await closed_office.store.run(run.id)
    assert known is not None
    assert [(each.person, each.text) for each in known.remarks] == [("U0ANN", "approved"), ("U0BEN", "ok")]
    assert known.status is RunStatus.WAITING


async def test_a_card_that_somebody_has_taken_on_may_still_be_decided_by_others(closed_office: Office):
    await closed_office.open(Registry([ship]))
    run = await closed_office.start("ship", {})
    ann, ben = closed_office.person("ann"), closed_office.person("ben")
    card = await ann.sees(QUESTION, in_="#general")
    await ann.click(card, "I take it")
    await ann.is_told("It is yours until")
    await ben.sees_on(card, "@Ann Archer is on it until")
    await ben.click(card, "Let it go")
    await ben.is_told("nothing to let go")
    await ann.click(card, "Let it go")
    await ben.click(card, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
