"""From the answer to the outcome: approved is not done, and what failed or stalled can be settled by those who may."""

import asyncio

from actions.kit.records.runs import RunStatus
from bot.workbench.cards import Card
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office

ORDERS = ["Run again", "It happened", "It did not"]


async def approved(office: Office, action_id: str, question: str, **given: str) -> tuple[str, Card]:
    """A run of Rita's that Ann has approved, and its card."""
    run = await office.start(action_id, given)
    ann = office.person("ann")
    card = await ann.sees(question, in_="#approvals")
    await ann.click(card, "Approve")
    return run.id, card


async def test_the_buttons_go_before_the_action_runs_and_approved_is_not_yet_done(open_office: Office):
    run_id, card = await approved(open_office, "gated", "Go through the gate?", stops="after")
    ann, gate = open_office.person("ann"), Gate(open_office.folder, "after")
    await gate.reached()
    settled = await ann.sees_on(card, "*Approved* by @Ann Archer")
    assert settled.buttons == []
    await ann.sees_on(card, "Running")
    assert "Done" not in card.text
    assert "Approve" in card.fallback
    gate.open()
    await open_office.ends(run_id, RunStatus.SUCCEEDED)
    done = await ann.sees_on(card, "Done")
    decision, execution = (line for line in done.text.splitlines() if "Approved" in line or "Done" in line)
    assert "Approved" in decision
    assert "Done" in execution
    assert {"Approved", "Done"} <= set(card.fallback.replace("·", " ").split())


async def test_a_failure_after_the_approval_is_shown_beside_it_and_run_again_by_the_requester(open_office: Office):
    run_id, card = await approved(open_office, "fails_once", "Try it?")
    ann, ben, rita = (open_office.person(name) for name in ("ann", "ben", "rita"))
    failed = await ann.sees_on(card, "the mail server is down")
    assert failed.says("*Approved* by @Ann Archer")
    assert failed.buttons == ["What can be done"]
    told = await rita.sees("the mail server is down", in_="dm")
    assert told.buttons == ["Run again", "Ask again…"]

    modal = await all_of(ben, card)
    assert "the mail server is down" in modal.text
    assert modal.buttons == ["Run again"]
    await ben.click(modal, "Run again")
    await ben.until(lambda: "Only the requester, those who decided, and the operators may do this" in modal.text, "why")
    assert (await open_office.ends(run_id, RunStatus.FAILED)).ended_at is not None

    Gate(open_office.folder, "mail").open()
    await rita.click(told, "Run again")
    await open_office.ends(run_id, RunStatus.SUCCEEDED)
    done = await ann.sees_on(card, "Done")
    assert done.buttons == []
    await rita.until(lambda: not told.buttons, "the old message to lose its button")
    assert told.says("the mail server is down")
    await rita.sees("Done", in_="dm", after=told)
    assert len(await open_office.decisions(run_id)) == 1
    assert len(open_office.effects("tried")) == 1
    assert len({entry.key for entry in open_office.effects()}) == 1


async def test_a_second_click_on_run_again_finds_the_run_moved_on(open_office: Office):
    run_id, card = await approved(open_office, "fails_once", "Try it?")
    ann = open_office.person("ann")
    await ann.sees_on(card, "the mail server is down")
    Gate(open_office.folder, "mail").open()
    modal = await all_of(ann, card)
    await asyncio.gather(ann.click(modal, "Run again"), ann.click(modal, "Run again"))
    await open_office.ends(run_id, RunStatus.SUCCEEDED)
    await ann.until(lambda: modal.buttons == [], "the window to lose its button")
    assert len(open_office.effects("tried")) == 1


async def all_of(who: Tab, card: Card) -> Modal:
    """The window behind a card's button, in which a run that went wrong is settled."""
    await who.click(card, "What can be done")
    return await who.modal()


async def stalled(office: Office) -> tuple[str, Card]:
    """A run that was cut off after its answer, so that nobody knows whether it happened."""
    run_id, card = await approved(office, "runs_too_long", "Start the long one?")
    await office.ends(run_id, RunStatus.STALLED)
    shown = await office.person("ann").sees_on(card, "we do not know whether it happened")
    assert shown.says("*Approved* by @Ann Archer")
    assert shown.buttons == ["What can be done"]
    return run_id, await office.person("ann").sees("we do not know whether it happened", in_="#approvals")


async def test_a_stalled_run_is_settled_by_who_decided_as_having_happened(open_office: Office):
    run_id, card = await stalled(open_office)
    ann, ben, rita = (open_office.person(name) for name in ("ann", "ben", "rita"))
    told = await rita.sees("we do not know whether it happened", in_="dm")
    modal = await all_of(ben, card)
    assert modal.buttons == ORDERS
    await ben.click(modal, "It happened")
    await ben.until(lambda: "may do this" in modal.text, "why not")
    await rita.click(told, "It happened")
    await rita.is_told("may do this")
    assert (await open_office.ends(run_id, RunStatus.STALLED)).marked_by is None

    await ann.click(await all_of(ann, card), "It happened")
    ended = await open_office.ends(run_id, RunStatus.SUCCEEDED)
    assert (ended.output, ended.marked_by) == (None, "U0ANN")
    await gone_from(ann, card, "marked by @Ann Archer")
    await rita.sees("marked by @Ann Archer", in_="dm", after=told)
    await rita.until(lambda: not told.buttons, "the old message to lose its buttons")
    assert len(open_office.effects("long")) == 1


async def test_a_stalled_run_is_settled_as_not_having_happened_and_may_then_be_run_again(open_office: Office):
    run_id, card = await stalled(open_office)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    modal = await all_of(ann, card)
    await ann.click(modal, "It did not")
    await open_office.ends(run_id, RunStatus.FAILED)
    await ann.sees_on(card, "marked as not having happened")
    await ann.until(lambda: modal.buttons == ["Run again"], "what may be done now")
    assert "*It did not*: “" in modal.text
    told = await rita.sees("marked as not having happened", in_="dm")
    Gate(open_office.folder, "long").open()
    await rita.click(told, "Run again")
    await open_office.ends(run_id, RunStatus.SUCCEEDED)
    await gone_from(ann, card, "Done")


async def test_a_stalled_run_is_run_again_only_because_a_named_person_orders_it(open_office: Office):
    run_id, card = await stalled(open_office)
    ann = open_office.person("ann")
    await open_office.bot.runner.recover()
    assert (await open_office.ends(run_id, RunStatus.STALLED)).marked_by is None
    Gate(open_office.folder, "long").open()
    await ann.click(await all_of(ann, card), "Run again")
    await open_office.ends(run_id, RunStatus.SUCCEEDED)
    await gone_from(ann, card, "Done")
    ordered = [entry for entry in await open_office.store.trail(run_id) if entry.event == "run again"]
    assert [entry.person for entry in ordered] == ["U0ANN"]
    assert len(open_office.effects("long")) == 2
    assert len({entry.key for entry in open_office.effects("long")}) == 1


async def test_reports_wait_for_the_card_and_then_stand_in_its_thread_in_order(open_office: Office):
    hold = open_office.workbench.faults.hold("chat.postMessage", after_commit=False)
    run = await open_office.start("reporting", {})
    ann = open_office.person("ann")
    await hold.arrived.wait()
    assert ann.messages("#approvals") == []
    hold.release()
    card = await ann.sees("Continue?", in_="#approvals")
    await ann.until(lambda: any(reply.says("Looked it up.") for reply in ann.thread(card)), "the first line")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.until(lambda: any(reply.says("Carried on.") for reply in ann.thread(card)), "the last line", timeout=10)
    lines = [reply.text for reply in ann.thread(card)]
    first, last = (next(i for i, line in enumerate(lines) if text in line) for text in ("Looked it", "Carried on"))
    assert first < last
    assert sum("Looked it up." in line for line in lines) == 1


async def test_a_run_that_is_cancelled_while_it_waits_says_who_did_it(open_office: Office):
    run = await open_office.start("gated", {})
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Go through the gate?", in_="#approvals")
    await open_office.bot.runner.cancel(run.id, "U0RITA")
    await gone_from(ann, card, "*Cancelled* by @Rita Rossi")
    await rita.sees("Cancelled", in_="dm")
    assert (await open_office.ends(run.id, RunStatus.CANCELLED)).ended_by == "U0RITA"


async def gone_from(who: Tab, card: Card, words: str) -> None:
    """The card says this, and offers nothing any more."""
    shown = await who.sees_on(card, words)
    assert shown.buttons == []
