"""What was said about a card stands on it literally, the latest of it, and is told to those whom it is for."""

import json
from dataclasses import replace

import pytest

from actions.kit.policies.remarks import LONGEST, MOST, ROOM, Remark, RemarkKind, is_full, kept, unanswered
from actions.kit.records.interrupts import Card, InterruptStatus
from blocks.card import render_card
from blocks.comments import Comment, parse_comment
from blocks.details import details_view
from blocks.notices import render_remark
from blocks.validate import validate_message, validate_view
from tests.cards import ANN, AT_NINE, BEA, send_message_card, settle

CARD = send_message_card()
REQUESTER = CARD.run.requester
HOSTILE = "<!channel> *now* <https://evil.example|here> <@U0BEA> &"


def remark(kind: RemarkKind, text: str = "Is it urgent?", person: str = ANN) -> Remark:
    return Remark(kind=kind, question=CARD.interrupt.number, person=person, text=text, at=AT_NINE, source=text)


ASKED = remark(RemarkKind.QUESTION, person=BEA)
REPLIED = remark(RemarkKind.REPLY, "By noon.", REQUESTER)


def said(*remarks: Remark) -> Card:
    return replace(CARD, run=replace(CARD.run, remarks=remarks))


def words(blocks: object) -> str:
    return json.dumps(blocks, ensure_ascii=False)


def test_a_card_shows_what_was_asked_and_replied_and_how_much_was_said_before():
    card = said(*(remark(RemarkKind.COMMENT, f"Comment {number}.") for number in range(3)), ASKED, REPLIED)
    message = render_card(card)
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    shown = words(message.blocks)
    assert [each in shown for each in ("Is it urgent?", "By noon.", "1 earlier", "Comment 0.")] == [
        True,
        True,
        True,
        False,
    ]
    assert "Comment 0." in words(details_view(card))


def test_what_somebody_typed_calls_nobody_and_forges_nothing():
    card = said(remark(RemarkKind.COMMENT, HOSTILE))
    for blocks in (
        render_card(card).blocks,
        details_view(card)["blocks"],
        render_remark(card, card.remarks[0], ANN).blocks,
    ):
        assert '"type": "mrkdwn", "text": "<!channel>' not in words(blocks)
        assert not any("<!channel>" in str(each) for each in _mrkdwn(blocks))
    assert "&lt;!channel&gt;" in render_remark(card, card.remarks[0], ANN).text


def _mrkdwn(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [str(value["text"])] if value.get("type") == "mrkdwn" else []
        return own + [each for part in value.values() for each in _mrkdwn(part)]
    return [each for part in value for each in _mrkdwn(part)] if isinstance(value, list) else []


def test_a_settled_card_is_no_larger_for_what_was_said():
    settled = settle(
        said(*[remark(RemarkKind.COMMENT, "x" * LENGTH) for LENGTH in (100, 200)]), InterruptStatus.EXPIRED
    )
    silent = settle(CARD, InterruptStatus.EXPIRED)
    assert render_card(settled) == render_card(silent)


def test_whoever_is_asked_may_reply_as_long_as_it_is_open_and_unanswered():
    def can_reply(card: Card, to: str) -> bool:
        message = render_remark(card, ASKED, to)
        assert validate_message({"text": message.text, "blocks": message.blocks}) == []
        return "act:reply" in words(message.blocks)

    assert can_reply(said(ASKED), REQUESTER)
    assert not can_reply(said(ASKED), BEA)
    assert not can_reply(said(ASKED, REPLIED), REQUESTER)
    assert not can_reply(settle(said(ASKED), InterruptStatus.EXPIRED), REQUESTER)


def test_a_card_says_who_has_taken_it_on_and_offers_to_take_it_or_let_it_go():
    policy = CARD.interrupt.policy.model_copy(update={"claim_for": AT_NINE - AT_NINE.replace(hour=8), "may_ask": True})
    free = replace(CARD, interrupt=replace(CARD.interrupt, policy=policy))
    taken = replace(free, interrupt=replace(free.interrupt, claimed_by=ANN, claimed_until=AT_NINE))
    assert all(each in words(render_card(free).blocks) for each in ("I take it", "Ask for more…"))
    shown = words(render_card(taken).blocks)
    assert f"<@{ANN}> is on it until" in shown
    assert "Let it go" in shown
    assert "is on it" not in words(render_card(settle(taken, InterruptStatus.EXPIRED)).blocks)


def test_questions_wait_until_somebody_replies():
    assert unanswered([ASKED, remark(RemarkKind.COMMENT)]) == (ASKED,)
    assert unanswered([ASKED, REPLIED]) == ()


def test_comments_leave_room_for_questions_and_replies():
    many = [remark(RemarkKind.COMMENT)] * (MOST - ROOM)
    assert is_full(many, RemarkKind.COMMENT)
    assert not is_full(many, RemarkKind.QUESTION)
    assert is_full([*many, *[ASKED] * ROOM], RemarkKind.REPLY)


def test_what_is_kept_is_bounded_and_can_be_stored():
    assert len(kept("x" * 5_000)) == LONGEST
    assert kept(" \ud800a\0 ").encode()


def event(**changes: object) -> dict[str, object]:
    sent = {
        "type": "message",
        "channel_type": "channel",
        "user": ANN,
        "channel": "C0APP",
        "ts": "2.0",
        "text": "ok &amp; go",
    }
    return {"type": "event_callback", "event": {**sent, "thread_ts": "1.0", **changes}}


def test_a_reply_in_a_thread_is_a_comment():
    assert parse_comment(event()) == Comment(ANN, "C0APP", "1.0", "2.0", "ok & go")


@pytest.mark.parametrize(
    "changes",
    [
        {"thread_ts": None},
        {"thread_ts": "2.0"},
        {"subtype": "message_changed"},
        {"bot_id": "B0BOT"},
        {"edited": {"user": ANN, "ts": "3.0"}},
        {"text": " "},
        {"type": "app_mention"},
        {"user": None},
    ],
)
def test_everything_else_is_none(changes: dict[str, object]):
    assert parse_comment(event(**changes)) is None


def test_all_of_it_is_shown_within_slacks_limits():
    card = said(*[remark(RemarkKind.COMMENT, "word " * 200)] * 6)
    assert validate_view(details_view(card)) == []
