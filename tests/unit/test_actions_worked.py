"""The worked actions, tried with the kit that authors use."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest

from actions import ChannelMembers, Group, ManagerOf, OnCall, Requester
from actions.decision import Decided, decision
from actions.ledger import Entry, Ledger
from actions.restart_service import Restarted, restart_service
from actions.send_message import Sent, send_message
from actions.spend_request import Reject, Spent, spend_request
from actions.testing import AnswerError, run

MESSAGE = {"recipient": " Ben ", "body": "The offer is ready."}
RESTART = {"service": "checkout", "reason": "It times out since nine."}
SPEND = {
    "amount": "1250.00",
    "currency": "EUR",
    "vendor": "Example Chairs",
    "justification": "Two people join in December.",
}


@pytest.fixture
def ledger(tmp_path):
    return Ledger(tmp_path / "var" / "ledger.jsonl")


async def test_a_message_goes_out_once_it_is_approved(ledger):
    trial = await run(send_message, MESSAGE, resources=[ledger])
    assert trial.message == "Approve sending this message?"
    assert trial.data == trial.state == {"recipient": "Ben", "text": "The offer is ready."}
    assert trial.choices == ("approve", "reject")

    trial = await trial.answer("approve")
    assert trial.output == Sent(recipient="Ben")
    assert trial.reports == ("Sent to Ben.",)
    assert ledger.entries() == [Entry("message", "run:1", {"recipient": "Ben", "text": "The offer is ready."})]


async def test_a_rejected_message_is_never_executed_again(ledger):
    trial = await run(send_message, MESSAGE, resources=[ledger])
    trial = await trial.answer("reject", reason="Not yet")
    assert trial.status == "declined"
    assert trial.declined.reason == "Not yet"
    assert trial.executions == 1
    assert ledger.entries() == []


async def test_a_restart_names_who_was_on_call(ledger):
    trial = await run(restart_service, RESTART, resources=[ledger])
    assert (trial.message, trial.choices) == ("Restart checkout?", ("restart", "leave_it"))
    assert trial.shown == RESTART

    trial = await trial.answer("restart", by="U0OMAR")
    assert trial.output == Restarted(service="checkout")
    (entry,) = ledger.entries("run:1")
    assert entry.facts == {**RESTART, "approved_by": "U0OMAR"}


async def test_a_restart_that_is_left_or_forgotten_does_nothing(ledger):
    trial = await run(restart_service, RESTART, resources=[ledger])
    left, forgotten = await trial.answer("leave_it"), await trial.expire()
    assert (left.status, left.declined, left.executions) == ("declined", "leave_it", 1)
    assert (forgotten.status, forgotten.executions) == ("expired", 1)
    assert ledger.entries() == []


async def test_spending_asks_a_manager_and_shows_the_amount_first(ledger):
    trial = await run(spend_request, SPEND, resources=[ledger])
    assert trial.message == "Spend 1,250.00 EUR at Example Chairs?"
    assert list(trial.shown)[:2] == ["amount", "currency"]
    assert trial.shown["amount"] == "1250.00"

    trial = await trial.answer("approve", by="U0DANA")
    assert trial.output == Spent(order_id="run:1")
    (line,) = ledger.path.read_text().splitlines()
    assert json.loads(line)["facts"]["amount"] == "1250.00"


async def test_spending_cannot_be_rejected_without_a_reason(ledger):
    trial = await run(spend_request, SPEND, resources=[ledger])
    for reason in ({}, {"reason": ""}, {"reason": "no"}, {"because": "too dear"}):
        with pytest.raises(AnswerError):
            await trial.answer("reject", **reason)
    trial = await trial.answer("reject", reason="Too dear")
    assert trial.declined == Reject(reason="Too dear")


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": "0"},
        {"amount": "-1"},
        {"amount": "1.005"},
        {"amount": "NaN"},
        {"amount": "12345678.00"},
        {"currency": "CHF"},
        {"receipt_link": "ftp//nowhere"},
        {"justification": "short"},
        {"purpose": "unknown"},
    ],
    ids=str,
)
async def test_a_spend_request_that_makes_no_sense_never_starts(changes):
    with pytest.raises(AnswerError):
        await run(spend_request, SPEND | changes)


async def test_a_decision_about_anything_is_put_to_those_who_are_named():
    matter = {"question": "Do we tell them?", "deciders": ["U0DANA"], "link": "https://example.com/plan"}
    trial = await run(decision, matter)
    assert (trial.message, trial.choices) == ("Do we tell them?", ("approve", "reject"))
    assert trial.shown == {"about": None, "link": "https://example.com/plan"}
    trial = await trial.answer("approve", by="U0DANA")
    assert trial.output == Decided(by=["U0DANA"])


@pytest.mark.parametrize("deciders", [[], ["dana"], ["U0DANA"] * 21])
async def test_a_decision_needs_people_of_slack(deciders):
    with pytest.raises(AnswerError):
        await run(decision, {"question": "Do we tell them?", "deciders": deciders})


def test_the_worked_actions_say_who_decides_and_until_when():
    assert send_message.policy.deciders == (ChannelMembers("#approvals"),)
    assert restart_service.policy.deciders == (OnCall("services"),)
    manager, finance = spend_request.policy.stages
    assert (manager.deciders, manager.when) == ((ManagerOf(Requester()),), None)
    assert finance.deciders == (Group("finance"),)
    assert restart_service.expires_in == timedelta(minutes=5)
    assert spend_request.restore_input(spend_request.validate_input(SPEND)).amount == Decimal("1250.00")


async def test_an_execution_that_happens_twice_shows_as_two_lines_of_one_key(ledger):
    trial = await run(send_message, MESSAGE, resources=[ledger])
    await trial.answer("approve")
    await trial.answer("approve")
    assert [entry.key for entry in ledger.entries()] == ["run:1", "run:1"]
