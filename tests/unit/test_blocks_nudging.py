"""A nudge names whose answers are needed now, and nobody else; nothing in it calls anybody whom the question only mentions."""

from dataclasses import replace

from actions.kit.policies.deciders import ChannelMembers, Group, Person, Policy, Requester
from actions.kit.records.interrupts import Card
from blocks.nudging import must_act_words, nudged_words, render_nudge
from blocks.validate import validate_message
from tests.cards import ANN, BEA, CAI, DAN, approved, decision, spend_request_card


def asked_of(policy: Policy, *voted: str, joined: tuple[str, ...] = ()) -> Card:
    card = spend_request_card()
    decisions = tuple(decision(person, "Approve") for person in voted)
    run = replace(card.run, joined=joined)
    return replace(card, run=run, interrupt=replace(card.interrupt, policy=policy), decisions=decisions)


def people(*ids: str, **terms: int) -> Policy:
    return Policy(deciders=tuple(map(Person, ids)), **terms)


def test_it_names_those_who_have_not_answered():
    assert must_act_words(asked_of(people(BEA, CAI, DAN, quorum=2), CAI)) == "<@U0BEA> or <@U0DAN>"


def test_whoever_asked_for_it_too_is_not_called():
    assert must_act_words(asked_of(people(BEA, CAI), joined=(BEA,))) == "<@U0CAI>"
    card = asked_of(Policy(deciders=(Requester(), Person(BEA))))
    assert must_act_words(card) == "<@U0BEA>"


def test_of_those_who_are_looked_up_it_says_who_they_are():
    assert must_act_words(asked_of(Policy(deciders=(ChannelMembers("#approvals"), Group("finance"))))) == (
        "members of #approvals or members of @finance"
    )


def test_where_some_are_to_be_notified_it_is_those_until_they_have_answered():
    policy = Policy(deciders=(Person(BEA), Group("finance")), notify=Person(BEA))
    assert must_act_words(asked_of(policy)) == "<@U0BEA>"
    assert must_act_words(asked_of(policy, BEA)) == "members of @finance"


def test_the_question_is_quoted_without_its_marks():
    card = asked_of(people(BEA))
    card = replace(card, interrupt=replace(card.interrupt, message="<!channel> *now* <@U0EVE>"))
    message = render_nudge(card, ANN)
    assert message.text.startswith("👋 <@U0BEA>: <@U0ANN> still waits for your answer")
    assert "<!channel>" not in message.text
    assert "<@U0EVE>" not in message.text
    assert validate_message({"text": message.text, "blocks": message.blocks}) == []
    assert nudged_words(card) == "👋 Nudged: <@U0BEA>."


def test_a_question_that_is_settled_by_then_calls_nobody():
    assert "<@" not in render_nudge(approved(spend_request_card()), ANN).text
