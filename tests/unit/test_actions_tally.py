"""When decisions settle: a quorum of one choice, or enough declines."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actions.kit.policies.policy import ChannelMembers, Policy
from actions.kit.policies.tally import tally
from actions.kit.records.interrupts import DecisionRecord
from actions.kit.shapes.answers import Resume

NOW = datetime(2026, 3, 1, tzinfo=UTC)
APPROVAL = Resume.of().shape


def decided(choices):
    return [DecisionRecord(f"U0P{number}", key, "null", None, NOW, str(number)) for number, key in enumerate(choices)]


keys = st.lists(st.sampled_from(["approve", "reject"]), max_size=8)


def policy(quorum=1, declines_at=1):
    return Policy(deciders=ChannelMembers("#room"), quorum=quorum, declines_at=declines_at)


@pytest.mark.parametrize(
    ("quorum", "declines_at", "choices", "settled"),
    [
        (1, 1, [], None),
        (1, 1, ["approve"], "approve"),
        (1, 1, ["reject"], "reject"),
        (2, 1, ["approve"], None),
        (2, 1, ["approve", "approve"], "approve"),
        (2, 1, ["approve", "reject"], "reject"),
        (2, 2, ["approve", "reject"], None),
        (2, 2, ["approve", "reject", "reject"], "reject"),
        (3, 2, ["approve", "reject", "approve", "approve"], "approve"),
        (1, 1, ["approve", "reject"], "approve"),
    ],
)
def test_a_quorum_settles_and_a_decline_settles_at_its_own_number(quorum, declines_at, choices, settled):
    assert tally(policy(quorum, declines_at), APPROVAL, decided(choices)) == settled


def test_different_choices_do_not_add_up():
    shape = Resume.of(declared=bool).shape
    assert tally(policy(quorum=2), shape, decided(["yes", "no"])) is None
    assert tally(policy(quorum=2), shape, decided(["yes", "no", "no"])) == "no"


@given(keys, keys, st.integers(1, 4), st.integers(1, 4))
def test_what_is_settled_stays_settled_whoever_comes_later(earlier, later, quorum, declines_at):
    settled = tally(policy(quorum, declines_at), APPROVAL, decided(earlier))
    if settled is not None:
        assert tally(policy(quorum, declines_at), APPROVAL, decided(earlier + later)) == settled
