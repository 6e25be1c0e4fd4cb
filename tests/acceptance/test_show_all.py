"""What a card leaves out is one click away, before the decision and after it, for everybody who sees the card."""

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from tests.acceptance.office import Office

SOFA = "What shall become of the sofa?"
STORY = "\n".join(f"Chapter {number}. " + "It stood there. " * 20 for number in range(12))


async def all_of(who: Tab, question: str, *, in_: str = "#approvals") -> Modal:
    await who.click(await who.sees(question, in_=in_), "Show all")
    return await who.modal()


async def answered(office: Office) -> str:
    """A run whose card cut its data, after Ann has answered."""
    run = await office.start("eight_ways", {"words": STORY})
    ann = office.person("ann")
    card = await ann.sees(SOFA, in_="#approvals")
    await ann.click(card, "Answer…")
    await ann.submit(await ann.modal(), {"Your answer": "Burn"})
    await office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.sees_on(card, "Done")
    assert not card.says("Chapter 11.")
    assert card.buttons == ["Show all"], "no button that decides remains"
    return run.id


async def test_everybody_who_sees_a_settled_card_may_see_all_of_it(open_office: Office):
    await answered(open_office)
    for name in ("ann", "ben", "rita"):
        modal = await all_of(open_office.person(name), SOFA)
        assert "Chapter 11." in modal.text
        assert "Burn" in modal.text
        assert "Done" in modal.text
        assert modal.buttons == []


@pytest.mark.parametrize("transport", ["socket"])
async def test_all_of_a_settled_card_is_shown_after_a_restart_too(open_office: Office):
    await answered(open_office)
    await open_office.restart()
    modal = await all_of(open_office.person("ben"), SOFA)
    assert "Chapter 11." in modal.text


@pytest.mark.parametrize("transport", ["socket"])
async def test_a_card_that_was_withdrawn_still_shows_all_of_itself(open_office: Office):
    run = await open_office.start("eight_ways", {"words": STORY})
    ann = open_office.person("ann")
    card = await ann.sees(SOFA, in_="#approvals")
    await open_office.bot.runner.cancel(run.id, "U0RITA")
    await ann.sees_on(card, "*Cancelled* by @Rita Rossi")
    assert card.buttons == ["Show all"]
    assert "Chapter 11." in (await all_of(ann, SOFA)).text


@pytest.mark.parametrize("transport", ["socket"])
async def test_whatever_was_answered_meanwhile_an_old_open_card_shows_how_it_stands(open_office: Office):
    run = await open_office.start("eight_ways", {"words": STORY})
    ben = open_office.person("ben")
    card = await ben.sees(SOFA, in_="#approvals")
    await open_office.bot.runner.cancel(run.id, "U0RITA")
    await ben.sees_on(card, "*Cancelled*")
    await ben.click(card, "Show all", behind=True)
    assert "Cancelled" in (await ben.modal()).text
