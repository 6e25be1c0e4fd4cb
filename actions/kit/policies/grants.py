"""What a standing grant allows, and in words: pure, with everything that must be looked up passed in."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from actions.kit.counting import counted
from actions.kit.names import humanise
from actions.kit.policies.deciders import Policy
from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.policies.stages import begun
from actions.kit.policies.tally import reached
from actions.kit.records.interrupts import Choice, DecisionRecord, Shape

ANY = "*"
"""In a pattern: any characters on one line, or none."""
WIDEST = 100
"""Characters of one pattern."""
SHOWN: dict[str, Any] = {"show": (), "notify": ()}
AROUND: dict[str, Any] = {
    "starters": (),
    "remind": None,
    "warn": None,
    "hours": None,
    "claim_for": None,
    "may_ask": False,
}
"""What a policy says besides who decides, without it."""


def covers(where: Mapping[str, str], value: Any) -> bool:
    """Whether an input (parsed JSON) has in each field text that its pattern is a pattern of."""
    return all(_matches(pattern, text_of(_at(value, name))) for name, pattern in where.items())


def is_possible(pattern: str, values: Sequence[Any] | None) -> bool:
    """Whether the pattern covers one of the only values (parsed JSON) that a field may have; `None` where it may have others."""
    return values is None or any(_matches(pattern, text_of(each)) for each in values)


def text_of(value: Any) -> str | None:
    """The text of a field that patterns are compared with; `None` of what has no text of its own: nothing, lists, objects.

    Numbers and truth values are as JSON writes them, and money is the text as which it is kept.
    """
    match value:
        case str():
            return value
        case bool() | int() | float():
            return json.dumps(value)
    return None


def terms_words(terms: GrantTerms) -> str:
    """Such as "For the next 4 hours, up to 3 times: Restart service where Service is web-*"."""
    how_often = "once" if terms.times == 1 else f"up to {terms.times:,} times"
    return f"For the next {_span(terms.lasts)}, {how_often}: {what_words(terms.action_name, terms.where)}"


def what_words(action_name: str, where: Mapping[str, str]) -> str:
    """Such as "Restart service where Service is web-*", or that it is meant whatever its input."""
    if not where:
        return f"{action_name}, whatever it is asked with"
    conditions = " and ".join(f"{humanise(name.rpartition('.')[2])} is {pattern}" for name, pattern in where.items())
    return f"{action_name} where {conditions}"


def asking(policy: Policy) -> Policy:
    """Who decides about a grant for an action of this policy: everybody who may ever be asked, stage by stage.

    A grant is never granted, never of low risk, and never an emergency.
    """
    stages = tuple(stage.model_copy(update={"when": None}) for stage in policy.stages)
    return policy.model_copy(update={"stages": stages, "grants": None, "low_risk": False, "break_glass": None})


def fingerprint(policy: Policy) -> str:
    """Changes whenever others would have to approve a grant for an action of this policy, and for nothing else in it."""
    asked = asking(policy)
    stages = tuple(stage.model_copy(update=SHOWN | {"expires_in": None}) for stage in asked.stages)
    decided = asked.model_copy(update=SHOWN | AROUND | {"stages": stages})
    return hashlib.sha256(decided.model_dump_json(exclude_defaults=True).encode()).hexdigest()[:32]


def asked_today(policy: Policy) -> Policy:
    """The same as it is stored with such a question, at its first stage."""
    return begun(asking(policy), {}, None)


def narrowed(grant: GrantRecord, today: Policy) -> GrantRecord | None:
    """What the policy of today leaves of a grant: no more than was granted. `None`: it offers no such grant any more."""
    offer, terms = today.grants, grant.terms
    if offer is None or not terms.where.keys() <= set(offer.fields):
        return None
    fewer = terms.model_copy(update={"times": min(terms.times, offer.times)})
    return replace(grant, terms=fewer, until=min(grant.until, grant.granted_at + offer.lasts))


def would_approve(today: Policy, shape: Shape, decisions: Sequence[DecisionRecord]) -> bool:
    """Whether the votes that approved a grant would do so by a policy that was changed since: `fits` is as of today.

    A vote of somebody who has no place to fill in its stage any more does not count, nor one of who decided an earlier
    stage, where its stage is kept apart by now.
    """
    counting = [
        each
        for each in decisions
        if any(each.fits[max(each.stage, 1) - 1 :][:1]) and not _is_kept_out(today, each, decisions)
    ]
    _, key = reached(asked_today(today), shape, counting)
    choice = shape.choice(key) if key is not None else None
    return choice is not None and not choice.declines


def _is_kept_out(today: Policy, vote: DecisionRecord, votes: Sequence[DecisionRecord]) -> bool:
    is_separate = bool(vote.stage) and any(each.separate for each in today.stages[vote.stage - 1 : vote.stage])
    before = {voice for each in votes if each.stage < vote.stage for voice in each.voices}
    return is_separate and not before.isdisjoint(vote.voices)


def approving(shape: Shape) -> Choice | None:
    """The one way to approve, if it asks for nothing: the only answer that a grant can give."""
    ways = [choice for choice in shape.choices if not choice.declines]
    return ways[0] if shape.is_approval and len(ways) == 1 and not ways[0].has_form else None


def field_key(name: str) -> str:
    """What a field that may narrow a grant is called where one is asked for: `where_team_name` for `team.name`."""
    return f"where_{name.replace('.', '_')}"


def _span(lasts: timedelta) -> str:
    minutes = round(lasts.total_seconds() / 60)
    hours, rest = divmod(minutes, 60)
    parts = [counted(number, unit) for number, unit in ((hours, "hour"), (rest, "minute")) if number]
    return " and ".join(parts)


def _matches(pattern: str, text: str | None) -> bool:
    """Letter by letter, but for `*`. In time that grows with the length alone, whoever wrote the pattern."""
    if text is None:
        return False
    first, *rest = pattern.split(ANY)
    if not rest:
        return text == pattern
    if text.splitlines() not in ([], [text]) or not text.startswith(first):
        return False
    *inner, last = rest
    at = len(first)
    for part in inner:
        found = text.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - at >= len(last) and text.endswith(last)


def _at(value: Any, name: str) -> Any:
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
