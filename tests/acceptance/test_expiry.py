"""Deadlines: they pass on time, do what the action says, start with the post, and change nothing that is decided."""

from datetime import timedelta

from actions.kit.records.runs import RunStatus
from bot import clock
from tests.acceptance.office import Office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}
IN_TIME = timedelta(seconds=2)


async def test_what_nobody_answers_expires_within_two_seconds_of_its_time(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    deadline = await open_office.move_to_deadline(run.id, but=timedelta(seconds=1))
    assert (await open_office.ends(run.id, RunStatus.WAITING)).ended_at is None
    ended = await open_office.ends(run.id, RunStatus.EXPIRED)
    assert ended.ended_at is not None
    assert timedelta() <= ended.ended_at - deadline <= IN_TIME
    settled = await ann.sees_on(card, "Expired")
    assert settled.buttons == []
    await rita.sees("Expired", in_="dm")
    assert await open_office.decisions(run.id) == []
    assert open_office.effects() == []


async def test_nothing_expires_before_its_time(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    deadline = await open_office.move_to_deadline(run.id, but=timedelta(minutes=1))
    await open_office.bot.runner.expire()
    assert clock.now() < deadline
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)


async def test_a_default_answer_is_given_when_time_is_up_and_reaches_the_action_as_such(open_office: Office):
    run = await open_office.start("answered_by_default", {})
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Go on by itself?", in_="#approvals")
    await open_office.move_to_deadline(run.id)
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    settled = await ann.sees_on(card, "by default: nobody answered in time")
    assert settled.buttons == []
    await ann.sees_on(card, "Done")
    await rita.sees("Done", in_="dm")
    [effect] = open_office.effects()
    assert effect.facts["cause"] == "expired"


async def test_a_default_decline_ends_the_run_as_declined_and_not_as_expired(open_office: Office):
    run = await open_office.start("declined_by_default", {})
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Stop by itself?", in_="#approvals")
    await open_office.move_to_deadline(run.id)
    await open_office.ends(run.id, RunStatus.DECLINED)
    settled = await ann.sees_on(card, "Declined")
    assert settled.buttons == []
    assert "Expired" not in settled.text
    told = await rita.sees("Declined", in_="dm")
    assert "nobody answered" in told.text
    assert open_office.effects() == []


async def test_a_deadline_that_comes_too_late_never_changes_a_decided_question(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending", in_="#approvals")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await open_office.workbench.move_clock(timedelta(days=2))
    assert await open_office.bot.runner.expire() == 0
    interrupt = (await open_office.card(run.id)).interrupt
    assert (interrupt.status, interrupt.cause) == ("answered", "human")
    assert (await open_office.ends(run.id, RunStatus.SUCCEEDED)).status is RunStatus.SUCCEEDED


async def test_the_clock_starts_with_the_post_and_not_with_the_pause(open_office: Office):
    hold = open_office.workbench.faults.hold("chat.postMessage", after_commit=False)
    run = await open_office.start("restart_service", {"service": "search", "reason": "It is slow"})
    await hold.arrived.wait()
    waiting = await open_office.store.latest_card(run.id)
    assert waiting is not None
    assert waiting.interrupt.expires_at is None
    await open_office.workbench.move_clock(timedelta(hours=1))
    assert await open_office.bot.runner.expire() == 0
    hold.release()
    posted = (await open_office.card(run.id)).interrupt
    assert posted.expires_at is not None
    assert posted.posted_at is not None
    assert posted.expires_at - posted.posted_at == timedelta(minutes=5)
    await open_office.person("omar").sees("Restart search?", in_="dm")


async def test_what_fell_due_while_the_bot_was_away_expires_when_it_is_back(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    await open_office.card(run.id)
    await open_office.close()
    async with open_office.reading() as store:
        await store.bring_deadlines_forward(timedelta(days=1), now=clock.now())
    await open_office.open()
    await open_office.ends(run.id, RunStatus.EXPIRED)
    settled = await ann.sees_on(card, "Expired")
    assert settled.buttons == []
    await rita.sees("Expired", in_="dm")
