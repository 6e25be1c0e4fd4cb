"""What people see of an edit: on the card that asks anew, on the one that it ended, in Show all, and who hears of it."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import Edit, RunStatus
from actions.spend_request import spend_request
from blocks.acts import act_buttons
from blocks.card import render_card
from blocks.described import described
from blocks.details import details_view
from blocks.details_file import details_file
from blocks.edits import are_edits_cut, differences, edit_said, edited_line, made_of
from blocks.notices import render_edited
from blocks.said import in_plain
from blocks.validate import validate_message, validate_view
from bot.engine import refusals
from tests.cards import AT_NINE, BEA, DAN, settle, spend_request_card, with_run

SCHEMA = spend_request.shown_input
ASKED = {
    "amount": "4000.00",
    "currency": "EUR",
    "vendor": "Acme",
    "justification": "New laptops for us",
    "receipt_link": None,
}
LONG = "Because of " + "a long, long story " * 40


def edited(*inputs: Mapping[str, object], number: int = 2) -> Card:
    """A request that became each of these inputs in turn, as it is asked with the last of them."""
    card = spend_request_card()
    texts = [json.dumps(each) for each in inputs]
    edits = tuple(
        Edit(person=DAN, at=AT_NINE, source=text, question=index, before=text, described=SCHEMA)
        for index, text in enumerate(texts[:-1], 1)
    )
    run = replace(card.run, edits=edits, input=texts[-1])
    return replace(
        card, run=run, interrupt=replace(card.interrupt, number=number, shown=texts[-1], shown_schema=SCHEMA)
    )


def words_of(card: Card) -> list[str]:
    return [in_plain(edit_said(made)) for made in made_of(card.run)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"amount": "6000.00"}, "Amount 4,000.00 EUR → 6,000.00 EUR"),
        ({"currency": "USD"}, "Amount 4,000.00 EUR → 4,000.00 USD"),
        (
            {"vendor": "Acme Ltd", "receipt_link": "https://acme.test/1"},
            "Vendor Acme → Acme Ltd; Receipt link — → https://acme.test/1",
        ),
        ({"amount": "4000.0"}, "the same in other words"),
    ],
)
def test_an_edit_is_told_field_by_field_with_titles_and_units(change, words):
    assert words_of(edited(ASKED, ASKED | change)) == [f"Edited by {DAN}: {words}"]


def test_two_long_texts_are_told_from_where_they_differ():
    before, after = (json.dumps({"why": LONG + end}) for end in ("Now", "Later"))
    [told] = differences(before, after, described(None))
    assert told.is_long
    assert edited_line(before, after, None) == "edited Why …ng, long story Now → …ng, long story Later"


def mrkdwn_in(blocks: list[dict[str, Any]]) -> list[str]:
    sections = [block for block in blocks if block["type"] in {"section", "context"}]
    texts = [
        text for block in sections for text in (*block.get("elements", ()), block.get("text"), *block.get("fields", ()))
    ]
    return [text["text"] for text in texts if text and text["type"] == "mrkdwn"]


def drawn(card: Card) -> str:
    message = render_card(card)
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    return json.dumps(message.blocks, ensure_ascii=False)


def test_the_card_that_asks_anew_says_who_made_what_of_it_and_that_earlier_answers_do_not_count():
    text = drawn(edited(ASKED, ASKED | {"amount": "6000.00"}))
    assert "Amount 4,000.00 EUR → 6,000.00 EUR" in text
    assert "Answers from before that do not count." in text
    assert "Edited by" not in drawn(edited(ASKED))


def test_the_card_that_an_edit_ended_says_what_it_changed():
    card = settle(edited(ASKED, ASKED | {"amount": "6000.00"}, number=1), InterruptStatus.SUPERSEDED, settled_by=DAN)
    text = drawn(card)
    assert f"in a newer card, as <@{DAN}> edited it" in text
    in_a_place = tuple(edit.model_copy(update={"standing_for": BEA}) for edit in card.run.edits)
    stood_in = replace(card, run=replace(card.run, edits=in_a_place))
    assert f"as <@{DAN}> for <@{BEA}> edited it" in drawn(stood_in)
    assert refusals.settled(stood_in).startswith(f"<@{DAN}> for <@{BEA}> edited this")
    assert "Amount 4,000.00 EUR → 6,000.00 EUR" in text


def test_a_card_shows_the_latest_edits_and_show_all_has_every_one_in_full():
    texts = [ASKED | {"justification": f"{LONG}{number}"} for number in range(5)]
    card = edited(*texts, number=5)
    assert are_edits_cut(card)
    assert "2 earlier" in drawn(card)
    view = details_view(card)
    assert validate_view(view) == []
    assert json.dumps(view).count("Justification, before") == 4
    assert [each["after"] for each in json.loads(details_file(card).text)["edits"]] == [
        text["justification"] for text in texts[1:]
    ]


def test_hostile_values_of_an_edit_call_nobody_and_break_no_card():
    hostile = "<!channel> *b* <@U0EVE> & " * 30
    card = edited(ASKED, ASKED | {"vendor": hostile, "justification": hostile})
    settled = settle(card, InterruptStatus.ANSWERED, choice="Approve", answer="{}")
    notice = render_edited(replace(card, interrupt=replace(card.interrupt, number=1)), card.run.requester)
    for message in (render_card(card), render_card(settled), notice):
        assert validate_message({"text": message.text, "blocks": message.blocks}) == []
        assert not any("<!channel>" in text for text in [message.text, *mrkdwn_in(message.blocks)])


@pytest.mark.parametrize(
    ("person", "status", "words", "buttons"),
    [
        ("requester", RunStatus.WAITING, "edited what you asked for", 1),
        ("requester", RunStatus.SUCCEEDED, "Since then", 0),
        (BEA, RunStatus.WAITING, "Your answer does not count any more", 0),
    ],
)
def test_whoever_asked_hears_of_it_and_may_withdraw_and_whoever_answered_hears_too(person, status, words, buttons):
    card = with_run(settle(edited(ASKED, ASKED | {"amount": "6000.00"}, number=1), InterruptStatus.SUPERSEDED), status)
    message = render_edited(card, card.run.requester if person == "requester" else person)
    text = json.dumps(message.blocks, ensure_ascii=False)
    assert words in text
    assert "Amount 4,000.00 EUR → 6,000.00 EUR" in text
    assert f"<@{DAN}>" in message.text
    assert text.count("Withdraw") >= buttons
    assert ('"type": "actions"' in text) is bool(buttons)


def test_only_a_question_of_which_something_is_editable_offers_to_edit_it():
    card = spend_request_card()
    assert act_buttons(card) == []
    [button] = act_buttons(replace(card, interrupt=replace(card.interrupt, editable=("amount",))))
    assert button["action_id"] == "act:edit"
