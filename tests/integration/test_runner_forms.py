"""Forms that change while they are filled in, at the runner: what is on disk when, whose it is, and what comes of races."""

import asyncio
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from actions import Action, ActionInterrupt, Context
from actions.kit.records.interrupts import Card, Draft, InterruptStatus
from blocks.clicks import AnswerTarget, FormClick, Mark, StartTarget, Submission, Suggestion
from blocks.form import answer_view, form_blocks, planned
from blocks.forms.planning import _formed
from blocks.validate import validate_view
from bot.engine import facts
from bot.engine.results import Checking, FieldErrors, OpenForm, OpenInput, Refusal, Settled
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


class Short(BaseModel):
    """Where to, in few words."""

    where: str
    seat: str


class Notes(BaseModel):
    """Many fields."""

    note_1: str | None = None
    note_2: str | None = None
    note_3: str | None = None
    note_4: str | None = None
    note_5: str | None = None
    note_6: str | None = None
    note_7: str | None = None
    note_8: str | None = None
    note_9: str | None = None
    note_10: str | None = None
    note_11: str | None = None
    note_12: str | None = None


class Long(Notes):
    """So many fields that they take several steps; what is given stands in the first and in the last."""

    more: Notes | None = None
    town: Literal["Kiel", "Bonn"] = "Kiel"
    days: int = 1
    link: str | None = None


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
        assert form.shown.mark is None


class Longer(BaseModel):
    """The same trip, after somebody changed the code."""

    where: str = Field(max_length=20)
    seat: str
    why: str


@pytest.mark.parametrize("later", [Longer, Trip])
async def test_a_form_whose_action_asks_for_more_by_now_is_shown_as_it_is_with_what_was_typed(
    tmp_path: Path, later: type[BaseModel]
):
    async def go(input: Any, ctx: Context) -> None: ...

    go.__annotations__["input"] = Short
    before = declare(go)
    go.__annotations__["input"] = later
    after = declare(go)
    typed = {"field:/where": {"value": {"value": "Kassel"}}, "field:/seat": {"value": {"value": "window"}}}
    async with engine_room(tmp_path, before) as room:
        form = await room.runner.open_input(before.id, RITA, None)
        assert isinstance(form, OpenInput)
        assert form.shown.mark is None
    async with engine_room(tmp_path, after) as room:
        sending = Submission(form.target, typed, RITA, "V1", "t", "view:1", None)
        shown = await room.runner.submit_start(sending)
        assert isinstance(shown, OpenInput)
        assert "changed while it was sent" in shown.shown.problems[0].message
        assert (shown.shown.mark is None) == (later is Longer)
        assert shown.shown.draft
        assert shown.shown.draft.values["field:/where"] == typed["field:/where"]


async def test_a_field_that_may_be_left_empty_and_is_new_since_the_form_was_opened_is_left_empty(tmp_path: Path):
    async def go(input: Notes, ctx: Context) -> None: ...

    action = declare(go)
    typed = {"field:/note_1": {"value": {"value": "said"}}}
    async with engine_room(tmp_path, action) as room:
        sending = Submission(StartTarget(action.id, None, "n"), typed, RITA, "V1", "t", "view:1", None)
        started = await room.runner.submit_start(sending)
        assert isinstance(started, Started)
        assert '"note_1":"said","note_2":null' in started.run.input


async def test_a_form_opens_with_what_is_given_in_a_later_step_too(tmp_path: Path):
    async def go(input: Long, ctx: Context) -> None: ...

    action = declare(go)

    async def given() -> dict[str, Any]:
        return {"link": "https://example.com/", "note_1": "said", "town": "Bonn", "days": "many", "unknown": 1}

    async with engine_room(tmp_path, action) as room:
        form = await room.runner.open_input(action.id, RITA, None, given=given())
        assert isinstance(form, OpenInput)
        assert form.shown.mark
        kept = await draft(room, form.shown.mark, RITA)
        assert kept.values == {
            "field:/link": {"value": {"value": "https://example.com/"}},
            "field:/note_1": {"value": {"value": "said"}},
            "field:/town": {"value": {"selected_option": {"value": "1"}}},
        }
        further = form_blocks(action.input_schema, kept.model_copy(update={"step": 1}))
        (link,) = (block for block in further if block["block_id"] == "field:/link")
        assert link["element"]["initial_value"] == "https://example.com/"


async def test_everything_that_is_wrong_with_a_form_is_told_at_once(tmp_path: Path):
    action = asking(Longer)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        target = AnswerTarget(card.interrupt.id, card.interrupt.content_version, card.interrupt.shape.choices[0].key)
        typed = {"where": "x" * 21, "seat": None, "why": "because"}
        values = {f"field:/{name}": {"value": {"value": text}} for name, text in typed.items()}
        errors = await room.runner.submit_answer(Submission(target, values, ANN, "V1", "t", "view:1", None))
        assert isinstance(errors, FieldErrors)
        assert [(problem.path, problem.message) for problem in errors.problems] == [
            (("seat",), "is required"),
            (("where",), "must have at most 20 characters"),
        ]


async def test_more_than_a_window_holds_is_refused_and_what_was_kept_before_stays(tmp_path: Path):
    action = asking(Parts)
    async with engine_room(tmp_path, action) as room:
        target, mark = await opened(room, await room.paused(action))
        add = {"action_id": "form:add:field:/parts", "value": "add"}
        for _ in range(14):
            await room.runner.click_in_form(pressed(target, mark, {}, **add))
        rows = {f"field:/parts/{number}/seat": {"value": {"value": "座" * 3_000}} for number in range(15)}
        form = await room.runner.click_in_form(pressed(target, mark, rows, **add))
        assert isinstance(form, OpenForm)
        assert "more than a form can keep" in form.shown.problems[0].message
        assert (await draft(room, mark)).values == {}
        fewer = dict(list(rows.items())[:9])
        form = await room.runner.click_in_form(pressed(target, mark, fewer, **add))
        assert isinstance(form, OpenForm)
        assert form.shown.problems == ()
        view = answer_view(form.card, form.choice, form.shown.draft, draft_id=str(form.shown.mark))
        assert validate_view(view) == []


async def test_the_forms_of_all_actions_are_planned_when_the_bot_starts(tmp_path: Path):
    schema = {"type": "object", "properties": {"planned_at_the_start": {"type": "string"}}}
    _formed.cache_clear()
    async with engine_room(tmp_path, asking(schema)) as room:
        await room.eventually(_planned_something)
        before = _formed.cache_info().misses
        planned(asking(schema).resume().shape.choices[0].json_schema)
        assert _formed.cache_info().misses == before


async def _planned_something() -> bool | None:
    return _formed.cache_info().currsize > 1 or None


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

        async def found(where: AnswerTarget | StartTarget, block: str, typed: str, who: str = ANN) -> list[str]:
            asked = Suggestion(where, block, typed, who)
            return [option["text"]["text"] for option in await room.runner.suggest(asked)]

        assert (await found(target, "field:/town", "299"))[0] == "Town 299"
        assert await found(target, "field:/country", "299") == []
        assert await found(AnswerTarget("nothing.1", 1, "answer"), "field:/town", "299") == []
        assert await found(StartTarget("nothing", None, "n"), "field:/town", "299") == []
        assert await found(target, "field:/town", "299", "U0NOBODY") == []
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
