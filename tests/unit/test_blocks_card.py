"""Cards in every state: as they were drawn, valid, harmless, and never without a word for where things stand."""

import json
import re
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.kit.policies.policy import ChannelMembers, Person, Policy, Requester
from actions.kit.records.copies import Ending
from actions.kit.records.interrupts import Card, Choice, DecisionRecord, InterruptStatus, Shape
from actions.kit.records.runs import Failure, RunStatus
from blocks.card import Message, minimal_card, render_card
from blocks.details import details_view
from blocks.form import answer_view
from blocks.notices import render_ending, render_line, render_undeliverable
from blocks.states import RUN_STATES, card_state
from blocks.validate import validate_message, validate_view
from tests.cards import (
    AT_NINE,
    BEA,
    CAI,
    CARDS,
    FAILED,
    STATES,
    approved,
    decision,
    declined,
    ending_of,
    settle,
    spend_request_card,
    undeliverable,
    with_run,
)
from tests.golden_files import assert_golden

STALLED_ORDERS = ("run_again", "it_happened", "it_did_not")
EVERY_CARD = [(name, state) for name in CARDS for state in STATES]
ENDINGS = (
    "succeeded",
    "succeeded_as_marked",
    "failed",
    "stalled",
    "declined",
    "declined_by_the_deadline",
    "expired",
    "cancelled",
)


def card_of(name: str, state: str) -> Card:
    return STATES[state](CARDS[name]())


def payload(message: Message) -> dict[str, Any]:
    return {"text": message.text, "blocks": message.blocks}


def words_of(value: Any) -> str:
    """Everything that is to be read in blocks, in order."""
    if isinstance(value, list):
        return "\n".join(filter(None, map(words_of, value)))
    if not isinstance(value, dict):
        return ""
    own = value["text"] if isinstance(value.get("text"), str) else ""
    return own + words_of([item for item in value.values() if isinstance(item, (dict, list))])


def buttons(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [element for block in blocks if block["type"] == "actions" for element in block["elements"]]


@pytest.mark.parametrize(("name", "state"), EVERY_CARD)
def test_a_card_in_each_state_looks_as_it_was_drawn(name: str, state: str):
    message = payload(render_card(card_of(name, state)))
    assert validate_message(message) == []
    assert_golden(f"cards/{name}_{state}", message)


@pytest.mark.parametrize("state", ENDINGS)
@pytest.mark.parametrize("name", CARDS)
def test_the_message_to_the_requester_looks_as_it_was_drawn(name: str, state: str):
    card = card_of(name, state)
    message = payload(render_ending(card.run, ending_of(card), card))
    assert validate_message(message) == []
    assert_golden(f"endings/{name}_{state}", message)


def test_the_undeliverable_notice_looks_as_it_was_drawn():
    message = payload(render_undeliverable(undeliverable(spend_request_card())))
    assert validate_message(message) == []
    assert_golden("endings/spend_request_undeliverable", message)


@pytest.mark.parametrize(("name", "state"), EVERY_CARD)
def test_a_card_tells_its_state_by_emoji_and_word_in_text_and_in_blocks(name: str, state: str):
    card = card_of(name, state)
    message = render_card(card)
    shown = json.dumps(message.blocks, ensure_ascii=False)
    for phrase in card_state(card).split(" · "):
        emoji, word = phrase.split(" ", 1)
        assert f"{emoji} " in shown
        assert word.replace('"', "'") in shown
        assert phrase in message.text


@pytest.mark.parametrize(("name", "state"), EVERY_CARD)
def test_the_fallback_text_carries_question_amount_and_state(name: str, state: str):
    card = card_of(name, state)
    text = render_card(card).text
    assert card.interrupt.message in text
    assert card_state(card) in text
    assert name != "spend_request" or "1,250.00 EUR" in text


def test_an_amount_that_the_question_does_not_say_stands_in_the_fallback_text():
    card = spend_request_card()
    card = replace(card, interrupt=replace(card.interrupt, message="Sign it off?"))
    assert render_card(card).text == "Sign it off? · 1,250.00 EUR · 🕐 Waiting for an answer"


@pytest.mark.parametrize(("name", "state"), EVERY_CARD)
def test_no_settled_card_keeps_a_button_that_decides(name: str, state: str):
    card = card_of(name, state)
    if card.interrupt.status is InterruptStatus.PENDING:
        return
    kept = [button["action_id"] for button in buttons(render_card(card).blocks)]
    if state not in {"failed", "stalled"}:
        assert kept == []
    assert set(kept) <= {"order:show_all", *(f"order:{verb}" for verb in STALLED_ORDERS)}


@pytest.mark.parametrize("name", CARDS)
@pytest.mark.parametrize(("state", "verbs"), [("failed", ("run_again",)), ("stalled", STALLED_ORDERS)])
def test_what_may_be_ordered_about_a_run_stands_on_its_card_or_behind_a_button_that_says_so(
    name: str, state: str, verbs: tuple[str, ...]
):
    card = card_of(name, state)
    on_card = buttons(render_card(card).blocks)
    ordered = [button["action_id"].partition(":")[2] for button in on_card if "confirm" in button]
    assert ordered == list(verbs) or [button["text"]["text"] for button in on_card] == ["What can be done"]
    view = details_view(card)
    assert validate_view(view) == []
    assert [button["action_id"] for button in buttons(view["blocks"])] == [f"order:{verb}" for verb in verbs]
    assert {json.loads(button["value"])["interrupt"] for button in buttons(view["blocks"])} == {card.interrupt.id}


def without_data(card: Card) -> Card:
    return replace(card, interrupt=replace(card.interrupt, shown="null", message="Go?"))


@pytest.mark.parametrize("state", ["failed", "stalled"])
@pytest.mark.parametrize("name", CARDS)
def test_even_a_card_without_data_says_on_its_button_what_can_be_done(name: str, state: str):
    on_card = [button["text"]["text"] for button in buttons(render_card(without_data(card_of(name, state))).blocks)]
    assert on_card in (["What can be done"], ["Run again"], ["Run again", "Show all"])


def with_room(card: Card) -> Card:
    """The same with a long text, which an open card shows more of."""
    data = json.dumps({"service": "checkout_api", "report": "It was seen to fail. " * 60})
    return replace(card, interrupt=replace(card.interrupt, shown=data))


@pytest.mark.parametrize(("state", "verbs"), [("failed", ("run_again",)), ("stalled", STALLED_ORDERS)])
def test_where_there_is_room_the_orders_stand_on_the_card_each_with_its_confirmation(
    state: str, verbs: tuple[str, ...]
):
    card = with_room(card_of("spend_request", state))
    ordered = [button for button in buttons(render_card(card).blocks) if button["action_id"] != "order:show_all"]
    assert [json.loads(button["value"]) for button in ordered] == [
        {"order": verb, "run": card.run.id, "epoch": card.run.epoch} for verb in verbs
    ]
    assert all(button["confirm"]["text"]["text"] for button in ordered)
    assert "The mail server did not answer" in words_of(render_card(card).blocks) or state == "stalled"


@pytest.mark.parametrize(("name", "state"), EVERY_CARD)
def test_the_minimal_card_is_valid_and_has_buttons_only_while_it_can_be_used(name: str, state: str):
    card = card_of(name, state)
    small, full = minimal_card(card), render_card(card)
    assert validate_message(payload(small)) == []
    assert len(small.blocks) <= 2
    used = [button["action_id"] for button in buttons(full.blocks) if button["action_id"].startswith("choice:")]
    assert [button["action_id"] for button in buttons(small.blocks)] == [*used, "order:show_all"]


@pytest.mark.parametrize("status", [RunStatus.QUEUED, RunStatus.RUNNING, RunStatus.SUCCEEDED, RunStatus.FAILED])
def test_an_approved_card_says_the_decision_and_the_execution_as_two_lines(status: RunStatus):
    failure = FAILED if status is RunStatus.FAILED else None
    blocks = render_card(with_run(approved(spend_request_card()), status, failure=failure)).blocks
    lines = words_of(blocks).splitlines()
    decision_at = next(number for number, text in enumerate(lines) if "✅ *Approved* by <@U0BEA>" in text)
    execution_at = next(number for number, text in enumerate(lines) if RUN_STATES[status].word in text)
    assert execution_at > decision_at


def test_an_answers_fields_are_called_on_the_card_what_the_form_called_them():
    card = spend_request_card()
    reject = next(choice for choice in card.interrupt.shape.choices if choice.declines)
    titled = {"properties": {"reason": {"title": "Why not, in your words", "type": "string"}}}
    shape = Shape(choices=(card.interrupt.shape.choices[0], reject.model_copy(update={"json_schema": titled})))
    settled = declined(replace(card, interrupt=replace(card.interrupt, shape=shape)), "Over budget")
    assert "Why not, in your words" in words_of(render_card(settled).blocks)


def test_a_decline_says_who_and_why_and_that_nothing_is_carried_out():
    shown = words_of(render_card(declined(spend_request_card(), "Over budget")).blocks)
    assert "🚫 *Rejected* by <@U0BEA>" in shown
    assert shown.count("Over budget") == 1
    assert "Not carried out." in shown


def test_notes_of_everyone_who_agreed_are_kept_with_their_names():
    card = approved(spend_request_card())
    votes = (decision(BEA, "Approve", {}, "Fine by me"), decision(CAI, "Approve", {}, "*And* me <!channel>"))
    blocks = render_card(replace(card, decisions=votes)).blocks
    assert "✅ *Approved* by <@U0BEA>, <@U0CAI>" in words_of(blocks)
    (notes,) = [block for block in blocks if "rich_text_quote" in json.dumps(block)]
    first, _, second, quote = notes["elements"]
    assert [each["elements"][0]["user_id"] for each in (first, second)] == [BEA, CAI]
    assert quote["elements"][0]["text"] == "*And* me <!channel>"


SHIP = Choice(
    key="Ship",
    title="Ship",
    json_schema={
        "type": "object",
        "properties": {
            "percent": {"type": "integer"},
            "why": {"type": "string"},
            "code": {"type": "string", "writeOnly": True},
        },
    },
    has_form=True,
)


def shipping(*votes: DecisionRecord) -> Card:
    """A card of two deciders whose only choice opens a form, with what was answered so far."""
    card = spend_request_card()
    policy = Policy(deciders=(Person(id=BEA), Person(id=CAI)), quorum=2)
    return replace(
        card, interrupt=replace(card.interrupt, policy=policy, shape=Shape(choices=(SHIP,))), decisions=votes
    )


def shipped(*votes: DecisionRecord) -> Card:
    card = settle(shipping(*votes), InterruptStatus.ANSWERED, choice="Ship", answer=votes[-1].value)
    return with_run(card, RunStatus.QUEUED)


def read_rich(blocks: list[dict[str, Any]]) -> str:
    """What stands in rich text, with the ids of people."""
    parts = [part for block in blocks if block["type"] == "rich_text" for part in block["elements"][0]["elements"]]
    return "".join(f"@{part['user_id']}" if part["type"] == "user" else part["text"] for part in parts)


def test_what_was_answered_so_far_stands_with_its_values_on_the_card_and_in_the_next_deciders_form():
    card = shipping(decision(BEA, "Ship", {"percent": 10, "why": "*So* <!here>\n" + "x" * 500, "code": "hush"}))
    message = payload(render_card(card))
    assert validate_message(message) == []
    form = answer_view(card, SHIP)
    assert validate_view(form) == []
    for blocks in (message["blocks"], form["blocks"]):
        read = read_rich(blocks)
        assert "Answers so far: @U0BEA: Ship (Percent 10, Why *So* <!here> xxx" in read
        assert re.search(r"characters\)\) · 2 needed in all$", read)
        assert "hush" not in json.dumps(blocks)


def test_nothing_is_said_of_answers_before_the_first():
    assert "so far" not in json.dumps([render_card(shipping()).blocks, answer_view(shipping(), SHIP)])


def test_where_several_agreed_with_different_values_the_card_says_whose_count():
    card = shipped(decision(BEA, "Ship", {"percent": 10}), decision(CAI, "Ship", {"percent": 30}))
    assert validate_message(payload(render_card(card))) == []
    shown = words_of(render_card(card).blocks)
    assert "*Percent*\n30" in shown
    assert "The values of <@U0CAI>, who answered last, count." in shown


def test_where_all_who_agreed_gave_the_same_values_nobodys_are_singled_out():
    card = shipped(decision(BEA, "Ship", {"percent": 30}), decision(CAI, "Ship", {"percent": 30}))
    assert "who answered last" not in words_of(render_card(card).blocks)


def test_who_may_decide_is_told_for_every_kind_of_decider():
    deciders = (Person(email="boss@example.com"), Requester(), Person(id=BEA), ChannelMembers(channel="#finance"))
    card = spend_request_card()
    policy = Policy(deciders=deciders, quorum=2)
    shown = words_of(render_card(replace(card, interrupt=replace(card.interrupt, policy=policy))).blocks)
    assert "May decide: 2 of boss@example.com, <@U0ANN>, <@U0BEA> or members of #finance" in shown


def test_more_than_five_choices_are_one_button_that_opens_a_select():
    shape = Shape(
        choices=tuple(
            Choice(
                key=f"k{number}", title=f"Choice {number}", json_schema={"const": number}, has_form=False, value=number
            )
            for number in range(6)
        )
    )
    card = spend_request_card()
    blocks = render_card(replace(card, interrupt=replace(card.interrupt, shape=shape))).blocks
    (button,) = [button for button in buttons(blocks) if button["action_id"] != "order:show_all"]
    assert button["action_id"] == "choose"
    assert json.loads(button["value"]) == {"interrupt": card.interrupt.id, "version": 1, "choice": ""}


def test_a_kind_of_card_that_nobody_registered_renders_generically_and_can_be_answered():
    card = spend_request_card()
    unknown = render_card(replace(card, interrupt=replace(card.interrupt, ui="hologram")))
    assert unknown == render_card(card)
    assert {button["action_id"] for button in buttons(unknown.blocks)} >= {"choice:0", "choice:1"}


def test_an_ending_loses_its_buttons_once_the_run_was_run_again():
    failed = STATES["failed"](spend_request_card())
    again = replace(failed.run, epoch=failed.run.epoch + 1, status=RunStatus.QUEUED, failure=None)
    assert buttons(render_ending(failed.run, ending_of(failed), failed).blocks)
    message = render_ending(again, ending_of(failed), failed)
    assert not buttons(message.blocks)
    assert "Failed" in words_of(message.blocks)
    assert "Since then: ⏳ Queued" in words_of(message.blocks)


def test_the_end_of_what_was_given_more_time_does_not_say_how_much_it_had_at_first():
    card = STATES["expired"](spend_request_card())
    more = replace(card, interrupt=replace(card.interrupt, extended=1))
    assert "nobody answered within 3 days" in words_of(render_ending(card.run, ending_of(card), card).blocks)
    assert "nobody answered in time" in words_of(render_ending(more.run, ending_of(more), more).blocks)


@pytest.mark.parametrize("kind", ["pause_swallowed", "pause_not_raised", "several_pauses", "bad_pause", "output"])
def test_what_fails_until_its_code_changes_says_so_and_is_not_urged_to_run_again(kind: str):
    failure = Failure(kind=kind, message="It went wrong.", advice="Write it so.")
    card = with_run(approved(spend_request_card()), RunStatus.FAILED, failure=failure)
    ending = payload(render_ending(card.run, ending_of(card), card))
    view = details_view(card)
    assert validate_message(ending) == []
    assert validate_view(view) == []
    for blocks in (ending["blocks"], view["blocks"]):
        (again,) = [each for each in buttons(blocks) if each["action_id"] == "order:run_again"]
        assert "style" not in again
    for blocks in (ending["blocks"], view["blocks"], render_card(card).blocks):
        assert "The action's code must change first" in words_of(blocks)
        assert "Write it so." in words_of(blocks)


def test_a_result_that_repeats_what_was_asked_is_not_told_twice():
    card = STATES["succeeded"](spend_request_card())
    run = replace(card.run, output='{"vendor": "Northwind Traders", "order": "4711"}')
    shown = words_of(render_ending(run, ending_of(card), card).blocks)
    assert "*Order*\n4711" in shown
    assert "*Vendor*" not in shown


def test_a_run_that_never_paused_is_told_to_its_requester_too():
    run = replace(spend_request_card().run, status=RunStatus.FAILED, failure=FAILED)
    message = render_ending(run, Ending(status=RunStatus.FAILED, epoch=run.epoch, at=AT_NINE, failure=FAILED), None)
    assert validate_message(payload(message)) == []
    assert message.text == "Spend request · 1,250.00 EUR · ⚠️ Failed"


def test_a_line_of_a_thread_is_literal():
    message = render_line("<!channel> *now* &amp; <https://evil.example|bank>")
    assert validate_message(payload(message)) == []
    assert message.text == "&lt;!channel&gt; *now* &amp;amp; &lt;https://evil.example|bank&gt;"
    assert (
        message.blocks[0]["elements"][0]["elements"][0]["text"] == "<!channel> *now* &amp; <https://evil.example|bank>"
    )


def test_a_line_says_who_did_what():
    message = render_line("decided “*Approve*”", BEA)
    assert validate_message(payload(message)) == []
    assert message.text == "<@U0BEA> decided “*Approve*”"
    (section,) = message.blocks[0]["elements"]
    assert section["elements"][0] == {"type": "user", "user_id": BEA}
    assert "".join(element.get("text", "") for element in section["elements"]) == " decided “*Approve*”"


def test_an_empty_line_is_still_a_message():
    assert validate_message(payload(render_line("  \n"))) == []


LONG = "@long@"  # stands for a long text, so that a failing case can be read
HOSTILE = (
    "<!channel> <!here> <@U0EVIL> <https://evil.example|bank.example> & ` * _ ~ > \u202egnp.exe \u200b\u200d 🏴 :tada:"
    " <!date^0^x|y> \x00\x07 \ud800 *✅ Approved*\n> quote\n```"
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    message=st.text(min_size=1, max_size=400) | st.just(HOSTILE) | st.just(LONG),
    data=st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False)
        | st.text()
        | st.just(HOSTILE)
        | st.just(LONG),
        lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text() | st.just(HOSTILE), inner, max_size=8),
        max_leaves=30,
    ),
    note=st.text() | st.just(LONG),
    state=st.sampled_from(sorted(STATES)),
)
def test_whatever_the_data_every_card_is_valid_and_harmless(message: str, data: Any, note: str, state: str):
    card = spend_request_card()
    shown = json.dumps(data).replace(LONG, "long " * 2000)
    message, note = message.replace(LONG, "x" * 5000), note.replace(LONG, "note" + HOSTILE * 50)
    card = replace(card, interrupt=replace(card.interrupt, message=message, shown=shown))
    settled = declined(card, note) if state == "declined" else STATES[state](card)
    if settled.run.failure:
        settled = with_run(settled, settled.run.status, failure=Failure(kind="E", message=note, advice=note))
    settled = replace(settled, decisions=tuple(replace(vote, note=note) for vote in settled.decisions))
    opened, then = payload(render_card(card)), payload(render_card(settled))
    for each in (opened, then, payload(minimal_card(settled)), payload(render_undeliverable(card))):
        assert validate_message(each) == []
        assert no_live_tokens(each)
    ending = payload(render_ending(settled.run, ending_of(settled), settled))
    assert validate_message(ending) == []
    view = details_view(settled)
    assert validate_view(view) == []
    assert no_live_tokens({"text": "", "blocks": view["blocks"]})


LIVE = re.compile(
    r"<(?!@U0(?:ANN|BEA|CAI|DAN)>|#C0APPROVALS>|!date\^\d{10}\^\{date_short_pretty\} at \{time\}\|[^<>|]*>|(https?://[^<>|]*)\|\1>)"
)


def no_live_tokens(message: dict[str, Any]) -> bool:
    """Whether nothing but our own mentions and dates, and links that say where they lead, is live in the mrkdwn."""
    texts = [message["text"], *mrkdwn_of(message["blocks"])]
    return not any(LIVE.search(text) for text in texts)


def mrkdwn_of(value: Any) -> list[str]:
    if isinstance(value, list):
        return [text for item in value for text in mrkdwn_of(item)]
    if not isinstance(value, dict):
        return []
    if value.get("type") == "mrkdwn":
        assert value["verbatim"] is True
        return [value["text"]]
    return [text for item in value.values() for text in mrkdwn_of(item)]


def test_a_card_is_drawn_in_less_than_two_milliseconds():
    """The best of five rounds: a collection of garbage in one of them is not the card's."""
    card = approved(spend_request_card())

    def once() -> float:
        started = time.process_time()
        for _ in range(40):
            render_card(card)
        return (time.process_time() - started) / 40

    assert min(once() for _ in range(5)) < 0.002


def test_ten_thousand_fields_and_deep_nesting_still_make_a_card():
    wide = json.dumps({f"field_{number}": number for number in range(10_000)})
    deep = "[" * 5_000 + "]" * 5_000
    for shown in (wide, deep):
        card = spend_request_card()
        card = replace(card, interrupt=replace(card.interrupt, shown=shown))
        message = payload(render_card(card))
        assert validate_message(message) == []
        assert validate_view(details_view(card)) == []
    assert "and 9,992 more" in words_of(
        render_card(replace(card, interrupt=replace(card.interrupt, shown=wide))).blocks
    )
