"""What people write to the bot is understood, and what is replied below it is literal, and whole or one click away."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

from actions.kit.records.copies import Ending
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from blocks.card import Message
from blocks.details_file import File
from blocks.mentions import Said, parse_said
from blocks.replying import render_reply
from blocks.results import ResultClick, parse_result_click, result_file, result_view
from blocks.validate import validate_message, validate_view
from bot.workbench.reading import pings
from tests.cards import AT_NINE, run_record
from tests.hostile import lengthened, texts

BOT = "U0SIGNOFF"
WRITTEN = {"user": "U0RITA", "channel": "C0GENERAL", "ts": "1.2", "text": f"<@{BOT}> refund A-1 for <@U0ANN> &amp; co"}


def event(kind: str = "app_mention", **more: Any) -> dict[str, Any]:
    return {"type": "event_callback", "event": {"type": kind, **WRITTEN, **more}}


def in_dm(**more: Any) -> dict[str, Any]:
    return event("message", channel="D0RITA1", channel_type="im", **more)


def test_a_mention_is_heard_without_the_mention():
    said = parse_said(event())
    assert said == Said("U0RITA", "C0GENERAL", "1.2", "1.2", WRITTEN["text"], None)
    assert said.prompt(BOT) == "refund A-1 for @U0ANN & co"
    assert said.is_to(BOT)


def test_a_reply_belongs_to_its_thread_and_one_below_a_card_is_not_said_to_the_bot():
    below = parse_said(in_dm(thread_ts="1.1", parent_user_id=BOT))
    assert below is not None
    assert (below.thread, below.is_to(BOT)) == ("1.1", False)
    mentioned = parse_said(event(thread_ts="1.1", parent_user_id=BOT))
    assert mentioned is not None
    assert mentioned.is_to(BOT)


@pytest.mark.parametrize(
    "body",
    [
        event("message", channel_type="channel"),
        in_dm(subtype="message_changed", hidden=True),
        in_dm(subtype="message_deleted"),
        in_dm(bot_id="B0OTHER"),
        event(edited={"user": "U0RITA", "ts": "1.3"}),
        event(user=None),
        event(ts=7),
        event("reaction_added"),
        {"event": 5},
        None,
    ],
)
def test_what_nobody_has_just_written_to_the_bot_is_not_heard(body: Any):
    assert parse_said(body) is None


def ended(status: RunStatus = RunStatus.SUCCEEDED, output: Any = None, **more: Any) -> RunRecord:
    return run_record("agent", "Agent", {"prompt": "x"}, status=status, output=json.dumps(output), **more)


def reply(run: RunRecord) -> Message:
    message = render_reply(run, Ending(status=run.status, epoch=run.epoch, at=AT_NINE, failure=run.failure), None)
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    return message


def labels(message: Message) -> list[str]:
    return [
        each["text"]["text"] for block in message.blocks if block["type"] == "actions" for each in block["elements"]
    ]


@given(texts())
@settings(max_examples=60)
def test_an_answer_calls_nobody_and_links_nowhere_whatever_a_model_wrote(text: str):
    message = reply(ended(output={"answer": lengthened(text) + "."}))
    assert pings(message.blocks, message.text) == []
    elements = [each for block in message.blocks if block["type"] == "rich_text" for each in block["elements"]]
    assert all(leaf["type"] == "text" for each in elements for leaf in each["elements"])


def test_a_long_answer_is_cut_and_stands_whole_behind_its_button_page_by_page_and_as_a_file():
    run = ended(output={"answer": "word " * 30_000})
    message = reply(run)
    assert labels(message) == ["Show all"]
    assert labels(reply(ended(output={"answer": "short"}))) == []
    view = result_view(run, page=1)
    assert validate_view(view) == []
    assert json.loads(view["private_metadata"]) == {"run": run.id, "page": 1}
    assert result_file(run) == File("result.txt", "word " * 30_000 + "\n")
    assert result_file(ended(output={"a": 1, "b": 2})).name == "result.json"


@pytest.mark.parametrize("output", [{}, [], None])
def test_where_there_is_nothing_to_show_any_more_the_window_says_so(output: Any):
    view = result_view(ended(output=output))
    assert validate_view(view) == []
    assert "There is nothing to show." in json.dumps(view)


def test_a_failure_says_why_and_can_be_run_again():
    message = reply(ended(RunStatus.FAILED, failure=Failure(kind="call_failed", message="no <!channel> model is set")))
    assert "no <!channel> model is set" in json.dumps(message.blocks)
    assert pings(message.blocks, message.text) == []
    assert labels(message) == ["Run again"]


def press(action_id: str, value: Any, view: Any = None) -> dict[str, Any]:
    clicked = {"type": "button", "action_id": action_id, "action_ts": "1.2", "value": json.dumps(value)}
    body = {"type": "block_actions", "trigger_id": "t", "user": {"id": "U0RITA"}, "actions": [clicked]}
    return body | (
        {} if view is None else {"view": {"id": "V1", "private_metadata": json.dumps({"run": "r1"}), **view}}
    )


def test_its_buttons_are_understood():
    assert parse_result_click(press("result:show", {"run": "r1"})) == ResultClick(
        "r1", 0, "U0RITA", "t", None, None, False
    )
    window = {"callback_id": "result"}
    turned = ResultClick("r1", 2, "U0RITA", "t", None, "V1", in_file=False)
    assert parse_result_click(press("page:more", {"page": 2}, window)) == turned
    assert parse_result_click(press("page:file", {"page": 2}, window)).in_file  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "body",
    [
        press("result:show", {"run": ""}),
        press("result:show", {"run": "r1", "as": "U0ANN"}),
        press("page:more", {"page": 2}, {"callback_id": "details"}),
        press("page:more", {"page": -1}, {"callback_id": "result"}),
        press("page:more", {"page": 2}),
        {},
    ],
)
def test_what_is_no_button_of_it_is_none(body: Any):
    assert parse_result_click(body) is None
