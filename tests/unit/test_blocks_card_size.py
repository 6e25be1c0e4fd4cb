"""A settled card is never larger than the open one was, and whatever a card leaves out is one click away."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.kit.policies.policy import ChannelMembers, Person, Policy
from actions.kit.records.interrupts import (
    Answer,
    BrokenGlass,
    Card,
    Cause,
    Choice,
    Confirm,
    DecisionRecord,
    Decline,
    Expire,
    InterruptStatus,
    Shape,
)
from actions.kit.records.runs import Failure, RunStatus
from blocks.card import Message, render_card
from blocks.states import RUN_STATES
from blocks.text import mention
from blocks.validate import validate_message
from tests.cards import AT_NINE, interrupt_record, run_record

ANSWERED = InterruptStatus.ANSWERED
LONG = "@long@"  # stands for a long text, so that a failing case can be read
STALLED_ORDERS = {"order:run_again", "order:it_happened", "order:it_did_not"}
KINDS: list[Any] = [
    "https://x.example/a.png",
    "2026-11-30T10:42:00Z",
    "PT1H30M",
    "U0BENBROOK",
    "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y",
    [{"a": "x", "n": 1}, {"a": "y", "n": 2}],
    [f"entry {number}" for number in range(30)],
]
SCHEMA = json.dumps(
    {
        "additionalProperties": {
            "title": "T" * 90,
            "description": "d" * 90,
            "unit": "EUR",
            "contentMediaType": "text/x-python",
        }
    }
)
HARD = 'A *b* <!here> & "c" \n👩‍👩‍👧 é'
FORM: dict[str, Any] = {"type": "object", "properties": {"reason": {"type": "string"}, "more": {}}}


def texts(longest: int = 60) -> st.SearchStrategy[str]:
    return st.text(st.characters(codec="utf-8"), max_size=longest) | st.sampled_from([LONG, HARD, HARD * 9, "?"])


def people() -> st.SearchStrategy[str]:
    return st.from_regex(r"[UW][A-Z0-9]{2,10}", fullmatch=True)


def json_values() -> st.SearchStrategy[Any]:
    single = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts() | st.sampled_from(KINDS)
    return st.recursive(
        single,
        lambda inner: st.lists(inner, max_size=9) | st.dictionaries(texts(20), inner, max_size=12),
        max_leaves=25,
    )


def choices() -> st.SearchStrategy[Choice]:
    confirm = st.none() | st.builds(Confirm, title=st.just("Sure?"), text=st.just("It cannot be undone."))
    return st.builds(
        lambda title, form, declines, style, confirm: Choice(
            key=title[:40] or "k",
            title=title.replace(LONG, "So") or "k",
            json_schema=FORM if form else {"const": title},
            has_form=form,
            value=None if form else title,
            style=style,
            confirm=confirm,
            declines=declines,
        ),
        texts(20),
        st.booleans(),
        st.booleans(),
        st.sampled_from([None, "primary", "danger"]),
        confirm,
    )


def lengthen(value: Any) -> Any:
    return json.loads(json.dumps(value).replace(LONG, "long " * 1500))


@st.composite
def settled_cards(draw: st.DrawFn) -> Card:
    """Any interrupt that was settled in any way, with any run and any number of those who agreed."""
    run = replace(
        run_record("x", draw(texts(20)) or "x", None), id="01kq8w2x4v9d7h3m5n", requester=draw(people()), epoch=3
    )
    shape = Shape(choices=tuple(draw(st.lists(choices(), min_size=1, max_size=7, unique_by=lambda each: each.key))))
    one = st.builds(Person, people()) | st.just(ChannelMembers(channel="#a"))
    deciders = draw(st.lists(one, min_size=1, max_size=10))
    policy = Policy(deciders=tuple(deciders), quorum=draw(st.integers(1, 7)))
    expires_in = draw(st.none() | st.just(timedelta(hours=1)))
    interrupt = interrupt_record(
        run,
        lengthen(draw(texts())) or "?",
        lengthen(draw(json_values())),
        policy=policy,
        shape=shape,
        expires_in=expires_in,
        on_expiry=draw(st.just(Expire()) | st.just(Decline()) | st.just(Answer(choice=shape.choices[0].key))),
        id=f"{run.id}.{draw(st.sampled_from([1, 12]))}",
        asked_again_because=draw(st.none() | texts()),
        shown_schema=draw(st.sampled_from([None, SCHEMA])),
    )
    status = draw(st.sampled_from([status for status in InterruptStatus if status is not InterruptStatus.PENDING]))
    chosen = draw(st.sampled_from(shape.choices))
    voters = draw(st.lists(people(), max_size=8, unique=True))
    is_answer = status in {InterruptStatus.ANSWERED, InterruptStatus.DECLINED}
    given = [
        json.dumps(lengthen(draw(json_values())) if chosen.has_form and not draw(st.booleans()) else {"reason": "No"})
        for _ in voters
    ]
    decisions = tuple(
        DecisionRecord(voter, chosen.key, value, lengthen(draw(st.none() | texts())), AT_NINE, voter)
        for voter, value in zip(voters, given, strict=True)
    )
    cause = draw(st.sampled_from(Cause))
    why = BrokenGlass(reason=lengthen(draw(texts())), review="r", source="s")
    interrupt = replace(
        interrupt,
        status=status,
        settled_at=AT_NINE + timedelta(minutes=3),
        settled_by=draw(st.none() | people() | texts()),
        cause=cause,
        broken=why if cause is Cause.BREAK_GLASS and is_answer else None,
        choice=chosen.key if is_answer else None,
        answer=given[-1] if is_answer and given else None,
    )
    failure = st.builds(
        Failure, kind=st.just("E"), message=texts().map(lengthen), advice=(st.none() | texts()).map(lengthen)
    )
    run = replace(
        run,
        status=draw(st.sampled_from(RunStatus)),
        failure=draw(st.none() | failure),
        marked_by=draw(st.none() | people()),
        ended_by=draw(st.none() | people()),
        ended_at=draw(st.none() | st.just(AT_NINE + timedelta(minutes=5))),
        cancel_requested_by=draw(st.none() | people()),
    )
    names = {"U0BENBROOK": draw(texts(20)) or "Ben"}
    return Card(run, interrupt, decisions if is_answer else (), names)


def as_asked(card: Card) -> Card:
    """The same interrupt as it stood open, before anybody answered."""
    interrupt = replace(card.interrupt, status=InterruptStatus.PENDING, settled_at=None, settled_by=None, cause=None)
    if card.interrupt.status is InterruptStatus.SUPERSEDED:
        interrupt = replace(interrupt, asked_again_because=None)
    run = replace(card.run, status=RunStatus.WAITING, failure=None)
    return Card(run, replace(interrupt, choice=None, answer=None), names=card.names)


def sizes(message: Message) -> tuple[int, int, int]:
    """Blocks, and the bytes of the whole message as JSON in UTF-8: dense, and as it is written by default."""
    whole = {"text": message.text, "blocks": message.blocks}
    dense = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    return len(message.blocks), len(dense.encode()), len(json.dumps(whole, ensure_ascii=False).encode())


def action_ids(message: Message) -> list[str]:
    return [each["action_id"] for block in message.blocks if block["type"] == "actions" for each in block["elements"]]


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None)
@given(settled_cards())
def test_a_settled_card_is_never_larger_than_the_open_one(card: Card):
    opened, then = render_card(as_asked(card)), render_card(card)
    assert validate_message({"text": then.text, "blocks": then.blocks}) == []
    assert all(after <= before for after, before in zip(sizes(then), sizes(opened), strict=True)), (
        sizes(then),
        sizes(opened),
    )
    orders = {RunStatus.FAILED: {"order:run_again"}, RunStatus.STALLED: STALLED_ORDERS}.get(card.run.status, set())
    assert set(action_ids(then)) - {"order:show_all"} in (set(), orders), "nothing on it decides any more"
    if orders and card.interrupt.status is ANSWERED:
        assert action_ids(then), "what can be done is on it or one click away"


def who_settled(card: Card) -> str | None:
    """Whose name the card has to show: nobody's, where a deadline, a rule or a newer card settled it."""
    status, cause = card.interrupt.status, card.interrupt.cause
    if status is InterruptStatus.CANCELLED or (card.decisions and cause in {Cause.ADMIN, Cause.BREAK_GLASS}):
        return card.interrupt.settled_by
    return card.decisions[0].person if card.decisions and cause is Cause.HUMAN else None


def tiniest() -> Card:
    """As little as an open card can say: a question mark, no data, no deadline, one button, the shortest ids."""
    run = replace(run_record("x", "x", None), id="01kq8w2x4v9d7h3m5n", requester="U00", epoch=3)
    shape = Shape(choices=(Choice(key="k", title="A", json_schema=FORM, has_form=True),))
    policy = Policy(deciders=(Person("U00"),))
    return Card(run, interrupt_record(run, "?", None, policy=policy, shape=shape, expires_in=None, id=f"{run.id}.1"))


@pytest.mark.parametrize("status", RunStatus)
@pytest.mark.parametrize("settled", [each for each in InterruptStatus if each is not InterruptStatus.PENDING])
@pytest.mark.parametrize("cause", Cause)
def test_even_the_tiniest_card_has_room_for_who_decided_what_and_when_and_what_came_of_it(
    status: RunStatus, settled: InterruptStatus, cause: Cause
):
    card = tiniest()
    is_answer = settled in {InterruptStatus.ANSWERED, InterruptStatus.DECLINED}
    answer = json.dumps({"reason": "Because. " * 900, "more": list(range(99))})
    voters = [f"W0{number}ABCDEFGH" for number in range(12)] if is_answer else []
    interrupt = replace(
        card.interrupt,
        status=settled,
        settled_at=AT_NINE,
        settled_by="W0ZABCDEFGH",
        cause=cause,
        choice="k" if is_answer else None,
        answer=answer if is_answer else None,
        asked_again_because="It was so. " * 200,
        broken=BrokenGlass(reason="It burns. " * 200, review="r", source="s")
        if cause is Cause.BREAK_GLASS and is_answer
        else None,
    )
    failure = Failure(kind="E", message="It broke. " * 200, advice="Mend it. " * 200)
    run = replace(card.run, status=status, failure=failure, marked_by="W0M", ended_by="W0M", ended_at=AT_NINE)
    votes = tuple(DecisionRecord(voter, "k", answer, "Note. " * 300, AT_NINE, voter) for voter in voters)
    card = Card(run, replace(interrupt, asked_again_because=None) if is_answer else interrupt, votes)
    then, opened = render_card(card), render_card(as_asked(card))
    assert all(after <= before for after, before in zip(sizes(then), sizes(opened), strict=True)), (
        sizes(then),
        sizes(opened),
    )
    if somebody := who_settled(card):
        assert mention(somebody) in json.dumps(then.blocks)
    assert RUN_STATES[status].emoji in json.dumps(then.blocks, ensure_ascii=False) or settled is not ANSWERED
