"""The bot is closed and opened again in between: nothing that was asked or decided is lost."""

from actions.kit.records.runs import RunStatus
from bot import clock
from storage.results import Answered, Vote
from tests.acceptance.office import BOTH_DATABASES, Office

pytestmark = BOTH_DATABASES

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


async def test_a_question_from_before_the_restart_is_answered_after_it(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    await open_office.card(run.id)
    await open_office.restart()
    await ann.click(card, "Approve")
    await ann.sees_on(card, "Done")
    assert card.buttons == []
    await rita.sees("Done", in_="dm")
    assert len(open_office.effects()) == 1
    assert len([message for message in ann.messages("#approvals") if message.says("Approve sending")]) == 1


async def test_a_form_that_was_open_across_the_restart_still_counts(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    await ann.click(await ann.sees("Approve sending", in_="#approvals"), "Reject")
    form = await ann.modal("Reject")
    await open_office.restart()
    assert (await ann.submit(form, {"Reason": "Too early"})).closed
    await open_office.ends(run.id, RunStatus.DECLINED)


async def test_a_decision_whose_bot_is_closed_at_once_is_finished(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    await ann.click(card, "Approve")
    await open_office.restart()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.sees_on(card, "Done")
    await rita.sees("Done", in_="dm")
    assert len(open_office.effects()) == 1


async def test_a_decision_whose_resume_never_began_is_resumed(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    shown = await ann.sees("Approve sending", in_="#approvals")
    card = await open_office.card(run.id)
    await open_office.close()
    async with open_office.reading() as store:
        vote = Vote(
            interrupt_id=card.interrupt.id,
            content_version=card.interrupt.content_version,
            person="U0ANN",
            choice=card.interrupt.shape.choices[0],
            value="{}",
            note=None,
            source="click:before",
            via="slack",
        )
        assert isinstance(await store.answer(vote, now=clock.now()), Answered)
    assert open_office.effects() == []
    await open_office.open()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await ann.sees_on(shown, "Done")
    assert shown.buttons == []
    await rita.sees("Done", in_="dm")
    assert len(open_office.effects()) == 1


async def test_a_card_that_was_never_posted_is_posted_by_the_next_bot(open_office: Office):
    open_office.workbench.faults.break_down("chat.postMessage", times=1)
    run = await open_office.start("send_message", MESSAGE)
    await open_office.ends(run.id, RunStatus.WAITING)
    await open_office.restart()
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals", timeout=10)
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len([message for message in ann.messages("#approvals") if message.says("Approve sending")]) == 1


async def test_an_edit_that_failed_before_the_restart_is_made_after_it(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    await open_office.card(run.id)
    open_office.workbench.faults.break_down("chat.update", times=100)
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert card.buttons
    await open_office.close()
    open_office.workbench.faults.clear()
    await open_office.open()
    await ann.sees_on(card, "Done", timeout=20)
    assert card.buttons == []
