"""A spend request that its deciders edit before they sign it off: everybody is asked anew, as the new amount says."""

from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from bot import clock
from bot.workbench.driver import Tab
from storage.results import Edited, NewEdit
from tests.acceptance.office import Office
from tests.acceptance.test_answering import SPEND

SMALL = SPEND | {"amount": "4000.00"}
MADE_6000 = "Amount 4,000.00 EUR → 6,000.00 EUR"


async def edits(who: Tab, question: str, amount: str) -> None:
    card = await who.sees(question, in_="dm")
    await who.click(card, "Edit…")
    form = await who.modal("Edit")
    assert form.says("answers so far do not count")
    await who.submit(form, {"Amount": amount})
    assert (await who.modal("Done")).says("asked again, with a new card")
    await who.sees_on(card, "edited it")


async def test_an_edit_upwards_brings_in_finance_and_one_after_a_vote_asks_everybody_anew(open_office: Office):
    run = await open_office.start("spend_request", SMALL)
    rita, dana, ann = map(open_office.person, ("rita", "dana", "ann"))
    await edits(dana, "Spend 4,000.00 EUR at Northwind?", "6000.00")
    told = await rita.sees("edited what you asked for", in_="dm")
    assert told.says(MADE_6000)
    first = await dana.sees("Spend 6,000.00 EUR at Northwind?", in_="dm")
    assert first.says("Edited by @Dana Diaz")
    assert first.says(MADE_6000)
    await dana.click(first, "Approve")
    await edits(ann, "Spend 6,000.00 EUR at Northwind?", "7000.00")
    await dana.sees("Your answer does not count any more", in_="dm")
    await dana.sees_on(first, "in a newer card")
    assert first.buttons == []
    await dana.click(await dana.sees("Spend 7,000.00 EUR at Northwind?", in_="dm"), "Approve")
    await ann.click(await ann.sees("Spend 7,000.00 EUR at Northwind?", in_="dm"), "Approve")
    await open_office.ends(run, RunStatus.SUCCEEDED)
    [entry] = open_office.ledger.entries()
    assert (entry.facts["amount"], entry.facts["signed_off_by"]) == ("7000.00", ["U0DANA", "U0ANN"])


async def test_what_was_edited_just_before_the_bot_went_down_is_asked_when_it_is_back(open_office: Office):
    run = await open_office.start("spend_request", SMALL)
    rita, dana = map(open_office.person, ("rita", "dana"))
    old = await dana.sees("Spend 4,000.00 EUR at Northwind?", in_="dm")
    card = await open_office.card(run.id)
    await open_office.close()
    async with open_office.reading() as store:
        new = NewEdit(
            interrupt_id=card.interrupt.id,
            content_version=card.interrupt.content_version,
            person="U0DANA",
            before=card.run.input,
            input=card.run.input.replace("4000.00", "6000.00"),
            described=card.interrupt.shown_schema,
            said="edited it",
            source="view:before",
            via="slack",
        )
        assert isinstance(await store.edit(new, now=clock.now()), Edited)
    await open_office.open()
    asked = await dana.sees("Spend 6,000.00 EUR at Northwind?", in_="dm")
    await dana.sees_on(old, "in a newer card")
    told = await rita.sees("edited what you asked for", in_="dm")
    assert told.says(MADE_6000)
    await rita.click(told, "Withdraw")
    await open_office.ends(run.id, RunStatus.CANCELLED)
    await dana.sees_on(asked, "Cancelled")
    statuses = [each.interrupt.status for each in await open_office.store.cards(run.id)]
    assert statuses == [InterruptStatus.SUPERSEDED, InterruptStatus.CANCELLED]
