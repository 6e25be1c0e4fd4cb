"""A form that opens with values which are known already: they stand in it as if they had been typed, and can be changed."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from actions.kit.records.interrupts import Draft
from blocks.forms.defaults import raw_default, showable
from blocks.forms.filled import Filled, read_node
from blocks.forms.lines import written
from blocks.forms.planning import plan_of
from blocks.forms.plans import Either, Fixed, Group, Input, Node, Perhaps, Rows
from blocks.forms.rows import holds
from blocks.forms.state import state_of


def given_draft(schema: dict[str, Any], given: Mapping[str, Any]) -> Draft:
    """The draft in which the form holds this value, or as much of it as is given, whichever step its parts stand in.

    What no field can hold, and what would be changed by standing in one, is left out.
    """
    filling = _Filling()
    filling.fill(plan_of(schema), given)
    return Draft(values=filling.values, rows=filling.rows)


class _Filling:
    def __init__(self) -> None:
        self.values: dict[str, dict[str, Any]] = {}
        self.rows: dict[str, int] = {}

    def fill(self, node: Node, value: Any) -> None:
        match node:
            case Input():
                self._input(node, value)
            case Group():
                self._group(node, value)
            case Either():
                self._either(node, value)
            case Rows():
                self._rows(node, value)
            case Perhaps():
                self._perhaps(node, value)
            case Fixed():
                return

    def _input(self, plan: Input, value: Any) -> None:
        raw = raw_default(replace(plan, place=replace(plan.place, default=value)))
        if raw is not None or value is None:
            self.values[plan.block_id] = state_of(plan, raw)

    def _group(self, group: Group, value: Any) -> None:
        for name, member in group.members if isinstance(value, Mapping) else ():
            if name in value:
                self.fill(member, value[name])

    def _either(self, either: Either, value: Any) -> None:
        """The first variant that reads back as the value; else the first that reads back as nothing else."""
        tried = [_tried(number, variant, value) for number, variant in enumerate(either.variants)]
        fitting = [each for each in tried if not each.read.problems]
        exact = [each for each in fitting if holds(each.read.value, value)]
        for each in (exact or [each for each in fitting if holds(value, each.read.value)])[:1]:
            self.values |= each.filling.values
            self.rows |= each.filling.rows
            self.values[either.selector.block_id] = state_of(either.selector, str(each.number))

    def _rows(self, rows: Rows, value: Any) -> None:
        entries = [] if value is None else value
        if not isinstance(entries, list):
            return
        if len(entries) > rows.most:
            self._text(rows, entries)
            return
        self.rows[rows.id] = len(entries)
        for number, entry in enumerate(entries):
            self.fill(rows.row(number, number), entry)

    def _text(self, rows: Rows, entries: list[Any]) -> None:
        """More entries than fit in rows stand in lines, if they can."""
        text = showable(written(rows.text, entries))
        if text is not None:
            self.rows[rows.text.block_id] = 1
            self.values[rows.text.block_id] = state_of(rows.text, text)

    def _perhaps(self, perhaps: Perhaps, value: Any) -> None:
        """What is nothing on purpose is so again."""
        none = raw_default(replace(perhaps.none, place=replace(perhaps.none.place, default=[value])))
        if none:
            self.values[perhaps.none.block_id] = state_of(perhaps.none, none)
        else:
            self.fill(perhaps.node, value)


class _Tried(NamedTuple):
    """A variant of a union filled with a value, and what is read back of it."""

    number: int
    filling: _Filling
    read: Filled


def _tried(number: int, variant: Node, value: Any) -> _Tried:
    filling = _Filling()
    filling.fill(variant, value)
    return _Tried(number, filling, read_node(variant, filling.values, filling.rows))
