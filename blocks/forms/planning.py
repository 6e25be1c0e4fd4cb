"""The form of a JSON Schema, made once per schema: its plan, as deep as people can follow, and the steps that it is asked in."""

from dataclasses import dataclass, replace
from functools import lru_cache

from pydantic_core import from_json, to_json

from blocks.forms.layout import USUAL_ROWS, steps_of
from blocks.forms.naming import root_label
from blocks.forms.planner import Planner
from blocks.forms.plans import ABSENT, Input, Kind, Node, Place, weight_of
from blocks.forms.schemas import Schema, resolve, sources_within

DEEPEST = 30
"""An object in an object and a union in one count as a level each; long before that a form is too heavy, or never ends."""
MOST_WEIGHT = 200
"""A form of more blocks shows its deepest objects as JSON, level by level, until it is smaller."""


@dataclass(frozen=True, slots=True)
class Form:
    """A planned schema, the steps in which it is asked for, and the sources that its options come from."""

    node: Node
    steps: tuple[tuple[Node, ...], ...]
    sources: frozenset[str]


def form_of(schema: Schema) -> Form:
    """The form of a schema, remembered: equal schemas share it."""
    return _formed(to_json(schema))


def plan_of(schema: Schema) -> Node:
    return form_of(schema).node


@lru_cache(maxsize=512)
def _formed(text: bytes) -> Form:
    schema = from_json(text)
    node = _planned(schema)
    return Form(node, steps_of(node), frozenset(sources_within(schema)))


def _planned(root: Schema) -> Node:
    """As deep as people can follow: all of it in most cases, else as many levels as are not too much."""
    place = Place(default=root.get("default", ABSENT), label=root_label(root))
    best: Node = Input(Kind.JSON, replace(place, label="Value"), resolve(root, root))
    least, deepest = 1, DEEPEST
    tried = deepest
    while least <= deepest:
        planner = Planner(root, tried)
        node = planner.whole(place)
        if node is not None and weight_of(node, USUAL_ROWS) <= MOST_WEIGHT:
            best, least = node, tried + 1
        else:
            deepest = min(tried - 1, planner.reached)
        tried = (least + deepest + 1) // 2
    return best
