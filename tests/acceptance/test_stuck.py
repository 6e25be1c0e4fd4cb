"""`/signoff stuck`: operators see what is stuck and mend it from Slack; nobody else does. Each order is noted as theirs."""

import pytest

from actions.kit.records.runs import Failure, Origin, RunStatus
from bot import clock
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from storage.results import Lease, NewRun, Vote
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office

EVE = "U0DANA"
"""The operator of these stories, who neither asks nor decides in them."""


@pytest.fixture
async def busy_office(closed_office: Office) -> Office:
    await closed_office.open(admins=(EVE,))
    return closed_office


async def the_list(office: Office) -> tuple[Tab, Modal]:
    operator = office.person("dana")
    assert (await operator.command("/signoff stuck")).ok
    return operator, await operator.modal("What is stuck")


async def shows(operator: Tab, modal: Modal, words: str) -> None:
    await operator.until(lambda: words in modal.text, f"{words!r} in the list")


async def last_by(office: Office, run_id: str, person: str = EVE) -> tuple[str, str, object]:
    entry = [entry for entry in await office.store.trail(run_id) if entry.person == person][-1]
    return entry.event, entry.via, entry.details.get("cause")


async def approved(office: Office, action_id: str, question: str, **given: str) -> str:
    run = await office.start(action_id, given)
    ann = office.person("ann")
    await ann.click(await ann.sees(question, in_="#approvals"), "Approve")
    return run.id


async def test_whoever_is_no_operator_is_refused_privately(busy_office: Office):
    ann = busy_office.person("ann")
    await ann.command("/signoff stuck")
    await ann.is_told("Only operators may see this")
    assert ann.open_modal is None
    await ann.command("/signoff")
    assert not (await ann.is_told("What can be started here")).says("stuck")


async def test_operators_are_told_of_the_list_and_that_nothing_is_stuck(busy_office: Office):
    dana = busy_office.person("dana")
    await dana.command("/signoff help")
    await dana.is_told("`/signoff stuck` what does not go on by itself, for operators")
    await dana.command("/signoff")
    await dana.is_told("`/signoff stuck` shows operators what is stuck")
    _, modal = await the_list(busy_office)
    assert "Nothing is stuck" in modal.text


async def test_a_failed_run_is_run_again_from_the_list_which_then_shows_that_nothing_is_left(busy_office: Office):
    run_id = await approved(busy_office, "fails_once", "Try it?")
    await busy_office.ends(run_id, RunStatus.FAILED)
    Gate(busy_office.folder, "mail").open()
    operator, modal = await the_list(busy_office)
    assert "the mail server is down" in modal.text
    assert modal.buttons == ["Run again", "Look again"]
    await operator.click(modal, "Run again")
    await shows(operator, modal, "Nothing is stuck")
    assert "*Run again*: “" in modal.text
    await busy_office.ends(run_id, RunStatus.SUCCEEDED)
    assert await last_by(busy_office, run_id) == ("run again", "slack", "admin")
    assert len(busy_office.effects("tried")) == 1


@pytest.mark.parametrize(("title", "status"), [("It happened", "succeeded"), ("It did not", "failed")])
async def test_a_stalled_run_is_settled_from_the_list(busy_office: Office, title: str, status: str):
    run_id = await approved(busy_office, "runs_too_long", "Start the long one?")
    await busy_office.ends(run_id, RunStatus.STALLED)
    operator, modal = await the_list(busy_office)
    assert "we do not know whether it happened" in modal.text
    await operator.click(modal, title)
    await shows(operator, modal, f"*{title}*: “")
    ended = await busy_office.ends(run_id, RunStatus(status))
    assert ended.marked_by == EVE
    assert await last_by(busy_office, run_id) == (status, "slack", "admin")


async def test_what_reached_nobody_is_delivered_again_from_the_list(busy_office: Office):
    busy_office.workbench.workspace.leave("#ops", "signoff")
    run = await busy_office.start("ask_ops", {})
    await busy_office.person("rita").sees("Undeliverable", in_="dm")
    operator, modal = await the_list(busy_office)
    assert "Invite the bot to the channel" in modal.text
    assert modal.buttons == ["Deliver again", "Cancel", "Look again"]
    busy_office.workbench.workspace.join("#ops", "signoff")
    await operator.click(modal, "Deliver again")
    await shows(operator, modal, "is on its way")
    await busy_office.person("ann").sees("Reboot the rack?", in_="#ops")
    assert await last_by(busy_office, run.id) == ("deliver again", "slack", "admin")


async def test_a_second_operator_finds_the_run_moved_on(busy_office: Office):
    run_id = await approved(busy_office, "fails_once", "Try it?")
    await busy_office.ends(run_id, RunStatus.FAILED)
    operator, modal = await the_list(busy_office)
    await busy_office.store.order(run_id, 2, "run_again", person="U0ANN", via="slack", now=clock.now())
    await operator.click(modal, "Run again")
    await shows(operator, modal, "This is no longer open")


async def test_what_waits_for_an_action_that_is_gone_is_cancelled_and_its_requester_told(busy_office: Office):
    started = await busy_office.store.start(
        NewRun("was_here", "Was here", "U0RITA", Origin(via="demo"), "{}"),
        lease=Lease("nobody", clock.now()), now=clock.now(),
    )  # fmt: skip
    run = started.run
    gone = Failure(kind="unknown_action", message="This version of the bot does not know the action")
    await busy_office.store.hold(run.id, run.epoch, owner="nobody", failure=gone, now=clock.now())
    operator, modal = await the_list(busy_office)
    assert "Held" in modal.text
    await operator.click(modal, "Cancel")
    await shows(operator, modal, "Cancelled")
    assert await last_by(busy_office, run.id) == ("cancelled", "slack", "admin")
    await busy_office.person("rita").sees("Cancelled", in_="dm")


async def test_what_somebody_answered_since_the_list_was_drawn_is_not_cancelled_from_it(busy_office: Office):
    busy_office.workbench.workspace.archive("#approvals")
    run = await busy_office.start("gated", {"stops": "after"})
    await busy_office.person("rita").sees("Undeliverable", in_="dm")
    operator, modal = await the_list(busy_office)
    card = await busy_office.store.latest_card(run.id)
    assert card
    choice = card.interrupt.shape.choices[0]
    vote = Vote(card.interrupt.id, None, "U0ANN", choice, "{}", note=None, source="elsewhere", via="http")
    await busy_office.store.answer(vote, now=clock.now())
    gate = Gate(busy_office.folder, "after")
    await gate.reached()
    await operator.click(modal, "Cancel")
    await shows(operator, modal, "This is no longer open: the run is now ⏳ *Running*")
    gate.open()
    await busy_office.ends(run.id, RunStatus.SUCCEEDED)


async def test_a_run_that_executes_is_asked_to_stop(busy_office: Office):
    run_id = await approved(busy_office, "gated", "Go through the gate?", stops="after")
    await Gate(busy_office.folder, "after").reached()
    await busy_office.store.blocked(run_id, "somewhere.py:1", "It blocks.", now=clock.now())
    operator, modal = await the_list(busy_office)
    assert "it keeps its thread to itself, at somewhere.py:1" in modal.text
    await operator.click(modal, "Cancel")
    await shows(operator, modal, "was asked to stop")
    await busy_office.ends(run_id, RunStatus.STALLED)


async def test_an_operators_list_that_stays_open_after_they_are_none_any_more_shows_nothing(busy_office: Office):
    operator, modal = await the_list(busy_office)
    await busy_office.close()
    await busy_office.open(admins=())
    await operator.click(modal, "Look again")
    await shows(operator, modal, "Only operators may see this")


async def test_a_long_list_is_paged(busy_office: Office):
    now = clock.now()
    for number in range(23):
        new = NewRun("fails_once", f"Run {number:02}", "U0RITA", Origin(via="demo"), "{}")
        run = (await busy_office.store.start(new, lease=Lease("nobody", now), now=now)).run
        failure = Failure(kind="ValueError", message=f"fault {number}")
        await busy_office.store.finish(
            run.id, run.epoch, owner="nobody", status=RunStatus.FAILED, failure=failure, now=now
        )
    operator, modal = await the_list(busy_office)
    assert "23 runs need somebody; these are 1 to 10" in modal.text
    await operator.click(modal, "More")
    await shows(operator, modal, "these are 11 to 20")
    await operator.click(modal, "More")
    await shows(operator, modal, "these are 21 to 23")
    assert "More" not in modal.buttons
    await operator.click(modal, "Back")
    await shows(operator, modal, "these are 11 to 20")
