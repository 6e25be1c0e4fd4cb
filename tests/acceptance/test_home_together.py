"""Several questions of low risk are ticked in the Home tab and answered by one press: a result for each of them."""

from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.choices import to_text
from blocks.together import EXPLAINED as TICKS
from blocks.together import Ticked
from tests.acceptance.office import Office


async def test_one_is_approved_and_what_changed_or_is_their_own_is_refused(open_office: Office):
    ann = open_office.person("ann")
    ann.open_home()
    await ann.home("Nothing waits")
    own = await open_office.start("of_low_risk", {"number": 4}, by="ann")
    fine, changed, third = [await open_office.start("of_low_risk", {"number": number}) for number in (1, 2, 3)]
    forged = (await open_office.card(own.id)).interrupt
    await ann.sees("Water plant 3?", in_="#approvals")
    await ann.until(lambda: ann.home_tab is not None and ann.home_tab.text.count("expires") == 4, "all in Home")
    home = await ann.home("Water plant 3?")
    options = home.element(TICKS).element["options"]
    assert [each["text"]["text"] for each in options] == [f"Water plant {number}?" for number in (1, 2, 3)]
    options[1]["value"] = to_text({"interrupt": (await open_office.card(changed.id)).interrupt.id, "version": 99})
    options[2]["value"] = to_text(Ticked(interrupt=forged.id, version=forged.content_version).model_dump())
    await ann.choose(home, TICKS, [each["text"]["text"] for each in options])
    assert (await ann.click(home, "Approve selected")).ok
    window = await ann.modal("Answered together")
    await ann.until(lambda: window.says("Approved") and window.text.count("Not counted") == 2, "a result for each")
    assert window.says("redrawn")
    assert window.says("You asked for this")
    await open_office.ends(fine.id, RunStatus.SUCCEEDED)
    for run in (changed, third, own):
        card = await open_office.card(run.id)
        assert (card.interrupt.status, card.decisions) == (InterruptStatus.PENDING, ())
