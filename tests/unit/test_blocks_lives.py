"""What the command's words answer: within Slack's limits, without a button, and nothing in it is read as markup."""

import json
from dataclasses import replace
from typing import Any

import pytest

from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallRecord, CallStatus
from blocks.card import Message
from blocks.home import PAGE, Home
from blocks.home_clicks import Looking
from blocks.home_items import OwnRun
from blocks.life import Life
from blocks.lives import CARDS as SHOWN_CARDS
from blocks.lives import ENTRIES, help_message, life_message, mine_message, pending_message
from blocks.validate import validate_message
from tests.cards import AT_NINE, CARDS, FAILED, STATES, with_run
from tests.unit.test_blocks_home import HOSTILE, numbered, with_text


def valid(message: Message) -> str:
    """All the words of a message that Slack takes as it is."""
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    assert not [block for block in message.blocks if block["type"] == "actions"]
    return json.dumps(message.blocks, ensure_ascii=False)


def told(card: Card, *trail: AuditRecord) -> Message:
    return life_message(Life(card.run, (card,), trail), AT_NINE)


def entry(event: str = "voted", **details: Any) -> AuditRecord:
    return AuditRecord(AT_NINE, "run_1", None, event, "U0BEA", "slack", details)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", CARDS)
def test_a_run_in_any_state_is_listed_and_shown(name: str, state: str):
    card = STATES[state](CARDS[name]())
    assert card.run.id in valid(mine_message("/signoff", Home(Looking(), asked=(OwnRun(card.run, card),))))
    assert card.run.id in valid(told(card, entry(choice="Approve")))


def test_a_run_without_a_question_is_listed_by_its_action():
    run = CARDS["send_message"]().run
    assert "Send message" in valid(mine_message("/signoff", Home(Looking(), asked=(OwnRun(run),))))
    assert "Send message" in valid(life_message(Life(run), AT_NINE))


def test_nothing_is_said_as_nothing():
    assert "You have not asked for anything yet" in valid(mine_message("/signoff", Home(Looking())))
    assert "Nothing waits" in valid(pending_message(Home(Looking())))


def test_what_slack_did_not_tell_is_said_whether_something_waits_or_not():
    card = CARDS["send_message"]()
    for waiting in ((), (card,)):
        for unsure in (None, ("C0OPS",)):
            home = Home(Looking(), waiting=waiting, waiting_total=len(waiting), unsure=unsure)
            assert "Slack did not tell everything" in valid(pending_message(home))


def test_a_long_life_shows_its_latest_part_and_counts_the_rest():
    card = CARDS["send_message"]()
    cards = [numbered(card, number) for number in range(SHOWN_CARDS + 2)]
    trail = tuple(entry(f"event {number}") for number in range(ENTRIES + 5))
    words = valid(life_message(Life(card.run, tuple(cards), trail), AT_NINE))
    assert "2 earlier questions are not shown" in words
    assert "5 earlier entries are not shown" in words
    assert "event 4" not in words
    assert f"event {ENTRIES + 4}" in words


def test_what_people_answered_and_calls_returned_is_not_told_to_all_whom_a_run_concerns():
    card = send_message_declined()
    call = CallRecord(card.run.id, "pay", "pay", "Pay", "{}", CallStatus.FINISHED, 1, 1, AT_NINE, AT_NINE, '"hunter2"')
    life = Life(replace(card.run, status=RunStatus.RUNNING), (card,), calls=(call,))
    words = valid(life_message(life, AT_NINE))
    assert "finished" in words
    assert "answered “Reject”" in words
    assert "hunter2" not in words
    assert "too harsh" not in words


def send_message_declined() -> Card:
    return STATES["declined"](CARDS["send_message"]())


def test_the_state_of_a_failed_run_is_told_with_its_reason():
    card = with_run(CARDS["send_message"](), FAILED_STATUS, failure=FAILED)
    assert FAILED.message in valid(told(card))


FAILED_STATUS = STATES["failed"](CARDS["send_message"]()).run.status


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE * 100, "&" * 5_000, "x\n" * 3_000])
def test_whatever_people_wrote_it_is_within_slacks_limits_and_harmless(text: str):
    cards = tuple(numbered(with_text(CARDS["send_message"](), text), number) for number in range(PAGE))
    runs = tuple(OwnRun(card.run, card) for card in cards)
    home = Home(Looking(), waiting=cards, waiting_total=500, asked=runs, asked_open=7, more_asked=True, unsure=(text,))
    told_of_it = entry(message=text, reason=text, choice=text)
    trail = (replace(told_of_it, person=text[:20]),) * (ENTRIES + 1)
    for message in (
        mine_message("/signoff", home),
        pending_message(home),
        life_message(Life(cards[0].run, cards, trail), AT_NINE),
    ):
        assert valid(message)
        markup = [message.text, *_mrkdwn(message.blocks)]
        assert [part for part in markup if "<!channel" in part or "<@U0EVIL" in part or "<https://evil" in part] == []


def _mrkdwn(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for part in value for text in _mrkdwn(part)]
    if not isinstance(value, dict):
        return []
    own = [value["text"]] if value.get("type") == "mrkdwn" else []
    return own + [text for part in value.values() for text in _mrkdwn(part)]


def test_operators_are_told_one_word_more():
    assert "stuck" not in valid(help_message("/signoff", operator=False))
    assert "`/signoff stuck`" in valid(help_message("/signoff", operator=True))
