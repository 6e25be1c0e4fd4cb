"""The operators' list: what is stuck, with what may be done, within Slack's limits, and nothing in it is read as markup."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from actions.kit.records.runs import Failure, Hindrance, RunStatus, Stuck
from blocks import limits
from blocks.clicks import Order, Turn, parse_click
from blocks.stuck import PAGE, cancel_asked_words, delivering_words, order_words, stuck_view
from blocks.validate import validate_view
from tests.cards import AT_NINE, CARDS, FAILED, LOST, STATES, UNKNOWN, with_run
from tests.golden_files import assert_golden
from tests.unit.test_blocks_clicks import COMMON

DETAILS = {Hindrance.UNDELIVERABLE: "not_in_channel", Hindrance.BLOCKED: "actions/deploys.py:12"}
FAILURES = {Hindrance.STALLED: LOST, Hindrance.HELD: UNKNOWN, Hindrance.FAILED: FAILED}
TITLES = {
    Hindrance.STALLED: ["Run again", "It happened", "It did not"],
    Hindrance.UNDELIVERABLE: ["Deliver again", "Cancel"],
    Hindrance.FAILED: ["Run again"],
}


def stuck(why: Hindrance, name: str = "send_message", **changes: Any) -> Stuck:
    card = STATES["queued"](CARDS[name]())
    run = replace(card.run, **{"failure": FAILURES.get(why), **changes})
    return Stuck(run, why, AT_NINE + timedelta(minutes=5), DETAILS.get(why), card.interrupt.id, card.interrupt.message)


def view(found: Sequence[Stuck], total: int | None = None, page: int = 0, said: str | None = None) -> dict[str, Any]:
    drawn = stuck_view(found, total=len(found) if total is None else total, page=page, said=said)
    assert validate_view(drawn, "modal") == []
    return drawn


def buttons(drawn: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for block in drawn["blocks"] if block["type"] == "actions" for each in block["elements"]]


def titles(drawn: dict[str, Any]) -> list[str]:
    return [button["text"]["text"] for button in buttons(drawn)]


def pressed(drawn: dict[str, Any], title: str) -> Any:
    """What the bot reads of a press, as Slack reports one in a modal."""
    button = next(each for each in buttons(drawn) if each["text"]["text"] == title)
    return parse_click(
        {
            **COMMON,
            "type": "block_actions",
            "container": {"type": "view", "view_id": "V0LIST"},
            "view": {"id": "V0LIST", "hash": "1.x", **drawn},
            "actions": [{**button, "block_id": "b", "action_ts": "1796036712.345678"}],
        }
    )


@pytest.mark.parametrize("why", Hindrance)
def test_each_kind_looks_as_it_was_drawn_and_offers_what_helps(why: Hindrance):
    drawn = view([stuck(why)])
    assert titles(drawn) == [*TITLES.get(why, ["Cancel"]), "Look again"]
    assert_golden(f"stuck/{why}", drawn)


def test_what_fails_until_its_code_changes_says_so_and_is_not_urged_to_run_again():
    drawn = view([stuck(Hindrance.FAILED, failure=Failure(kind="pause_swallowed", message="It was swallowed."))])
    (again,) = [button for button in buttons(drawn) if button["text"]["text"] == "Run again"]
    assert "style" not in again
    assert "code must change first" in str(drawn)
    assert "style" in str(buttons(view([stuck(Hindrance.FAILED)])))


def test_nothing_stuck_is_said_and_can_be_looked_at_again():
    drawn = view([])
    assert "Nothing is stuck" in str(drawn)
    assert titles(drawn) == ["Look again"]
    assert_golden("stuck/nothing", drawn)


def test_a_page_in_the_middle_says_which_it_is_and_goes_both_ways():
    drawn = view(
        [stuck(Hindrance.FAILED, id=f"r-{n}") for n in range(PAGE)], total=2_345, page=3, said="*Cancel*: done."
    )
    assert "2,345 runs need somebody; these are 31 to 40" in str(drawn)
    assert titles(drawn)[-3:] == ["Back", "More", "Look again"]
    assert_golden("stuck/page", drawn)


def test_the_last_page_goes_back_only():
    assert titles(view([stuck(Hindrance.FAILED)], total=2 * PAGE + 1, page=2))[-2:] == ["Back", "Look again"]


def test_a_full_page_of_the_longest_texts_fits_into_a_modal():
    worst = Failure(kind="X" * 3_000, message="Ж&<>" * 5_000)
    long = [
        replace(
            stuck(why, id=f"r-{n}", action_name="Ж&<>" * 500, failure=worst),
            detail="&<>" * 5_000,
            question="&<>" * 5_000,
        )
        for n, why in enumerate([*Hindrance, Hindrance.STALLED, Hindrance.STALLED])
    ]
    drawn = view(long[:PAGE], total=10**9, page=10**7, said="x" * 2_000)
    assert len(json.dumps(drawn)) < limits.VIEW_BYTES


def test_nothing_in_a_run_pings_forges_or_breaks():
    evil = "<!channel> <@U0EVE> <https://evil.example|bank> *bold* `code`"
    run = stuck(Hindrance.BLOCKED, action_name=evil, failure=Failure(kind="E", message=evil))
    drawn = view([replace(run, detail=evil, question=evil)])
    marked = [text["text"] for block in drawn["blocks"] for text in _mrkdwn(block)]
    assert not any("<!channel>" in text or "<@U0EVE>" in text or "<https" in text for text in marked)


def _mrkdwn(block: dict[str, Any]) -> list[dict[str, Any]]:
    texts = [block.get("text"), *(block.get("elements") or ())]
    return [text for text in texts if isinstance(text, dict) and text.get("type") == "mrkdwn"]


def test_an_order_that_is_given_in_the_list_comes_back_with_its_page_and_view():
    order = pressed(view([stuck(Hindrance.UNDELIVERABLE)], total=40, page=2), "Deliver again")
    assert isinstance(order, Order)
    assert (order.verb, order.run_id, order.view_id, order.page) == ("deliver_again", "run_send_message", "V0LIST", 2)
    assert order.interrupt_id is not None
    assert order.in_list


def test_a_cancel_is_an_order():
    order = pressed(view([stuck(Hindrance.HELD)]), "Cancel")
    assert isinstance(order, Order)
    assert (order.verb, order.epoch, order.page) == ("cancel", 3, 0)


def test_turning_a_page_names_the_page():
    drawn = view([stuck(Hindrance.FAILED)], total=40, page=2)
    assert [pressed(drawn, title).page for title in ("Back", "More", "Look again")] == [1, 3, 2]
    assert pressed(drawn, "More") == Turn(page=3, person="U0BOB", view_id="V0LIST")


@pytest.mark.parametrize(
    ("metadata", "callback_id"),
    [("", "stuck"), ('{"page":-1}', "stuck"), ('{"page":"1"}', "stuck"), ('{"page":1}', "x")],
)
def test_a_list_that_carries_nonsense_turns_no_page(metadata: str, callback_id: str):
    drawn = view([stuck(Hindrance.FAILED)], total=40) | {"private_metadata": metadata, "callback_id": callback_id}
    assert getattr(pressed(drawn, "More"), "ours", False)


def test_what_came_of_an_order_names_the_run_and_how_it_stands():
    run = with_run(CARDS["send_message"](), RunStatus.CANCELLED).run
    assert order_words(run, "cancel") == "*Cancel*: “Send message” is now ✖️ Cancelled."
    assert cancel_asked_words(run) == "*Cancel*: “Send message” executes, and was asked to stop."
    assert delivering_words(run) == "*Deliver again*: the card of “Send message” is on its way."
