"""How the kinds of cards look: each as it was drawn, valid, and as any other card where its data is not what it expects."""

import json
from dataclasses import replace

import pytest

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.card import render_card
from blocks.form import answer_view
from blocks.validate import validate_message, validate_view
from tests.asked_kinds import QUESTIONS, card_of_kind
from tests.cards import AT_NINE, BEA, settle, with_run
from tests.golden_files import assert_golden


def words_on(card: Card) -> str:
    return json.dumps(render_card(card).blocks, ensure_ascii=False)


@pytest.mark.parametrize("ui", QUESTIONS)
def test_a_card_of_each_kind_looks_as_it_was_drawn_and_so_do_its_forms(ui: str):
    card = card_of_kind(ui)
    drawn = render_card(card)
    forms = {choice.key: answer_view(card, choice) for choice in card.interrupt.shape.choices if choice.has_form}
    assert validate_message({"text": drawn.text, "blocks": drawn.blocks}) == []
    assert [fault for view in forms.values() for fault in validate_view(view)] == []
    assert_golden(f"asked/{ui}", {"text": drawn.text, "blocks": drawn.blocks, "forms": forms})


@pytest.mark.parametrize("ui", ["choose", "review", "form"])
@pytest.mark.parametrize("shown", ["[1]", '"text"', '{"document": 1, "options": {}, "schema": 1}', "null"])
def test_data_that_a_kind_does_not_expect_is_drawn_as_on_any_card(ui: str, shown: str):
    odd = replace(card_of_kind(ui).interrupt, shown=shown)
    card = replace(card_of_kind(ui), interrupt=odd)
    drawn = render_card(card)
    assert validate_message({"text": drawn.text, "blocks": drawn.blocks}) == []


def test_more_options_than_a_card_shows_are_counted_and_one_click_away():
    card = card_of_kind("choose", {"options": [f"Region {number}" for number in range(120)], "several": True})
    assert "120 options, several of them" in words_on(card)
    assert "and 110 more" in words_on(card)
    assert "order:show_all" in words_on(card)
    assert '"multi_external_select"' in json.dumps(answer_view(card, card.interrupt.shape.choices[0]))


def test_a_review_shows_what_changes_and_the_whole_document_where_nothing_is_known_of_before():
    assert "-the shop is closed on Saturday.\\n+the shop is closed on Sunday." in words_on(card_of_kind("review"))
    assert "the shop is closed" in words_on(card_of_kind("review", {"document": "the shop is closed"}))
    unchanged = {"document": "the shop is closed", "before": "the shop is closed"}
    assert "as it is now" in words_on(card_of_kind("review", unchanged))


def test_code_that_does_not_fit_into_a_form_has_to_be_written_anew_and_says_so():
    card = card_of_kind("write_code", {"code": "x = 1\n" * 1_000})
    view = json.dumps(answer_view(card, card.interrupt.shape.choices[1]))
    assert "all of it has to be written anew" in view
    assert '"initial_value"' not in view


def test_a_settled_card_tells_the_edited_document_and_not_what_is_always_the_same():
    card = card_of_kind("review")
    edited = json.dumps({"action": "edit", "document": "Closed on Sunday.\n"})
    answered = settle(card, InterruptStatus.ANSWERED, settled_by=BEA, choice="edit", answer=edited)
    words = words_on(with_run(answered, RunStatus.SUCCEEDED, ended_at=AT_NINE))
    assert "Closed on Sunday." in words
    assert "Action" not in words
