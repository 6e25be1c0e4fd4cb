"""JSON Schemas put together at random: none of them breaks a form, whatever contradicts what in it."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actions.kit.errors import AnswerError, ShapeError
from actions.kit.records.interrupts import Draft
from actions.kit.shapes.answers import Inputs, Resume
from blocks.form import field_errors, next_step, read_form, read_step, suggestions
from blocks.forms.drafts import step_parts
from blocks.forms.layout import shown_inputs
from tests.filling import state_of
from tests.form_person import inputs_in, view_of

NAMES = st.sampled_from(["a", "b", "c/d", "", "~", "x" * 300, "ü\u202e"])
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 99)
    | st.floats(-9, 9)
    | st.sampled_from(["", "a", "x" * 90, "2026-01-01", "é\x00"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=5,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null"])
FORMATS = st.sampled_from(
    ["date", "date-time", "time", "email", "uri", "uuid", "decimal", "slack-user", "slack-group", "odd"]
)
SIZES = st.integers(0, 5)
REFS = st.sampled_from(["#", "#/$defs/A", "#/$defs/B"])


def keywords(schemas: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    several = st.lists(schemas, min_size=1, max_size=3)
    members = st.dictionaries(NAMES, schemas, max_size=4)
    return {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "title": st.sampled_from(["", "A title", "T" * 400]),
        "description": st.sampled_from(["", "Says <!channel> what"]),
        "default": VALUES,
        "examples": st.lists(VALUES, max_size=2),
        "enum": st.lists(VALUES, min_size=1, max_size=4) | st.just([f"e{number}" for number in range(150)]),
        "const": VALUES,
        "format": FORMATS,
        "pattern": st.sampled_from(["^a", "("]),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), SIZES),
        **dict.fromkeys(
            ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.integers(-5, 5) | st.floats(-5, 5)
        ),
        "multipleOf": st.sampled_from([1, 2, 0.1]),
        "uniqueItems": st.booleans(),
        "items": schemas,
        "prefixItems": several,
        "properties": members,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "additionalProperties": schemas,
        **dict.fromkeys(("anyOf", "oneOf", "allOf"), several),
        **dict.fromkeys(("not", "if", "then"), schemas),
        "$ref": REFS,
    }


def extended(schemas: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    known = keywords(schemas)
    chosen = st.lists(st.sampled_from(sorted(known)), max_size=5, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: known[name] for name in names}))


SCHEMAS: st.SearchStrategy[Any] = st.recursive(st.booleans() | st.builds(dict, type=TYPES), extended, max_leaves=12)
WHOLE = st.builds(
    lambda schema, a, b: {**(schema if isinstance(schema, dict) else {}), "$defs": {"A": a, "B": b}},
    SCHEMAS,
    SCHEMAS,
    SCHEMAS,
)


@settings(max_examples=250, suppress_health_check=list(HealthCheck), deadline=None)
@given(WHOLE)
def test_a_schema_without_rhyme_or_reason_is_a_form_that_works_or_is_refused(schema: dict[str, Any]):
    try:
        inputs, resume = Inputs.of(schema), Resume.of(schema)
    except ShapeError:
        return
    for each in (inputs.schema, *(choice.json_schema for choice in resume.shape.choices if choice.has_form)):
        walk(each)
    check(inputs, read_form(inputs.schema, {}).value)


def walk(schema: dict[str, Any]) -> None:
    draft: Draft | None = Draft()
    while draft is not None:
        here = inputs_in(view_of(schema, draft))
        plans = [plan for part in step_parts(schema, draft) for plan in shown_inputs(part, draft.values, draft.rows)]
        assert {plan.block_id for plan in plans} == here
        left = {plan.block_id: {plan.action_id: state_of(plan, None, left=True)} for plan in plans}
        draft = draft.model_copy(update={"values": {**draft.values, **left}})
        errors = field_errors(schema, read_step(schema, draft).problems, left, draft=draft)
        assert errors.keys() <= here
        for block_id in here:
            assert len(suggestions(schema, block_id, "e1")) <= 100
        draft = next_step(schema, draft)


def check(inputs: Inputs, value: Any) -> None:
    try:
        inputs.validate(value)
    except AnswerError as error:
        told = [problem.message for problem in error.problems]
    else:
        told = ["fits"]
    assert all(told)
