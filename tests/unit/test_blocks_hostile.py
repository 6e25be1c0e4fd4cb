"""Whatever people, actions and data say, nothing pings, nothing forges, nothing breaks: on no surface, in no state."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.kit.agents.shapes import MODEL_TURN, Turn, Wanted
from actions.kit.policies.policy import ChannelMembers, Person, Policy
from actions.kit.records.audit import ANSWER_REFUSED, AuditRecord
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card, Choice, Confirm, Draft, InterruptStatus, Shape
from actions.kit.records.runs import Failure, Hindrance, Stuck
from actions.kit.running.calls import CallRecord, CallStatus
from blocks.card import Message, minimal_card, render_card
from blocks.details import details_view
from blocks.form import answer_view, choose_view, input_view
from blocks.home import Home, home_view
from blocks.home_clicks import Looking
from blocks.home_items import OwnRun
from blocks.life import Life, Missing
from blocks.lives import life_message, mine_message, pending_message
from blocks.notices import render_ending, render_line, render_undeliverable
from blocks.starts import Startable, pick_view, starts_message
from blocks.stuck import stuck_view
from blocks.validate import validate_message, validate_view
from tests.cards import ANN, AT_NINE, BEA, CAI, DAN, STATES, decision, ending_of, spend_request_card
from tests.hostile import dangers, in_mrkdwn, lengthened, nobodys, texts

PEOPLE = frozenset({ANN, BEA, CAI, DAN})
IN_VIEWS = PEOPLE | {"U0BENBROOK"}
"""In a view the person whom data names is mentioned, which calls nobody."""


@cache
def data() -> st.SearchStrategy[Any]:
    single = st.none() | st.booleans() | st.integers() | texts().map(lengthened)
    table = st.lists(st.fixed_dictionaries({"name": texts(2), "n": st.integers()}), min_size=2, max_size=4)
    return st.recursive(
        single | table,
        lambda inner: st.lists(inner, max_size=7) | st.dictionaries(texts(2), inner, max_size=9),
        max_leaves=20,
    )


FORMATS = (
    "date-time",
    "decimal",
    "duration",
    "email",
    "fraction",
    "image",
    "slack-channel",
    "slack-user",
    "uri",
    "\u202e",
)
MEDIA = ("application/json", "image/png", "text/markdown", "text/x-diff", "text/x-python", "<!channel>")


@cache
def schemas() -> st.SearchStrategy[dict[str, Any]]:
    """What an author may have said, or whoever got at the author."""
    said = {"title": texts(3), "description": texts(3), "unit": texts(2), "currency": texts(1)}
    kinds = {"format": st.sampled_from(FORMATS), "contentMediaType": st.sampled_from(MEDIA)}
    single = st.fixed_dictionaries({}, optional={**said, **kinds})
    return st.recursive(
        single,
        lambda inner: st.builds(
            lambda properties, items, own: {
                **own,
                "properties": properties,
                "items": items,
                "additionalProperties": items,
            },
            st.dictionaries(texts(2), inner, max_size=4),
            inner,
            single,
        ),
        max_leaves=8,
    )


def choices() -> st.SearchStrategy[Choice]:
    return st.builds(
        lambda title, words, has_form, declines: Choice(
            key=words[:20] or "k",
            title=title or "k",
            description=words,
            json_schema={
                "type": "object",
                "title": title,
                "properties": {
                    "reason": {"type": "string", "title": words, "description": title, "examples": [words]},
                    "way": {"enum": [words, title, "x"], "title": title},
                    "who": {"type": "string", "format": "slack-user"},
                },
            }
            if has_form
            else {"const": 1},
            has_form=has_form,
            value=None if has_form else 1,
            confirm=Confirm(title=title or "?", text=words or "?", confirm=title or "?", deny=words or "?"),
            declines=declines,
        ),
        texts(3),
        texts(3),
        st.booleans(),
        st.booleans(),
    )


@st.composite
def cards(draw: st.DrawFn) -> Card:
    word = st.one_of(texts(), texts().map(lengthened))
    card = STATES[draw(st.sampled_from(sorted(STATES)))](spend_request_card())
    shape = Shape(choices=tuple(draw(st.lists(choices(), min_size=1, max_size=7, unique_by=lambda each: each.key))))
    deciders = (Person(BEA), ChannelMembers(channel="C0APPROVALS"))
    chosen = draw(st.sampled_from(shape.choices))
    interrupt = replace(
        card.interrupt,
        message=draw(word).strip() or "?",
        shown=json.dumps(draw(data())),
        shown_schema=json.dumps(draw(schemas())) if draw(st.booleans()) else None,
        shape=shape,
        policy=Policy(deciders=deciders, quorum=draw(st.integers(1, 3))),
        settled_by=draw(st.sampled_from([None, BEA]) | nobodys()),
        choice=None if card.interrupt.choice is None else chosen.key,
        answer=None if card.interrupt.choice is None else json.dumps({"reason": draw(word), "who": "U0BENBROOK"}),
        asked_again_because=draw(st.none() | word),
        undeliverable=None if card.interrupt.undeliverable is None else draw(texts(2)),
    )
    run = replace(
        card.run,
        requester=draw(st.just(ANN) | nobodys()),
        action_name=draw(texts(3)).strip() or "?",
        input=json.dumps(draw(data())),
        output=json.dumps(draw(data())),
        failure=Failure(kind=draw(texts(1)), message=draw(word), advice=draw(st.none() | word)),
        marked_by=draw(st.none() | nobodys()),
    )
    given_value = {"reason": draw(word), "way": draw(texts(2)), "who": "U0BENBROOK"}
    votes = [decision(person, chosen.key, given_value, draw(st.none() | word)) for person in (BEA, draw(nobodys()))]
    names = draw(st.dictionaries(st.just("U0BENBROOK"), texts(3), max_size=1))
    return Card(run, interrupt, tuple(votes[: draw(st.integers(0, 2))]), names)


def assert_harmless(message: Message) -> None:
    payload = {"text": message.text} | ({"blocks": message.blocks} if message.blocks else {})
    assert message.text.strip()
    assert validate_message(payload) == []
    assert list(dangers(message.blocks, PEOPLE)) == []
    assert list(in_mrkdwn(message.text, PEOPLE)) == []


def assert_harmless_view(view: dict[str, Any], kind: Any = "modal") -> None:
    assert validate_view(view, kind) == []
    assert list(dangers(view, IN_VIEWS)) == []


SETTINGS = settings(
    max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large], deadline=None
)


@SETTINGS
@given(cards())
def test_cards_and_what_is_told_beside_them(card: Card):
    assert_harmless(render_card(card))
    assert_harmless(render_card(card, images=False))
    assert_harmless(minimal_card(card))
    assert_harmless(render_undeliverable(card, asked_directly=True))
    assert_harmless(render_ending(card.run, ending_of(card), card))
    assert_harmless(render_ending(card.run, ending_of(card), None))
    assert_harmless(render_line(card.interrupt.message, card.run.requester))
    assert_harmless(render_line(card.interrupt.message))


@SETTINGS
@given(cards(), st.integers(0, 3))
def test_windows(card: Card, page: int):
    assert_harmless_view(details_view(card, page=page))
    assert_harmless_view(choose_view(card))
    for choice in card.interrupt.shape.choices:
        if choice.has_form:
            assert_harmless_view(answer_view(card, choice))
            assert_harmless_view(answer_view(card, choice, Draft(), draft_id="0f"))
    name, words = card.run.action_name, card.interrupt.message
    schema = {"type": "object", "properties": {"a": {"type": "string", "title": name, "description": words}}}
    assert_harmless_view(input_view("act", name, words, schema, channel=None, nonce="n"))
    assert_harmless_view(pick_view([Startable("act", name, words)]))
    stuck = [
        Stuck(card.run, why, AT_NINE, detail=words, interrupt_id=card.interrupt.id, question=words) for why in Hindrance
    ]
    assert_harmless_view(stuck_view(stuck, total=9, page=0))


def life_of(card: Card) -> Life:
    """A run in which everything that people, programs and Slack may say is as hostile as the card."""
    words, interrupt = card.interrupt.message, card.interrupt
    told = {"why": words, "choice": words, "shape": {words: [words]}, "places": [words], "where": words}
    trail = [AuditRecord(AT_NINE, card.run.id, interrupt.id, ANSWER_REFUSED, BEA, words, told)] * 3
    call = CallRecord(
        card.run.id, words.replace("/", "") or "x", words, words, "{}", CallStatus.FAILED, 1, 2, AT_NINE, AT_NINE,
        json.dumps(words), Failure(kind=words, message=words, advice=words), BEA,
    )  # fmt: skip
    wanted = [Wanted(call="a", tool=words, arguments={words: words}), Wanted(call="b", tool=words, fault=words)]
    turn = Turn(messages=[], wanted=wanted, text=words, tokens=1)
    calls = (
        replace(call, path=f"{call.path}#2", status=CallStatus.PAUSED, ended_at=None),
        replace(call, path="turn 1", action_id=MODEL_TURN, status=CallStatus.FINISHED, output=turn.model_dump_json()),
        replace(call, path="line 1"),
        call,
    )
    copy = CopyRecord(
        "c", card.run.id, interrupt.id, CopyKind.CARD, None, "failed", 0, 1, 3, channel=words, error=words
    )
    missing = Missing(action=words, answer=True, ui=words, similar=words)
    return Life(card.run, (card,), tuple(trail), calls, (copy,), (replace(card.run, id=words),), missing)


@SETTINGS
@given(cards())
def test_home_and_what_the_command_answers(card: Card):
    waits = replace(card, interrupt=replace(card.interrupt, status=InterruptStatus.PENDING, settled_at=None))
    own = (OwnRun(card.run, card), OwnRun(replace(card.run, id="another")))
    home = Home(
        Looking(),
        waiting=(waits,),
        waiting_total=1,
        asked=own,
        asked_open=1,
        decided=(card,),
        actions=(("act", card.run.action_name), ("other", card.interrupt.message)),
        unsure=("C0APPROVALS", f"#{card.run.action_name}"),
    )
    assert_harmless_view(home_view(home), "home")
    assert_harmless(mine_message("/signoff", home))
    assert_harmless(pending_message(home))
    assert_harmless(life_message(life_of(card), AT_NINE))
    assert_harmless(life_message(life_of(waits), AT_NINE))
    assert_harmless(starts_message("/signoff", [Startable("act", card.run.action_name, card.interrupt.message)], []))
