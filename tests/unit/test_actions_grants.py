"""What a standing grant covers, what is left of it, and how it is said: pure."""

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from actions import (
    ActionError,
    ActionInterrupt,
    Channel,
    Context,
    FromInput,
    Grants,
    Hours,
    Person,
    Policy,
    Stage,
    Warn,
    every,
    field,
)
from actions.kit.errors import AnswerError
from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.policies.grants import asking, covers, fingerprint, narrowed, terms_words, would_approve
from actions.kit.policies.policy_checks import check
from actions.kit.policies.standing_grant import standing_grant
from actions.kit.records.interrupts import DecisionRecord
from actions.kit.shapes.answers import Approve, Reject, Resume
from tests.authors import declare

AN_HOUR = timedelta(hours=1)
LINE_ENDS = ("\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
OFFER = Grants(lasts=8 * AN_HOUR, times=10, fields=("service",))
POLICY = Policy(deciders=Person("U0ANN"), grants=OFFER)
TERMS = GrantTerms(action_id="restart", action_name="Restart", where={"service": "web-*"}, lasts=4 * AN_HOUR, times=3)
GRANT = GrantRecord("g", "U0RITA", TERMS, ("U0ANN",), NOW, NOW + 4 * AN_HOUR)


class Restart(BaseModel):
    service: str


@pytest.mark.parametrize(
    ("pattern", "text", "is_covered"),
    [
        ("web-1", "web-1", True),
        ("web-1", "web-10", False),
        ("web-*", "web-1", True),
        ("web-*", "web-", True),
        ("web-*", "Web-1", False),
        ("web-*", "my-web-1", False),
        *(("web-*", f"web-1{end}rm", False) for end in LINE_ENDS),
        ("*", "\r", False),
        ("*", "", True),
        ("*-web", "a-web", True),
        ("a*b*c", "a-b-c", True),
        ("a*b*c", "acb", False),
        ("ab*ba", "aba", False),
        ("w?b", "web", False),
        ("w[e]b", "web", False),
        ("web-.", "web-1", False),
        ("a*a*a*a*a*a*b", "a" * 5000, False),
    ],
)
def test_a_pattern_covers_letter_by_letter_but_for_the_star(pattern: str, text: str, is_covered: bool):
    assert covers({"service": pattern}, {"service": text}) is is_covered


@pytest.mark.parametrize(
    ("where", "value", "is_covered"),
    [
        ({}, {"anything": 1}, True),
        ({"team.name": "ops"}, {"team": {"name": "ops"}}, True),
        ({"team.name": "ops"}, {"team": None}, False),
        ({"team.name": "*"}, {}, False),
        ({"team": "*"}, {"team": {"name": "ops"}}, False),
        ({"tags": "*"}, {"tags": ["ops"]}, False),
        ({"amount": "12.50"}, {"amount": "12.50"}, True),
        ({"amount": "12.5"}, {"amount": "12.50"}, False),
        ({"count": "3"}, {"count": 3}, True),
        ({"force": "false"}, {"force": False}, True),
        ({"force": "false", "service": "web"}, {"force": False, "service": "db"}, False),
    ],
)
def test_each_field_is_compared_as_the_text_that_it_is_kept_as(where: dict[str, str], value: Any, is_covered: bool):
    assert covers(where, value) is is_covered


@pytest.mark.parametrize(
    ("offer", "left"),
    [
        (OFFER, (3, 4)),
        (Grants(lasts=AN_HOUR, times=10, fields=("service",)), (3, 1)),
        (Grants(lasts=8 * AN_HOUR, times=2, fields=("service", "team")), (2, 4)),
        (Grants(lasts=8 * AN_HOUR, times=10), None),
        (None, None),
    ],
)
def test_a_policy_of_today_leaves_no_more_than_was_granted(offer: Grants | None, left: tuple[int, int] | None):
    found = narrowed(GRANT, POLICY.model_copy(update={"grants": offer}))
    assert (found and (found.terms.times, (found.until - NOW) // AN_HOUR)) == left


def test_what_decides_about_a_grant_is_every_stage_and_offers_none_itself():
    stages = (Stage(deciders=Person("U0ANN")), Stage(deciders=Person("U0BEN"), when=field("service") == "db"))
    asked = asking(Policy(stages=stages, grants=OFFER))
    assert ([stage.when for stage in asked.stages], asked.grants) == ([None, None], None)
    assert check(asked, approval=True) == []
    assert fingerprint(POLICY) == fingerprint(POLICY.model_copy(update={"grants": None}))
    assert fingerprint(POLICY) != fingerprint(POLICY.model_copy(update={"quorum": 2}))


@pytest.mark.parametrize(
    "more",
    [
        {"show": Channel("#ops"), "notify": Person("U0BEN")},
        {"remind": every(hours=1), "warn": Warn(), "hours": Hours("UTC")},
        {"claim_for": AN_HOUR, "may_ask": True, "starters": Person("U0BEN")},
    ],
)
def test_what_changes_nothing_of_who_decides_leaves_a_grant_as_it_is(more: dict[str, Any]):
    assert fingerprint(POLICY) == fingerprint(Policy(deciders=Person("U0ANN"), grants=OFFER, **more))
    staged = [Policy(stages=(Stage(deciders=Person("U0ANN"), **shown),)) for shown in ({}, {"expires_in": AN_HOUR})]
    assert len(set(map(fingerprint, staged))) == 1


@pytest.mark.parametrize("separate", [False, True])
def test_who_decided_twice_approves_no_grant_once_the_second_stage_is_kept_apart(separate: bool):
    ann = Person("U0ANN")
    today = Policy(stages=(Stage(deciders=ann), Stage(deciders=(ann, Person("U0BEN")), separate=separate)))
    votes = [
        DecisionRecord("U0ANN", "approve", "{}", None, NOW, f"click:{stage}", stage, ((0,), (0,))) for stage in (1, 2)
    ]
    assert would_approve(today, Resume.of().shape, votes) is not separate


def test_a_grant_for_what_is_of_low_risk_is_not_of_low_risk_itself():
    assert not asking(POLICY.model_copy(update={"low_risk": True})).low_risk


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({}, "For the next 4 hours, up to 3 times: Restart where Service is web-*"),
        ({"times": 1, "lasts": AN_HOUR / 2}, "For the next 30 minutes, once: Restart where Service is web-*"),
        (
            {"where": {}, "lasts": 1.5 * AN_HOUR},
            "For the next 1 hour and 30 minutes, up to 3 times: Restart, whatever it is asked with",
        ),
        (
            {"where": {"service": "a", "team.name": "b"}},
            "For the next 4 hours, up to 3 times: Restart where Service is a and Name is b",
        ),
    ],
)
def test_a_grant_is_said_in_a_sentence(terms: dict[str, Any], words: str):
    assert terms_words(TERMS.model_copy(update=terms)) == words


class Kind(StrEnum):
    WEB = "web"
    WORKER = "worker"


class Listed(BaseModel):
    kind: Kind
    size: Literal["S", "M"] | None = None
    force: bool = False
    name: str = ""


@pytest.mark.parametrize(
    ("where", "refused"),
    [
        ({"where_kind": "w*"}, None),
        ({"where_kind": "Web"}, "would never allow anything: the only values are web, worker"),
        ({"where_size": "S"}, None),
        ({"where_size": "L*"}, "the only values are S, M"),
        ({"where_force": "*e"}, None),
        ({"where_force": "True"}, "the only values are true, false"),
        ({"where_name": "anything"}, None),
        ({"where_kind": "  "}, None),
    ],
)
def test_a_pattern_of_none_of_the_only_values_is_refused(where: dict[str, str], refused: str | None):
    async def listed(input: Listed, ctx: Context) -> None:
        raise ActionInterrupt("Restart?")

    offer = Grants(lasts=AN_HOUR, times=1, fields=("kind", "size", "force", "name"))
    asking_for = standing_grant([declare(listed, policy=POLICY.model_copy(update={"grants": offer}))])
    raw = {"what": {"action": "tried", "hours": 1, "times": 1, **where}, "reason": "An incident"}
    with pytest.raises(AnswerError, match=refused) if refused else nullcontext():
        asking_for.validate_input(raw)


async def restart(input: Restart, ctx: Context) -> None:
    raise ActionInterrupt("Restart?")


class Note(Approve):
    note: str


@pytest.mark.parametrize(
    ("options", "mistake"),
    [
        ({"destructive": True}, "it is destructive, and so never done by a standing grant"),
        ({"destructive": "yes"}, "destructive must be True or False"),
        ({"resume": Note | Reject}, "grants need an answer that declines, and one other that asks for nothing"),
        ({"resume": bool}, "grants need an answer that declines"),
        ({"resume": FromInput(lambda _: bool, "service")}, "grants need an answer that declines"),
        (
            {"policy": Policy(deciders=Person("U0ANN"), grants=Grants(lasts=AN_HOUR, times=1, fields="host"))},
            "no field 'host'; the fields are 'service'",
        ),
    ],
)
def test_what_cannot_be_granted_is_a_mistake_at_start_up(options: dict[str, Any], mistake: str):
    with pytest.raises(ActionError, match=mistake):
        declare(restart, **{"policy": POLICY, **options})


def test_grants_are_offered_by_the_policy_of_an_action_alone():
    left = declare(restart, policy=FromInput(lambda _: POLICY, "service"))
    with pytest.raises(Exception, match="cannot be offered by that of a pause or of an input"):
        left.validate_input({"service": "web"})
