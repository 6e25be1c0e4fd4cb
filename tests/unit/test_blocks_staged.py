"""What cards say of stages: who is waited for, what each stage decided, which were left out and why."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from actions import Group, ManagerOf, Needs, OnCall, Person, Policy, Requester, Stage, field
from actions.kit.policies.stages import begun, entered
from actions.kit.records.interrupts import Card, DecisionRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks.card import render_card
from blocks.deciding import condition_said, policy_said
from blocks.details import details_view
from blocks.said import in_plain
from blocks.staged import staged_lines
from blocks.validate import validate_message, validate_view
from tests.cards import AT_NINE, BEA, CAI, DAN, settle, spend_request_card, with_run
from tests.golden_files import assert_golden

FINANCE = Group("finance")
CHAIN = Policy(
    stages=(
        Stage(deciders=ManagerOf(Requester())),
        Stage(deciders=FINANCE, quorum=2, when=field("amount") > 5_000),
        Stage(deciders=Person(DAN), separate=True),
    )
)
SMALL, LARGE = {"amount": "900.00", "currency": "EUR"}, {"amount": "9000.00", "currency": "USD"}


def asked(policy: Policy, value: object, *decisions: DecisionRecord, stage: int = 1) -> Card:
    card = spend_request_card()
    at = begun(policy, value, None)
    at = entered(at, stage) if at.stages else at
    return replace(card, interrupt=replace(card.interrupt, policy=at), decisions=decisions)


def agreed(person: str, stage: int, *fits: tuple[int, ...]) -> DecisionRecord:
    return DecisionRecord(person, "Approve", "{}", None, AT_NINE, f"{person}{stage}", stage, fits)


def approved(card: Card) -> Card:
    settled = settle(card, InterruptStatus.ANSWERED, choice="Approve", settled_by=CAI, answer="{}")
    return with_run(settled, RunStatus.SUCCEEDED, ended_at=AT_NINE + timedelta(minutes=4))


BOTH = (agreed(BEA, 1, (0,), (), ()), agreed(CAI, 2, (), (0,), ()), agreed("U0EVE", 2, (), (0,), ()))
CARDS = {
    "first_stage": asked(CHAIN, LARGE),
    "first_stage_of_a_small_sum": asked(CHAIN, SMALL),
    "second_stage": asked(CHAIN, LARGE, *BOTH[:1], stage=2),
    "second_stage_with_one_of_two": asked(CHAIN, LARGE, *BOTH[:2], stage=2),
    "last_stage": asked(CHAIN, LARGE, *BOTH, stage=3),
    "approved": approved(asked(CHAIN, LARGE, *BOTH, agreed(DAN, 3, (), (), (0,)), stage=3)),
    "approved_small": approved(asked(CHAIN, SMALL, agreed(BEA, 1, (0,), ()), agreed(DAN, 2, (), (0,)), stage=2)),
    "mixed_needs": asked(
        Policy(deciders=(Needs(1, FINANCE), Needs(2, Group("leads"))), exclude=OnCall("payments")),
        LARGE,
        agreed(CAI, 0, (0, 1)),
        stage=0,
    ),
}


@pytest.mark.parametrize("name", CARDS)
def test_a_card_of_stages_is_drawn_as_before_and_valid(name):
    drawn = render_card(CARDS[name])
    message = {"text": drawn.text, "blocks": drawn.blocks}
    assert validate_message(message) == []
    assert validate_view(details_view(CARDS[name])) == []
    assert_golden(f"cards/staged_{name}", message)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "first_stage",
            ["Then: 2 of members of @finance; then <@U0DAN>"],
        ),
        (
            "first_stage_of_a_small_sum",
            ["Then: <@U0DAN>", "Not asked: 2 of members of @finance, as Amount is at most 5,000"],
        ),
        (
            "second_stage_with_one_of_two",
            [
                "1 of 2 agree, waiting for 1 more of members of @finance",
                "Stage 1 of 3: Approve by <@U0BEA>",
                "Then: <@U0DAN>",
            ],
        ),
        (
            "approved",
            [
                "Stage 1 of 3: Approve by <@U0BEA>",
                "Stage 2 of 3: Approve by <@U0CAI>, <@U0EVE>",
                "Stage 3 of 3: Approve by <@U0DAN>",
            ],
        ),
        ("mixed_needs", ["1 of 3 agree, waiting for 2 more of members of @leads"]),
    ],
)
def test_each_stage_is_said_in_words(name, lines):
    assert [line.replace("&gt;", ">") for line in staged_lines(CARDS[name])] == lines


def test_a_settled_card_of_stages_says_each_of_them_in_slack():
    told = json.dumps(render_card(CARDS["approved"]).blocks, ensure_ascii=False)
    assert "Stage 2 of 3: Approve by <@U0CAI>, <@U0EVE>" in told


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (Policy(deciders=FINANCE), "members of @finance"),
        (Policy(deciders=ManagerOf(Requester())), "the manager of whoever started it"),
        (Policy(deciders=ManagerOf(Person("U0ANN"), level=2)), "the manager 2 levels above U0ANN"),
        (Policy(deciders=OnCall("payments")), "whoever is on call for payments"),
        (
            Policy(deciders=(Needs(1, FINANCE), Needs(2, Group("leads"), Person("U0ANN")))),
            "1 of members of @finance and 2 of members of @leads or U0ANN",
        ),
        (Policy(deciders=FINANCE, exclude=Person("U0ANN")), "members of @finance, but not U0ANN"),
        (
            CHAIN,
            "the manager of whoever started it; then 2 of members of @finance where Amount is more than 5,000; then U0DAN",
        ),
    ],
)
def test_a_policy_reads_like_a_sentence(policy, words):
    assert in_plain(policy_said(policy, None)) == words


def test_a_condition_and_its_opposite_are_said():
    condition = (field("team.size") >= 3) & ~field("plan").one_of("free", "trial")
    assert condition_said(condition) == "Size is at least 3 and Plan is none of “free”, “trial”"
    assert condition_said(condition, holds=False) == "Size is less than 3 or Plan is one of “free”, “trial”"
