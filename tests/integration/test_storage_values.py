"""What is stored comes back as it was: text byte for byte, and values through the types that wrote them."""

import json
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, TypeAdapter

from actions.kit.policies.deciders import DirectMessage, Person, Policy, Requester
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import (
    Answer,
    Choice,
    Confirm,
    Decline,
    Expire,
    InterruptRecord,
    InterruptStatus,
    Shape,
)
from actions.kit.records.runs import Failure, Origin, RunStatus
from storage import rows
from storage.ids import interrupt_id, new_copy_id, new_run_id, run_of
from tests.integration.scenes import ANA, BEN, ME, NOW, SECOND, Scene, question

TEXTS = [
    '{"z": 1, "a": {"c": 2, "b": 3}}',
    "-0.0",
    "[0.1, -0.0, 1e400, 1E5, 5.00, 0.30000000000000004]",
    "123456789012345678901234567890",
    '"\\u0000 \\ud83d\\ude00 é 𝄞 \\u202e"',
    '{"a": 1, "a": 2}',
    "null",
    "false",
    '""',
    "[]",
    "{}",
]


class Currency(Enum):
    EURO = "EUR"


class Line(BaseModel):
    amount: Decimal
    currency: Currency


class Order(BaseModel):
    id: UUID
    due: datetime
    wait: timedelta
    lines: list[Line]
    parent: "Order | None" = None


@pytest.mark.parametrize("text", TEXTS)
async def test_json_text_comes_back_byte_for_byte_everywhere(scene: Scene, text: str):
    run = await scene.running(text=text)
    interrupt = await scene.asked(run, data=text, shown=text, state=text)
    await scene.vote(interrupt.id, value=text)
    claimed = await scene.claimed()
    await scene.store.finish(run.id, claimed.run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output=text, now=NOW)
    card = await scene.card(interrupt.id)
    stored = card.interrupt
    assert [stored.data, stored.shown, stored.state, stored.answer, card.decisions[0].value] == [text] * 5
    assert [card.run.input, card.run.output] == [text] * 2


async def test_models_come_back_through_their_types(scene: Scene):
    line = Line(amount=Decimal("0.10"), currency=Currency.EURO)
    inner = Order(id=UUID(int=7), due=NOW, wait=timedelta(days=3, microseconds=1), lines=[])
    order = Order(
        id=UUID(int=8),
        due=datetime(2026, 1, 1, tzinfo=timezone(5 * 60 * SECOND)),
        wait=SECOND,
        lines=[line],
        parent=inner,
    )
    interrupt = await scene.asked(state=order.model_dump_json())
    restored = TypeAdapter(Order).validate_json((await scene.card(interrupt.id)).interrupt.state or "")
    assert restored == order
    assert str(restored.lines[0].amount) == "0.10"


async def test_a_run_comes_back_as_it_was_started(scene: Scene):
    origin = Origin(via="http", channel="C0APP")
    run = await scene.running(origin=origin)
    assert await scene.run(run.id) == run
    failure = Failure(kind="ValueError", message='it\'s "broken" <!channel>', advice="look")
    finished = await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.FAILED, failure=failure, now=NOW)
    assert finished == await scene.run(run.id)


async def test_times_come_back_aware_in_utc_and_to_the_microsecond(scene: Scene):
    now = datetime(2026, 3, 29, 2, 30, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
    run = await scene.running(now=now)
    stored = await scene.run(run.id)
    assert (stored.created_at, stored.created_at.tzinfo) == (now, UTC)


@pytest.mark.parametrize("on_expiry", [Expire(), Decline(), Answer(choice="yes", value={"b": -0.0, "a": [10**30]})])
async def test_an_interrupt_comes_back_as_it_was_asked(scene: Scene, on_expiry):
    choice = Choice(
        key="refund",
        title="Refund",
        description="All of it",
        json_schema={"type": "object", "properties": {"z": {"type": "number"}, "a": {}}},
        has_form=True,
        style="danger",
        confirm=Confirm(title="Sure?", text="It is final."),
        declines=True,
    )
    policy = Policy(deciders=(Person(email="manager@example.com"), Requester()), quorum=2, declines_at=2)
    about = '{"type":"object","properties":{"z":{"unit":"ms"},"a":{}}}'
    values = {"shape": Shape(choices=(choice,)), "policy": policy, "on_expiry": on_expiry, "ui": "spend"}
    values |= {"shown_schema": about}
    asked = await scene.asked(**values, resume="pick", expires_in=timedelta(days=400, microseconds=7), call_path="a/b")
    stored = (await scene.card(asked.id)).interrupt
    assert stored == asked
    assert stored.shown_schema == about
    assert list(stored.shape.choices[0].json_schema["properties"]) == ["z", "a"]


async def test_a_copy_comes_back_as_it_was_wanted(scene: Scene):
    place = DirectMessage(person=Person(id=BEN))
    interrupt = await scene.asked(places=[place])
    await scene.store.report(interrupt.run_id, "half way: <@U0EVE> & co", now=NOW)
    card, line = await scene.store.copies(interrupt.run_id)
    assert (card.kind, card.place, card.status, card.interrupt_id) == (CopyKind.CARD, place, "wanted", interrupt.id)
    assert (line.kind, line.place, line.text) == (CopyKind.LINE, None, "half way: <@U0EVE> & co")


async def test_a_decision_comes_back_as_it_was_made(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, value='{"b": 1, "a": 2}', note="fine *by me*", now=NOW + SECOND)
    [decision] = (await scene.card(interrupt.id)).decisions
    assert (decision.person, decision.choice, decision.at) == (ANA, "yes", NOW + SECOND)
    assert (decision.value, decision.note, decision.source) == ('{"b": 1, "a": 2}', "fine *by me*", f"click of {ANA}")


@given(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=100_000)))
def test_any_time_to_answer_survives_its_column(expires_in: timedelta):
    request = question(expires_in=expires_in)
    values = rows.interrupt_values(
        InterruptRecord(
            **rows.request_values(request),
            id="r.1",
            run_id="r",
            number=1,
            status=InterruptStatus.PENDING,
            content_version=1,
            created_at=NOW,
        )
    )
    assert values["expires_in"] * rows.MICROSECOND == expires_in
    assert isinstance(json.loads(values["shape"]), dict)


def test_ids_sort_by_time_and_tell_their_run():
    ids = [new_run_id(NOW + number * SECOND / 1000) for number in range(100)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 100
    assert run_of(interrupt_id(ids[0], 3)) == run_of(new_copy_id(ids[0])) == run_of(ids[0]) == ids[0]
