"""Stages, mixed needs and exclusions: a table of cases, and no sequence of votes that a policy forbids and that approves."""

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pydantic import ValidationError

from actions import ChannelMembers, Group, ManagerOf, Needs, OnCall, Person, Policy, Requester, Stage, field
from actions.kit.policies.conditions import holds
from actions.kit.policies.policy import Allowed, DirectMessage, Expanded, Lookup, Refused, Unverified, verdict
from actions.kit.policies.policy_checks import check
from actions.kit.policies.quorum import candidates, filled, fits, needs_of
from actions.kit.policies.showing import place_lookups, places
from actions.kit.policies.stages import begun, counterparts, entered, every_stage, still
from actions.kit.policies.tally import counting, progress, reached
from actions.kit.records.interrupts import DecisionRecord
from actions.kit.records.people import PersonFacts
from tests.votes import ANN, APPROVAL, ASKER, BEN, CYD, DAN, EVE, NOW, PEOPLE, decided, judged, voted

FINANCE, LEADS, MANAGER, ON_CALL = Group("finance"), Group("leads"), ManagerOf(Requester()), OnCall("payments")
KNOWN: Expanded = {FINANCE: {ANN, BEN}, LEADS: {BEN, CYD, DAN}, MANAGER: {ANN}, ON_CALL: {EVE}}


@pytest.mark.parametrize(
    ("policy", "person", "expected"),
    [
        (Policy(deciders=FINANCE), ANN, Allowed()),
        (Policy(deciders=FINANCE), CYD, Refused("not_a_decider")),
        (Policy(deciders=MANAGER), ANN, Allowed()),
        (Policy(deciders=MANAGER), BEN, Refused("not_a_decider")),
        (Policy(deciders=ON_CALL), EVE, Allowed()),
        (Policy(deciders=(FINANCE, ON_CALL)), EVE, Allowed()),
        (Policy(deciders=FINANCE, exclude=Person(ANN)), ANN, Refused("excluded")),
        (Policy(deciders=FINANCE, exclude=LEADS), BEN, Refused("excluded")),
        (Policy(deciders=FINANCE, exclude=LEADS), ANN, Allowed()),
        (Policy(deciders=Person(BEN), exclude=LEADS), BEN, Refused("excluded")),
        (Policy(deciders=(Needs(1, FINANCE), Needs(2, LEADS))), CYD, Allowed()),
        (Policy(deciders=(Needs(1, FINANCE), Needs(2, LEADS))), EVE, Refused("not_a_decider")),
        (Policy(deciders=Group("new")), ANN, Unverified((Group("new"),))),
        (Policy(deciders=(FINANCE, Group("new"))), ANN, Allowed()),
        (Policy(deciders=(FINANCE, Group("new"))), EVE, Unverified((Group("new"),))),
        (Policy(deciders=FINANCE, exclude=Group("new")), ANN, Unverified((Group("new"),))),
        (Policy(deciders=Person(ANN), exclude=Group("new")), ANN, Unverified((Group("new"),))),
        (Policy(deciders=FINANCE, exclude=Group("new")), EVE, Refused("not_a_decider")),
    ],
)
def test_who_decides_by_group_manager_rota_and_exclusion(policy, person, expected):
    assert judged(policy, person, KNOWN) == expected


@pytest.mark.parametrize("decider", [FINANCE, LEADS, MANAGER, ON_CALL, ChannelMembers("#room")])
def test_nobody_approves_their_own_request_and_no_guest_or_bot_does_by_any_of_these(decider):
    known: Expanded = {decider: {ASKER, ANN}}
    policy = Policy(deciders=decider)
    assert judged(policy, ASKER, known) == Refused("requester")
    ann = PersonFacts(ANN, "Ann")
    refused: list[tuple[PersonFacts, Refused]] = [
        (replace(ann, is_guest=True), Refused("guest")),
        (replace(ann, is_bot=True), Refused("bot")),
        (replace(ann, is_deleted=True), Refused("not_a_decider")),
    ]
    for person, why in refused:
        assert verdict(policy, person, requester=ASKER, approval=True, expanded=known) == why
    assert judged(policy, ANN, known) == Allowed()


def test_whose_address_is_not_known_is_not_let_past_an_exclusion_by_address():
    policy = Policy(deciders=FINANCE, exclude=Person("cyd@example.com"))
    for email, expected in ((None, Refused("excluded")), ("ann@example.com", Allowed())):
        ann = PersonFacts(ANN, "Ann", email)
        assert verdict(policy, ann, requester=ASKER, approval=True, expanded=KNOWN) == expected


MIXED = Policy(deciders=(Needs(1, FINANCE), Needs(2, LEADS)))
CHAIN = Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=FINANCE, quorum=2)))
APART = Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=(FINANCE, LEADS), separate=True)))
MAJORITY = Policy(deciders=(FINANCE, LEADS), quorum=3, declines_at="majority")


@pytest.mark.parametrize(
    ("policy", "votes", "stage", "settled"),
    [
        (MIXED, [CYD, DAN], 0, None),
        (MIXED, [BEN, CYD], 0, None),
        (MIXED, [BEN, CYD, DAN], 0, "approve"),
        (MIXED, [CYD, BEN, ANN], 0, "approve"),
        (MIXED, [ANN, CYD, "-" + DAN], 0, "reject"),
        (CHAIN, [], 1, None),
        (CHAIN, [ANN], 2, None),
        (CHAIN, [ANN, BEN], 2, "approve"),
        (CHAIN, ["-" + ANN], 1, "reject"),
        (CHAIN, [ANN, "-" + BEN], 2, "reject"),
        (APART, [ANN], 2, None),
        (APART, [ANN, BEN], 2, "approve"),
        (MAJORITY, ["-" + ANN, "-" + BEN], 0, None),
        (MAJORITY, ["-" + ANN, "-" + BEN, "-" + CYD], 0, "reject"),
        (MAJORITY, ["-" + ANN, BEN, CYD, DAN], 0, "approve"),
    ],
)
def test_what_votes_bring_about(policy, votes, stage, settled):
    at, key = voted(policy, *votes, known=KNOWN)
    assert (at.stage, key) == (stage, settled)


def test_who_decided_a_stage_is_asked_once_and_where_it_is_kept_apart_not_at_all():
    once, _ = voted(Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=FINANCE))), ANN, known=KNOWN)
    assert voted(Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=FINANCE))), ANN, known=KNOWN)[1] == "approve"
    assert once.stage == 2
    apart, _ = voted(APART, ANN, known=KNOWN)
    assert judged(apart, ANN, KNOWN) == Refused("excluded")


def test_one_person_fills_one_place_of_one_need_whichever_helps_most():
    assert filled([1, 2], [(0, 1), (1,), (1,)]) == (1, 2)
    assert filled([1, 2], [(1,), (0, 1), (1,)]) == (1, 2)
    assert filled([1, 1], [(0, 1)]) in {(1, 0), (0, 1)}
    assert filled([2, 2], [(0, 1), (0, 1), (0,), (0,)]) == (2, 2)
    assert fits(MIXED, PersonFacts(BEN, "Ben"), requester=ASKER, approval=True, expanded=KNOWN) == (0, 1)


def test_how_far_a_stage_is_counts_the_choice_that_most_agree_on():
    policy = begun(CHAIN, {}, None)
    decision = DecisionRecord(ANN, "approve", "{}", None, NOW, "1", 1, ((0,), (0,)))
    second, _ = reached(policy, APPROVAL, [decision])
    assert counting(second, APPROVAL, [decision]) == (decision,)
    told = progress(second, APPROVAL, [decision])
    assert (told.agreed, told.needed) == (1, 2)


AMOUNTS = Policy(
    stages=(
        Stage(deciders=MANAGER, expires_in=timedelta(hours=1)),
        Stage(when=field("amount") > 5_000, deciders=FINANCE),
        Stage(when=(field("team.name") == "ops") | field("currency").one_of("USD", "GBP"), deciders=LEADS),
    )
)


@pytest.mark.parametrize(
    ("value", "asked"),
    [
        ({"amount": "5000.00", "team": {"name": "x"}, "currency": "EUR"}, [MANAGER]),
        ({"amount": "5000.01", "team": {"name": "x"}, "currency": "EUR"}, [MANAGER, FINANCE]),
        ({"amount": 9, "team": {"name": "ops"}, "currency": "EUR"}, [MANAGER, LEADS]),
        ({"amount": 9, "team": {"name": "x"}, "currency": "USD"}, [MANAGER, LEADS]),
        ({"amount": "much", "team": {"name": "x"}, "currency": "EUR"}, [MANAGER, FINANCE]),
        ({"team": None, "currency": "EUR"}, [MANAGER, FINANCE, LEADS]),
    ],
)
def test_a_stage_whose_condition_is_false_is_left_out_and_one_that_cannot_be_told_is_asked(value, asked):
    policy = begun(AMOUNTS, value, timedelta(days=1))
    assert [stage.deciders[0] for stage in policy.stages] == asked
    assert len(policy.stages) + len(policy.skipped) == 3
    assert policy.stages[0].expires_in == timedelta(hours=1)
    assert all(stage.expires_in == timedelta(days=1) for stage in policy.stages[1:])
    assert policy.deciders == (MANAGER,)


@pytest.mark.parametrize(
    ("condition", "value", "expected"),
    [
        (field("a") >= 2, {"a": 2}, True),
        (field("a") < 2, {"a": "1.99"}, True),
        (field("a") != "x", {"a": "y"}, True),
        (field("a") == True, {"a": True}, True),  # noqa: E712 - how a condition is written
        (field("a") == 1, {"a": True}, False),
        (field("a") == None, {"a": None}, True),  # noqa: E711 - as above
        (field("a") > 1, {"a": None}, None),
        (field("a") <= "2026-03-01", {"a": "2026-02-28"}, True),
        (~(field("a") == 1), {}, None),
        ((field("a") == 1) & (field("b") == 1), {"a": 2}, False),
        ((field("a") == 1) & (field("b") == 1), {"a": 1}, None),
        ((field("a") == 1) | (field("b") == 1), {"a": 1}, True),
        (field("a") > 1, {"a": "NaN"}, None),
        (field("a.b") == 1, {"a": [1]}, None),
    ],
)
def test_conditions_are_true_false_or_not_to_be_told(condition, value, expected):
    assert holds(condition, value) is expected


def test_a_condition_is_no_truth_value_by_itself():
    with pytest.raises(TypeError, match="join conditions with"):
        assert field("a") > 1
    with pytest.raises(TypeError, match="compare the field"):
        assert not field("a")


def test_a_policy_of_stages_is_stored_and_comes_back_as_it_was():
    policy = begun(AMOUNTS, {"amount": "9000"}, None)
    assert Policy.model_validate_json(policy.model_dump_json()) == policy
    old = (
        '{"deciders":[{"kind":"person","id":"U0ANN","email":null}],"show":[],"starters":[],"quorum":1,"declines_at":1}'
    )
    assert Policy.model_validate_json(old) == Policy(deciders=Person(ANN))


SCHEMA = {
    "properties": {
        "amount": {"type": "string", "format": "decimal"},
        "team": {"$ref": "#/$defs/Team"},
    },
    "$defs": {"Team": {"type": "object", "properties": {"name": {"type": "string"}}}},
    "type": "object",
}


@pytest.mark.parametrize(
    ("policy", "mistake"),
    [
        (Policy(deciders=(Needs(1, FINANCE), Person(ANN))), "write Needs(1, ...)"),
        (Policy(deciders=(Needs(1, FINANCE),), quorum=2), "leave quorum out"),
        (Policy(deciders=(Needs(1, Person(ANN)), Needs(1, Person(ANN)))), "quorum is 2, but only 1 can decide"),
        (Policy(deciders=(Person(ANN), Person(BEN)), exclude=Person(BEN), quorum=2), "but only 1 can decide"),
        (Policy(deciders=FINANCE, stages=Stage(deciders=LEADS)), "deciders stands beside stages"),
        (Policy(stages=Stage(deciders=LEADS), quorum=2), "quorum stands beside stages"),
        (Policy(stages=Stage(deciders=LEADS, when=field("amount") > 1)), "asked of nobody"),
        (Policy(stages=(Stage(deciders=LEADS), Stage(deciders=()))), "stage 2: nobody decides"),
        (Policy(stages=(Stage(deciders=LEADS), Stage(deciders=Person(ANN), quorum=2))), "stage 2: quorum is 2"),
        (Policy(stages=Stage(deciders=LEADS, separate=True)), "stage 1: separate=True is about earlier"),
        (Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=Person(ANN), separate=True))), "leaves too few"),
        (Policy(stages=(Stage(deciders=LEADS), Stage(deciders=LEADS, when=field("amuont") > 1))), "no field 'amuont'"),
        (Policy(stages=(Stage(deciders=LEADS), Stage(deciders=LEADS, when=field("team.x") == 1))), "no field 'team.x'"),
        (Policy(stages=(Stage(deciders=LEADS), Stage(deciders=LEADS, when=field("team.name") > 1))), "is no number"),
        (Policy(deciders=LEADS, stage=1), "written by the bot"),
        (Policy(deciders=LEADS, escalated=(1,), gone=("U0ANN",)), "escalated, gone: written by the bot"),
    ],
)
def test_each_mistake_of_a_policy_is_told_with_its_fix(policy, mistake):
    assert any(mistake in found for found in check(policy, approval=True, schema=SCHEMA))


def test_policies_that_can_work_have_no_mistakes():
    condition = (field("amount") > 1) & (field("team.name") == "ops")
    for policy in (MIXED, CHAIN, APART, MAJORITY):
        assert check(policy, approval=True, schema=SCHEMA) == []
    assert check(Policy(stages=(Stage(deciders=MANAGER), Stage(deciders=LEADS, when=condition))), schema=SCHEMA) == []


def test_the_card_goes_to_those_who_are_found_and_with_notify_to_those_alone():
    told = DirectMessage(Person(EVE))
    assert places(Policy(deciders=FINANCE), expanded=KNOWN) == (DirectMessage(Person(ANN)), DirectMessage(Person(BEN)))
    assert places(Policy(deciders=FINANCE, notify=ON_CALL), expanded=KNOWN) == (told,)
    assert places(Policy(deciders=FINANCE, exclude=Person(BEN)), expanded=KNOWN) == (DirectMessage(Person(ANN)),)
    assert places(Policy(deciders=FINANCE), requester=ANN, expanded=KNOWN) == (DirectMessage(Person(BEN)),)
    but_leads = Policy(deciders=(FINANCE, Person(CYD)), exclude=LEADS)
    assert place_lookups(but_leads) == (FINANCE, LEADS)
    assert places(but_leads, requester=ASKER, expanded=KNOWN) == (DirectMessage(Person(ANN)),)
    in_room = places(Policy(deciders=ChannelMembers("#room"), notify=ON_CALL), expanded=KNOWN)
    assert [place.kind for place in in_room] == ["channel", "direct_message"]


def test_how_many_can_decide_is_known_once_everybody_is_looked_up():
    assert candidates(Policy(deciders=FINANCE), approval=True) is None
    assert candidates(Policy(deciders=FINANCE), requester=ANN, approval=True, expanded=KNOWN) == 1
    assert candidates(MIXED, requester=ASKER, approval=True, expanded=KNOWN) == 3
    assert candidates(MIXED, requester=ASKER, approval=True, gone=[CYD], expanded=KNOWN) == 3
    assert candidates(MIXED, requester=ASKER, approval=True, gone=[CYD, DAN], expanded=KNOWN) == 2


def test_the_policy_of_today_narrows_and_never_widens():
    no = Refused("not_a_decider")
    assert still(Allowed(), [Allowed(), no]) == Allowed()
    assert still(Allowed(), [no, no]) == Refused("not_any_more")
    assert still(no, [Allowed()]) == no
    assert still(Allowed(), [Unverified((FINANCE,)), no]) == Unverified((FINANCE,))
    assert [each.deciders for each in every_stage(AMOUNTS)] == [(MANAGER,), (FINANCE,), (LEADS,)]


def test_a_stage_is_narrowed_by_the_one_in_its_place_and_by_any_where_other_stages_apply_by_now():
    small = begun(AMOUNTS, {"amount": 10}, None)
    whole = begun(CHAIN, {}, None)
    assert [each.deciders for each in counterparts(APART, entered(whole, 2))] == [(FINANCE, LEADS)]
    assert [each.deciders for each in counterparts(AMOUNTS, small)] == [(MANAGER,)]
    assert counterparts(AMOUNTS, whole) == every_stage(AMOUNTS)
    assert counterparts(MIXED, Policy(deciders=FINANCE)) == (MIXED,)
    assert counterparts(MIXED, whole) == (MIXED,)


def test_how_far_many_stages_are_is_told_at_once():
    count = 40
    policy = begun(Policy(stages=tuple(Stage(deciders=(Person(ANN), Person(BEN))) for _ in range(count))), {}, None)
    votes = [
        DecisionRecord((ANN, BEN)[number % 2], "approve", "{}", None, NOW, str(number), number + 1, ((),) * count)
        for number in range(count)
    ]
    assert reached(policy, APPROVAL, votes[:-1])[0].stage == count
    assert reached(policy, APPROVAL, votes)[1] == "approve"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), Decimal("NaN")])
def test_a_field_is_compared_with_real_numbers_alone_and_with_one_value_at_least(number):
    with pytest.raises(ValidationError):
        _ = field("amount") > number
    with pytest.raises(ValidationError):
        field("amount").one_of()


@pytest.mark.parametrize("long", [timedelta(), timedelta(hours=-1), timedelta.max])
def test_a_stage_waits_for_more_than_nothing_and_not_for_ever(long):
    policy = Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=Person(BEN), expires_in=long)))
    (mistake,) = check(policy)
    assert mistake.startswith("stage 2: expires_in must be more than nothing and at most")


groups = st.sets(st.sampled_from(PEOPLE), min_size=1)


@st.composite
def chains(draw: st.DrawFn) -> tuple[Policy, Expanded]:
    """Up to three stages over groups that overlap, with needs, declines and separation as they come."""
    known: dict[Lookup, set[str]] = {}
    stages = []
    for number in range(draw(st.integers(1, 3))):
        needs = []
        for letter in "ab"[: draw(st.integers(1, 2))]:
            group = Group(f"g{number}{letter}")
            known[group] = draw(groups)
            needs.append(Needs(draw(st.integers(1, 2)), group))
        flat = len(needs) == 1
        deciders = needs[0].of if flat else tuple(needs)
        terms = {"deciders": deciders, "quorum": needs[0].count if flat else 1, "separate": draw(st.booleans())}
        stages.append(Stage(**terms, declines_at=draw(st.sampled_from([1, 2, "majority"]))))
    return Policy(stages=tuple(stages)), known


class Votes(RuleBasedStateMachine):
    """Anybody votes at any time, twice if they like; the model counts by brute force over who may stand where."""

    @initialize(made=chains())
    def asked(self, made: tuple[Policy, Expanded]) -> None:
        policy, self.known = made
        self.policy = begun(policy, {}, None)
        self.key: str | None = None
        self.decisions: list[DecisionRecord] = []

    @rule(person=st.sampled_from((*PEOPLE, ASKER)), agrees=st.booleans())
    def votes(self, person: str, agrees: bool) -> None:
        counted = counting(self.policy, APPROVAL, self.decisions)
        allowed = isinstance(judged(self.policy, person, self.known), Allowed)
        if self.key is not None or not allowed or person in {each.person for each in counted}:
            return
        choice, source = "approve" if agrees else "reject", str(len(self.decisions))
        self.decisions.append(decided(self.policy, person, choice, source, self.known))
        self.policy, self.key = reached(self.policy, APPROVAL, self.decisions)

    @invariant()
    def an_approval_is_one_that_the_policy_allows(self) -> None:
        if getattr(self, "key", None) != "approve":
            return
        agreed = {each.person: each.stage for each in self.decisions if each.choice == "approve"}
        assert ASKER not in agreed
        for number, stage in enumerate(self.policy.stages, 1):
            here = {person for person, at in agreed.items() if at == number or (at < number and not stage.separate)}
            assert _could_agree(entered(self.policy, number), here, self.known)
            vetoes = sum(each.stage == number and each.choice == "reject" for each in self.decisions)
            assert vetoes < (_places(stage) if stage.declines_at == "majority" else stage.declines_at)
            if stage.separate:
                before = {each.person for each in self.decisions if each.stage < number}
                assert not before & {each.person for each in self.decisions if each.stage == number}


def _places(stage: Stage) -> int:
    counts = [each.count for each in stage.deciders if isinstance(each, Needs)]
    return sum(counts) or stage.quorum


def _could_agree(policy: Policy, people: set[str], known: Expanded) -> bool:
    """By trying every way to give each place to somebody."""
    slots = [set(known[each]) for need in needs_of(policy) for each in _groups(need) for _ in range(need.count)]
    return _seated(slots, people)


def _groups(need: Needs) -> list[Group]:
    return [each for each in need.of if isinstance(each, Group)]


def _seated(slots: list[set[str]], people: set[str]) -> bool:
    return not slots or any(_seated(slots[1:], people - {person}) for person in slots[0] & people)


Votes.TestCase.settings = settings(max_examples=60, stateful_step_count=12, deadline=None)
TestVotes = Votes.TestCase


def test_a_stored_condition_is_readable_json():
    told = json.loads((field("amount") > 5_000).model_dump_json())
    assert told == {"kind": "compare", "field": "amount", "is_": ">", "value": 5000}
