"""The publisher is level-triggered: Slack comes to show what the rows say, whatever happened in between."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from actions.kit.records.copies import CopyKind
from bot import clock
from bot.workbench.bench import Timings
from storage.transitions import copies as copy_transitions
from tests.integration.press import APPROVALS, BOT_USER, NAMED, TO_ANN, TO_BEN, Press, opened_press
from tests.integration.scenes import NO, two_of


@pytest.fixture
async def press(tmp_path: Path) -> AsyncIterator[Press]:
    async with opened_press(tmp_path) as opened:
        yield opened


@pytest.fixture
def quick_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """A message each 30 ms instead of each second."""
    monkeypatch.setattr(copy_transitions, "POST_PACE", timedelta(milliseconds=30))


async def test_a_copy_that_is_behind_is_edited_once_to_the_newest_version(press: Press):
    asked = await press.asked(policy=two_of("U0ANN", "U0BEN"))
    async with press.publishing():
        await press.in_step(asked)
    edits = len(press.workbench.calls_of("chat.update"))
    await press.vote(asked, "U0ANN")
    await press.vote(asked, "U0BEN")
    await press.store.cancel(asked.run_id, person="U0RITA", via="slack", now=clock.now())
    async with press.publishing("another"):
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons == []
    assert card.says("Cancelled")
    assert len(press.workbench.calls_of("chat.update")) == edits + 1


async def test_two_publishers_share_the_work_and_post_nothing_twice(press: Press, quick_pace: None):
    asked = [await press.asked(APPROVALS, TO_ANN, TO_BEN, message=f"Question {number}?") for number in range(8)]
    async with press.publishing("one"), press.publishing("two"):
        for each in asked:
            await press.in_step(each)
        for each in asked:
            await press.vote(each)
            await press.in_step(each)
    posts = press.workbench.calls_of("chat.postMessage", ok=True)
    copies = [copy for each in asked for copy in await press.store.copies(each.run_id)]
    standing = [copy for copy in copies if copy.status == "posted"]
    assert len(posts) == len(standing)
    assert {(post.answer["channel"], post.answer["ts"]) for post in posts} == {(c.channel, c.ts) for c in standing}


async def test_a_burst_to_one_channel_arrives_in_order_and_once(tmp_path: Path, quick_pace: None):
    async with opened_press(tmp_path, Timings(posts_per_channel=0.02)) as press:
        questions = [f"Question {number}?" for number in range(60)]
        for question in questions:
            last = await press.asked(message=question)
        async with press.publishing("one"), press.publishing("two"):
            await press.in_step(last, timeout=30)
        assert [card.text.split("\n")[0] for card in press.in_channel()] == questions


async def test_posts_to_one_channel_are_a_second_apart_and_other_places_do_not_wait(press: Press):
    first, second, direct = await press.asked(), await press.asked(), await press.asked(TO_ANN)
    async with press.publishing():
        for each in (first, second, direct):
            await press.in_step(each)
    one, two = (card.message.ts for card in press.in_channel())
    [dm] = press.person("ann").messages("dm")
    assert 0.99 <= float(two) - float(one) < 2
    assert float(dm.ts) - float(one) < 0.9


async def test_a_post_that_ends_before_the_process_does_is_not_repeated_by_the_next(press: Press):
    asked = await press.asked()
    hold = press.workbench.faults.hold("chat.postMessage")
    async with press.publishing("leaving") as leaving:
        await hold.arrived.wait()
        stopping = asyncio.create_task(leaving.stop())
        hold.release()
        await stopping
    async with press.publishing("coming"):
        await press.in_step(asked)
    assert len(press.in_channel()) == 1
    assert press.workbench.calls_of("conversations.history") == []


async def test_every_copy_changes_when_one_decider_decides(press: Press):
    asked = await press.asked(TO_ANN, TO_BEN, APPROVALS, policy=NAMED)
    async with press.publishing():
        await press.in_step(asked)
        await press.vote(asked, "U0BEN")
        await press.in_step(asked)
    cards = [*press.in_channel(), *press.person("ann").messages("dm"), *press.person("ben").messages("dm")]
    assert [(card.buttons, card.says("Approved")) for card in cards] == [([], True)] * 3


async def test_a_card_that_is_being_posted_while_somebody_decides_comes_out_settled(press: Press):
    asked = await press.asked(TO_ANN, APPROVALS)
    hold = press.workbench.faults.hold("chat.postMessage", where=lambda call: call["channel"] == "C0APPROVALS")
    async with press.publishing():
        await hold.arrived.wait()
        await press.vote(asked)
        hold.release()
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons == []
    assert card.version == 2


async def test_the_clock_runs_from_the_time_that_slack_gave_the_post(press: Press):
    asked = await press.asked()
    async with press.publishing():
        posted = await press.copy(asked, "posted")
    interrupt = await press.interrupt(asked)
    assert interrupt.posted_at
    assert interrupt.posted_at.timestamp() == pytest.approx(float(posted.ts or 0), abs=1e-5)
    assert interrupt.expires_at == interrupt.posted_at + timedelta(hours=1)


async def test_each_message_has_words_for_notifications_on_post_and_on_edit(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        await press.store.report(asked.run_id, "half way", now=clock.now())
        await press.vote(asked, choice=NO)
        await press.in_step(asked)
    calls = press.workbench.calls_of("chat.postMessage") + press.workbench.calls_of("chat.update")
    texts = [call.arguments["text"] for call in calls]
    assert all(texts)
    assert {call.arguments.get("unfurl_links") for call in press.workbench.calls_of("chat.postMessage")} == {False}
    assert {call.arguments.get("unfurl_media") for call in press.workbench.calls_of("chat.postMessage")} == {False}


async def test_lines_wait_for_their_card_and_keep_their_order(press: Press, quick_pace: None):
    run = await press.scene.running(now=clock.now(), requester="U0RITA")
    said = [f"line {number} <!channel> <@U0ANN> *bold* https://example.com" for number in range(6)]
    for line in said[:3]:
        await press.store.report(run.id, line, now=clock.now())
    asked = await press.scene.asked(run, places=[APPROVALS], now=clock.now())
    press.workbench.faults.break_down("chat.postMessage", where=lambda call: "line 1" in call["text"])
    async with press.publishing():
        for line in said[3:]:
            await press.store.report(run.id, line, now=clock.now())
        await press.in_step(asked)
    [card] = press.in_channel()
    thread = press.person("ann").thread(card)
    assert [line.text for line in thread] == said
    assert [line.pings for line in thread] == [[]] * 6


async def test_a_line_too_long_for_slack_is_cut_with_a_count(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.store.report(asked.run_id, "x" * 50_000, now=clock.now())
        await press.in_step(asked)
    [line] = press.person("ann").thread(press.in_channel()[0])
    assert "characters)" in line.text
    assert len(line.text) < 3_000


async def test_nothing_of_ours_carries_another_author(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    [card] = press.in_channel()
    [copy] = await press.copies(asked, CopyKind.CARD)
    assert card.message.author == BOT_USER
    assert card.metadata == {"event_type": "signoff_copy", "event_payload": {"copy": copy.id}}
