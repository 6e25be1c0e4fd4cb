"""What a card says of a question that a called action asks, and of a call in doubt."""

from dataclasses import replace

from actions.kit.records.interrupts import Asker
from actions.kit.records.runs import Failure, RunStatus
from blocks.card import render_card
from blocks.choices import order_button
from blocks.validate import validate_message
from tests.cards import spend_request_card, with_run

ASKER = Asker(action_id="refund_order", action_name="Refund <!channel> order", input="{}")


def test_a_card_says_which_called_action_asks_and_whose_turn_it_is():
    card = spend_request_card()
    asked = replace(card.interrupt, call_path="order 2", asker=ASKER, position=2, total=3)
    message = render_card(replace(card, interrupt=asked))
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    lines = [block["elements"][0]["text"] for block in message.blocks if block["type"] == "context"]
    assert any("through Refund &lt;!channel&gt; order, 2 of 3 · May decide" in line for line in lines)


def test_a_card_says_in_which_line_of_the_script_it_was_called():
    card = spend_request_card()
    asked = replace(card.interrupt, call_path="execute_code/line 7#2/order 2", asker=ASKER)
    assert "order in line 7 of the script · May decide" in str(render_card(replace(card, interrupt=asked)).blocks)


def test_a_question_without_company_says_nothing_of_turns():
    assert " of 1" not in str(render_card(spend_request_card()).blocks)


def test_an_order_about_a_call_in_doubt_says_that_it_is_about_that_call():
    run = with_run(spend_request_card(), RunStatus.STALLED, failure=Failure(kind="lost", message="?", call="pay")).run
    said = [order_button(run, verb)["confirm"]["text"]["text"] for verb in ("run_again", "it_happened", "it_did_not")]
    assert all("The call that was cut off" in text for text in said)
    whole = replace(run, failure=Failure(kind="lost", message="?"))
    assert "The run ends as done" in order_button(whole, "it_happened")["confirm"]["text"]["text"]
