"""What Slack fails at: what passes is tried again without a second post, and the order of a place survives it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from structlog.testing import capture_logs

from actions.kit.policies.deciders import Channel
from actions.kit.records.runs import RunStatus
from bot import clock
from bot.slack import deliverer, publisher
from bot.workbench.server import Workbench
from bot.workbench.workspace import Message
from tests.integration.press import APPROVALS, QUESTION, TO_ANN, Press, opened_press
from tests.integration.scenes import NO
from tests.waiting import until

POST, EDIT = "chat.postMessage", "chat.update"


@pytest.fixture
async def press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Press]:
    """One that tries again soon."""
    monkeypatch.setattr(deliverer, "BACKOFF", (0.05, 0.1, 0.2))
    async with opened_press(tmp_path) as opened:
        yield opened


def cards(press: Press) -> int:
    return len(press.in_channel())


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_failure_of_slacks_passes(press: Press, status: int):
    press.workbench.faults.break_down(POST, status=status, times=2)
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    assert cards(press) == 1
    assert (await press.interrupt(asked)).undeliverable is None


@pytest.mark.parametrize("error", ["fatal_error", "internal_error", "service_unavailable", "request_timeout"])
async def test_an_error_of_slacks_that_passes_is_tried_again(press: Press, error: str):
    press.workbench.faults.fail(POST, error, times=2)
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    assert cards(press) == 1


@pytest.mark.parametrize("place", [APPROVALS, TO_ANN])
@pytest.mark.parametrize("how", ["the connection breaks", "a 500"])
async def test_a_post_that_arrived_although_its_answer_did_not_is_found_and_not_repeated(
    press: Press, place: Any, how: str
):
    if how == "a 500":
        press.workbench.faults.break_down(POST, after_commit=True)
    else:
        press.workbench.faults.drop_connection(POST)
    asked = await press.asked(place)
    async with press.publishing():
        [copy] = await press.in_step(asked)
    assert len(press.workbench.calls_of(POST)) == 1
    [message] = press.person("ann").messages("dm" if place == TO_ANN else "#approvals")
    assert (copy.channel, copy.ts) == (message.channel, message.ts)
    assert message.version == 2, "the version that it shows was unknown, so it was drawn again"
    assert (await press.interrupt(asked)).posted_at


async def test_a_line_that_arrived_although_its_answer_did_not_is_found_in_its_thread(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.faults.drop_connection(POST)
        await press.store.report(asked.run_id, "half way", now=clock.now())
        await press.in_step(asked)
    assert [line.text for line in press.person("ann").thread(press.in_channel()[0])] == ["half way"]


async def test_a_post_that_never_arrived_is_looked_for_and_posted(press: Press):
    press.workbench.faults.drop_connection(POST, after_commit=False)
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    assert cards(press) == 1
    assert press.workbench.calls_of("conversations.history")


async def test_a_message_of_somebody_else_that_carries_our_mark_is_not_taken_for_ours(press: Press):
    asked = await press.asked()
    [copy] = await press.copies(asked)
    forged = {"event_type": "signoff_copy", "event_payload": {"copy": copy.id}}
    workspace = press.workbench.workspace
    workspace.add(Message("C0APPROVALS", workspace.next_ts(), "U0BEN", "hello", metadata=forged))
    press.workbench.faults.drop_connection(POST, after_commit=False)
    async with press.publishing():
        [copy] = await press.in_step(asked)
    [card] = press.in_channel()
    assert copy.ts == card.ts


async def test_a_post_is_made_where_nobody_lets_us_look_before(press: Press):
    press.workbench.faults.drop_connection(POST, after_commit=False)
    press.workbench.faults.fail("conversations.history", "missing_scope")
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    assert cards(press) == 1


async def test_a_look_that_fails_for_the_moment_holds_the_post_back(press: Press):
    press.workbench.faults.drop_connection(POST)
    press.workbench.faults.rate_limit("conversations.history", retry_after=1)
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    assert len(press.workbench.calls_of(POST)) == 1


async def test_a_call_that_hangs_is_given_up_and_looked_for(press: Press):
    hold = press.workbench.faults.hold(POST)
    asked = await press.asked()
    async with press.publishing(patience=0.3):
        await hold.arrived.wait()
        [copy] = await press.in_step(asked)
    assert cards(press) == 1
    assert copy.error is None
    hold.release()


async def test_an_edit_that_hangs_is_repeated(press: Press):
    asked = await press.asked()
    async with press.publishing(patience=0.3):
        await press.in_step(asked)
        hold = press.workbench.faults.hold(EDIT, after_commit=False)
        await press.vote(asked)
        await hold.arrived.wait()
        await press.in_step(asked)
        hold.release()
    assert press.in_channel()[0].says("Approved")


async def test_a_limited_post_waits_as_long_as_slack_says_and_keeps_its_place(press: Press):
    press.workbench.faults.rate_limit(POST, retry_after=2)
    first, second = await press.asked(message="First?"), await press.asked(message="Second?")
    async with press.publishing():
        await press.in_step(first)
        await press.in_step(second)
    assert [card.text.split("\n")[0] for card in press.in_channel()] == ["First?", "Second?"]
    limited, posted, *_ = press.workbench.calls_of(POST)
    assert (limited.status, posted.status) == (429, 200)
    assert 2 <= (posted.at - limited.at).total_seconds() < 3


async def test_a_limited_edit_waits_as_long_as_slack_says_and_holds_no_decision_up(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.faults.rate_limit(EDIT, retry_after=2)
        await press.vote(asked, choice=NO)
        assert (await press.scene.run(asked.run_id)).status is RunStatus.DECLINED
        await press.in_step(asked)
    *_, limited, edited = press.workbench.calls_of(EDIT)
    assert (edited.at - limited.at).total_seconds() >= 2


async def test_an_outage_of_slacks_keeps_the_order_and_loses_nothing(press: Press, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(deliverer, "BACKOFF", (0.05, 0.05, 0.05, 1.5))
    questions = [f"Question {number}?" for number in range(3)]
    asked = [await press.asked(Channel(channel="C0APPROVALS"), message=question) for question in questions]
    slack = press.workbench

    async def tried_often() -> bool:
        [head] = await press.copies(asked[0])
        return head.attempts > deliverer.TOGETHER

    async with slack_is_away(slack), press.publishing():
        await until(tried_often, "several attempts")
        assert [(await press.interrupt(each)).undeliverable for each in asked] == [None] * 3
        async with Workbench(workspace=slack.workspace, port=port_of(slack)) as press.workbench:
            for each in asked:
                await press.in_step(each)
            assert [card.text.split("\n")[0] for card in press.in_channel()] == questions


@asynccontextmanager
async def slack_is_away(workbench: Workbench) -> AsyncIterator[None]:
    """Nobody listens at its address until somebody else does."""
    await workbench.__aexit__(None, None, None)
    yield


def port_of(workbench: Workbench) -> int:
    return urlsplit(workbench.url).port or 0


async def test_of_two_posts_of_one_copy_the_second_is_taken_away(press: Press, monkeypatch: pytest.MonkeyPatch):
    """One process is so slow that another takes its work for lost, looks, finds nothing and posts."""
    asked = await press.asked()
    hold = press.workbench.faults.hold(POST, after_commit=False)
    monkeypatch.setattr(publisher, "MARGIN", 0.3 - publisher.PATIENCE)
    async with press.publishing("slow"):
        await hold.arrived.wait()
        async with press.publishing("next"):
            standing = await press.copy(asked, "posted")
        hold.release()
    assert [card.ts for card in press.in_channel()] == [standing.ts]
    assert len(press.workbench.calls_of(POST, ok=True)) == 2


async def test_a_message_that_slack_cannot_swallow_lets_the_others_pass_in_the_end(press: Press):
    press.workbench.faults.fail(POST, "fatal_error", times=8, where=lambda call: "Poison" in call["text"])
    poison, other = await press.asked(message="Poison?"), await press.asked(message="Other?")
    async with press.publishing():
        await press.in_step(other)
        assert cards(press) == 1
        await press.in_step(poison)
    assert [card.text.split("\n")[0] for card in press.in_channel()] == ["Other?", "Poison?"]


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_too_long", "msg_blocks_too_long"])
async def test_a_refused_card_falls_back_to_a_minimal_one_that_can_be_answered(press: Press, error: str):
    press.workbench.faults.fail(POST, error)
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.says(QUESTION)
    assert card.buttons == ["Approve", "Reject", "Later", "Show all"]


async def test_a_card_whose_image_slack_cannot_fetch_shows_all_else_and_a_link(press: Press):
    url = "https://nowhere.example/desk.png"
    press.workbench.faults.fail(POST, "invalid_blocks", times=9, where=lambda call: "image_url" in str(call["blocks"]))
    asked = await press.asked(shown=f'{{"picture": "{url}", "vendor": "Northwind"}}')
    async with press.publishing():
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.says("Northwind")
    assert card.says(url)
    assert card.buttons == ["Approve", "Reject", "Later"]


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_too_long"])
async def test_a_refused_edit_falls_back_so_that_no_button_outlives_the_decision(press: Press, error: str):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.faults.fail(EDIT, error)
        await press.vote(asked)
        await press.in_step(asked)
    [card] = press.in_channel()
    assert card.buttons == ["Show all"], "nothing that decides"
    assert card.says("Approved")


async def test_a_refused_message_to_the_requester_falls_back_to_its_words(press: Press):
    asked = await press.asked()
    async with press.publishing():
        await press.in_step(asked)
        press.workbench.faults.fail(POST, "invalid_blocks", where=lambda call: call["channel"] == "U0RITA")
        await press.vote(asked, choice=NO)
        await press.in_step(asked)
    [told] = press.person("rita").messages("dm")
    assert told.blocks == []
    assert told.says("Declined")


async def test_a_card_that_cannot_be_drawn_is_flagged_and_not_forgotten(press: Press, monkeypatch: pytest.MonkeyPatch):
    def broken(_card: object) -> None:
        raise ValueError("confidential words")

    asked = await press.asked()
    with capture_logs() as logs, monkeypatch.context() as patched:
        patched.setattr("bot.slack.drawing.render_card", broken)
        async with press.publishing():
            assert await press.flagged(asked) == "bot_error"
    assert "confidential" not in str(logs)
    async with press.publishing("the mended one"):
        await press.copy(asked, "posted")
    assert (await press.interrupt(asked)).undeliverable is None


async def test_the_log_has_ids_and_slacks_words_alone(press: Press):
    press.workbench.faults.break_down(POST)
    press.workbench.faults.fail(EDIT, "invalid_blocks", times=2)
    asked = await press.asked(message="confidential question?")
    with capture_logs() as logs:
        async with press.publishing():
            await press.copy(asked, "posted")
            await press.store.bring_deadlines_forward(timedelta(minutes=1), now=clock.now())
            await press.copy(asked, "failed")
    told = str(logs)
    assert "http_500" in told
    assert asked.run_id in told
    assert "confidential" not in told
    assert press.workbench.bot_token not in told


async def test_a_database_that_fails_for_a_moment_stops_nothing(press: Press, monkeypatch: pytest.MonkeyPatch):
    asked = await press.asked()
    failing = iter([RuntimeError("confidential"), RuntimeError("confidential")])
    take = press.store.take_copies

    async def unreliable(**values: Any) -> Any:
        for error in failing:
            raise error
        return await take(**values)

    monkeypatch.setattr(press.store, "take_copies", unreliable)
    with capture_logs() as logs:
        async with press.publishing():
            await press.in_step(asked)
    assert cards(press) == 1
    assert "confidential" not in str(logs)


async def test_a_delivery_that_cannot_be_written_down_is_found_by_the_next(
    press: Press, monkeypatch: pytest.MonkeyPatch
):
    async def unwritable(*_: Any, **__: Any) -> None:
        raise RuntimeError("confidential")

    async def posted() -> bool:
        return bool(press.workbench.calls_of(POST))

    monkeypatch.setattr(publisher, "MARGIN", 0.2)
    asked = await press.asked()
    with monkeypatch.context() as full_disk, capture_logs() as logs:
        for name in ("copy_posted", "copy_retry"):
            full_disk.setattr(press.store, name, unwritable)
        async with press.publishing("the first", patience=0.3):
            await until(posted, "a post")
    async with press.publishing("the second"):
        await press.in_step(asked)
    assert cards(press) == 1
    assert "work_not_noted" in str(logs)
    assert "confidential" not in str(logs)
