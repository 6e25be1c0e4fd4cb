"""Breaking the glass: how it is written, which are mistakes, its words, whom they name, and what never comes of it."""

from datetime import timedelta

import pytest
from pydantic import BaseModel

from actions import Approve, BreakGlass, Context, Group, ManagerOf, OnCall, Person, Policy, Reject, Requester
from actions.kit.action import ActionError
from actions.kit.errors import AnswerError
from actions.kit.policies.emergencies import breaking, reviewing, way_through
from actions.kit.policies.glass_review import glass_review
from actions.kit.policies.grants import asking
from actions.kit.policies.policy import depends_on_requester, emails, every_lookup, with_ids
from actions.kit.policies.policy_checks import check
from actions.kit.registry import Registry, RegistryError
from blocks.acts import act_buttons
from blocks.card import render_card
from blocks.notices import render_broken_glass
from blocks.pacing import pacing_said
from blocks.said import in_plain
from blocks.validate import validate_message
from tests.authors import declare
from tests.cards import CARDS, broken, send_message_card, settle

ANN, BEN, DANA = Person("U0ANN"), Person("U0BEN"), Person("dana@example.com")
LEADS = Group("leads")


def with_glass(glass: BreakGlass) -> Policy:
    return Policy(deciders=ANN, break_glass=glass)


class Nothing(BaseModel):
    """An input without fields."""


async def asks(input: Nothing, ctx: Context) -> None:
    """Never executed."""


@pytest.mark.parametrize(
    ("glass", "mistake"),
    [
        (BreakGlass(Requester(), review=BEN), "whoever asked for it neither breaks the glass nor reviews it"),
        (BreakGlass(LEADS, review=(BEN, Requester())), "leave Requester() out"),
        (BreakGlass(BEN, review=BEN), "nobody else does; name more people in review"),
        (BreakGlass((BEN, LEADS), review=BEN), "name more people in review"),
        (BreakGlass(BEN, review=LEADS, review_in=timedelta(minutes=3)), "not a time from 0:04:00 to 3650 days"),
        (BreakGlass(BEN, review=LEADS, review_in=timedelta(days=3651)), "give another"),
    ],
)
def test_a_mistake_says_what_to_change(glass: BreakGlass, mistake: str):
    [found] = check(with_glass(glass), approval=True)
    assert mistake in found


@pytest.mark.parametrize("glass", [BreakGlass(BEN, review=LEADS), BreakGlass((ANN, BEN), review=(ANN, BEN))])
def test_there_is_none_where_somebody_else_can_review_it(glass: BreakGlass):
    assert check(with_glass(glass), approval=True) == []


@pytest.mark.parametrize("resume", [bool, Approve | Reject | int])
def test_the_action_needs_one_way_to_approve_that_asks_for_nothing(resume: object):
    with pytest.raises(ActionError, match="break_glass needs an answer that declines, and one other"):
        declare(asks, policy=with_glass(BreakGlass(BEN, review=LEADS)), resume=resume)


def test_everybody_whom_it_names_is_looked_up_and_found_by_e_mail():
    policy = with_glass(BreakGlass((DANA, LEADS), review=(OnCall("payments"), Person("omar@example.com"))))
    assert every_lookup(policy) == (LEADS, OnCall("payments"))
    assert emails(policy) == ("dana@example.com", "omar@example.com")
    known = with_ids(policy, {"dana@example.com": "U0DANA", "omar@example.com": "U0OMAR"}).break_glass
    assert known is not None
    assert [each.id for each in (*known.who, *known.review) if isinstance(each, Person)] == ["U0DANA", "U0OMAR"]
    assert depends_on_requester(with_glass(BreakGlass(ManagerOf(Requester()), review=BEN)))


def test_its_words_say_who_and_who_reviews_it():
    policy = with_glass(BreakGlass(LEADS, review=BEN, review_in=timedelta(hours=4)))
    [words] = [in_plain(each) for each in pacing_said(policy, None)]
    assert words == "in an emergency members of @leads alone, reviewed within 4 hours by U0BEN"


def test_who_is_left_out_of_the_question_is_left_out_of_the_emergency():
    policy = Policy(deciders=ANN, exclude=DANA, break_glass=BreakGlass(LEADS, review=BEN))
    assert breaking(policy) == Policy(deciders=LEADS, exclude=DANA)
    assert breaking(Policy(deciders=ANN)) is None


def test_the_review_is_a_policy_without_mistakes_of_which_who_broke_it_and_who_asked_have_no_part():
    policy = reviewing(BreakGlass(LEADS, review=(ANN, BEN)), ["U0CYD", "U0RITA", "U0CYD"])
    assert check(policy) == []
    assert (policy.exclude, policy.requester_excluded, policy.stand_ins) == (
        (Person("U0CYD"), Person("U0RITA")),
        True,
        False,
    )


def test_no_standing_grant_is_given_by_it():
    assert asking(with_glass(BreakGlass(LEADS, review=BEN))).break_glass is None


def test_nobody_may_start_the_review_or_have_an_action_of_its_name():
    registry = Registry([])
    assert registry.actions == ()
    assert registry.get(glass_review.id) is None
    assert registry.executed(glass_review.id) is glass_review
    with pytest.raises(RegistryError, match="glass_review"):
        Registry([declare(asks, id="glass_review")])


def test_what_the_bot_did_not_write_is_no_input_of_a_review():
    with pytest.raises(AnswerError):
        glass_review.validate_input({"run": "r", "glass": {"who": [], "review": []}})


@pytest.mark.parametrize("name", CARDS)
def test_the_card_says_who_approved_it_alone_and_why_and_offers_it_only_while_it_waits(name: str):
    card = broken(CARDS[name]())
    shown = str(render_card(card).blocks)
    assert "alone, who broke the glass" in shown
    assert "nobody of them answers" in shown
    waiting = settle(card, card.interrupt.status.PENDING, settled_by=None, settled_at=None, cause=None, broken=None)
    offered = any(each["action_id"] == "act:break_glass" for each in act_buttons(waiting))
    assert offered is (way_through(card.interrupt) is not None)
    without = card.interrupt.policy.model_copy(update={"break_glass": None})
    assert not act_buttons(settle(card, card.interrupt.status.PENDING, policy=without))


def test_the_message_tells_whoever_asked_that_it_was_theirs_and_who_reviews_it():
    card = broken(send_message_card())
    told = render_broken_glass(card, card.run.requester)
    assert validate_message({"text": told.text, "blocks": told.blocks}) == []
    assert "which you asked for, alone. members of @security will review that." in told.text
    assert "which you asked for" not in render_broken_glass(card, "U0ELSE").text
