"""Clicks that do not count: each gets a private word with its exact reason, and changes nothing."""

from datetime import timedelta

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench.driver import Tab
from tests.acceptance.office import Office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}
COULD_NOT_VERIFY = "Slack did not tell in time whether you may do this"


async def refused(office: Office, who: Tab, words: str, run_id: str) -> None:
    """Told privately, and to nobody else; the question stays as it was."""
    told = await who.is_told(words)
    assert [words in text for text in who.refusals] == [True]
    assert told.message.only_for == who.person.id
    run = await office.ends(run_id, RunStatus.WAITING)
    assert (run.claims, run.answered) == (1, False)
    assert await office.decisions(run_id) == []
    assert office.effects() == []


async def test_somebody_without_rights_is_told_who_decides(open_office: Office):
    run = await open_office.start("two_of_three", {}, by="U0OMAR")
    rita = open_office.person("rita")
    card = await rita.sees("Release it?", in_="#approvals")
    await rita.click(card, "Approve")
    await refused(open_office, rita, "You are not one of those who may answer this", run.id)
    assert card.buttons == ["Approve", "Reject"]


async def test_the_requester_cannot_press_approve_on_their_own_request(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    rita = open_office.person("rita")
    await rita.click(await rita.sees("Approve sending", in_="#approvals"), "Approve")
    await refused(open_office, rita, "nobody approves their own request", run.id)


async def test_the_requester_gets_no_form_and_cannot_submit_one_that_somebody_else_had(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    rita, ann = open_office.person("rita"), open_office.person("ann")
    card = await rita.sees("Approve sending", in_="#approvals")
    await rita.click(card, "Reject")
    await refused(open_office, rita, "nobody approves their own request", run.id)
    assert rita.open_modal is None

    await ann.click(card, "Reject")
    open_office.workbench.bench.screens.open(rita.person.id, (await ann.modal()).view.given)
    form = await rita.modal("Reject")
    assert (await rita.submit(form, {"Reason": "I changed my mind"})).result == "updated"
    assert form.title == "Not taken"
    assert "nobody approves their own request" in form.text
    assert await open_office.decisions(run.id) == []


async def test_a_named_decider_who_asks_cannot_approve_it_either(open_office: Office):
    run = await open_office.start("two_of_three", {}, by="U0ANN")
    ann = open_office.person("ann")
    await ann.click(await ann.sees("Release it?", in_="#approvals"), "Approve")
    await refused(open_office, ann, "nobody approves their own request", run.id)


async def test_the_requester_may_answer_a_question_about_themselves(open_office: Office):
    run = await open_office.start("ask_requester", {})
    rita = open_office.person("rita")
    await rita.click(await rita.sees("Shall I go on?", in_="dm"), "No")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert open_office.effects()[0].facts["value"] is False


async def test_a_guest_neither_answers_nor_starts(open_office: Office):
    run = await open_office.start("ask_everybody", {})
    gus = open_office.person("gus")
    await gus.click(await gus.sees("May the party begin?", in_="#general"), "Approve")
    await refused(open_office, gus, "Guests cannot answer this", run.id)
    await gus.command("/signoff send_message")
    await gus.is_told("Guests cannot start")
    assert gus.open_modal is None


@pytest.mark.parametrize("method", ["users.info", "conversations.members"])
async def test_a_look_up_that_fails_is_a_refusal_and_never_a_pass(open_office: Office, method: str):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    open_office.workbench.faults.fail(method, "fatal_error", times=10)
    await ann.click(card, "Approve")
    await refused(open_office, ann, COULD_NOT_VERIFY, run.id)
    open_office.workbench.faults.clear()
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)


@pytest.mark.parametrize("method", ["users.info", "conversations.members"])
async def test_a_look_up_that_hangs_is_given_up_in_time_for_the_ack(open_office: Office, method: str):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    hold = open_office.workbench.faults.hold(method, times=10, after_commit=False)
    ack = await ann.click(card, "Approve")
    assert ack.ok
    assert ack.ms < 2500
    await refused(open_office, ann, COULD_NOT_VERIFY, run.id)
    hold.release()
    open_office.workbench.faults.clear()


async def test_a_form_whose_look_up_hangs_is_not_taken_and_can_be_sent_again_as_it_stands(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, ben = open_office.person("ann"), open_office.person("ben")
    card = await ann.sees("Approve sending", in_="#approvals")
    await ann.click(card, "Reject")
    given = (await ann.modal("Reject")).view.given
    hold = open_office.workbench.faults.hold("users.info", times=10, after_commit=False)
    open_office.workbench.bench.screens.open(ben.person.id, given)
    form = await ben.modal("Reject")
    sent = await ben.submit(form, {"Reason": "Too early"})
    assert COULD_NOT_VERIFY in sent.errors["Reason"]
    assert await open_office.decisions(run.id) == []
    hold.release()
    open_office.workbench.faults.clear()
    assert form.values == {"Reason": "Too early"}
    assert (await ben.submit(form)).closed
    await open_office.ends(run.id, RunStatus.DECLINED)


async def test_a_form_that_cannot_open_any_more_leaves_everything_as_it_was(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    open_office.workbench.faults.delay("views.open", 3.1)
    assert (await ann.click(card, "Reject")).ms < 1000
    await refused(open_office, ann, "The form could not open in time, and nothing was changed", run.id)
    assert ann.open_modal is None
    await ann.click(card, "Reject")
    await ann.modal("Reject")


async def test_a_command_whose_form_cannot_open_says_so(open_office: Office):
    rita = open_office.person("rita")
    open_office.workbench.faults.fail("views.open", "expired_trigger_id")
    await rita.command("/signoff send_message")
    await rita.is_told("The form could not open in time")
    assert await open_office.store.runs() == ()


async def test_answering_a_finished_run_tells_the_first_decision_and_runs_nothing(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, ben = open_office.person("ann"), open_office.person("ben")
    card = await ann.sees("Approve sending", in_="#approvals")
    bens = await ben.sees("Approve sending", in_="#approvals")
    await ben.click(bens, "Reject")
    form = await ben.modal("Reject")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.sees_on(card, "Done")

    await ben.click(bens, "Approve", behind=True)
    await ben.is_told("Already approved by @Ann Archer")
    assert (await ben.submit(form, {"Reason": "Too early"})).result == "updated"
    assert "Already approved by @Ann Archer" in form.text
    [decision] = await open_office.decisions(run.id)
    assert decision.person == "U0ANN"
    assert len(open_office.effects()) == 1


async def test_a_late_click_performs_the_expiry_itself_and_is_told_so(
    closed_office: Office, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.engine.sweeps.EXPIRY_EVERY", 3600.0)
    await closed_office.open()
    run = await closed_office.start("send_message", MESSAGE)
    ann, rita = closed_office.person("ann"), closed_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    await closed_office.move_to_deadline(run.id, but=-timedelta(minutes=1))
    assert (await closed_office.ends(run.id, RunStatus.WAITING)).answered is False
    await ann.click(card, "Approve", behind=True)
    await ann.is_told("Too late: nobody answered in time, and the request expired")
    await closed_office.ends(run.id, RunStatus.EXPIRED)
    settled = await ann.sees_on(card, "Expired")
    assert settled.buttons == []
    await rita.sees("Expired", in_="dm")
    assert await closed_office.decisions(run.id) == []
    assert closed_office.effects() == []


async def test_a_card_that_was_redrawn_meanwhile_refuses_what_its_older_face_offered(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    for placed in (each for block in card.blocks if block["type"] == "actions" for each in block["elements"]):
        placed["value"] = placed["value"].replace('"version":1', '"version":0')
    await ann.click(card, "Approve")
    await refused(open_office, ann, "This card was redrawn since you saw it", run.id)
