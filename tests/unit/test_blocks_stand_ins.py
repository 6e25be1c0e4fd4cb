"""Wherever an answer is told, it says in whose place it was given."""

import json
from dataclasses import replace

import pytest

from actions.kit.policies.policy import Refused
from actions.kit.records.interrupts import Card
from blocks.card import render_card
from blocks.details import details_view
from blocks.details_file import details_file
from blocks.settled import decision_words
from bot.engine import refusals
from tests.cards import approved, declined, send_message_card, voted

DANA = "U0DANA"
CARD = send_message_card()


def in_danas_place(card: Card) -> Card:
    return replace(card, decisions=tuple(replace(each, standing_for=DANA) for each in card.decisions))


APPROVED, VOTED = in_danas_place(approved(CARD)), in_danas_place(voted(CARD))


def test_a_settled_card_and_whoever_is_late_say_who_answered_for_whom():
    person = APPROVED.decisions[0].person
    assert f"*Approved* by <@{person}> for <@{DANA}>" in decision_words(APPROVED)
    assert refusals.settled(APPROVED).startswith(f"Already approved by <@{person}> for <@{DANA}>")
    assert f"by <@{person}> for <@{DANA}>" in json.dumps(render_card(APPROVED).blocks)


@pytest.mark.parametrize("blocks", [render_card(VOTED).blocks, details_view(VOTED)["blocks"]])
def test_an_open_card_and_all_of_it_say_so_of_each_answer(blocks):
    elements = json.dumps(blocks)
    assert f'{{"type": "text", "text": " for "}}, {{"type": "user", "user_id": "{DANA}"}}' in elements


def test_the_file_of_it_says_so_too():
    told = in_danas_place(declined(CARD))
    assert json.loads(details_file(told).text)["answers"][0]["standing_for"] == DANA


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("no_stand_ins", "by the policy of this action nobody decides in the place of somebody else"),
        (
            "requester",
            "whoever asked for this decides it in nobody's place, and nobody decides it in or through theirs",
        ),
        ("excluded", "one of you is left out of this decision, by name or because of an earlier stage"),
        ("guest", "only a full member decides in the place of somebody else"),
        ("bot", "only a full member decides in the place of somebody else"),
    ],
)
def test_a_stand_in_who_may_not_is_told_why(reason, why):
    words = refusals.not_allowed(Refused(reason, standing_for=DANA), CARD.interrupt.policy, "U0RITA")
    assert words == f"You stand in for <@{DANA}>, but {why}."
