"""Whatever a card leaves out or cuts is behind its button "Show all", before and after the decision; otherwise it has none."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from actions.kit.policies.policy import Person
from actions.kit.records.interrupts import Card, Choice, DecisionRecord, InterruptStatus, Shape
from actions.kit.records.runs import Failure, RunStatus
from blocks.card import render_card
from blocks.details import details_view
from blocks.details_file import details_file
from blocks.form import answer_view
from blocks.validate import validate_message, validate_view
from tests.cards import AT_NINE, BEA, CARDS, FAILED, STATES, approved, decision, declined, spend_request_card, with_run

END = "the very end"
LONG = f"{'A sentence that goes on. ' * 90}{END}"
"""Longer than what any card shows of a text, and what only the whole of it has."""


def showing(value: Any) -> Card:
    card = spend_request_card()
    return replace(card, interrupt=replace(card.interrupt, shown=json.dumps(value)))


def asking(question: str) -> Card:
    card = spend_request_card()
    return replace(card, interrupt=replace(card.interrupt, message=question))


CUT: dict[str, Card] = {
    "a long text": showing({"body": LONG}),
    "many fields": showing({f"field_{number}": number for number in range(20)} | {"last": END}),
    "many fields within another": showing({"box": {f"field_{number}": number for number in range(20)} | {"last": END}}),
    "many long texts": showing({f"text_{number}": f"{number}\nof five" for number in range(5)} | {"z": f"z\n{END}"}),
    "a long list": showing({"names": [*(f"name {number}" for number in range(40)), END]}),
    "a long list of objects": showing({"rows": [{"n": number} for number in range(30)] + [{"n": END}]}),
    "a deep object": showing({"a": {"b": {"c": {"d": {"e": {"f": END}}}}}}),
    "a long name of a field": showing({f"{'name ' * 30}{END}": 1}),
    "a lone long text": showing(LONG),
    "a long question": asking(f"Shall I?\n{LONG}"),
}


def has_show_all(card: Card) -> bool:
    message = render_card(card)
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    ids = [each["action_id"] for block in message.blocks if block["type"] == "actions" for each in block["elements"]]
    return "order:show_all" in ids


def shown_by(view: dict[str, Any]) -> str:
    assert validate_view(view) == []
    return json.dumps(view["blocks"], ensure_ascii=False)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("cut", CUT)
def test_what_a_card_cuts_is_one_click_away_in_every_state(cut: str, state: str):
    card = STATES[state](CUT[cut])
    assert has_show_all(card)
    assert END in shown_by(details_view(card))
    assert END not in json.dumps(render_card(card).blocks)


@pytest.mark.parametrize("state", [state for state in STATES if state not in {"failed", "stalled"}])
@pytest.mark.parametrize("name", CARDS)
def test_a_card_that_shows_everything_has_no_such_button(name: str, state: str):
    assert not has_show_all(STATES[state](CARDS[name]()))


def with_note(note: str) -> Card:
    card = approved(spend_request_card())
    return replace(card, decisions=(decision(BEA, "Approve", {}, note),))


def with_many_notes() -> Card:
    card = approved(spend_request_card())
    votes = [decision(f"U0V{number}", "Approve", {}, f"Note {number}") for number in range(4)]
    return replace(card, decisions=(*votes, decision("U0VZ", "Approve", {}, END)))


def with_failure(status: RunStatus, failure: Failure) -> Card:
    return with_run(approved(spend_request_card()), status, failure=failure)


def with_many_deciders() -> Card:
    card = spend_request_card()
    deciders = (*(Person(f"U0D{number}") for number in range(9)), Person(email="the@very.end"))
    policy = card.interrupt.policy.model_copy(update={"deciders": deciders})
    return replace(card, interrupt=replace(card.interrupt, policy=policy))


def asked_again(state: Callable[[Card], Card]) -> Card:
    card = state(spend_request_card())
    return replace(card, interrupt=replace(card.interrupt, asked_again_because=LONG))


CUT_AFTERWARDS: dict[str, tuple[Card, str]] = {
    "a long reason": (declined(spend_request_card(), LONG), END),
    "a long note": (with_note(LONG), END),
    "more notes than fit": (with_many_notes(), END),
    "a long failure": (with_failure(RunStatus.FAILED, FAILED.model_copy(update={"message": LONG})), END),
    "a long advice": (with_failure(RunStatus.STALLED, FAILED.model_copy(update={"advice": LONG})), END),
    "what holds a run": (with_failure(RunStatus.HELD, FAILED.model_copy(update={"message": LONG})), END),
    "more deciders than are named": (with_many_deciders(), "the@very.end"),
    "why it is asked again": (asked_again(STATES["waiting"]), END),
    "why it was asked again": (asked_again(STATES["superseded"]), END),
}


@pytest.mark.parametrize("what", CUT_AFTERWARDS)
def test_what_is_cut_of_a_decision_of_a_failure_or_of_who_decides_is_one_click_away_too(what: str):
    card, end = CUT_AFTERWARDS[what]
    assert has_show_all(card)
    assert end in shown_by(details_view(card))


SECRETIVE = Choice(
    key="Ship",
    title="Ship",
    has_form=True,
    json_schema={
        "$defs": {"Key": {"type": "object", "properties": {"pin": {"type": "string", "format": "password"}}}},
        "type": "object",
        "properties": {
            "code": {"type": "string", "writeOnly": True},
            "key": {"anyOf": [{"$ref": "#/$defs/Key"}, {"type": "null"}]},
            "keys": {"type": "array", "items": {"$ref": "#/$defs/Key"}},
            "why": {"type": "string"},
        },
    },
)


def test_secrets_of_an_answer_are_shown_nowhere_at_no_depth():
    card = spend_request_card()
    answer = {"code": "hush", "key": {"pin": "hush", "slot": 4711}, "keys": [{"pin": "hush"}], "why": LONG}
    vote = decision(BEA, "Ship", answer)
    interrupt = replace(card.interrupt, shape=Shape(choices=(SECRETIVE,)))
    open_card = replace(card, interrupt=interrupt, decisions=(vote,))
    settled = replace(interrupt, status=InterruptStatus.ANSWERED, choice="Ship", answer=vote.value, settled_at=AT_NINE)
    for each in (open_card, replace(open_card, interrupt=settled)):
        view = shown_by(details_view(each))
        assert "hush" not in view
        assert "4711" in view
        assert END in view
        assert "hush" not in json.dumps([render_card(each).blocks, answer_view(open_card, SECRETIVE)])
        assert "hush" not in details_file(each).text


def test_secrets_of_the_data_are_shown_nowhere_either():
    schema = json.dumps({"properties": {"pin": {"type": "string", "writeOnly": True}, "slot": {"title": "Box"}}})
    card = showing({"pin": "hush", "slot": 4711, "more": LONG})
    card = replace(card, interrupt=replace(card.interrupt, shown_schema=schema))
    drawn = json.dumps([render_card(card).blocks, details_view(card), answer_view(card, SECRETIVE)])
    assert "hush" not in drawn + details_file(card).text
    assert "4711" in drawn
    assert "Box" in drawn


def test_everybodys_answer_is_shown_with_its_note_and_whose_counts():
    card = with_many_notes()
    view = shown_by(details_view(card))
    assert all(f"Note {number}" in view for number in range(4))
    assert all(vote.person in view for vote in card.decisions)


def every_page(card: Card) -> list[dict[str, Any]]:
    """All pages of the window, as its buttons turn them."""
    views = [details_view(card)]
    while True:
        nexts = [each for block in views[-1]["blocks"] if block["type"] == "actions" for each in block["elements"]]
        turn = next((each for each in nexts if each["action_id"] == "page:more"), None)
        if turn is None:
            return views
        views.append(details_view(card, page=json.loads(turn["value"])["page"]))
        assert json.loads(views[-1]["private_metadata"]) == {"interrupt": card.interrupt.id, "page": len(views) - 1}


def test_what_one_window_does_not_hold_is_turned_page_by_page_and_nothing_is_lost():
    lines = [f"Line {number} of the contract, which nobody may miss." for number in range(4_000)]
    card = showing({"contract": "\n".join(lines)})
    pages = every_page(card)
    assert 5 < len(pages) <= 20
    shown = "".join(map(shown_by, pages))
    assert all(line in shown for line in lines)
    assert all(len(json.dumps(view)) < 60_000 for view in pages)
    assert "Sign off 1,250.00 EUR" in shown_by(pages[-1])


def test_what_is_more_than_anybody_turns_is_in_the_file_and_the_last_page_says_so():
    card = showing({f"field_{number}": f"{number} " + "é👩‍👩‍👧 long " * 4 for number in range(10_000)})
    pages = every_page(card)
    assert len(pages) == 20
    assert "longer than a window of Slack holds" in shown_by(pages[-1])
    assert "Field 99: 99" in "".join(map(shown_by, pages))
    file = details_file(card)
    assert json.loads(file.text)["data"]["field_9999"].startswith("9999 ")


@pytest.mark.parametrize("page", [5, 10**6])
def test_a_page_that_is_not_there_any_more_is_the_last_one(page: int):
    card = showing({"text": "word " * 8_000})
    last = every_page(card)[-1]
    assert details_view(card, page=page) == last
    assert details_view(spend_request_card(), page=page) == details_view(spend_request_card())


def test_the_file_has_the_question_the_data_and_every_answer_with_its_numbers_as_they_were_stored():
    card = declined(spend_request_card(), "Over budget")
    card = replace(card, interrupt=replace(card.interrupt, shown='{"amount": 1250.00, "big": 123456789012345678901}'))
    file = details_file(card)
    assert (file.name, '"amount": 1250.00' in file.text, '"big": 123456789012345678901' in file.text) == (
        "details.json",
        True,
        True,
    )
    whole = json.loads(file.text)
    assert whole["question"] == card.interrupt.message
    assert [(each["person"], each["choice"], each["value"]) for each in whole["answers"]] == [
        (BEA, "Reject", {"reason": "Over budget"})
    ]


def test_a_text_alone_stands_in_the_file_as_it_was_written():
    file = details_file(showing(LONG))
    assert file.name == "details.txt"
    assert file.text.endswith(f"{LONG}\n")


def test_a_vote_without_a_form_needs_no_value():
    vote = DecisionRecord(BEA, "Approve", "{}", None, AT_NINE, "s")
    view = shown_by(details_view(replace(approved(spend_request_card()), decisions=(vote,))))
    assert BEA in view
    assert "Note" not in view
