"""A resume type that is plain JSON Schema offers and holds to the same as a Python type would."""

import json
import subprocess
import sys
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from actions.kit.errors import AnswerError, ShapeError
from actions.kit.shapes.answers import Inputs, Resume
from actions.kit.shapes.typed import typed

APPROVE = {"title": "Approve", "type": "object", "properties": {}}
REJECT = {
    "title": "Reject it",
    "description": "Say why.",
    "type": "object",
    "properties": {"reason": {"type": "string", "minLength": 3}},
    "required": ["reason"],
    "style": "danger",
    "declines": True,
}
AMOUNT = {
    "type": "string",
    "format": "decimal",
    "exclusiveMinimum": 0,
    "maximum": 500,
    "multipleOf": 0.05,
    "decimalPlaces": 2,
    "maxDigits": 5,
}
DEPENDENT = {
    "properties": {"a": {}},
    "dependentSchemas": {"a": {"properties": {"b": {}}, "required": ["b"]}},
}
BASE = {"type": "object", "properties": {"id": {"type": "string"}}}


def offered(schema: dict[str, Any]) -> list[tuple[str, str, bool, Any]]:
    return [(each.key, each.title, each.has_form, each.value) for each in Resume.of(schema).shape.choices]


def problems(schema: dict[str, Any], value: Any) -> dict[tuple[Any, ...], str]:
    with pytest.raises(AnswerError) as caught:
        typed(schema).validate(value)
    return {problem.path: problem.message for problem in caught.value.problems}


@pytest.mark.parametrize(
    ("schema", "choices"),
    [
        (
            {"enum": ["a_b", 1, None]},
            [("a_b", "A b", False, "a_b"), ("1", "1", False, 1), ("none", "None", False, None)],
        ),
        ({"const": "go", "title": "Go!"}, [("go", "Go!", False, "go")]),
        ({"type": "boolean"}, [("yes", "Yes", False, True), ("no", "No", False, False)]),
        ({"oneOf": [APPROVE, REJECT]}, [("approve", "Approve", False, {}), ("reject_it", "Reject it", True, None)]),
        (
            {"anyOf": [{"$ref": "#/$defs/Go"}, {"$ref": "#/$defs/Wait"}], "$defs": {"Go": APPROVE, "Wait": BASE}},
            [("approve", "Approve", False, {}), ("wait", "Wait", True, None)],
        ),
        (
            {"oneOf": [{"const": "a", "title": "Alpha"}, {"const": "b", "title": "Beta"}]},
            [("a", "Alpha", False, "a"), ("b", "Beta", False, "b")],
        ),
        ({"type": "integer"}, [("answer", "Answer", True, None)]),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, [("answer", "Answer", True, None)]),
        ({"oneOf": [BASE, REJECT]}, [("answer", "Answer", True, None)]),
        ({"oneOf": [APPROVE, REJECT], "required": ["x"]}, [("answer", "Answer", True, None)]),
        (REJECT | {"declines": False}, [("answer", "Reject it", True, None)]),
        ({}, [("answer", "Answer", True, None)]),
    ],
)
def test_what_a_schema_is_decides_what_people_see(schema, choices):
    assert offered(schema) == choices


def test_the_schema_of_a_union_of_models_offers_what_the_models_do():
    class Go(BaseModel):
        pass

    class Wait(BaseModel):
        days: int

    from pydantic import TypeAdapter  # noqa: PLC0415 - only here

    assert offered(TypeAdapter(Go | Wait).json_schema()) == [("go", "Go", False, {}), ("wait", "Wait", True, None)]


def test_a_constant_that_may_be_left_out_is_something_to_fill_in():
    tag = {"const": "x"}
    ways = [
        {"title": "Free", "properties": {"tag": tag}},
        {"title": "Bound", "properties": {"tag": tag}, "required": ["tag"]},
    ]
    assert offered({"oneOf": ways}) == [("free", "Free", True, None), ("bound", "Bound", False, {"tag": "x"})]


def test_marks_in_a_schema_shape_its_button_and_leave_its_schema():
    approve, reject = Resume.of({"oneOf": [APPROVE, REJECT]}).shape.choices
    assert not approve.declines
    assert (reject.style, reject.declines, reject.description) == ("danger", True, "Say why.")
    assert not {"style", "declines"} & reject.json_schema.keys()


def test_a_value_is_held_to_its_own_branch_and_restored_as_json():
    resume = Resume.of({"oneOf": [APPROVE, REJECT]})
    assert resume.restore("reject_it", resume.validate("reject_it", {"reason": "late"})) == {"reason": "late"}
    for answer in (("reject_it", {}), ("reject_it", {"reason": "no"}), ("approve", {"reason": "late"}), ("reject", {})):
        with pytest.raises(AnswerError):
            resume.validate(*answer)


@pytest.mark.parametrize(
    ("schema", "value", "unknown"),
    [
        (BASE, {"id": "1", "x": 1}, ("x",)),
        ({"type": "object", "properties": {"in": BASE}}, {"in": {"x": 1}}, ("in", "x")),
        ({"type": "array", "items": BASE}, [{"id": "1"}, {"x": 1}], (1, "x")),
        ({"$ref": "#/$defs/b", "$defs": {"b": BASE}}, {"x": 1}, ("x",)),
        ({"properties": {"in": {"$ref": "#/$defs/b"}}, "$defs": {"b": BASE}}, {"in": {"x": 1}}, ("in", "x")),
        ({"allOf": [BASE, {"properties": {"more": {}}}]}, {"id": "1", "more": 1, "x": 1}, ("x",)),
        ({**BASE, "anyOf": [{"required": ["id"]}, {"required": []}]}, {"x": 1}, ("x",)),
    ],
)
def test_an_object_that_lists_its_properties_knows_no_others(schema, value, unknown):
    assert problems(schema, value) == {unknown: "is not known here"}


def test_what_one_branch_lists_is_not_known_in_another():
    branches = [
        {"properties": {"kind": {"const": "a"}, "x": {}}, "required": ["kind"]},
        {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
    ]
    assert typed({"oneOf": branches}).validate({"kind": "a", "x": 1})
    assert problems({"oneOf": branches}, {"kind": "b", "x": 1})


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"allOf": [BASE, {"properties": {"more": {}}}]}, {"id": "1", "more": 1}),
        ({**BASE, "additionalProperties": True}, {"x": 1}),
        ({**BASE, "additionalProperties": {"type": "integer"}}, {"x": 1}),
        ({**BASE, "patternProperties": {"^x": {}}}, {"x1": 1}),
        ({"type": "object"}, {"x": 1}),
        ({"type": "object", "properties": {"free": {"type": "object"}}}, {"free": {"x": 1}}),
        ({"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"n": {"$ref": "#/$defs/n"}}}}}, {"n": {"n": {}}}),
        ({"type": "number", "multipleOf": 0.01}, 19.99),
        ({"type": "number"}, Decimal("1.5")),
        ({"type": "integer"}, Decimal(3)),
        ({"type": "string", "format": "decimal"}, "12.50"),
        ({"type": "string", "format": "duration"}, "PT1H"),
        ({"type": "string", "format": "time"}, "10:30:00"),
        ({"type": "string", "format": "time"}, "10:30:00Z"),
        ({"type": "integer", "multipleOf": 7}, 7 * 10**50),
        (AMOUNT, "500.00"),
        (AMOUNT, "1E+2"),
        ({"properties": {"x": False, "y": True}}, {"y": 1}),
        (DEPENDENT, {"a": 1, "b": 2}),
    ],
)
def test_what_fits_is_let_through(schema, value):
    assert json.loads(typed(schema).validate(value)) == value


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        (AMOUNT, "0", "must be more than 0"),
        (AMOUNT, "500.05", "must be at most 500"),
        (AMOUNT, "1.02", "must be a multiple of 0.05"),
        (AMOUNT, "0.050", "must have at most 2 decimal places"),
        (AMOUNT | {"maximum": 10**9}, "1E+5", "must have at most 5 digits"),
        (AMOUNT, "much", "must be a number such as 12.50"),
        ({"type": "string", "format": "time"}, "25:00", "must be a time such as 09:30"),
        ({"type": "string", "format": "date-time-local"}, 3, "must be text"),
    ],
)
def test_what_does_not_fit_is_told_in_words(schema, value, told):
    assert told in problems(schema, value)[()]


def test_a_pattern_that_python_would_try_for_ever_is_told_at_once():
    """Doubling with each letter, Python's own engine would take years for this one."""
    schema = {"type": "string", "pattern": "^(a+)+$"}
    assert problems(schema, "a" * 60 + "!") == {(): "is not in the expected form"}
    assert typed(schema).validate("a" * 60)


def test_a_pattern_may_look_around():
    schema = {"type": "string", "pattern": r"^(?!draft)\w+$"}
    assert typed(schema).validate("final")
    assert problems(schema, "draft1")


def test_what_another_entry_makes_necessary_is_named():
    assert problems({**BASE, "dependentRequired": {"id": ["why"]}, "properties": {"id": {}, "why": {}}}, {"id": 1}) == {
        ("why",): "is required"
    }
    assert problems(DEPENDENT, {"a": 1})[("b",)] == "is required"


@pytest.mark.parametrize("value", [False, 0, "", [], {}, None])
def test_falsy_values_are_values(value):
    resume = Resume.of({})
    assert repr(resume.restore("answer", resume.validate("answer", value))) == repr(value)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "strin"}, "is not JSON Schema"),
        ({"properties": []}, "is not JSON Schema"),
        ({"$ref": "https://example.com/schema.json"}, "is not in the schema"),
        ({"properties": {"a": {"$ref": "#/$defs/none"}}}, "is not in the schema"),
        ({"properties": {"a": {"type": "string", "writeOnly": True}}}, "secret"),
        ({"enum": [float("nan")]}, "not a number in JSON"),
        ({"$ref": "#"}, "refers to itself"),
        ({"properties": {"a": {"$ref": "#name"}}}, "is not in the schema"),
        ({"properties": {"a": {"$dynamicRef": "#name"}}}, r"a uses \$dynamicRef"),
        ({"type": "string", "pattern": "("}, "is not JSON Schema"),
    ],
)
def test_a_wrong_schema_is_a_mistake_at_start_up(schema, reason):
    with pytest.raises(ShapeError, match=reason):
        Resume.of(schema)


def test_a_schema_that_only_refers_in_circles_settles_nothing():
    circle = {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "properties": {"x": {"$ref": "#/$defs/a"}}}
    assert problems(circle, {"x": 1}) == {(): "could not be checked: the schema refers to itself without end"}


def test_an_input_may_be_plain_json_schema_too():
    inputs = Inputs.of(BASE)
    assert inputs.restore(inputs.validate({"id": "1"})) == {"id": "1"}
    with pytest.raises(AnswerError, match="x is not known here"):
        inputs.validate({"x": 1})


def test_the_library_is_imported_only_where_a_schema_is_given():
    code = "import sys; from actions.kit.shapes.answers import Resume; Resume.of(bool); sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603 - our own code


def test_a_choice_that_could_never_fit_is_refused_when_it_is_declared():
    schema = {"type": "object", "title": "Go", "properties": {"a": {"const": "x"}}, "required": ["a", "b"]}
    with pytest.raises(ShapeError, match="can never fit: b is required"):
        Resume.of(schema)


def test_a_branch_that_nothing_fits_is_no_crash():
    assert problems({"anyOf": [False, {"type": "string"}]}, 1) == {(): "does not fit"}
