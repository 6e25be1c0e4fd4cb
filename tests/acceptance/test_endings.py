"""The requester hears of every end by a new message of its own, exactly once, and can tell one end from another."""

from collections.abc import Awaitable, Callable

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench.cards import Card
from tests.acceptance.office import BOTH_DATABASES, Office

pytestmark = BOTH_DATABASES

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


async def approve(office: Office, question: str) -> None:
    ann = office.person("ann")
    await ann.click(await ann.sees(question, in_="#approvals"), "Approve")


async def succeed(office: Office) -> str:
    run = await office.start("send_message", MESSAGE)
    await approve(office, "Approve sending")
    return run.id


async def fail(office: Office) -> str:
    run = await office.start("break_after_answer", {})
    await approve(office, "Break it?")
    return run.id


async def stall(office: Office) -> str:
    run = await office.start("runs_too_long", {})
    await approve(office, "Start the long one?")
    return run.id


async def decline(office: Office) -> str:
    run = await office.start("send_message", MESSAGE)
    ann = office.person("ann")
    await ann.click(await ann.sees("Approve sending", in_="#approvals"), "Reject")
    await ann.submit(await ann.modal("Reject"), {"Reason": "Too early"})
    return run.id


async def expire(office: Office) -> str:
    run = await office.start("send_message", MESSAGE)
    await office.move_to_deadline(run.id)
    return run.id


async def cancel(office: Office) -> str:
    run = await office.start("send_message", MESSAGE)
    await office.card(run.id)
    await office.bot.runner.cancel(run.id, "U0ANN")
    return run.id


Way = Callable[[Office], Awaitable[str]]
ENDS: list[tuple[Way, RunStatus, str]] = [
    (succeed, RunStatus.SUCCEEDED, "Done"),
    (fail, RunStatus.FAILED, "Failed"),
    (stall, RunStatus.STALLED, "Stalled"),
    (decline, RunStatus.DECLINED, "Rejected"),
    (expire, RunStatus.EXPIRED, "Expired"),
    (cancel, RunStatus.CANCELLED, "Cancelled"),
]
WORDS = {word for _, _, word in ENDS}


@pytest.mark.parametrize(("way", "status", "word"), ENDS, ids=[status.value for _, status, _ in ENDS])
async def test_each_end_is_told_once_in_its_own_words(open_office: Office, way: Way, status: RunStatus, word: str):
    run_id = await way(open_office)
    await open_office.ends(run_id, status)
    rita = open_office.person("rita")
    told = await rita.sees(word, in_="dm")
    card = next(card for card in rita.messages("#approvals") if card.message.thread_ts is None)
    await rita.sees_on(card, word)
    for shown in (told, card):
        assert {other for other in WORDS if says(shown, other)} == {word}
        assert word.lower() in shown.fallback.lower() or status.value in shown.fallback.lower()
    await open_office.settled(run_id)
    assert [message.ts for message in rita.messages("dm")] == [told.ts]
    assert told.message.thread_ts is None
    events = [entry.event for entry in await open_office.store.trail(run_id)]
    assert events.count(status.value) == 1


async def test_a_restart_tells_no_end_twice(open_office: Office):
    run_id = await succeed(open_office)
    rita = open_office.person("rita")
    told = await rita.sees("Done", in_="dm")
    await open_office.settled(run_id)
    await open_office.restart()
    await open_office.settled(run_id)
    assert [message.ts for message in rita.messages("dm")] == [told.ts]


async def test_a_message_to_the_requester_that_failed_is_sent_later_and_once(open_office: Office):
    open_office.workbench.faults.break_down(
        "chat.postMessage", after_commit=True, where=lambda call: call["channel"] == "U0RITA"
    )
    run_id = await succeed(open_office)
    rita = open_office.person("rita")
    told = await rita.sees("Done", in_="dm", timeout=10)
    await open_office.settled(run_id)
    assert [message.ts for message in rita.messages("dm")] == [told.ts]


async def test_an_undeliverable_card_is_told_apart_and_says_what_to_do(open_office: Office):
    """The channel is archived and nobody is named: the requester hears of it, and the question stays open."""
    channel = open_office.workbench.workspace.conversation("#approvals")
    assert channel is not None
    channel.archived = True
    run = await open_office.start("send_message", MESSAGE)
    rita, ann = open_office.person("rita"), open_office.person("ann")
    told = await rita.sees("Undeliverable", in_="dm")
    assert told.says("archived")
    assert told.buttons == ["Deliver again", "Withdraw"]
    assert not any(says(told, word) for word in WORDS)
    assert (await open_office.ends(run.id, RunStatus.WAITING)).answered is False

    channel.archived = False
    await rita.click(told, "Deliver again")
    card = await ann.sees("Approve sending", in_="#approvals")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    await rita.sees("Done", in_="dm", after=told)
    await rita.until(lambda: not told.buttons, "the notice to lose its button")


def says(card: Card, word: str) -> bool:
    return f"*{word}*" in card.text or f" {word}:" in card.text
