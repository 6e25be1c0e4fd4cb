"""Answers: what a declared resume type offers, and whether a choice and a value fit it.

An answer is always a choice and a value. The choice must be there and known, and the value is validated against that
one way to answer alone, so that an empty body, a misspelt key or a missing tag never becomes an approval. Presence
decides, not truth: `False`, `0`, `""`, `[]`, `{}` and `None` are answers.
"""

import json
from collections.abc import Collection
from functools import lru_cache
from typing import Annotated, Any

from pydantic import BaseModel, Field, StringConstraints, ValidationError

from actions.kit.errors import AnswerError, Problem, ShapeError
from actions.kit.names import MAX_KEY, distinct
from actions.kit.records.interrupts import Choice, Confirm, Shape
from actions.kit.shapes.filling import as_shown, completed, same, takes_from_shown
from actions.kit.shapes.json_text import to_json_text
from actions.kit.shapes.schema_shape import variants_of_schema
from actions.kit.shapes.schema_type import schema_text
from actions.kit.shapes.shape import MAX_CHOICES, MISSING, Variant, fixed, has_form, variants_of_type
from actions.kit.shapes.typed import Typed, typed

__all__ = ["DEFAULT_RESUME", "MAX_ANSWER", "MISSING", "Approve", "Inputs", "Reject", "Resume", "Typed", "typed"]

MAX_ANSWER = 64 * 1024
"""The most that an answer may take as JSON text, in bytes of UTF-8."""

_MARKS = ("key", "style", "confirm", "declines")


class Approve(BaseModel, title="Approve", json_schema_extra={"style": "primary"}):
    """Go ahead."""


class Reject(BaseModel, title="Reject", json_schema_extra={"style": "danger", "declines": True}):
    """Do not go ahead, and say why."""

    reason: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=3, max_length=3000, description="Shown to the requester"
    )


DEFAULT_RESUME: Any = Approve | Reject


class Inputs:
    """An action's input, prepared once: its schema, and what fits it."""

    def __init__(self, prepared: Typed) -> None:
        self._typed = prepared
        self.schema = prepared.json_schema

    @staticmethod
    def of(declared: Any) -> "Inputs":
        """The input of a Python type or a JSON Schema (a dict). Raises `ShapeError` where nobody can fill it in."""
        return Inputs(typed(declared))

    def validate(self, raw: Any) -> str:
        """The JSON text of the validated input. Raises `AnswerError`; unknown keys are refused at every depth."""
        return self._typed.validate(raw, what="input")

    def restore(self, text: str) -> Any:
        """The typed input of a stored text. Raises `AnswerError` where it no longer fits."""
        return self._typed.restore(text)


class Resume:
    """A declared resume type, prepared once: the choices that it offers, and what fits each of them."""

    def __init__(self, variants: Collection[Variant], declines: frozenset[str]) -> None:
        marked = [(variant, {key: variant.schema.get(key) for key in _MARKS}) for variant in variants]
        keys = distinct(str(marks["key"] or variant.key) for variant, marks in marked)
        self._variants = dict(zip(keys, variants, strict=True))
        self._declines = declines
        choices = [_choice(key, *each, declines) for key, each in zip(keys, marked, strict=True)]
        self.shape = Shape(choices=tuple(_told_apart(choice, choices) for choice in choices))
        _check(self.shape, declines)

    @staticmethod
    def of(declared: Any = None, *, declines: Collection[str] = ()) -> "Resume":
        """The resume type of a Python type or a JSON Schema (a dict); `Approve | Reject` where none is given.

        `declines` are the keys of choices that decline, where the type does not mark them itself.

        Raises:
            ShapeError: Slack cannot show it, with the path of the field and the reason.
        """
        if declared is None:
            declared = DEFAULT_RESUME
        if isinstance(declared, dict):
            return _of_schema(schema_text(declared), frozenset(declines))
        try:
            return _of_type(declared, repr(declared), frozenset(declines))
        except TypeError:  # what cannot be hashed cannot be remembered
            return Resume(variants_of_type(declared), frozenset(declines))

    @staticmethod
    def of_shape(shape: Shape) -> "Resume":
        """Of a stored shape alone, where the type is in no declaration: values are held against its JSON Schemas."""
        variants = [
            Variant(each.key, each.title, each.json_schema, type_, each.value, each.value)
            for each in shape.choices
            for type_ in [typed(each.json_schema) if each.has_form else None]
        ]
        return Resume(variants, frozenset(each.key for each in shape.choices if each.declines))

    def as_shown(self, shown: str) -> "Resume":
        """With the fields that are taken from what the card shows, as JSON text; see `actions.kit.shapes.filling`.

        Raises:
            ShapeError: What they are taken from is not there, or cannot be asked for.
        """
        variants = self._variants.values()
        if not any(takes_from_shown(variant.schema) for variant in variants):
            return self
        value = json.loads(shown)
        return Resume([as_shown(variant, value) for variant in variants], self._declines)

    def validate(self, choice_key: str, value: Any = MISSING, *, limit: int = MAX_ANSWER) -> str:
        """The JSON text of the validated value.

        A choice without a form has one value, which may be given or left out; so may the fields of any other that are
        as they are shown. `limit` is in bytes.

        Raises:
            AnswerError: An unknown choice, or a value that does not fit it. Paths start at the value.
        """
        variant, choice = self._known(choice_key)
        if not choice.has_form:
            return _only_value(choice, value)
        if variant.type is None or value is MISSING:
            raise AnswerError(_missing(choice))
        return variant.type.validate(completed(choice.json_schema, value), what="answer", limit=limit)

    def restore(self, choice_key: str, text: str) -> Any:
        """The typed value of a stored answer: the model, the member of the enum, the date.

        Raises:
            AnswerError: It no longer fits.
        """
        variant, choice = self._known(choice_key)
        if variant.type is not None:
            return variant.type.restore(text)
        _only_value(choice, json.loads(text))
        return variant.value

    def _known(self, choice_key: Any) -> tuple[Variant, Choice]:
        choice = self.shape.choice(choice_key) if isinstance(choice_key, str) else None
        if choice is None:
            offered = ", ".join(each.key for each in self.shape.choices)
            told = f"{repr(choice_key)[:MAX_KEY]} is not a choice here" if choice_key else "a choice is required"
            raise AnswerError([Problem((), f"{told}; it must be one of: {offered}")])
        return self._variants[choice.key], choice


@lru_cache(maxsize=256)
def _of_type(declared: Any, _spelt: str, declines: frozenset[str]) -> Resume:
    """Remembered by its spelling too, because `A | B` equals `B | A`."""
    return Resume(variants_of_type(declared), declines)


@lru_cache(maxsize=256)
def _of_schema(text: str, declines: frozenset[str]) -> Resume:
    return Resume(variants_of_schema(json.loads(text)), declines)


def _choice(key: str, variant: Variant, marks: dict[str, Any], declines: frozenset[str]) -> Choice:
    schema = {name: value for name, value in variant.schema.items() if name not in _MARKS}
    form = variant.type is not None and has_form(schema)
    declining = bool(marks["declines"]) or key in declines
    try:
        return Choice(
            key=key,
            title=variant.title,
            description=schema.get("description"),
            json_schema=schema,
            has_form=form,
            value=None if form else _value(variant),
            style=marks["style"],
            confirm=_confirm(marks["confirm"], variant.title),
            declines=declining,
        )
    except ValidationError as error:
        wrong = error.errors()[0]
        raise ShapeError(".".join((key, *map(str, wrong["loc"]))), f"does not fit: {wrong['msg']}") from error


def _told_apart(choice: Choice, choices: list[Choice]) -> Choice:
    """Two buttons of one title show their keys too."""
    if [other.title for other in choices].count(choice.title) == 1:
        return choice
    return choice.model_copy(update={"title": f"{choice.title} ({choice.key})"})


def _confirm(mark: Any, title: str) -> Confirm | None:
    """`confirm` on a model: `True`, the text of the question, or all of `Confirm`."""
    if mark is True:
        return Confirm(title="Are you sure?", text=f"{title}?")
    if isinstance(mark, str):
        return Confirm(title="Are you sure?", text=mark)
    return Confirm.model_validate(mark) if mark else None


def _value(variant: Variant) -> Any:
    """The JSON value of a choice without a form: the constant, or a model's fields that can only have one value."""
    if variant.type is None:
        return variant.json_value
    try:
        return json.loads(variant.type.validate(fixed(variant.schema), what=variant.title))
    except AnswerError as error:
        raise ShapeError("", f"offers {variant.title!r}, which asks for nothing and can never fit: {error}") from error


def _only_value(choice: Choice, value: Any) -> str:
    text = to_json_text(choice.value, what="answer")
    if value is MISSING:
        return text
    if not same(completed(choice.json_schema, value), choice.value):
        raise AnswerError([Problem((), f"{choice.title} has no form; its value is {text}, or left out")])
    return text


def _missing(choice: Choice) -> list[Problem]:
    """What is missing where the whole value is: the required fields by name."""
    required = choice.json_schema.get("required", ()) if "properties" in choice.json_schema else ()
    return [Problem((name,), "is required") for name in required] or [Problem((), "is required")]


def _check(shape: Shape, declines: frozenset[str]) -> None:
    offered = [choice.key for choice in shape.choices]
    unknown = sorted(declines - set(offered))
    if unknown:
        raise ShapeError("declines", f"names {unknown[0]!r}, which is not a choice; these are: {', '.join(offered)}")
    if not offered:
        raise ShapeError("", "offers no choice")
    if len(offered) > MAX_CHOICES:
        fix = "make it a field of a model"
        raise ShapeError("", f"offers {len(offered)} choices, and Slack shows at most {MAX_CHOICES}; {fix}")
    if all(choice.declines for choice in shape.choices):
        raise ShapeError("declines", "covers every choice, so the action could never go on; leave one that does not")
