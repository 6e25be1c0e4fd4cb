"""A standing grant in Slack, from the question to its end; over both transports."""

from actions.kit.records.runs import RunStatus
from bot.workbench.driver import Tab
from tests.acceptance.office import Office


async def asks(who: Tab, reason: str) -> None:
    await who.command("/signoff restart_service")
    form = await who.modal("Restart service")
    assert (await who.submit(form, {"Service": "checkout", "Reason": reason})).closed


async def granted(office: Office) -> tuple[Tab, Tab]:
    """Rita may restart the checkout twice, as Omar agreed to."""
    rita, omar = office.person("rita"), office.person("omar")
    await rita.command("/signoff standing_grant")
    form = await rita.modal("Ask for a standing grant")
    asked = {"Only where Service is": "check*", "Hours": "4", "Times": "2", "Reason": "The sale begins at noon"}
    filled = {next(label for label in form.labels if label.endswith(name)): text for name, text in asked.items()}
    assert (await rita.submit(form, filled)).closed
    card = await omar.sees("in advance?", in_="dm")
    assert card.says("For the next 4 hours, up to 2 times: Restart service where Service is check*")
    await omar.click(card, "Approve")
    (run,) = await office.store.runs()
    await office.ends(run.id, RunStatus.SUCCEEDED)
    return rita, omar


async def test_what_is_granted_runs_without_asking_and_the_third_is_asked_again(open_office: Office):
    rita, omar = await granted(open_office)
    for used in (1, 2):
        await asks(rita, f"Errors, for the {used}. time")
        card = await omar.sees(f"{used} of 2 used", in_="dm")
        assert card.says("by a standing grant, which")
        assert card.buttons == []
        await rita.sees(f"{used} of 2 used", in_="dm")
    assert [entry.facts["approved_by"] for entry in open_office.effects("restart")] == [omar.person.id] * 2
    await rita.sees("is used up: it was used 2 of 2 times. From now on people are asked again.", in_="dm")
    await asks(rita, "Errors once more")
    card = await omar.sees("Errors once more", in_="dm")
    assert "Restart" in card.buttons


async def test_the_holder_is_told_that_the_time_has_passed(open_office: Office):
    rita, _ = await granted(open_office)
    await open_office.move_deadlines(hours=4)
    said = await rita.sees("its time has passed: it was used 0 of 2 times", in_="dm")
    assert said.says("To ask for another one, type /signoff standing_grant.")


async def test_what_is_revoked_is_asked_again(open_office: Office):
    rita, omar = await granted(open_office)
    await omar.command("/signoff grants")
    said = await omar.sees("Standing grants (1)")
    assert said.says("Restart service where Service is check*")
    rita.open_home()
    assert (await rita.home("Standing grants · 1")).says("Restart service where Service is check*")
    await omar.click(said, "Revoke")
    await rita.sees("revoked the standing grant", in_="dm")
    await asks(rita, "Errors since noon")
    card = await omar.sees("Errors since noon", in_="dm")
    assert "Restart" in card.buttons
