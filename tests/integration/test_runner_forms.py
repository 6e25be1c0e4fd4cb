"""Forms that change while they are filled in, at the runner: what is on disk when, whose it is, and what comes of races."""

import asyncio
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from actions import Action, ActionInterrupt, Context
from actions.kit.records import Card, Draft, InterruptStatus
from blocks.clicks import AnswerTarget, FormClick, Mark, StartTarget, Submission, Suggestion
from blocks.form import answer_view, form_blocks
from bot.engine import facts
from bot.engine.results import Checking, FieldErrors, OpenForm, OpenInput, Refusal, Settled, Shown
from storage.drafts import KEPT_FOR
from storage.results import Started
from tests.authors import declare, executing
from tests.integration.engine_room import ANN, BEN, RITA, Room, click, engine_room, refused, sources


class Train(BaseModel):
    """On rails."""

    kind: Literal["train"] = "train"
    seat: str


class Car(BaseModel):
    """By road."""

    kind: Literal["car"] = "car"
    plate: str


class Trip(BaseModel):
    """Where to, and how."""

    where: str
    way: Train | Car = Field(discriminator="kind")


class Parts(BaseModel):
    """What is needed."""

    parts: list[Train] = Field(min_length=1, max_length=20)


def asking(resume: Any = Trip) -> Action:
    async def body(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("Where to?")

    return executing(body, resume=resume)


def starting() -> Action:
    async def go(input: Trip, ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Go to {input.where}?")

    return declare(go)


def state(**typed: str) -> dict[str, Any]:
    """What stands in the form of a trip: `way` is the number of the chosen variant, the rest texts."""
    ids = {"where": "field:/where", "seat": "field:/way|0/seat", "plate": "field:/way|1/plate"}
    values: dict[str, Any] = {"field:/way": {"form:variant:field:/way": _option(typed.pop("way", None))}}
    texts = {ids[name]: {"value": {"type": "plain_text_input", "value": text}} for name, text in typed.items()}
    return {**values, **texts}


def _option(value: str | None) -> dict[str, Any]:
    return {"type": "radio_buttons", "selected_option": None if value is None else {"value": value}}


async def opened(room: Room, card: Card, person: str = ANN) -> tuple[AnswerTarget, Mark]:
    key = card.interrupt.shape.choices[0].key
    form = await room.runner.click(click(card, key, person))
    assert isinstance(form, OpenForm)
    assert form.shown.mark
    return AnswerTarget(card.interrupt.id, card.interrupt.content_version, key), form.shown.mark


def pressed(
    target: AnswerTarget | StartTarget,
    mark: Mark,
    values: dict[str, Any],
    *,
    action_id: str = "form:variant:field:/way",
    value: str | None = None,
    person: str = ANN,
    source: str | None = None,
) -> FormClick:
    source = source or f"click:{next(sources)}"
    return FormClick(target, mark, action_id, value, values, person, "V1", "h1", source)


def sent(target: AnswerTarget | StartTarget, mark: Mark, values: dict[str, Any], person: str = ANN) -> Submission:
    return Submission(target, values, person, "V1", "t", f"view:{next(sources)}", mark)


async def draft(room: Room, mark: Mark, person: str = ANN) -> Draft:
    found = await room.store.drafts.find(mark.draft_id, person=person)
    assert found
    return found.draft


def test_the_ids_that_these_stories_type_are_those_of_the_form():
    schema = asking().resume().shape.choices[0].json_schema
    shown = form_blocks(schema, Draft(values=state(way="0")))
    assert {block["block_id"] for block in shown} == set(state(where="", seat=""))


async def test_what_was_typed_is_on_disk_when_a_click_in_the_form_is_acknowledged(tmp_path: Path):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        target, mark = await opened(room, await room.paused(action))
        form = await room.runner.click_in_form(pressed(target, mark, state(where="Kassel", way="1"), value="1"))
        assert isinstance(form, OpenForm)
        kept = await draft(room, mark)
        assert form.shown.draft == kept
        assert kept.values["field:/where"]["value"]["value"] == "Kassel"


async def test_a_form_that_never_changes_needs_no_draft(tmp_path: Path):
    action = asking(Train)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        form = await room.runner.click(click(card, card.interrupt.shape.choices[0].key))
        assert isinstance(form, OpenForm)
        assert form.shown == Shown()


async def test_clicks_at_once_in_several_processes_lose_nothing(tmp_path: Path):
    action = asking(Parts)
    async with engine_room(tmp_path, action) as room, engine_room(tmp_path, action) as another:
        target, mark = await opened(room, await room.paused(action))
        adding = [pressed(target, mark, {}, action_id="form:add:field:/parts", value="add") for _ in range(4)]
        runners = (room.runner, another.runner)
        await asyncio.gather(*(runners[number % 2].click_in_form(each) for number, each in enumerate(adding)))
        kept = await draft(room, mark)
        assert (kept.turn, kept.rows["field:/parts"]) == (4, 5)
        again = await room.runner.click_in_form(adding[0])
        assert isinstance(again, OpenForm)
        assert again.shown.draft == kept


async def test_only_the_newest_form_is_to_be_drawn(tmp_path: Path):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        target, mark = await opened(room, await room.paused(action))
        first = await room.runner.click_in_form(pressed(target, mark, state(way="0"), value="0"))
        assert isinstance(first, OpenForm)
        assert await room.runner.is_newest(first.shown, ANN)
        assert not await room.runner.is_newest(first.shown, BEN)
        await room.runner.submit_answer(sent(target, mark, state(where="", way="0", seat="")))
        assert not await room.runner.is_newest(first.shown, ANN)


@pytest.mark.parametrize("how", ["a click", "a submission"])
async def test_a_draft_of_somebody_else_is_refused(tmp_path: Path, how: str):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        target, mark = await opened(room, await room.paused(action))
        typed = state(where="Kassel", way="0", seat="window")
        if how == "a click":
            told = refused(await room.runner.click_in_form(pressed(target, mark, typed, value="0", person=BEN)))
        else:
            told = refused(await room.runner.submit_answer(sent(target, mark, typed, person=BEN)))
        assert "not kept any more" in told
        assert await draft(room, mark) == Draft()


async def test_a_form_of_one_question_does_not_answer_another(tmp_path: Path):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        _, mark = await opened(room, await room.paused(action))
        other = AnswerTarget("nothing.1", 1, "answer")
        assert "not known here" in refused(await room.runner.click_in_form(pressed(other, mark, {})))
        gone = StartTarget("nothing", None, "n")
        assert "no action" in refused(await room.runner.click_in_form(pressed(gone, mark, {})))


async def test_a_decided_question_is_told_to_whoever_clicks_in_its_form(tmp_path: Path):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        target, mark = await opened(room, card)
        mine, his = await opened(room, card, BEN)
        typed = state(where="Kassel", way="0", seat="window")
        assert isinstance(await room.runner.submit_answer(sent(mine, his, typed, person=BEN)), Settled)
        assert "Already" in refused(await room.runner.click_in_form(pressed(target, mark, typed, value="0")))


async def test_while_slack_tells_nothing_what_was_typed_stays_in_the_form(tmp_path: Path):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        target, mark = await opened(room, await room.paused(action))
        room.people.is_away = True
        errors = await room.runner.submit_answer(sent(target, mark, state(where="Kassel", way="0", seat="window")))
        assert isinstance(errors, FieldErrors)
        assert "Please try again" in errors.problems[0].message


async def test_while_slack_tells_nothing_an_input_stays_in_its_form(tmp_path: Path):
    action = starting()
    async with engine_room(tmp_path, action) as room:
        form = await room.runner.open_input(action.id, RITA, None)
        assert isinstance(form, OpenInput)
        assert form.shown.mark
        typed = state(where="Kassel", way="0", seat="window")
        room.people.is_away = True
        errors = await room.runner.submit_start(sent(form.target, form.shown.mark, typed, person=RITA))
        assert isinstance(errors, FieldErrors)
        room.people.is_away = False
        started = await room.runner.submit_start(sent(form.target, form.shown.mark, typed, person=RITA))
        assert isinstance(started, Started)
        twice = await room.runner.submit_start(sent(form.target, form.shown.mark, typed, person=RITA))
        assert isinstance(twice, Started)
        assert twice.run.id == started.run.id


async def test_a_question_that_was_decided_during_a_late_check_that_fails_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(facts, "PATIENCE", 0.05)
    gate = threading.Event()

    class SlowTrip(Trip):
        @model_validator(mode="after")
        def _asks_somebody(self) -> "SlowTrip":
            if self.where == "Atlantis":
                gate.wait(20)
                raise ValueError("there is no such place")
            return self

    action = asking(SlowTrip)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        target, mark = await opened(room, card)
        _, his = await opened(room, card, BEN)
        late = await room.runner.submit_answer(sent(target, mark, state(where="Atlantis", way="0", seat="w")))
        assert isinstance(late, Checking)
        monkeypatch.setattr(facts, "PATIENCE", 5.0)
        won = await room.runner.submit_answer(sent(target, his, state(where="Kassel", way="0", seat="w"), person=BEN))
        assert isinstance(won, Settled)
        gate.set()
        end = await late.later
        assert isinstance(end, Refusal)
        assert "Already" in end.text


async def test_after_a_late_check_that_fails_the_form_is_given_back_with_what_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(facts, "PATIENCE", 0.05)
    gate = threading.Event()

    class SlowTrain(Train):
        @model_validator(mode="after")
        def _asks_somebody(self) -> "SlowTrain":
            gate.wait(20)
            raise ValueError("there is no such seat")

    action = asking(SlowTrain)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        target = AnswerTarget(card.interrupt.id, card.interrupt.content_version, card.interrupt.shape.choices[0].key)
        typed = {"field:/seat": {"value": {"type": "plain_text_input", "value": "window"}}}
        late = await room.runner.submit_answer(Submission(target, typed, ANN, "V1", "t", "view:1"))
        assert isinstance(late, Checking)
        gate.set()
        form = await late.later
        assert isinstance(form, OpenForm)
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING
        view = answer_view(form.card, form.choice, form.shown.draft, problems=form.shown.problems)
    (field,) = [block for block in view["blocks"] if block["type"] == "input"]
    assert field["element"]["initial_value"] == "window"
    assert any("there is no such seat" in str(block) for block in view["blocks"])


async def test_options_come_from_what_is_stored_and_from_nothing_that_is_unknown(tmp_path: Path):
    towns = [f"Town {number}" for number in range(300)]
    action = asking({"type": "object", "properties": {"town": {"enum": towns}}, "required": ["town"]})
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        target = AnswerTarget(card.interrupt.id, card.interrupt.content_version, card.interrupt.shape.choices[0].key)

        async def found(where: AnswerTarget | StartTarget, block: str, typed: str) -> list[str]:
            asked = Suggestion(where, None, block, typed, {}, ANN)
            return [option["text"]["text"] for option in await room.runner.suggest(asked)]

        assert (await found(target, "field:/town", "299"))[0] == "Town 299"
        assert await found(target, "field:/country", "299") == []
        assert await found(AnswerTarget("nothing.1", 1, "answer"), "field:/town", "299") == []
        assert await found(StartTarget("nothing", None, "n"), "field:/town", "299") == []
        await room.runner.cancel(card.run.id, RITA)
        assert await found(target, "field:/town", "299") == []


async def test_drafts_that_nobody_touched_for_a_day_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    action = asking()
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        for _ in range(3):
            await opened(room, card)
        assert await room.runner.forget() == 0
        monkeypatch.setattr("bot.engine.runner.SWEEP", 2)
        room.clock.ahead = KEPT_FOR + timedelta(minutes=1)
        assert await room.runner.forget() == 3
        assert await room.runner.forget() == 0
