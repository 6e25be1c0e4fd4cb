"""JSON Schemas that other people wrote, for configuration files and for JSON Schema itself: each a form, or refused in words."""

import json
import re
import time
from collections.abc import Iterator
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest

from actions.kit.errors import AnswerError, Problem, ShapeError
from actions.kit.records.interrupts import Draft
from actions.kit.shapes.answers import Inputs
from blocks.form import field_errors, is_outdated, next_step, read_form, read_step
from blocks.forms.drafts import step_parts
from blocks.forms.layout import shown_inputs
from tests.filling import state_of
from tests.form_person import inputs_in, view_of

PACKAGES = ("jsonschema-specifications", "schemathesis", "check-jsonschema")
"""Installed packages that ship JSON Schemas as files."""
WORTH_TRYING = 30
SECONDS = 20.0
"""Far more than any takes: what has no end is meant."""


def schemas() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for each in files(package) or ():
            path = Path(str(each.locate()))
            if (
                path.suffix in {".json", ""}
                and path.is_file()
                and "dist-info" not in path.parts[-2]
                and is_schema(path)
            ):
                yield "/".join(path.parts[-3:]), path


def is_schema(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
        return '"$schema"' in text and isinstance(json.loads(text), dict)
    except ValueError:
        return False


REAL = dict(schemas())


def test_there_are_enough_of_them_to_mean_something():
    assert len(REAL) >= WORTH_TRYING


@pytest.mark.parametrize("name", REAL)
def test_a_schema_from_elsewhere_is_a_form_that_slack_takes_or_is_refused_in_words(name: str):
    started = time.monotonic()
    schema = json.loads(REAL[name].read_text(encoding="utf-8"))
    inputs = prepared(schema)
    if isinstance(inputs, Inputs):
        walk(inputs)
    else:
        assert re.search(r"(is|has|refers to|uses|may|at most|must) ", inputs)
    assert time.monotonic() - started < SECONDS


def prepared(schema: dict[str, Any]) -> Inputs | str:
    """The input that the schema makes, or why it makes none."""
    try:
        return Inputs.of(schema)
    except ShapeError as refusal:
        return str(refusal)


def walk(inputs: Inputs) -> None:
    """Every step is drawn, submitted as it stands, and again with nothing in it; what is wrong is said where it stands."""
    draft: Draft | None = Draft()
    while draft is not None:
        view = view_of(inputs.schema, draft)
        untouched = {
            plan.block_id: {plan.action_id: state_of(plan, None, left=True)} for plan in shown_at(inputs.schema, draft)
        }
        assert not is_outdated(inputs.schema, draft, untouched)
        draft = draft.model_copy(update={"values": {**draft.values, **untouched}})
        problems = read_step(inputs.schema, draft).problems
        errors = field_errors(inputs.schema, problems, untouched, draft=draft)
        assert errors.keys() <= inputs_in(view)
        assert bool(errors) is bool(problems)
        last, draft = draft, next_step(inputs.schema, draft)
    answered(inputs, last)


def answered(inputs: Inputs, draft: Draft) -> None:
    problems = wrong_with(inputs, read_form(inputs.schema, draft.values, rows=draft.rows).value)
    asks = any(True for _ in shown_at(inputs.schema, draft))
    assert bool(field_errors(inputs.schema, problems, draft=draft)) is bool(problems and asks)


def wrong_with(inputs: Inputs, value: Any) -> tuple[Problem, ...]:
    try:
        inputs.validate(value)
    except AnswerError as error:
        return error.problems
    return ()


def shown_at(schema: dict[str, Any], draft: Draft) -> Iterator[Any]:
    for part in step_parts(schema, draft):
        yield from shown_inputs(part, draft.values, draft.rows)
