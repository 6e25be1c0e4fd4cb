"""Lists of models as text: their values parted by semicolons, a line each; and from rows to text and back."""

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from actions.kit.errors import AnswerError, Problem
from actions.kit.records.interrupts import Draft
from actions.kit.shapes.typed import typed
from blocks.form import field_errors, form_blocks, read_form, read_step, turned, why_not_turned
from blocks.forms.lines import read_entries, written
from blocks.forms.planning import plan_of
from blocks.forms.plans import Group, Input, Rows
from blocks.values import BENEATH
from tests.filling import text
from tests.form_person import filled_in, labels_of, view_of


class Item(BaseModel):
    """One line of a box."""

    name: str
    count: int = Field(default=1, ge=1)
    size: Literal["small", "large"] | None = None
    fragile: bool = False
    price: Decimal | None = None


class Box(BaseModel):
    label: str
    items: list[Item] = Field(default=[], description="What is in it")


class Load(BaseModel):
    boxes: list[Box]


class Timed(BaseModel):
    day: date
    at: time
    moment: datetime
    note: str | None


LOAD = typed(Load).json_schema
ITEMS = "field:/boxes/0/items"
ONE_BOX = Draft(rows={"field:/boxes": 1})


def plan_at(schema: dict[str, Any], *names: str) -> Any:
    """The part of a plan at these names; of rows, the first."""
    node: Any = plan_of(schema)
    for name in names:
        node = node.row(0, 0) if isinstance(node, Rows) else node
        assert isinstance(node, Group)
        node = dict(node.members)[name]
    return node


def with_items(entered: str) -> Draft:
    values = {"field:/boxes/0/label": {"value": text("A")}, ITEMS: {"value": text(entered)}}
    return ONE_BOX.model_copy(update={"values": values})


def items_read(entered: str) -> Any:
    draft = with_items(entered)
    filled = read_form(LOAD, draft.values, rows=draft.rows)
    assert filled.problems == ()
    return filled.value["boxes"][0]["items"]


def test_a_list_within_a_row_says_what_belongs_in_a_line():
    (block,) = (block for block in form_blocks(LOAD, ONE_BOX) if block.get("block_id") == ITEMS)
    assert block["label"]["text"] == f"Boxes 1{BENEATH}Items"
    assert block["hint"]["text"] == "What is in it · one entry per line: Name; Count; Size; Fragile; Price"


@pytest.mark.parametrize(
    ("entered", "items"),
    [
        ("bolt; 10; small; yes; 1.20", [{"name": "bolt", "count": 10, "size": "small", "fragile": True, "price": "1.20"}]),
        ("bolt\n\n nut ;2", [{"name": "bolt"}, {"name": "nut", "count": 2}]),
        ("bolt;;LARGE", [{"name": "bolt", "size": "large"}]),
        ("bolt;2;;;;", [{"name": "bolt", "count": 2}]),
        ("bolt\t3\tsmall", [{"name": "bolt", "count": 3, "size": "small"}]),
        ('"nuts; and ""bolts"""; 4', [{"name": 'nuts; and "bolts"', "count": 4}]),
        ("[urgent] bolt; 5", [{"name": "[urgent] bolt", "count": 5}]),
        ('{"name": "bolt"}\n{"name": "nut", "count": 2}', [{"name": "bolt"}, {"name": "nut", "count": 2}]),
        ('[{"name": "bolt"}]', [{"name": "bolt"}]),
    ],
)  # fmt: skip
def test_a_line_is_read_as_an_entry(entered: str, items: Any):
    assert items_read(entered) == items


@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ("bolt; many", f"line 1{BENEATH}Count: must be a whole number such as 42"),
        ("bolt\n\nnut; 1; huge", f"line 3{BENEATH}Size: is not one of the options"),
        ("a; 1; small; no; 2; 3", "line 1: has 6 values, and these belong there: Name; Count; Size; Fragile; Price"),
        ('{"name": "bolt",}', "line 1: a name in double quotes is expected (character 17)"),
    ],
)
def test_what_cannot_be_read_is_told_by_its_line(entered: str, said: str):
    draft = with_items(entered)
    problems = read_step(LOAD, draft).problems
    assert field_errors(LOAD, problems, draft.values, draft=draft) == {ITEMS: said}


def test_what_does_not_fit_is_told_by_its_line():
    draft = with_items("bolt\n\nnut; 0\n; 3")
    with pytest.raises(AnswerError) as caught:
        typed(Load).validate(read_form(LOAD, draft.values, rows=draft.rows).value)
    told = field_errors(LOAD, caught.value.problems, draft.values, draft=draft)[ITEMS]
    assert told == f"line 3{BENEATH}Count: must be at least 1; line 4{BENEATH}Name: is required"


def test_dates_and_times_in_a_line_are_read_as_the_pickers_give_them():
    schema = typed(list[Timed]).json_schema
    plan = plan_of(schema)
    assert isinstance(plan, Rows)
    (entry,) = read_entries(plan.text, "2026-11-30; 09:30; 2026-11-30T10:00:00+01:00;").values
    assert entry == {"day": "2026-11-30", "at": "09:30:00", "moment": "2026-11-30T09:00:00Z", "note": None}
    assert read_entries(plan.text, "tomorrow; noon; later").values[0]["at"] == "noon"


def test_a_lone_value_of_an_entry_may_have_semicolons():
    class Step(BaseModel):
        what: str

    class Job(BaseModel):
        steps: list[Step] = Field(min_length=40)

    schema = typed(Job).json_schema
    plan = plan_at(schema, "steps")
    assert isinstance(plan, Input)
    assert read_entries(plan, "cut; then paste").values == ({"what": "cut; then paste"},)


VALUES = st.text(st.characters(codec="utf-8"), max_size=12)
ENTRIES = st.lists(
    st.fixed_dictionaries(
        {"name": VALUES},
        optional={
            "count": st.integers(),
            "size": st.sampled_from(["small", "large", None]),
            "fragile": st.booleans(),
            "price": st.none() | st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str),
            "more": VALUES,
        },
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300, deadline=None)
@given(ENTRIES)
def test_what_is_written_as_text_is_read_as_it_was(entries: list[dict[str, Any]]):
    plan = plan_at(LOAD, "boxes", "items")
    read = read_entries(plan, written(plan, entries))
    assert (list(read.values), read.problems) == (entries, ())


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_whatever_is_typed_is_read_or_told_in_words(entered: str):
    read = read_entries(plan_at(LOAD, "boxes", "items"), entered)
    assert all(problem.message for problem in read.problems)
    assert read.problems or len(read.values) == len(read.lines)


def test_a_line_longer_than_any_field_of_slacks_is_read_all_the_same():
    plan = plan_at(LOAD, "boxes", "items")
    assert read_entries(plan, f"{'x' * 200_000}; 2").values[0]["count"] == 2


# From rows to text, and back.


class Part(BaseModel):
    what: str
    count: int = 1


class Order(BaseModel):
    parts: list[Part] = []


ORDER = typed(Order).json_schema
PARTS = "field:/parts"
AS_TEXT, AS_ROWS = f"form:text:{PARTS}", f"form:rows:{PARTS}"
TYPED = f"{PARTS}="


def rows_of(count: int, **odd: str) -> Draft:
    values: dict[str, Any] = {}
    for number in range(count):
        values[f"{PARTS}/{number}/what"] = {"value": text(f"part {number}")}
        values[f"{PARTS}/{number}/count"] = {"value": text(odd.get(f"count_{number}", str(number)))}
    return Draft(values=values, rows={PARTS: count})


def buttons(draft: Draft) -> list[str]:
    blocks = view_of(ORDER, draft)["blocks"]
    return [each["text"]["text"] for block in blocks if block["type"] == "actions" for each in block["elements"]]


def value_of(draft: Draft) -> Any:
    filled = read_form(ORDER, draft.values, rows=draft.rows)
    assert filled.problems == ()
    return filled.value


def test_more_entries_than_rows_are_typed_as_text_which_holds_what_the_rows_held():
    assert buttons(rows_of(18)) == ["Add an entry"]
    full = rows_of(19)
    assert buttons(full) == ["More entries, as text"]
    draft = turned(ORDER, full, AS_TEXT, "press", {})
    assert labels_of(ORDER, draft) == ["Parts"]
    assert value_of(draft) == value_of(full)
    (block,) = (block for block in view_of(ORDER, draft)["blocks"] if block["type"] == "input")
    assert block["element"]["initial_value"].startswith("part 0; 0\npart 1; 1\n")
    lines = "\n".join(f"part {number}; {number + 1}" for number in range(60))
    draft = turned(ORDER, draft, "form:back", None, {TYPED: {"value": text(lines)}})
    assert len(value_of(draft)["parts"]) == 60


def test_entries_become_rows_again_with_what_stands_in_the_text():
    draft = turned(ORDER, rows_of(19), AS_TEXT, "press", {})
    draft = turned(ORDER, draft, AS_ROWS, "press", {TYPED: {"value": text("bolt; 7\nnut")}})
    assert labels_of(ORDER, draft) == [f"Parts {row}{BENEATH}{what}" for row in (1, 2) for what in ("What", "Count")]
    assert value_of(draft) == {"parts": [{"what": "bolt", "count": 7}, {"what": "nut", "count": 1}]}
    assert buttons(draft) == ["Add an entry"]
    more = turned(ORDER, draft, f"form:add:{PARTS}", "press", {})
    assert len(labels_of(ORDER, more)) == 6
    assert value_of(turned(ORDER, draft, f"form:remove:{PARTS}", "0", {}))["parts"] == [{"what": "nut", "count": 1}]


def test_an_emptied_text_becomes_no_rows():
    draft = turned(ORDER, rows_of(19), AS_TEXT, "press", {})
    draft = turned(ORDER, draft, AS_ROWS, "press", {TYPED: {"value": text(None)}})
    assert labels_of(ORDER, draft) == []
    assert value_of(draft) == {}


@pytest.mark.parametrize(
    ("entered", "said"),
    [
        ("bolt; seven", "must be a whole number such as 42"),
        ("\n".join(["bolt; 7"] * 30), "are more than fit in rows"),
        ('{"what": "bolt", "colour": "red"}', "have something that no field of a row can hold"),
        ('{"what": "bolt", "count": "seven"}', "have something that no field of a row can hold"),
    ],
)
def test_what_rows_cannot_hold_stays_text_and_it_is_told_why(entered: str, said: str):
    draft = turned(ORDER, rows_of(19), AS_TEXT, "press", {})
    after = turned(ORDER, draft, AS_ROWS, "press", {TYPED: {"value": text(entered)}})
    assert labels_of(ORDER, after) == ["Parts"]
    assert after.values[TYPED] == {"value": text(entered)}
    assert [problem.message for problem in why_not_turned(ORDER, after, AS_ROWS)] == [said]


def test_rows_that_are_not_filled_in_as_they_should_be_become_text_all_the_same():
    rows = rows_of(19, count_3="three")
    empty = {f"{PARTS}/{number}/{name}": {"value": text(None)} for number in (5, 6) for name in ("what", "count")}
    draft = turned(ORDER, rows, AS_TEXT, "press", empty)
    assert draft.values[TYPED]["value"]["value"].splitlines()[3:6] == ["part 3; three", "part 4; 4", "part 7; 7"]
    assert why_not_turned(ORDER, draft, AS_TEXT) == ()
    (problem,) = read_step(ORDER, draft).problems
    assert problem == Problem(("parts", 3, "count"), "must be a whole number such as 42")


def test_rows_in_which_nothing_stands_become_an_empty_text():
    draft = turned(ORDER, Draft(rows={PARTS: 19}), AS_TEXT, "press", {f"{PARTS}/0/count": {"value": text(None)}})
    assert labels_of(ORDER, draft) == ["Parts"]
    assert value_of(draft) == {}


def test_rows_that_are_too_long_for_a_text_stay_rows_and_it_is_told_why():
    full = rows_of(19)
    values = {**full.values, f"{PARTS}/0/what": {"value": text("x" * 3_000)}}
    draft = turned(ORDER, full.model_copy(update={"values": values}), AS_TEXT, "press", {})
    assert len(labels_of(ORDER, draft)) == 38
    assert "too long" in why_not_turned(ORDER, draft, AS_TEXT)[0].message


def test_a_list_that_may_be_no_longer_than_its_rows_offers_no_text():
    class Few(BaseModel):
        parts: list[Part] = Field(max_length=3)

    schema = typed(Few).json_schema
    draft = filled_in(schema, {"parts": [{"what": str(number)} for number in range(3)]})
    assert [block["type"] for block in form_blocks(schema, draft)].count("actions") == 0


@pytest.mark.parametrize("action_id", [f"form:add:{PARTS}", f"form:remove:{PARTS}", AS_TEXT])
def test_what_belongs_to_rows_changes_nothing_while_they_are_text(action_id: str):
    draft = turned(ORDER, rows_of(19), AS_TEXT, "press", {})
    assert turned(ORDER, draft, action_id, "0", {}) == draft


def test_rows_of_a_union_go_to_text_and_back():
    class Card(BaseModel):
        kind: Literal["card"] = "card"
        number: str

    class Bank(BaseModel):
        kind: Literal["bank"] = "bank"
        iban: str

    class Payments(BaseModel):
        ways: list[Card | Bank]

    schema = typed(Payments).json_schema
    entries = [{"kind": "card", "number": str(number)} for number in range(13)] + [{"kind": "bank", "iban": "DE1"}]
    draft = filled_in(schema, {"ways": entries})
    text_of_them = turned(schema, draft, "form:text:field:/ways", "press", {})
    assert read_form(schema, text_of_them.values, rows=text_of_them.rows).value == {"ways": entries}
    again = turned(schema, text_of_them, "form:rows:field:/ways", "press", {})
    assert len(labels_of(schema, again)) == 28
    assert read_form(schema, again.values, rows=again.rows).value == {"ways": entries}
