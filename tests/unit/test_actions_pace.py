"""Reminders, warnings, escalations: how they are written, which are mistakes, whom they name, and their words."""

from datetime import timedelta

import pytest

from actions import After, Every, Group, Hours, ManagerOf, Person, Policy, Requester, Stage, Warn, after, every
from actions.kit.policies.pace_checks import deadline_mistakes
from actions.kit.policies.policy import depends_on_requester, emails, every_lookup, named_people, verdict, with_ids
from actions.kit.policies.policy_checks import check
from actions.kit.records.people import PersonFacts
from blocks.pacing import pacing_said
from blocks.said import in_plain

DANA = Person("dana@example.com")
HOUR = timedelta(hours=1)
IN_AUSTRIA = ", ".join(f"AT-{number}" for number in range(1, 10))
LONGER = "make it shorter, or expires_in longer"


def of_finance(**fields: object) -> Policy:
    return Policy.model_validate({"deciders": Group("finance"), **fields})


def test_each_pause_is_longer_than_the_one_before():
    assert [every(hours=2, backoff=2).pause_before(number) for number in (1, 2, 3)] == [2 * HOUR, 4 * HOUR, 8 * HOUR]
    assert every(days=1, hours=1, minutes=30) == Every(interval=timedelta(hours=25.5), backoff=1, at_most=5)


def test_one_escalation_may_stand_without_its_tuple():
    assert of_finance(escalate=after(hours=8, to=DANA)).escalate == (After(wait=8 * HOUR, to=(DANA,)),)
    assert of_finance(escalate=(after(hours=8, to=DANA), after(days=1, to=(DANA, Group("leads"))))).escalate[1].to == (
        DANA,
        Group("leads"),
    )


@pytest.mark.parametrize(
    ("fields", "mistake"),
    [
        ({"hours": Hours("Berlin")}, "hours: there is no zone 'Berlin'; name one such as 'Europe/Berlin' or 'UTC'"),
        (
            {"hours": Hours("UTC", opens="17:00", closes="09:00")},
            "hours: it closes at 09:00, not after it opens at 17:00; name a later time, at most '24:00'",
        ),
        (
            {"hours": Hours("UTC", holidays="XX")},
            "hours: no holidays are known of 'XX'; name a country by its two letters, such as 'DE' or 'US'",
        ),
        (
            {"hours": Hours("UTC", holidays="AT-0")},
            "hours: no holidays are known of 'AT-0'; name the country alone, 'AT', or a part of it; there are "
            + IN_AUSTRIA,
        ),
        ({"remind": every()}, "remind: 0:00:00 is not a time from a minute to 3650 days; give another"),
        (
            {"escalate": after(hours=-1, to=DANA)},
            "escalate: after(...) number 1: -1 day, 23:00:00 is not a time from a minute to 3650 days; give another",
        ),
        (
            {"escalate": after(hours=1, to=Requester())},
            "escalate: Requester() cannot be added to those who decide; name somebody else",
        ),
        (
            {"warn": Warn(extend_by=timedelta())},
            "warn: extend_by: 0:00:00 is not a time from a minute to 3650 days; give another",
        ),
    ],
)
def test_a_mistake_is_told_with_its_fix(fields, mistake):
    assert check(of_finance(**fields)) == [mistake]


@pytest.mark.parametrize(
    ("fields", "expires_in", "mistakes"),
    [
        ({"warn": Warn()}, None, ["warn needs a deadline, and this never expires; set expires_in, or leave warn out"]),
        (
            {"remind": every(hours=2)},
            2 * HOUR,
            ["remind: the first reminder comes after 2:00:00, when the time of 2:00:00 is over; " + LONGER],
        ),
        (
            {"escalate": after(hours=8, to=DANA)},
            HOUR,
            ["escalate: after(...) comes after 8:00:00, when the time of 1:00:00 is over; " + LONGER],
        ),
        ({"remind": every(hours=2), "escalate": after(hours=8, to=DANA), "warn": Warn()}, 9 * HOUR, []),
        ({"remind": every(hours=2), "escalate": after(hours=8, to=DANA)}, None, []),
    ],
)
def test_nothing_comes_after_the_deadline(fields, expires_in, mistakes):
    assert list(deadline_mistakes(of_finance(**fields), expires_in)) == mistakes


def test_each_stage_is_held_to_its_own_deadline():
    stages = (Stage(deciders=DANA), Stage(deciders=Group("finance"), expires_in=HOUR))
    [mistake] = deadline_mistakes(Policy(stages=stages, remind=every(hours=2)), 3 * HOUR)
    assert mistake.startswith("stage 2: remind: ")


def test_who_decides_later_is_looked_up_as_everybody_whom_a_policy_names():
    policy = of_finance(escalate=(after(hours=1, to=DANA), after(hours=2, to=ManagerOf(Requester()))))
    assert emails(policy) == ("dana@example.com",)
    assert every_lookup(policy) == (Group("finance"), ManagerOf(Requester()))
    assert depends_on_requester(policy)
    known = with_ids(policy, {"dana@example.com": "U0DANA"})
    assert [person.id for person in named_people(known)] == ["U0DANA"]
    assert with_ids(known, {}) == known


def test_who_decides_later_does_not_decide_yet():
    policy = of_finance(escalate=after(hours=1, to=Person("U0DANA")))
    dana = PersonFacts("U0DANA", "Dana")
    found = verdict(policy, dana, requester="U0REQ", approval=True, expanded={Group("finance"): set()})
    assert getattr(found, "reason", None) == "not_a_decider"


def test_the_words_say_what_happens_while_nobody_decides():
    policy = of_finance(
        remind=every(hours=2, backoff=2, at_most=5),
        warn=Warn(at=0.8, extend_by=4 * HOUR),
        escalate=after(hours=8, to=(DANA, Group("leads"))),
        hours=Hours("America/New_York"),
    )
    assert [in_plain(part) for part in pacing_said(policy, None)] == [
        "reminded after 2 hours, each pause 2 times as long as the one before, at most 5 times",
        "warned when 80% of the time has passed, with up to 1 extension of 4 hours",
        "after 8 hours also dana@example.com or members of @leads",
        "time counts in working hours (New York)",
    ]
    assert pacing_said(of_finance(), None) == []
