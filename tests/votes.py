"""Votes under a policy, one after the other, without a store: who may, and where that brings it."""

from datetime import UTC, datetime
from typing import Any

from actions import Policy
from actions.kit.policies.policy import Allowed, Expanded, Verdict, verdict
from actions.kit.policies.stages import begun, may_fill
from actions.kit.policies.tally import reached
from actions.kit.records.interrupts import DecisionRecord
from actions.kit.records.people import PersonFacts
from actions.kit.shapes.answers import Resume

NOW = datetime(2026, 3, 1, tzinfo=UTC)
APPROVAL = Resume.of().shape
ASKER = "U0REQ"
PEOPLE = ("U0ANN", "U0BEN", "U0CYD", "U0DAN", "U0EVE")
ANN, BEN, CYD, DAN, EVE = PEOPLE


class Forbidden(Exception):  # noqa: N818 - it says what the vote is
    """The policy does not let this person vote now."""


def facts_of(person: str) -> PersonFacts:
    return PersonFacts(person, person, email=f"{person.lower()}@example.com")


def judged(policy: Policy, person: str, known: Expanded) -> Verdict:
    return verdict(policy, facts_of(person), requester=ASKER, approval=True, expanded=known)


def decided(policy: Policy, person: str, choice: str, source: str, known: Expanded) -> DecisionRecord:
    """The decision of somebody who may, as it is stored."""
    fills = may_fill(policy, facts_of(person), requester=ASKER, approval=True, expanded=known)
    return DecisionRecord(person, choice, "{}", None, NOW, source, policy.stage, fills)


def voted(policy: Policy, *votes: str, known: Expanded, value: Any = None) -> tuple[Policy, str | None]:
    """Where votes such as "U0ANN" or "-U0BEN" (a decline) bring a policy. Raises `Forbidden`."""
    policy, decisions = begun(policy, value or {}, None), list[DecisionRecord]()
    key: str | None = None
    for number, vote in enumerate(votes):
        person = vote.removeprefix("-")
        if not isinstance(judged(policy, person, known), Allowed):
            raise Forbidden(vote)
        choice = "reject" if vote.startswith("-") else "approve"
        decisions.append(decided(policy, person, choice, str(number), known))
        policy, key = reached(policy, APPROVAL, decisions)
    return policy, key
