"""A form that opens with values which are known already: they stand in it as if they had been typed, and can be changed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from actions.kit.records import Draft
from blocks.forms.defaults import raw_default
from blocks.forms.planning import plan_of
from blocks.forms.plans import Group, Input, Perhaps
from blocks.forms.state import state_of


def given_draft(schema: dict[str, Any], given: Mapping[str, Any]) -> Draft:
    """The draft in which the fields of these names hold these values, whichever step they stand in.

    What the form has no single field for, and what would be changed by standing in it, is left out.
    """
    return Draft(values=dict(_states(schema, given)))


def _states(schema: dict[str, Any], given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    plan = plan_of(schema)
    for name, member in plan.members if isinstance(plan, Group) and given else ():
        field = member.node if isinstance(member, Perhaps) else member
        if name in given and isinstance(field, Input):
            raw = raw_default(replace(field, place=replace(field.place, default=given[name])))
            if raw is not None:
                yield field.block_id, state_of(field, raw)
