"""Each refusal in its exact words, and nothing of the data in it that could ping or forge."""

import re
from dataclasses import replace

import pytest

from actions.kit.errors import Problem
from actions.kit.policies.policy import Refused
from actions.kit.policies.remarks import MOST, UNANSWERED, Remark, RemarkKind
from actions.kit.records.interrupts import Card, Cause, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.refused import WHY
from bot.engine import refusals
from bot.engine.refused import INVALID, MALFORMED, NOTED
from tests.cards import (
    ANN,
    AT_NINE,
    approved,
    cancelled,
    declined,
    ended_at,
    expired,
    restart_service_card,
    send_message_card,
    settle,
    superseded,
    voted,
)

CARD = send_message_card()
WHEN = r"<!date\^\d+\^{date_short_pretty} at {time}\|2026-11-30 \d\d:\d\d UTC>"


@pytest.mark.parametrize(
    ("card", "words"),
    [
        (approved(CARD), rf"Already approved by <@\w+> {WHEN}\."),
        (declined(CARD), rf"Already rejected by <@\w+> {WHEN}\."),
        (expired(CARD), rf"Too late: nobody answered in time, and the request expired {WHEN}\."),
        (cancelled(CARD), rf"This request was cancelled by <@\w+> {WHEN}\."),
        (superseded(CARD), r"This question was asked again in a newer card\. Please answer there\."),
        (
            settle(CARD, InterruptStatus.DECLINED, cause=Cause.EXPIRED, choice=None, settled_at=AT_NINE),
            rf"Already declined by default, as nobody answered in time, {WHEN}\.",
        ),
        (CARD, r"This card was redrawn since you saw it.*"),
    ],
)
def test_a_late_person_is_told_who_was_first_how_and_when(card: Card, words: str):
    assert re.fullmatch(words, refusals.settled(card)), refusals.settled(card)


def test_somebody_who_voted_is_told_what_and_when():
    card = voted(restart_service_card())
    person = card.decisions[0].person
    assert "You have already answered with “" in refusals.already_voted(card, person)
    assert refusals.already_voted(card, person).endswith("; your answer stands.")
    assert refusals.already_voted(card, "U0NOBODY") == "You have already answered; your answer stands."


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("requester", "You asked for this, and nobody approves their own request."),
        ("guest", "Guests cannot answer this."),
        ("bot", "Only people can answer this."),
    ],
)
def test_who_may_not_answer_is_told_the_reason(reason, words):
    assert refusals.not_allowed(Refused(reason), CARD.interrupt.policy, ANN) == words


def test_a_stranger_is_told_who_may():
    text = refusals.not_allowed(Refused("not_a_decider"), CARD.interrupt.policy, ANN)
    assert text.startswith("You are not one of those who may answer this: members of ")


def test_data_in_a_refusal_is_harmless():
    evil = "<!channel> & <https://x|y>"
    card = replace(CARD, run=replace(CARD.run, action_name=evil))
    for text in (
        refusals.held(card),
        refusals.unknown_action(evil),
        refusals.of_problems([Problem((), evil)]),
        refusals.may_not_start(Refused("guest"), CARD.interrupt.policy, evil),
    ):
        assert "<!channel>" not in text
        assert "<https" not in text


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (RunStatus.FAILED, "Only the requester, those who decided, and the operators may do this."),
        (RunStatus.STALLED, "Only those who decided, and the operators may do this."),
    ],
)
def test_who_may_not_order_is_told_who_may(status: RunStatus, words: str):
    assert refusals.may_not_order(ended_at(CARD, status).run) == words


def test_an_order_that_comes_too_late_is_told_how_the_run_stands():
    text = refusals.as_it_stands(ended_at(approved(CARD), RunStatus.SUCCEEDED).run)
    assert text.startswith("This is no longer open: the run is now 🎉 *Done*")


def test_every_reason_for_which_an_answer_is_noted_has_words():
    assert set(WHY) == {*NOTED, INVALID, MALFORMED}


def test_what_is_one_too_many_says_whether_a_reply_would_make_room():
    run = send_message_card().run
    asked = Remark(kind=RemarkKind.QUESTION, question=1, person=ANN, text="Why?", at=AT_NINE, source="s")
    waiting = refusals.too_much_said(replace(run, remarks=(asked,) * UNANSWERED), RemarkKind.QUESTION)
    full = refusals.too_much_said(replace(run, remarks=(asked,) * MOST), RemarkKind.REPLY)
    assert waiting.startswith(f"{UNANSWERED} questions wait for a reply")
    assert full.startswith(f"{MOST} remarks are kept")
