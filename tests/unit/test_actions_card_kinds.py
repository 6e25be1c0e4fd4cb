"""Kinds of cards: found by their `ui`, checked at start-up, with answers that take what is shown."""

import json
import re
import time
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel, Field

from actions import ActionInterrupt, Answer, Context
from actions.kit.action import ActionError
from actions.kit.cards import CardKind, answers_by_name, kind_of, kinds
from actions.kit.cards.write_code import Cancel, EditAndRun, Run
from actions.kit.errors import AnswerError, ShapeError
from actions.kit.request import knows
from actions.kit.shapes.answers import Resume
from actions.testing import run
from bot.engine.questions import asked_again, still_fits
from tests.authors import declare, executing
from tests.cards import spend_request_card

CODE = 'print("hello")\n'


async def asks_by_raising(ctx: Context) -> Any:
    if ctx.resumption is None:
        raise ActionInterrupt("Run this?", {"code": CODE}, ui="write_code")
    return ctx.resumption.data


async def asks_by_asking(ctx: Context) -> Any:
    return await ctx.ask("Run this?", {"code": CODE}, ui="write_code")


ROUTES = pytest.mark.parametrize("body", [asks_by_raising, asks_by_asking])


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.ui)
def test_every_kind_can_be_asked_and_says_so_to_people_and_models(kind: CardKind):
    assert kind_of(kind.ui) is not None
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", kind.ui)
    assert all((kind.name, kind.description, kind.for_models))
    assert kind.answer is None or kind.resume.shape.choices
    assert kind.data is None or kind.data_schema


@pytest.mark.parametrize("ui", ["hologram", "kind", "../kind", "", None])
def test_what_is_no_kind_is_none(ui):
    assert kind_of(ui) is None


@ROUTES
async def test_a_pause_of_a_kind_takes_the_answers_of_that_kind(body):
    action = executing(body)
    paused = await run(action, {})
    assert (paused.choices, paused.request.resume) == (("run", "edit_and_run", "cancel"), "ui:write_code")
    assert knows(action, paused.request)
    assert "ui:write_code" not in action.resume_names


@ROUTES
async def test_each_answer_of_a_kind_comes_back_as_its_type(body):
    paused = await run(executing(body), {})
    assert (await paused.answer("run")).output == Run(code=CODE).model_dump()
    assert (await paused.answer("edit_and_run", code="print(1)")).output == EditAndRun(code="print(1)").model_dump()
    assert (await paused.answer("cancel")).output == Cancel().model_dump()


async def test_an_action_that_names_a_kind_takes_its_answers_from_the_start():
    async def body(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("Run this?", {"code": CODE})
        return ctx.resumption.data.code

    action = executing(body, ui="write_code", on_expiry=Answer(choice="run"), expires_in=timedelta(minutes=1))
    assert [choice.key for choice in action.resume().shape.choices] == ["run", "edit_and_run", "cancel"]
    paused = await run(action, {})
    assert paused.request.on_expiry == Answer(choice="run", value={"action": "run", "code": CODE})
    assert (await paused.expire()).output == CODE


async def test_what_the_author_declares_counts_more_than_the_kind():
    async def body(ctx: Context) -> Any:
        raise ActionInterrupt("Run this?", {"code": CODE}, ui="write_code", resume="size")

    assert (await run(executing(body, resumes={"size": int}), {})).choices == ("answer",)
    assert executing(body, ui="write_code", resume=bool).resume().shape.choices[0].key == "yes"


def test_a_kind_that_an_action_names_and_nobody_made_is_refused():
    async def body(ctx: Context) -> None:
        """Never executed."""

    with pytest.raises(ActionError, match=r"action 'tried': ui='hologram' is no kind of card; there are: .*write_code"):
        executing(body, ui="hologram")


async def test_a_kind_that_comes_up_later_and_nobody_made_can_be_answered():
    async def body(ctx: Context) -> Any:
        return type(await ctx.ask("Beam me up?", {"to": "Enterprise"}, ui="hologram")).__name__

    paused = await run(executing(body), {})
    assert (paused.request.ui, paused.choices) == ("hologram", ("approve", "reject"))
    assert (await paused.answer("approve")).output == "Approve"


@pytest.mark.parametrize("data", [{}, {"code": ""}, {"code": 3}, "print(1)", ["print(1)"]])
async def test_data_that_a_kind_cannot_show_fails_the_run_and_says_what_is_wrong(data):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Run this?", data, ui="write_code")

    failure = (await run(executing(body), {})).failure
    assert failure.kind == "bad_pause"
    assert "ui='write_code' cannot show this data: " in failure.message


async def test_a_kind_may_show_the_input_and_more_than_it_knows():
    class Asked(BaseModel):
        code: str
        why: str

    async def body(input: Asked, ctx: Context) -> Any:
        raise ActionInterrupt("Run this?", ui="write_code")

    paused = await run(declare(body), {"code": CODE, "why": "You asked for it"})
    assert paused.shown == {"code": CODE, "why": "You asked for it"}


def test_the_answers_of_a_kind_that_is_gone_are_none():
    assert answers_by_name("ui:hologram") is None
    assert answers_by_name("write_code") is None


class Take(BaseModel):
    """Takes an order as it is shown."""

    uid: str = Field(json_schema_extra={"shown": "order.uid"})
    price: float = Field(json_schema_extra={"shown": "price"})
    note: str | None = Field(None, json_schema_extra={"shown": "note"})


class Haggle(BaseModel):
    """Offers another price for it."""

    uid: str = Field(json_schema_extra={"shown": "order.uid"})
    offer: float = Field(gt=0, json_schema_extra={"shown": "price", "edit": True})


def shown(text: str = '{"order": {"uid": "o-1"}, "price": 12.5}') -> Resume:
    return Resume.of(Take | Haggle).as_shown(text)


def test_a_choice_of_what_is_shown_alone_is_a_button_with_its_whole_value():
    choice = shown().shape.choice("take")
    assert choice is not None
    assert (choice.has_form, choice.value) == (False, {"uid": "o-1", "price": 12.5, "note": None})


def test_a_field_that_can_be_edited_starts_as_what_is_shown():
    choice = shown().shape.choice("haggle")
    assert choice is not None
    assert choice.has_form
    assert choice.json_schema["properties"]["offer"]["default"] == 12.5
    (unknown,) = Resume.of(Haggle).as_shown('{"order": {"uid": "o-1"}}').shape.choices
    assert "default" not in unknown.json_schema["properties"]["offer"]


def test_what_is_shown_may_be_left_out_of_an_answer():
    given = Resume.of_shape(shown().shape)
    for resume in (shown(), given):
        assert resume.restore("haggle", resume.validate("haggle", {"offer": 10}))
        assert resume.validate("take") == resume.validate("take", {"uid": "o-1", "price": 12.5})
    assert shown().restore("haggle", shown().validate("haggle", {"offer": 10})) == Haggle(uid="o-1", offer=10)


@pytest.mark.parametrize(
    ("choice", "value"), [("take", {"uid": "o-2", "price": 12.5}), ("haggle", {"uid": 1, "offer": 1})]
)
def test_what_is_shown_cannot_be_answered_otherwise(choice, value):
    with pytest.raises(AnswerError, match="uid is not what is shown; leave it out"):
        shown().validate(choice, value)


@pytest.mark.parametrize("text", ["{}", "null", '{"order": "o-1", "price": 1}'])
def test_what_is_not_shown_cannot_be_taken(text):
    with pytest.raises(ShapeError, match=r"uid is taken from what is shown, which has no 'order.uid'"):
        shown(text)


async def test_a_pause_that_does_not_show_what_its_answer_takes_fails_the_run():
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Take it?", {"price": 1}, resume=Take)

    failure = (await run(executing(body, resumes={"take": Take}), {})).failure
    assert "what can be answered does not fit what is shown: uid is taken from" in failure.message


class Retyped(BaseModel):
    name: str = Field(json_schema_extra={"shown": "name", "retype": True})


def test_what_has_to_be_retyped_is_taken_only_as_it_is_shown():
    resume = Resume.of(Retyped).as_shown('{"name": "orders (old)"}')
    assert resume.validate("answer", {"name": "orders (old)"})
    for wrong in ("orders", "orders (old) ", "Orders (old)", "orders old"):
        with pytest.raises(AnswerError, match="name"):
            resume.validate("answer", {"name": wrong})


class Picked(BaseModel):
    chosen: str | list[str] = Field(json_schema_extra={"shown": "options", "options": "several"})


def test_one_is_chosen_of_what_is_shown_or_several():
    one = Resume.of(Picked).as_shown('{"options": ["a", {"value": "b", "title": "Bee"}]}')
    assert one.validate("answer", {"chosen": "b"}) == '{"chosen":"b"}'
    several = Resume.of(Picked).as_shown('{"options": ["a", "b"], "several": true}')
    assert several.validate("answer", {"chosen": ["a", "b"]}) == '{"chosen":["a","b"]}'
    for resume, wrong in (
        (one, "c"),
        (one, ["a"]),
        (several, "a"),
        (several, []),
        (several, ["a", "a"]),
        (several, ["c"]),
    ):
        with pytest.raises(AnswerError, match=r"chosen must be .* option"):
            resume.validate("answer", {"chosen": wrong})


class Filled(BaseModel, title="Send", extra="allow", json_schema_extra={"shown": "schema", "edit": "values"}):
    """A form that the data brings."""


def test_a_form_may_be_shown():
    text = '{"schema": {"properties": {"size": {"type": "integer"}}, "required": ["size"]}, "values": {"size": 3}}'
    resume = Resume.of(Filled).as_shown(text)
    (choice,) = resume.shape.choices
    assert choice.json_schema["properties"]["size"] == {"type": "integer", "default": 3}
    assert resume.restore(choice.key, resume.validate(choice.key, {"size": 4})) == {"size": 4}
    with pytest.raises(AnswerError):
        resume.validate(choice.key, {"size": "four"})
    with pytest.raises(ShapeError):
        Resume.of(Filled).as_shown("{}")


async def test_what_the_author_says_of_the_data_is_told_beside_what_the_kind_says_of_it():
    class Named(BaseModel):
        code: str = Field(title="The whole script")

    async def described(data: Any) -> dict[str, Any]:
        async def body(ctx: Context) -> None:
            raise ActionInterrupt("Run this?", data, ui="write_code")

        schema = (await run(executing(body), {})).request.shown_schema
        assert schema is not None
        entries: dict[str, Any] = json.loads(schema)["properties"]
        return entries

    plain = await described({"code": CODE, "why": timedelta(hours=1)})
    assert (plain["code"]["contentMediaType"], plain["why"]["format"]) == ("text/x-python", "duration")
    assert (await described(Named(code=CODE)))["code"]["title"] == "The whole script"


@pytest.mark.parametrize(
    "hostile",
    [
        {"properties": {"name": {"type": "string", "pattern": "(a+)+(?=b)$"}}},
        {"properties": {"name": {"type": "string", "description": "x" * 70_000}}},
        {"type": "nonsense"},
        {"properties": {"password": {"type": "string", "format": "password"}}},
    ],
)
def test_a_form_that_is_shown_cannot_be_hostile(hostile: dict[str, Any]):
    with pytest.raises(ShapeError):
        Resume.of(Filled).as_shown(json.dumps({"schema": hostile}))


def test_thousands_of_options_are_checked_at_once():
    options = [str(number) for number in range(5_000)]
    resume = Resume.of(Picked).as_shown(json.dumps({"options": options, "several": True}))
    begin = time.process_time()
    resume.validate("answer", {"chosen": options})
    with pytest.raises(AnswerError):
        resume.validate("answer", {"chosen": [*options, "5000"]})
    assert time.process_time() - begin < 1


async def test_a_question_of_a_kind_stays_while_its_kind_does(monkeypatch: pytest.MonkeyPatch):
    action = executing(asks_by_raising)
    asked = (await run(action, {})).request
    card = spend_request_card()
    stored = replace(
        card.interrupt, resume=asked.resume, shape=asked.shape, shown=asked.shown, fingerprint=asked.fingerprint
    )
    assert still_fits(action, card.run, stored)
    monkeypatch.setattr("actions.kit.cards._modules", set)
    assert not knows(action, stored)
    assert not still_fits(action, card.run, stored)
    assert asked_again(action, stored) is None
