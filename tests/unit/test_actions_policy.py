"""Who may decide, who may start and where it is shown, and which policies are mistakes."""

import pytest
from pydantic import ValidationError

from actions.kit.policies.policy import (
    Allowed,
    Channel,
    ChannelMembers,
    DirectMessage,
    Expanded,
    Person,
    Policy,
    Refused,
    Requester,
    Stage,
    Unverified,
    emails,
    lookups,
    may_start,
    start_lookups,
    verdict,
    with_ids,
)
from actions.kit.policies.policy_checks import check
from actions.kit.policies.quorum import candidates
from actions.kit.policies.showing import places
from actions.kit.records.people import PersonFacts

ANN = PersonFacts("U0ANN", "Ann", "ann@example.com")
BEN = PersonFacts("U0BEN", "Ben", "Ben@Example.com")
GUEST = PersonFacts("U0GST", "Guest", "guest@example.com", is_guest=True)
BOT = PersonFacts("U0BOT", "Bot", is_bot=True)
GONE = PersonFacts("U0GON", "Gone", "gone@example.com", is_deleted=True)
ROOM = ChannelMembers("#room")
IN_ROOM: Expanded = {ROOM: {"U0ANN", "U0BEN", "U0GST", "U0BOT", "U0GON"}}

named = Policy(deciders=(Person("U0ANN"), Person("U0GST"), Person("U0BOT"), Person("U0GON")))
members = Policy(deciders=ChannelMembers("#room"))


def judge(policy, person, *, requester="U0REQ", approval=True, expanded=None):
    return verdict(policy, person, requester=requester, approval=approval, expanded=expanded or {})


@pytest.mark.parametrize(
    ("policy", "person", "expanded", "expected"),
    [
        (named, ANN, {}, Allowed()),
        (named, BEN, {}, Refused("not_a_decider")),
        (named, GUEST, {}, Allowed()),
        (named, BOT, {}, Refused("bot")),
        (named, GONE, {}, Refused("not_a_decider")),
        (members, ANN, IN_ROOM, Allowed()),
        (members, ANN, {ROOM: set()}, Refused("not_a_decider")),
        (members, ANN, {}, Unverified((ROOM,))),
        (members, ANN, {ChannelMembers("#other"): {"U0ANN"}}, Unverified((ROOM,))),
        (members, GUEST, IN_ROOM, Refused("guest")),
        (members, GUEST, {}, Unverified((ROOM,))),
        (members, BOT, IN_ROOM, Refused("bot")),
        (members, PersonFacts("U0OUT", "Out"), IN_ROOM, Refused("not_a_decider")),
        (members, GONE, IN_ROOM, Refused("not_a_decider")),
    ],
)
def test_named_people_and_members_decide_bots_and_unnamed_guests_never(policy, person, expanded, expected):
    for approval in (True, False):
        assert judge(policy, person, approval=approval, expanded=expanded) == expected


@pytest.mark.parametrize(
    "policy",
    [
        Policy(deciders=(Person("U0ANN"), Person("U0BEN"))),
        Policy(deciders=(Person("ann@example.com"), Person("U0BEN"))),
        Policy(deciders=(Requester(), Person("U0BEN"))),
        Policy(deciders=ChannelMembers("#room")),
    ],
)
def test_the_requester_answers_their_own_question_but_never_their_own_approval(policy):
    asked = {"requester": "U0ANN", "expanded": IN_ROOM}
    assert judge(policy, ANN, approval=True, **asked) == Refused("requester")
    assert judge(policy, ANN, approval=False, **asked) == Allowed()


def test_the_requester_of_a_question_who_is_not_counted_may_not_answer_it():
    policy = Policy(deciders=Person("U0BEN"))
    assert judge(policy, ANN, requester="U0ANN", approval=False) == Refused("not_a_decider")
    assert judge(Policy(deciders=Requester()), BEN, requester="U0ANN", approval=False) == Refused("not_a_decider")


def test_an_email_counts_in_any_case_until_its_id_is_known_and_then_only_the_id():
    policy = Policy(deciders=Person("BEN@example.com"))
    assert judge(policy, BEN) == Allowed()
    settled = with_ids(policy, {"ben@EXAMPLE.com": "U0ANN"})
    assert judge(settled, BEN) == Refused("not_a_decider")
    assert judge(settled, ANN) == Allowed()


def test_nobody_without_an_email_is_taken_for_somebody_named_by_one():
    assert judge(Policy(deciders=Person("ann@example.com")), PersonFacts("U0NOM", "No mail")) == Refused(
        "not_a_decider"
    )


@pytest.mark.parametrize(
    ("starters", "person", "expected"),
    [
        ((), ANN, Allowed()),
        ((), GUEST, Refused("guest")),
        ((), BOT, Refused("bot")),
        ((), GONE, Refused("not_a_starter")),
        (Person("U0ANN"), ANN, Allowed()),
        (Person("U0ANN"), BEN, Refused("not_a_starter")),
        (Person("U0GST"), GUEST, Refused("guest")),
        (ChannelMembers("#room"), BEN, Allowed()),
        (ChannelMembers("#room"), GUEST, Refused("guest")),
        (ChannelMembers("#other"), BEN, Unverified((ChannelMembers("#other"),))),
    ],
)
def test_full_members_start_unless_starters_are_named_and_guests_never(starters, person, expected):
    policy = Policy(deciders=Person("U0BEN"), starters=starters)
    assert may_start(policy, person, IN_ROOM) == expected


def test_what_must_be_looked_up_is_told_apart_for_deciding_and_for_starting():
    policy = Policy(
        deciders=(ChannelMembers("#a"), ChannelMembers("C024BE91L"), ChannelMembers("#a")),
        starters=ChannelMembers("#b"),
    )
    assert lookups(policy) == (ChannelMembers("#a"), ChannelMembers("C024BE91L"))
    assert start_lookups(policy) == (ChannelMembers("#b"),)


def test_without_show_the_card_goes_where_the_deciders_are():
    policy = Policy(deciders=(Person("U0ANN"), ChannelMembers("#room"), Requester(), Person("b@example.com")))
    expected = (Channel("#room"), DirectMessage(Person("U0ANN")), DirectMessage(Person("b@example.com")))
    assert places(policy) == expected
    assert places(policy, requester="U0REQ") == (*expected, DirectMessage(Person("U0REQ")))


def test_show_decides_alone_where_the_card_goes_and_each_place_is_used_once():
    policy = Policy(
        deciders=(Person("U0ANN"), ChannelMembers("#room")),
        show=(Channel("#audit"), DirectMessage(Person("U0ANN")), DirectMessage(), Channel("#audit")),
    )
    assert places(policy) == (Channel("#audit"), DirectMessage(Person("U0ANN")))


def test_a_requester_without_a_slack_id_is_not_written_to():
    assert places(Policy(deciders=Requester()), requester="cli") == ()


def test_every_email_whose_id_is_unknown_is_told_and_filled_in():
    policy = Policy(
        deciders=(Person("Ann@example.com"), Person("U0BEN")),
        show=DirectMessage(Person("cy@example.com")),
        starters=(Person("ann@example.com"), ChannelMembers("#room")),
    )
    assert emails(policy) == ("ann@example.com", "cy@example.com")
    known = with_ids(policy, {"ann@example.com": "U0ANN"})
    assert emails(known) == ("cy@example.com",)
    assert known.deciders[0] == Person(id="U0ANN", email="ann@example.com")
    assert with_ids(known, {"cy@example.com": "U0CYR"}).show == (
        DirectMessage(Person(id="U0CYR", email="cy@example.com")),
    )
    assert policy.deciders[0] == Person("ann@example.com")


@pytest.mark.parametrize(
    ("policy", "approval", "mistake"),
    [
        (Policy(deciders=()), True, "nobody decides"),
        (Policy(deciders=()), False, "nobody decides"),
        (Policy(deciders=Requester()), True, "only the requester decides"),
        (Policy(deciders=Person("U0ANN"), quorum=2), True, "quorum is 2, but only 1 can decide"),
        (Policy(deciders=(Person("U0ANN"), Person("U0ANN")), quorum=2), False, "quorum is 2, but only 1 can decide"),
        (Policy(deciders=(Person("U0ANN"), Requester()), quorum=2), True, "quorum is 2, but only 1 can decide"),
        (Policy(deciders=Person("U0ANN"), declines_at=2), True, "declines_at is 2, but only 1 can decide"),
        (Policy(deciders=Person("U0ANN"), starters=Person("U0ANN")), True, "quorum is 1, but only 0 can decide"),
        (Policy(deciders=Person("U0ANN"), starters=Requester()), True, "Requester() cannot be a starter"),
        (Policy(deciders=ChannelMembers("#a"), show=DirectMessage()), True, "none is named"),
    ],
)
def test_a_policy_that_cannot_work_is_a_mistake_with_its_fix(policy, approval, mistake):
    assert any(mistake in found for found in check(policy, approval=approval))


@pytest.mark.parametrize(
    ("policy", "approval"),
    [
        (Policy(deciders=Requester()), False),
        (Policy(deciders=Requester(), show=DirectMessage()), False),
        (Policy(deciders=(Person("U0ANN"), Requester()), quorum=2), False),
        (Policy(deciders=(Person("U0ANN"), Person("b@example.com")), quorum=2), True),
        (Policy(deciders=ChannelMembers("#a"), quorum=50), True),
        (Policy(deciders=Person("U0ANN"), declines_at=2), False),
        (Policy(deciders=(Person("U0ANN"), Person("U0BEN")), starters=Person("U0ANN")), True),
    ],
)
def test_a_policy_that_can_work_has_no_mistakes(policy, approval):
    assert check(policy, approval=approval) == []


def test_everyone_has_to_be_written_out():
    assert 'ChannelMembers("#channel")' in check(Policy(deciders=()))[0]


def test_how_many_can_decide_leaves_the_requester_of_an_approval_out():
    policy = Policy(deciders=(Person("U0ANN"), Person("U0BEN"), Requester()))
    assert candidates(policy, requester="U0ANN", approval=True) == 1
    assert candidates(policy, requester="U0ANN", approval=False) == 2
    assert candidates(policy, requester="U0REQ", approval=False) == 3
    assert candidates(members, requester="U0ANN", approval=True) is None
    assert candidates(policy, requester="U0REQ", approval=False, gone=["U0ANN"]) == 2


@pytest.mark.parametrize("who", ["ann", "u024BE7LH", "C024BE91L", "@ann", "ann@", "a b@example.com", "a@b", "", "U1"])
def test_what_names_no_person_is_refused(who):
    with pytest.raises(ValidationError):
        Person(who)


@pytest.mark.parametrize("name", ["stand_ins", "low_risk", "requester_excluded", "follows", "may_ask"])
@pytest.mark.parametrize("value", ["no", "yes", "False", 0, None])
def test_a_text_is_not_taken_for_the_truth_value_that_it_might_mean(name, value):
    with pytest.raises(ValidationError, match="is neither True"):
        Policy(deciders=Person("U0ANN"), **{name: value})
    with pytest.raises(ValidationError, match="is neither True nor False"):
        Stage(deciders=Person("U0ANN"), separate=value)


def test_a_person_needs_a_name_and_keys_are_known():
    with pytest.raises(ValidationError, match="an id or an e-mail"):
        Person()
    with pytest.raises(ValidationError, match="Extra inputs"):
        Person(mail="a@example.com")


@pytest.mark.parametrize("channel", ["approvals", "#", "#Approvals", "# a", "c024BE91L", "U024BE7LH", "", "#a#b"])
def test_what_names_no_channel_is_refused(channel):
    for kind in (Channel, ChannelMembers):
        with pytest.raises(ValidationError):
            kind(channel)


@pytest.mark.parametrize("channel", ["#approvals", "#ops-2_x", "#über", "C024BE91L", "G012AC86C", "D01ABC"])
def test_ids_and_names_of_channels_are_taken_with_and_without_the_field(channel):
    assert Channel(channel) == Channel(channel=channel)
    assert ChannelMembers(channel) == ChannelMembers(channel=channel)


def test_a_policy_is_stored_as_json_and_comes_back():
    policy = Policy(
        deciders=(Person("U0ANN"), Requester(), ChannelMembers("#room")),
        show=(Channel("#a"), DirectMessage()),
        quorum=2,
    )
    assert Policy.model_validate_json(policy.model_dump_json()) == policy
    assert '"kind":"channel_members"' in policy.model_dump_json()
