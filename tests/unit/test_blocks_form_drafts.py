"""Forms that change while they are filled in: unions, rows of a list, steps with a way back; nothing typed is lost."""

import json
from dataclasses import replace
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Choice, Draft
from actions.kit.shapes.typed import typed
from blocks.form import (
    BACK,
    answer_view,
    field_errors,
    form_blocks,
    input_view,
    is_outdated,
    kept,
    next_step,
    read_form,
    read_step,
    step_of,
    suggestions,
    turned,
)
from blocks.validate import validate_view
from blocks.values import BENEATH
from tests.cards import spend_request_card
from tests.filling import Values, text
from tests.form_person import filled_in, labels_of, view_of


class Mail(BaseModel):
    """By mail."""

    kind: Literal["mail"] = "mail"
    to: str = Field(min_length=3)


class Phone(BaseModel):
    kind: Literal["phone"] = "phone"
    number: str
    ring: int = 3


class Contact(BaseModel):
    name: str
    reach: Annotated[Mail | Phone, Field(discriminator="kind")]


CONTACT = typed(Contact).json_schema
REACH = "form:variant:field:/reach"


def press(schema: dict[str, Any], draft: Draft, action_id: str, value: str | None, **typed_in: str) -> Draft:
    values: Values = {f"field:{key}": {"value": text(entered)} for key, entered in typed_in.items()}
    return turned(schema, draft, action_id, value, values)


def initial_of(schema: dict[str, Any], draft: Draft) -> dict[str, Any]:
    return {
        block["block_id"]: block["element"].get("initial_value")
        for block in form_blocks(schema, draft)
        if block["type"] == "input" and "value" in block["element"]["action_id"]
    }


# Unions.


def test_a_union_is_a_select_that_redraws_the_form_and_shows_only_what_was_chosen():
    (_, selector) = form_blocks(CONTACT)
    assert (selector["dispatch_action"], selector["element"]["action_id"]) == (True, REACH)
    assert labels_of(CONTACT) == ["Name", "Reach"]
    mail = press(CONTACT, Draft(), REACH, "0")
    assert labels_of(CONTACT, mail) == ["Name", "Reach", f"Reach{BENEATH}Mail{BENEATH}To"]
    phone = press(CONTACT, mail, REACH, "1")
    assert labels_of(CONTACT, phone)[2:] == [f"Reach{BENEATH}Phone{BENEATH}Number", f"Reach{BENEATH}Phone{BENEATH}Ring"]


def test_what_was_typed_into_another_variant_comes_back_with_it():
    draft = press(CONTACT, Draft(), REACH, "0")
    draft = turned(
        CONTACT, draft, REACH, "1", {"field:/name": {"value": text("Ann")}, "field:/reach|0/to": {"value": text("a@b")}}
    )
    assert "field:/reach|0/to" not in initial_of(CONTACT, draft)
    draft = press(CONTACT, draft, REACH, "0")
    assert initial_of(CONTACT, draft) == {"field:/name": "Ann", "field:/reach|0/to": "a@b"}
    assert read_form(CONTACT, draft.values).value == {"name": "Ann", "reach": {"kind": "mail", "to": "a@b"}}


def test_a_union_opens_at_its_default():
    class Preset(BaseModel):
        reach: Mail | Phone = Phone(number="1")

    schema = typed(Preset).json_schema
    assert labels_of(schema) == ["Reach", f"Reach{BENEATH}Phone{BENEATH}Number", f"Reach{BENEATH}Phone{BENEATH}Ring"]
    assert initial_of(schema, Draft())["field:/reach|1/number"] == "1"


def test_a_view_that_does_not_show_what_was_chosen_last_is_known_as_outdated():
    values: Values = {
        "field:/name": {"value": text("Ann")},
        "field:/reach": {REACH: {"selected_option": {"value": "0"}}},
    }
    assert is_outdated(CONTACT, Draft(), values)
    problems = read_form(CONTACT, values).problems
    assert field_errors(CONTACT, problems, values).keys() <= values.keys()
    assert not is_outdated(CONTACT, Draft(), {**values, "field:/reach|0/to": {}})


def test_a_variant_that_was_never_there_is_no_variant():
    draft = press(CONTACT, Draft(), REACH, "7")
    assert labels_of(CONTACT, draft) == ["Name", "Reach"]
    (problem,) = read_form(CONTACT, {**draft.values, "field:/name": {"value": text("Ann")}}).problems
    assert (problem.path, problem.message) == (("reach",), "is not one of the options")


@pytest.mark.parametrize(
    ("reach", "said"),
    [
        ({"kind": "mail"}, "reach.to is required"),
        ({"kind": "mail", "to": "a@b", "number": "1"}, "reach.number is not known here"),
        ({"kind": "fax", "to": "a@b"}, "reach must say its kind in kind, one of: mail, phone"),
        ({"to": "a@b"}, "reach must say its kind in kind"),
    ],
)
def test_a_variant_with_a_key_too_few_or_too_many_or_without_its_tag_is_refused_by_name(reach: Any, said: str):
    with pytest.raises(AnswerError) as caught:
        typed(Contact).validate({"name": "Ann", "reach": reach})
    assert str(caught.value) == said


def test_what_does_not_fit_a_variant_lands_on_its_field():
    draft = press(CONTACT, Draft(), REACH, "0")
    values: Values = {**draft.values, "field:/name": {"value": text("Ann")}, "field:/reach|0/to": {"value": text("a")}}
    with pytest.raises(AnswerError) as caught:
        typed(Contact).validate(read_form(CONTACT, values).value)
    errors = field_errors(CONTACT, caught.value.problems, values, draft=kept(draft, values))
    assert errors == {"field:/reach|0/to": "must have at least 3 characters"}


# Rows.


class Line(BaseModel):
    what: str
    count: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _is_not_everything(self) -> "Line":
        if self.what == "everything":
            raise ValueError("cannot be ordered")
        return self


class Order(BaseModel):
    lines: list[Line] = Field(min_length=1, max_length=4, description="What to buy")


ORDER = typed(Order).json_schema
ADD, REMOVE = "form:add:field:/lines", "form:remove:field:/lines"


def line_labels(*numbers: int) -> list[str]:
    return [label for number in numbers for label in (f"Lines {number}{BENEATH}What", f"Lines {number}{BENEATH}Count")]


def test_a_list_of_models_has_a_row_each_as_many_as_are_needed_at_first():
    blocks = form_blocks(ORDER)
    assert [block["type"] for block in blocks] == ["section", "section", "input", "input", "actions"]
    assert blocks[0]["text"]["text"] == "*Lines*\nWhat to buy · 1 to 4 entries"
    assert labels_of(ORDER) == line_labels(1)


def test_rows_are_added_until_the_list_is_full():
    draft = Draft()
    for _ in range(6):
        draft = press(ORDER, draft, ADD, "add")
    assert labels_of(ORDER, draft) == line_labels(1, 2, 3, 4)
    assert "actions" not in [block["type"] for block in form_blocks(ORDER, draft)]


def test_a_row_that_is_removed_takes_its_values_along_and_the_others_keep_theirs():
    draft = press(ORDER, press(ORDER, Draft(), ADD, "add"), ADD, "add")
    filled: Values = {f"field:/lines/{number}/what": {"value": text(f"w{number}")} for number in range(3)}
    draft = turned(ORDER, draft, REMOVE, "1", filled)
    assert labels_of(ORDER, draft) == line_labels(1, 2)
    shown = initial_of(ORDER, draft)
    assert [shown["field:/lines/0/what"], shown["field:/lines/2/what"]] == ["w0", "w2"]
    again = press(ORDER, draft, ADD, "add")
    assert initial_of(ORDER, again)["field:/lines/3/what"] is None
    assert "field:/lines/1/what" not in again.values


@pytest.mark.parametrize("value", [None, "9", "x", "-1", "0x1"])
def test_a_row_that_is_not_there_cannot_be_removed(value: str | None):
    assert labels_of(ORDER, press(ORDER, Draft(), REMOVE, value)) == line_labels(1)


def test_adding_and_removing_has_an_end():
    draft = Draft()
    for number in range(150):
        draft = press(ORDER, press(ORDER, draft, ADD, "add"), REMOVE, str(number))
    assert len(draft.rows) < 150
    view_of(ORDER, draft)


def test_the_authors_own_check_of_a_row_lands_in_that_row():
    value = {"lines": [{"what": "a", "count": 1}, {"what": "everything", "count": 2}]}
    draft = filled_in(ORDER, value)
    with pytest.raises(AnswerError) as caught:
        typed(Order).validate(read_form(ORDER, draft.values, rows=draft.rows).value)
    errors = field_errors(ORDER, caught.value.problems, draft.values, draft=draft)
    assert errors == {"field:/lines/1/what": "entry 2: cannot be ordered"}


def test_a_problem_of_a_row_follows_it_when_one_before_it_was_removed():
    draft = filled_in(ORDER, {"lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}]})
    draft = press(ORDER, draft, REMOVE, "0")
    assert read_form(ORDER, draft.values, rows=draft.rows).value == {"lines": [{"what": "b", "count": 2}]}
    errors = field_errors(ORDER, [Problem(("lines", 0, "count"), "is wrong")], draft.values, draft=draft)
    assert errors == {"field:/lines/1/count": "is wrong"}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"count": 1}, "lines[0].what is required"),
        ({"what": "a", "colour": "red"}, "lines[0].colour is not known here"),
    ],
)
def test_a_row_with_a_key_too_few_or_too_many_is_refused_by_name(line: Any, said: str):
    for type_ in (typed(Order), typed(ORDER)):
        with pytest.raises(AnswerError) as caught:
            type_.validate({"lines": [line]})
        assert str(caught.value) == said


def test_a_list_with_too_much_in_its_rows_is_a_text_with_an_entry_a_line():
    wide = {"type": "object", "properties": {f"field_{number}": {"type": "string"} for number in range(12)}}
    line = ORDER["$defs"]["Line"]
    for lists, how in (({"items": wide}, ", as JSON"), ({"items": line, "minItems": 21}, ": What; Count, at least 21")):
        schema = {"type": "object", "properties": {"it": {"type": "array", **lists}}, "$defs": ORDER["$defs"]}
        (block,) = form_blocks(schema)
        assert block["hint"]["text"].startswith(f"One entry per line{how}")


def test_a_list_within_a_row_is_a_text():
    class Day(BaseModel):
        name: str
        lines: list[Line]

    class Week(BaseModel):
        days: list[Day]

    value = {"days": [{"name": "Monday", "lines": [{"what": "a", "count": 1}, {"what": "b", "count": 2}]}]}
    schema = typed(Week).json_schema
    draft = filled_in(schema, value)
    assert read_form(schema, draft.values, rows=draft.rows).value == value
    assert labels_of(schema, draft) == [f"Days 1{BENEATH}Name", f"Days 1{BENEATH}Lines"]


def test_an_enum_of_hundreds_is_searched_for_in_rows_that_were_added():
    class Trip(BaseModel):
        city: str = Field(json_schema_extra={"enum": [f"City {number}" for number in range(300)]})

    class Trips(BaseModel):
        trips: list[Trip]

    schema = typed(Trips).json_schema
    draft = press(schema, press(schema, Draft(), "form:add:field:/trips", "add"), "form:add:field:/trips", "add")
    (_, block) = [block for block in form_blocks(schema, draft) if block["type"] == "input"]
    (option,) = suggestions(schema, block["block_id"], "city 299")
    assert option["text"]["text"] == "City 299"
    assert suggestions(schema, "field:/trips/5000/city", "city") == []


# Steps.

LONG: dict[str, Any] = {
    "type": "object",
    "properties": {f"field_{number}": {"type": "string", "title": f"Field {number}"} for number in range(40)},
    "required": [f"field_{number}" for number in range(40)],
}


def typed_in(draft: Draft, schema: dict[str, Any] = LONG) -> Values:
    return {block["block_id"]: {"value": text("x")} for block in form_blocks(schema, draft) if block["type"] == "input"}


def test_more_than_a_person_takes_in_at_once_comes_in_steps_with_a_way_back():
    draft, seen = Draft(), []
    titles = []
    while True:
        view = view_of(LONG, draft)
        titles.append(
            (view["submit"]["text"], [block for block in view["blocks"] if block.get("block_id") == BACK] != [])
        )
        seen += labels_of(LONG, draft)
        draft = kept(draft, typed_in(draft))
        assert read_step(LONG, draft).problems == ()
        further = next_step(LONG, draft)
        if further is None:
            break
        draft = further
    assert titles == [("Next", False), ("Next", True), ("Start", True)]
    assert seen == [f"Field {number}" for number in range(40)]
    assert read_form(LONG, draft.values).value == {f"field_{number}": "x" for number in range(40)}


def test_going_back_shows_the_step_before_as_it_was_filled_in():
    first = kept(Draft(), typed_in(Draft()))
    second = next_step(LONG, first)
    assert second is not None
    back = turned(LONG, second, BACK, "back", {"field:/field_18": {"value": text("half")}})
    assert back.step == 0
    assert set(initial_of(LONG, back).values()) == {"x"}
    again = next_step(LONG, back)
    assert again is not None
    assert initial_of(LONG, again)["field:/field_18"] == "half"
    assert turned(LONG, back, BACK, "back", {}).step == 0


def test_a_step_says_only_what_is_missing_in_it():
    filled = read_step(LONG, Draft())
    assert len(filled.problems) == len(labels_of(LONG))
    errors = field_errors(LONG, filled.problems, draft=Draft())
    assert set(errors) == {block["block_id"] for block in form_blocks(LONG)}


def test_a_problem_of_another_step_names_it_and_is_told_at_its_top():
    problem = Problem(("field_30",), "is taken")
    assert (step_of(LONG, problem), step_of(LONG, Problem(("field_0",), "x")), step_of(LONG, Problem((), "x"))) == (
        1,
        0,
        2,
    )
    view = input_view(
        "a", "Act", "Does it.", LONG, channel=None, nonce="n", draft=Draft(step=1), draft_id="d1", problems=[problem]
    )
    assert validate_view(view) == []
    assert [block["text"]["text"] for block in view["blocks"][:2]] == ["Step 2 of 3", "⚠️ Field 30: is taken"]
    assert '"draft":"d1"' in view["private_metadata"]


def test_an_answer_in_steps_shows_the_facts_first_and_the_question_on_every_step():
    choice = Choice(key="go", title="Go", json_schema=LONG, has_form=True)
    first, second = (answer_view(spend_request_card(), choice, Draft(step=step), draft_id="d") for step in (0, 1))
    assert validate_view(first) == validate_view(second) == []
    assert [view["submit"]["text"] for view in (first, second)] == ["Next", "Next"]
    assert [block["type"] for block in second["blocks"][:3]] == ["header", "section", "input"]
    assert len(first["blocks"]) > len(second["blocks"])


def test_an_object_that_may_be_left_out_is_not_begun_by_a_default_of_a_later_step():
    class Part(BaseModel):
        name: str
        lines: list[Line] = [Line(what="a")]

    class Whole(BaseModel):
        part: Part | None = Part(name="n")

    properties = {f"field_{number}": {"type": "string"} for number in range(16)}
    schema = {**typed(Whole).json_schema}
    schema["properties"] = {**properties, **schema["properties"]}
    draft = Draft(values={"field:/part/name": {"value": text(None)}})
    assert read_step(schema, draft).problems == ()


@pytest.mark.parametrize("step", [-3, 99])
def test_a_step_that_is_not_there_is_the_nearest_that_is(step: int):
    view_of(LONG, Draft(step=step))
    assert labels_of(LONG, Draft(step=step))


def test_several_lists_of_models_each_have_their_rows():
    class Lists(BaseModel):
        a: list[Line] = []
        b: list[Line] = []
        c: list[Line] = []
        d: list[Line] = []
        e: list[Line] = []

    schema = typed(Lists).json_schema
    value = {name: [{"what": name, "count": 1}] * number for number, name in enumerate("abcde", start=1)}
    draft = filled_in(schema, value)
    assert read_form(schema, draft.values, rows=draft.rows).value == value


def test_a_form_is_never_cut_to_make_room_for_the_question():
    shown = {f"fact_{number}": "x" * 200 for number in range(40)}
    card = spend_request_card()
    card = replace(card, interrupt=replace(card.interrupt, shown=json.dumps(shown)))
    draft = Draft()
    for _ in range(20):
        draft = press(ORDER, draft, ADD, "add")
    for schema in (ORDER, LONG):
        view = answer_view(card, Choice(key="go", title="Go", json_schema=schema, has_form=True), draft)
        assert validate_view(view) == []
        assert view["blocks"][-len(form_blocks(schema, draft)) :] == form_blocks(schema, draft)
