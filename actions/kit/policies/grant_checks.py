"""The mistakes of an action that offers standing grants, each with its fix, found when it is registered."""

from collections.abc import Iterator, Mapping
from typing import Any

from actions.kit.policies.condition_checks import is_in
from actions.kit.policies.deciders import Policy
from actions.kit.policies.grants import approving, field_key
from actions.kit.records.interrupts import Shape

ELSEWHERE = (
    "grants belong in the policy of an action, and cannot be offered by that of a pause or of an input; leave them out"
)


def grant_mistakes(
    policy: Any, shape: Shape | None, schema: Mapping[str, Any] | None, *, destructive: Any
) -> Iterator[str]:
    """What keeps standing grants of an action from working. `shape` is that of its own answers, `schema` of its input."""
    if not isinstance(destructive, bool):
        yield f"destructive must be True or False; it is {destructive!r}"
    if not isinstance(policy, Policy) or policy.grants is None:
        return
    if destructive:
        yield "it is destructive, and so never done by a standing grant; leave grants out of its policy, or destructive=True"
    if shape is None or approving(shape) is None:
        yield "grants need an answer that declines, and one other that asks for nothing; change resume, or leave grants out"
    fields = policy.grants.fields
    there = ", ".join(map(repr, (schema or {}).get("properties", ()))) or "none"
    yield from (
        f"grants: the input has no field {each!r}; the fields are {there}"
        for each in fields
        if schema and not is_in(schema, each)
    )
    if len(set(map(field_key, fields))) < len(fields):
        yield "grants: two of the fields cannot be told apart in a form; leave one of them out"
