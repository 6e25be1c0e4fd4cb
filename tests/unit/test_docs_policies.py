"""Each recipe of the page on policies is a policy without mistakes, reads as the page says, and does what it promises."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

import actions
from actions import Policy
from actions.kit.policies.deciders import Group, ManagerOf, OnCall, Requester
from actions.kit.policies.policy import Channel, DirectMessage, Expanded, Person
from actions.kit.policies.policy_checks import check
from actions.kit.policies.showing import places
from actions.kit.policies.stages import begun
from blocks.deciding import policy_said
from blocks.pacing import pacing_said
from blocks.said import in_plain
from tests.votes import ANN, BEN, CYD, DAN, EVE, Forbidden, voted

PAGE = (Path(__file__).parents[2] / "docs" / "policies.md").read_text("utf-8")
RECIPES = re.findall(r"^### (.*?)\n\n```python\n(.*?)```\n> (.*?)$", PAGE, re.MULTILINE | re.DOTALL)
SCHEMA = {"type": "object", "properties": {"amount": {"type": "number"}}}
KNOWN: Expanded = {
    actions.ChannelMembers("#approvals"): {ANN, BEN},
    Group("finance"): {ANN, BEN},
    Group("leads"): {BEN, CYD, DAN},
    Group("engineers"): {CYD, DAN, EVE},
    ManagerOf(Requester()): {ANN},
    ManagerOf(Requester(), level=2): {DAN},
    OnCall("payments"): {EVE},
}


def recipe(title: str) -> Policy:
    [code] = [code for name, code, _ in RECIPES if name == title]
    names = {name: getattr(actions, name) for name in dir(actions) if not name.startswith("_")}
    made = eval(code, names | {"timedelta": timedelta})  # noqa: S307 - the page is ours
    assert isinstance(made, Policy)
    return made


def test_there_are_at_least_ten():
    assert len(RECIPES) >= 10
    assert PAGE.count("```python") == len(RECIPES)


@pytest.mark.parametrize("title", [title for title, _, _ in RECIPES])
def test_a_recipe_has_no_mistake_and_reads_as_the_page_says(title):
    policy = recipe(title)
    assert check(policy, approval="question" not in title, schema=SCHEMA) == []
    [words] = [words for name, _, words in RECIPES if name == title]
    assert "; ".join(map(in_plain, [policy_said(policy, None), *pacing_said(policy, None)])) == words


SMALL, LARGE = {"amount": "5000.00"}, {"amount": "5000.01"}


@pytest.mark.parametrize(
    ("title", "value", "votes", "settled"),
    [
        ("Anybody in a channel", SMALL, [BEN], "approve"),
        ("Two of a group, asked in a channel", SMALL, [ANN], None),
        ("Two of a group, asked in a channel", SMALL, [ANN, BEN], "approve"),
        ("The manager of whoever asks, or theirs", SMALL, [DAN], "approve"),
        ("One of these and two of those", SMALL, [BEN, CYD], None),
        ("One of these and two of those", SMALL, [BEN, CYD, DAN], "approve"),
        ("One of these and two of those", SMALL, [CYD, BEN, ANN], "approve"),
        ("Above a limit, somebody more", SMALL, [ANN], "approve"),
        ("Above a limit, somebody more", LARGE, [ANN], "approve"),
        ("Two who are not the same", SMALL, [BEN], None),
        ("Two who are not the same", SMALL, [BEN, ANN], "approve"),
        ("Whoever is on call, the others quietly", SMALL, [CYD], "approve"),
        ("A group without somebody", SMALL, [BEN], "approve"),
        ("Not stopped by a single no", SMALL, ["-" + BEN, "-" + CYD], None),
        ("Not stopped by a single no", SMALL, ["-" + BEN, "-" + CYD, "-" + DAN], "reject"),
        ("A first stage that is soon over", SMALL, [EVE], None),
        ("A first stage that is soon over", SMALL, [EVE, CYD], "approve"),
    ],
)
def test_a_recipe_comes_to_what_its_votes_say(title, value, votes, settled):
    assert voted(recipe(title), *votes, known=KNOWN, value=value)[1] == settled


@pytest.mark.parametrize(
    ("title", "votes"),
    [
        ("Anybody in a channel", [EVE]),
        ("Two who are not the same", [BEN, BEN]),
        ("Above a limit, somebody more", [BEN]),
        ("A first stage that is soon over", [CYD]),
    ],
)
def test_a_recipe_refuses_whom_it_leaves_out(title, votes):
    with pytest.raises(Forbidden):
        voted(recipe(title), *votes, known=KNOWN, value=LARGE)


def test_only_who_is_on_call_gets_a_message():
    assert places(recipe("Whoever is on call, the others quietly"), expanded=KNOWN) == (DirectMessage(Person(EVE)),)


def test_each_stage_has_its_own_time_and_place():
    first, second = begun(recipe("A first stage that is soon over"), {}, None).stages
    assert (first.expires_in, second.expires_in) == (timedelta(minutes=15), timedelta(days=2))
    assert second.show == (Channel("#releases"),)
