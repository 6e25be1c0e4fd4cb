"""What a card offers besides answers is done in the Home tab too: taken on, asked about, given more time, edited."""

from datetime import timedelta

from pydantic import BaseModel

from actions import ActionInterrupt, Channel, Context, Group, Policy, Warn, action
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from tests.acceptance.office import Office

POLICY = Policy(
    deciders=Group("finance"),
    show=Channel("#general"),
    claim_for=timedelta(hours=12),
    may_ask=True,
    warn=Warn(at=0.8, extend_by=timedelta(hours=4)),
)


class Ship(BaseModel):
    build: int


@action(
    id="ship", name="Ship", description="Ships.", policy=POLICY, expires_in=timedelta(hours=10), editable=("build",)
)
async def ship(input: Ship, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Ship build {input.build}?")


async def test_a_decider_does_in_home_what_the_card_offers(closed_office: Office):
    await closed_office.open(Registry([ship]))
    ann, ben, rita = map(closed_office.person, ("ann", "ben", "rita"))
    for person in (ann, ben, rita):
        person.open_home()
    run = await closed_office.start("ship", {"build": 7})
    card = await ann.sees("Ship build 7?", in_="#general")
    home, others = await ann.home("Ship build 7?"), await ben.home("Ship build 7?")
    assert not {"I take it", "Edit…", "Ask for more…"} & {*(await rita.home("Ship build 7?")).buttons}

    await ann.click(home, "I take it")
    await ann.sees_on(card, "@Ann Archer is on it until")
    await ann.home("is on it until")
    await ben.home("is on it until")
    await ben.click(others, "Let it go")
    await ben.sees("nothing to let go", in_="dm")

    await ann.click(home, "Ask for more…")
    assert (await ann.submit(await ann.modal("Ask for more"), {"Question": "Is it tested?"})).closed
    await rita.sees("Is it tested?", in_="dm")
    await ben.home("asks: Is it tested?")

    await closed_office.move_deadlines(hours=9)
    await ann.until(lambda: "Extend by 4 hours" in home.buttons, "the offer of more time in Home")
    await ann.click(home, "Extend by 4 hours")
    await ann.until(lambda: "Extend by 4 hours" not in home.buttons, "the offer to go from Home")
    assert (await closed_office.card(run.id)).interrupt.extended == 1

    await ann.click(home, "Edit…")
    await ann.submit(await ann.modal("Edit"), {"Build": "8"})
    await ann.modal("Done")
    await ann.home("Ship build 8?")
    await ann.click(home, "Approve")
    await closed_office.ends(run, RunStatus.SUCCEEDED)
