"""Questions of low risk that are answered together: which are offered so, and what a press says of them."""

import json
from dataclasses import replace
from typing import Any

import pytest

from actions.kit.records.interrupts import Card, Confirm, Shape
from blocks.home import Home, home_view
from blocks.home_clicks import Looking
from blocks.together import (
    MOST,
    Result,
    Ticked,
    Together,
    parse_together,
    results_view,
    results_words,
    together_blocks,
    working_view,
)
from blocks.validate import validate_view
from tests.cards import CARDS
from tests.unit.test_blocks_clicks import COMMON, TRIGGER


def low(number: int, *, low_risk: bool = True, name: str = "send_message", shape: Shape | None = None) -> Card:
    card = CARDS[name]()
    run = replace(card.run, id=f"{card.run.id}{number}")
    policy = card.interrupt.policy.model_copy(update={"low_risk": low_risk})
    interrupt = replace(card.interrupt, id=f"{run.id}.1", run_id=run.id, policy=policy)
    return Card(run, replace(interrupt, shape=shape) if shape else interrupt)


def pressed(*ticked: Any, choice: Any = None, view: str = "home", block: str = "together:1:choices") -> dict[str, Any]:
    options = [{"text": {"type": "plain_text", "text": "?"}, "value": each} for each in ticked]
    state = {"together:1": {"together:ticks": {"type": "checkboxes", "selected_options": options}}}
    button = {"type": "button", "action_id": "together:choose:0", "action_ts": "1.5", "block_id": block}
    return {
        **COMMON,
        "type": "block_actions",
        "view": {"id": "V1", "type": "home", "callback_id": view, "private_metadata": "{}", "state": {"values": state}},
        "actions": [{**button, "value": json.dumps({"choice": "approve"} if choice is None else choice)}],
    }


ONE = json.dumps({"interrupt": "i-7", "version": 2})


def test_several_of_low_risk_are_offered_together_with_the_choices_that_need_no_form():
    cards = (low(1), low(2), low(3, low_risk=False))
    view = home_view(Home(Looking(), waiting=cards, waiting_total=3))
    assert validate_view(view, "home") == []
    boxes, row = [block for block in view["blocks"] if block.get("block_id", "").startswith("together:")]
    assert row["block_id"] == f"{boxes['block_id']}:choices"
    ticks, buttons = boxes["accessory"], row["elements"]
    assert [json.loads(each["value"])["interrupt"] for each in ticks["options"]] == [
        each.interrupt.id for each in cards[:2]
    ]
    assert [each["text"]["text"] for each in buttons] == ["Approve selected"]
    assert "of 2," in buttons[0]["confirm"]["text"]["text"]


def test_each_says_the_facts_that_its_question_does_not_say_as_cards_do():
    card = low(1)
    shown = json.dumps({"to": "ann", "amount": "40", "currency": "EUR", "where": None, "what": "Water"})
    card = replace(
        card, interrupt=replace(card.interrupt, message="Send Water?", shown=shown, shown_schema=None, ui=None)
    )
    section, _ = together_blocks((card, low(2)))
    described = section["accessory"]["options"][0]["description"]["text"]
    assert described == "Amount: 40 EUR · To: ann · Send message"


@pytest.mark.parametrize(
    "cards",
    [
        (low(1),),
        (low(1), low(2, low_risk=False)),
        (low(1), low(2, shape=Shape(choices=(CARDS["send_message"]().interrupt.shape.choices[1],)))),
    ],
    ids=["one alone", "only one of low risk", "one that has only a form"],
)
def test_nothing_is_offered_together_where_there_are_not_two(cards):
    assert together_blocks(cards) == []


def test_a_choice_with_something_of_its_own_to_confirm_is_not_made_for_several():
    first = CARDS["send_message"]().interrupt.shape.choices[0]
    shape = Shape(choices=(first.model_copy(update={"confirm": Confirm(title="Sure?", text="It is for ever.")}),))
    assert together_blocks((low(1, shape=shape), low(2, shape=shape))) == []


def test_a_press_says_what_was_ticked_as_it_was_seen():
    assert parse_together(pressed(ONE)) == Together(
        choice_key="approve",
        ticked=(Ticked(interrupt="i-7", version=2),),
        person="U0BOB",
        trigger_id=TRIGGER,
        response_url=None,
        source="click:1.5:U0BOB",
    )


def test_no_more_is_taken_than_can_be_ticked():
    found = parse_together(pressed(*[json.dumps({"interrupt": f"i-{n}", "version": 1}) for n in range(MOST + 5)]))
    assert found is not None
    assert len(found.ticked) == MOST


@pytest.mark.parametrize(
    "body",
    [
        pressed("nonsense"),
        pressed(json.dumps({"interrupt": "i-7", "version": 2, "choice": "approve"})),
        pressed(ONE, choice={"choice": ""}),
        pressed(ONE, choice={"choice": "approve", "interrupt": "i-7"}),
        pressed(ONE, view="stuck"),
        {"type": "block_actions"},
        None,
    ],
)
def test_what_carries_something_else_is_no_such_press(body):
    assert parse_together(body) is None


def test_what_is_ticked_elsewhere_does_not_count():
    found = parse_together(pressed(ONE, block="together:2:choices"))
    assert found is not None
    assert found.ticked == ()
    assert "Nothing is ticked" in str(working_view(found))


def test_the_window_says_first_that_it_works_and_then_what_became_of_each():
    asked = parse_together(pressed(ONE))
    assert asked is not None
    results = [Result("Send <!channel> it?", "✅ *Approved*"), Result("", "⚠️ *Not counted.* It is gone.")]
    for view in (working_view(asked), results_view(results)):
        assert validate_view(view, "modal") == []
    assert "Working on 1" in str(working_view(asked))
    assert "It is gone" in str(results_view(results))
    assert "<!channel>" not in results_words(results)
