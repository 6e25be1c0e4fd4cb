"""The requester after the request: a nudge, a withdrawal, the same again, and equal requests that share a run; over both transports."""

from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import RunStatus
from bot.workbench.driver import Tab
from bot.workbench.modals import Home
from tests.acceptance.office import Office

QUESTION = "Restart checkout?"
RESTART = {"Service": "checkout", "Reason": "Errors since noon"}


async def asks(who: Tab) -> None:
    await who.command("/signoff restart_service")
    assert (await who.submit(await who.modal("Restart service"), RESTART)).closed


async def joins(who: Tab) -> None:
    await who.command("/signoff restart_service")
    await who.submit(await who.modal("Restart service"), RESTART)
    assert (await who.modal("Joined")).says("asked for the same")


async def at_home(who: Tab, text: str) -> Home:
    who.open_home()
    return await who.home(text)


async def test_equal_requests_share_a_run_and_both_hear_of_its_end(open_office: Office):
    rita, ben, omar = (open_office.person(name) for name in ("rita", "ben", "omar"))
    await asks(rita)
    card = await omar.sees(QUESTION, in_="dm")
    await joins(ben)
    (run,) = await open_office.store.runs()
    assert len(run.requesters) == 2
    await omar.sees("asked for the same, and joined this request", in_="dm")
    await omar.click(card, "Restart")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    for person in (rita, ben):
        told = await person.sees("Done", in_="dm")
        assert told.says(QUESTION)
    await open_office.settled(run.id)
    outcomes = [copy for copy in await open_office.store.copies(run.id) if copy.kind is CopyKind.OUTCOME]
    assert len(outcomes) == 2
    assert len(open_office.effects("restart")) == 1
    await asks(ben)
    assert len(await open_office.store.runs()) == 2


async def test_a_nudge_is_one_reply_below_the_card_that_names_who_must_act(open_office: Office):
    rita, omar = open_office.person("rita"), open_office.person("omar")
    await asks(rita)
    await omar.sees(QUESTION, in_="dm")
    home = await at_home(rita, QUESTION)
    assert (await rita.click(home, "Nudge")).ok
    reply = await omar.sees("still waits for your answer", in_="dm")
    assert reply.says("👋")
    await rita.click(await rita.home("nudged"), "Nudge")
    await rita.sees("nudged already", in_="dm")
    (run,) = await open_office.store.runs()
    assert [copy.kind for copy in await open_office.store.copies(run.id)].count(CopyKind.NUDGE) == 1


async def test_a_withdrawn_request_ends_everywhere_and_is_asked_again_with_its_former_input(open_office: Office):
    rita, omar = open_office.person("rita"), open_office.person("omar")
    await asks(rita)
    card = await omar.sees(QUESTION, in_="dm")
    home = await at_home(rita, QUESTION)
    assert (await rita.click(home, "Withdraw")).ok
    (run,) = await open_office.store.runs()
    ended = await open_office.ends(run.id, RunStatus.CANCELLED)
    assert ended.ended_by == rita.person.id
    await omar.sees_on(card, "Cancelled")
    assert card.buttons == []
    told = await rita.sees("Cancelled", in_="dm")
    assert (await rita.click(told, "Ask again…")).ok
    form = await rita.modal("Restart service")
    assert form.values["Reason"] == RESTART["Reason"]
    assert (await rita.submit(form, {"Reason": "Errors again"})).closed
    await omar.sees("Errors again", in_="dm")
    shown = await rita.home("Cancelled")
    assert "Ask again…" in shown.buttons


async def test_who_withdraws_from_a_shared_request_leaves_it_to_the_others(open_office: Office):
    rita, ben, omar = (open_office.person(name) for name in ("rita", "ben", "omar"))
    await asks(rita)
    card = await omar.sees(QUESTION, in_="dm")
    await joins(ben)
    (run,) = await open_office.store.runs()
    await rita.command(f"/signoff cancel {run.id}")
    await rita.is_told("It goes on, since")
    assert "Restart" in card.buttons
    home = await at_home(rita, "you withdrew")
    assert "Withdraw" not in home.buttons
    await ben.command(f"/signoff cancel {run.id}")
    await open_office.ends(run.id, RunStatus.CANCELLED)
    await omar.sees_on(card, "Cancelled")
    for person in (rita, ben):
        await person.sees("Cancelled", in_="dm")
