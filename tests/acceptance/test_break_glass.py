"""Somebody breaks the glass: the run goes on, everybody is told, and others review it, also over a restart."""

from datetime import timedelta

from pydantic import BaseModel

from actions import (
    ActionInterrupt,
    BreakGlass,
    Channel,
    Context,
    Group,
    Person,
    Policy,
    Stage,
    action,
)
from actions.kit.records.interrupts import Cause
from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from bot.workbench.driver import Tab
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs

DANA, OMAR, ANN, BEN = (Person(f"{name}@example.com") for name in ("dana", "omar", "ann", "ben"))
REASON = "Payments are down, and nobody of them answers."


class Sum(BaseModel):
    amount: int


@action(
    id="pay",
    name="Pay",
    description="Pays.",
    policy=Policy(
        stages=(Stage(deciders=DANA), Stage(deciders=Group("finance"), quorum=2)),
        show=Channel("#general"),
        notify=DANA,
        break_glass=BreakGlass(BEN, review=(OMAR, ANN), review_in=timedelta(hours=8)),
    ),
)
async def pay(input: Sum, ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Pay {input.amount}?")
    return f"{ctx.resumption.cause} {ctx.resumption.broken_by} {ctx.resumption.reason}"


PAYING = Registry([pay])


async def breaks_glass(who: Tab) -> None:
    card = await who.sees("Pay 40?", in_="#general")
    await who.click(card, "Break glass…")
    form = await who.modal("Break glass")
    assert form.says("You approve this alone")
    assert form.says("within 8 hours")
    refused = await who.submit(form, {"Why this cannot wait": "Because      !"})
    assert "10 characters" in str(refused.errors)
    await who.submit(form, {"Why this cannot wait": REASON})


async def test_it_is_paid_everybody_is_told_and_somebody_else_reviews_it(closed_office: Office):
    await closed_office.open(PAYING)
    run = await closed_office.start("pay", {"amount": 40})
    rita, dana, ben, omar = map(closed_office.person, ("rita", "dana", "ben", "omar"))
    asked = await dana.sees("Pay 40?", in_="dm")
    card = await ben.sees("Pay 40?", in_="#general")
    await breaks_glass(ben)
    ended = await closed_office.ends(run, RunStatus.SUCCEEDED)
    assert ended.output == f'"break_glass U0BEN {REASON}"'
    settled = await ben.sees_on(card, "alone, who broke the glass")
    assert settled.says(REASON)
    await dana.sees_on(asked, "alone, who broke the glass")
    for told, where in ((rita, "dm"), (dana, "dm"), (rita, "#general")):
        assert (await told.sees("broke the glass and approved “Pay 40?”", in_=where)).says(REASON)

    await closed_office.close()
    await closed_office.open(PAYING)
    review = await omar.sees("Was it right to break the glass?", in_="dm")
    assert review.says(REASON)
    await omar.click(review, "It was right")
    [reviewing] = [each for each in await closed_office.store.runs(limit=9) if each.action_id == "glass_review"]
    await closed_office.ends(reviewing, RunStatus.SUCCEEDED)
    assert (await ben.sees("Review of a broken glass", in_="dm")).says("It was right.")
    found = "The review found that it was right to break the glass."
    await dana.until(lambda: any(each.says(found) for each in dana.thread(asked)), found)


async def test_programs_see_it_and_its_review_is_not_to_be_taken_back(closed_office: Office):
    await closed_office.open(PAYING)
    run = await closed_office.start("pay", {"amount": 40})
    ben = closed_office.person("ben")
    await breaks_glass(ben)
    await closed_office.ends(run, RunStatus.SUCCEEDED)
    card = await closed_office.card(run.id)
    assert card.interrupt.cause is Cause.BREAK_GLASS
    assert card.interrupt.broken is not None
    review = card.interrupt.broken.review
    await closed_office.person("ann").sees("Was it right to break the glass?", in_="dm")
    async with programs(closed_office) as session:
        bens = await client(closed_office, session, "U0BEN")
        [shown] = (await bens.get(f"/v1/runs/{run.id}")).body["interrupts"]
        assert shown["broken_glass"] == {"by": "U0BEN", "reason": REASON, "review": review}
        assert (await bens.post(f"/v1/runs/{review}/cancel")).status == 403
        started = await bens.post("/v1/runs", {"action": "glass_review", "input": {}})
        assert "is no action here" in str(started.body)
        asked = await closed_office.card(review)
        answered = await bens.post(f"/v1/interrupts/{asked.interrupt.id}/answer", {"choice": "right"})
        assert answered.status == 403
    await closed_office.move_deadlines(hours=8)
    await closed_office.ends(review, RunStatus.EXPIRED)
    told = await ben.sees("Review of a broken glass", in_="dm")
    assert "Ask again" not in told.buttons
