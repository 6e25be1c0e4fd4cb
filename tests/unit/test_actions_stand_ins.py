"""Who may decide in the place of somebody who is away: a table of cases, the ways that lead to them, and what counts once."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions import Group, Person, Policy, Requester, Stage
from actions.kit.policies.absences import Absence, ahead, behind, comes_back, people_on
from actions.kit.policies.policy import Allowed, Expanded, Refused, Unverified
from actions.kit.policies.stages import begun, entered
from actions.kit.policies.stand_ins import stands_in
from actions.kit.policies.tally import counting, reached
from actions.kit.records.interrupts import DecisionRecord
from tests.votes import ANN, APPROVAL, ASKER, BEN, CYD, DAN, EVE, NOW, PEOPLE, facts_of

DAY = timedelta(days=1)
LEADS = Group("leads")
NAMED, GROUP = Policy(deciders=Person(DAN)), Policy(deciders=LEADS)
APART = Policy(stages=(Stage(deciders=Person(CYD)), Stage(deciders=LEADS, separate=True)))
KNOWN: Expanded = {LEADS: {DAN, CYD}}


def judged(policy, *, person=ANN, principal=DAN, requesters=(ASKER,), approval=True, known=KNOWN, **facts):
    return stands_in(
        policy,
        replace(facts_of(person), **facts),
        facts_of(principal),
        requesters=requesters,
        approval=approval,
        expanded=known,
        of_principal=known,
    )


@pytest.mark.parametrize(
    ("policy", "given", "expected"),
    [
        (NAMED, {}, Allowed(standing_for=DAN)),
        (GROUP, {}, Allowed(standing_for=DAN)),
        (NAMED, {"principal": BEN}, Refused("not_a_decider")),
        (GROUP, {"known": {}}, Unverified((LEADS,))),
        # Nobody by any way what they asked for: neither who stands in, nor in whose place.
        (NAMED, {"requesters": (ANN,)}, Refused("requester")),
        (NAMED, {"requesters": (ASKER, ANN)}, Refused("requester")),
        (NAMED, {"requesters": (DAN,)}, Refused("requester")),
        (NAMED, {"requesters": (ASKER, DAN)}, Refused("requester")),
        (NAMED, {"requesters": (ASKER, ANN), "approval": False}, Refused("requester")),
        (Policy(deciders=Requester()), {"requesters": (DAN,), "approval": False}, Allowed(standing_for=DAN)),
        # Full members only.
        (NAMED, {"is_guest": True}, Refused("guest")),
        (NAMED, {"is_bot": True}, Refused("bot")),
        (NAMED, {"is_deleted": True}, Refused("not_a_decider")),
        # Left out, either of them.
        (NAMED.model_copy(update={"exclude": (Person(ANN),)}), {}, Refused("excluded")),
        (NAMED.model_copy(update={"exclude": (Person(DAN),)}), {}, Refused("excluded")),
        (NAMED.model_copy(update={"exclude": (Group("new"),)}), {}, Unverified((Group("new"),))),
        (entered(begun(APART, {}, None), 2, [ANN]), {}, Refused("excluded")),
        (entered(begun(APART, {}, None), 2, [DAN]), {}, Refused("excluded")),
        # The policy wants none of it.
        (Policy(deciders=Person(DAN), stand_ins=False), {}, Refused("no_stand_ins")),
    ],
)
def test_a_stand_in_decides_what_the_other_may_and_is_kept_out_as_anybody(policy, given, expected):
    assert judged(policy, **given) == expected


def test_somebody_who_left_slack_gives_no_authority():
    gone = replace(facts_of(DAN), is_deleted=True)
    found = stands_in(NAMED, facts_of(ANN), gone, requesters=(ASKER,), approval=True, expanded={}, of_principal={})
    assert found == Refused("not_a_decider")


def away(person: str, stand_in: str, first: int = -1, days: int = 2, **fields) -> Absence:
    """From `first` days after now on, for so many days."""
    starts = NOW + first * DAY
    return Absence(person, stand_in, starts, starts + days * DAY, "slack", NOW - 9 * DAY, **fields)


@pytest.mark.parametrize(
    ("absences", "places"),
    [
        ([away(DAN, ANN)], [DAN]),
        ([away(DAN, BEN)], []),
        ([away(DAN, ANN, first=1)], []),
        ([away(DAN, ANN, first=-3)], []),
        ([away(DAN, ANN, ended_at=NOW - DAY)], []),
        ([away(DAN, ANN), away(EVE, ANN)], [DAN, EVE]),
        ([away(DAN, BEN), away(BEN, ANN)], [BEN, DAN]),
        ([away(DAN, BEN), away(BEN, ANN, first=1)], []),
        ([away(EVE, DAN), away(DAN, CYD), away(CYD, BEN), away(BEN, ANN)], [BEN, CYD, DAN]),
        ([away(DAN, ANN), away(ANN, DAN)], [DAN]),
        ([away(ANN, DAN)], []),
    ],
)
def test_in_whose_place_somebody_decides_now(absences, places):
    ways = behind(ANN, absences, NOW)
    assert [way[0].person for way in ways] == places
    assert all(way[-1].stand_in == ANN for way in ways)


def test_a_way_is_followed_forth_as_far_as_back_and_never_in_a_circle():
    chain = [away(EVE, DAN), away(DAN, CYD), away(CYD, BEN), away(BEN, ANN)]
    assert people_on(ahead(EVE, chain, NOW)) == (EVE, DAN, CYD)
    assert people_on(ahead(DAN, [away(DAN, ANN), away(ANN, DAN)], NOW)) == (DAN,)
    assert ahead(ANN, chain, NOW) == ()


@pytest.mark.parametrize(
    ("others", "way"),
    [
        ([], None),
        ([away(DAN, ANN)], [ANN, DAN]),
        ([away(DAN, CYD), away(CYD, ANN)], [ANN, DAN, CYD]),
        ([away(DAN, CYD), away(CYD, DAN)], None),
        ([away(DAN, ANN, first=1)], None),
        ([away(DAN, ANN, ended_at=NOW)], None),
        ([away(DAN, CYD, first=-1, days=1), away(CYD, ANN, first=0, days=1)], None),
    ],
)
def test_a_circle_is_one_only_through_absences_of_the_same_time(others, way):
    found = comes_back(away(ANN, DAN), others)
    assert (None if found is None else [each.person for each in found]) == way


def decision(person: str, *, of: str | None = None, stage: int = 0, fits=()) -> DecisionRecord:
    return DecisionRecord(person, "approve", "{}", None, NOW, person, stage, fits, of)


def test_what_was_agreed_to_in_a_place_counts_in_a_later_stage_of_the_same_person_once():
    policy = Policy(stages=(Stage(deciders=Person(DAN)), Stage(deciders=LEADS, quorum=2)))
    asked = begun(policy, {}, None)
    first = decision(ANN, of=DAN, stage=1, fits=((0,), (0,)))
    second, key = reached(asked, APPROVAL, [first])
    assert (second.stage, key) == (2, None)
    assert counting(second, APPROVAL, [first]) == (first,)
    assert reached(asked, APPROVAL, [first, decision(CYD, stage=2, fits=((), (0,)))])[1] == "approve"
    for again in (decision(DAN, stage=2, fits=((0,), (0,))), decision(ANN, stage=2, fits=((), (0,)))):
        assert counting(second, APPROVAL, [first, again]) == (again,)


def test_a_stage_that_is_kept_apart_leaves_out_both_of_them():
    policy = Policy(stages=(Stage(deciders=Person(CYD)), Stage(deciders=LEADS, separate=True)))
    second, _ = reached(begun(policy, {}, None), APPROVAL, [decision(ANN, of=CYD, stage=1, fits=((0,), ()))])
    assert second.exclude == (Person(ANN), Person(CYD))


VOTES = st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE)), max_size=12)


@given(votes=VOTES, quorum=st.integers(1, 3))
def test_no_sequence_of_votes_in_places_counts_anybody_twice(votes, quorum):
    deciders = (ANN, BEN, CYD)
    policy = Policy(deciders=tuple(Person(each) for each in deciders), quorum=quorum)
    decisions: list[DecisionRecord] = []
    for person, principal in votes:
        place = None if person in deciders else principal
        may = person in deciders or (principal in deciders and principal != person)
        is_heard = any(not each.voices.isdisjoint({person, place}) for each in decisions)
        if may and not is_heard and reached(policy, APPROVAL, decisions)[1] is None:
            decisions.append(decision(person, of=place))
    counted = counting(policy, APPROVAL, decisions)
    assert (
        len({each.person for each in counted})
        == len(counted)
        == len({each.standing_for or each.person for each in counted})
    )
    assert {each.standing_for or each.person for each in counted} <= set(deciders)
    assert (reached(policy, APPROVAL, decisions)[1] == "approve") == (len(counted) >= quorum)
