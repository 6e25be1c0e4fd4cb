"""Several refunds in one run: each card says whose turn it is, each is done once, and a bot that dies in between goes on."""

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import Office

ASKED = {"orders": ["A-1041", "A-1042", "B-7"], "reason": "Damaged on the way"}


async def test_each_order_is_approved_in_its_turn_and_the_bot_may_restart_in_between(open_office: Office):
    run = await open_office.start("refund_orders", ASKED)
    ann, rita = open_office.person("ann"), open_office.person("rita")
    first = await ann.sees("for order A-1041?", in_="#approvals")
    assert first.says("through Refund order, 1 of 3")
    await ann.click(first, "Approve")
    second = await ann.sees("for order A-1042?", in_="#approvals")
    assert second.says("through Refund order, 2 of 3")
    assert first.buttons == []
    await open_office.restart()
    await ann.click(second, "Reject")
    assert (await ann.submit(await ann.modal("Reject"), {"Reason": "It was used"})).closed
    third = await ann.sees("for order B-7?", in_="#approvals")
    assert third.says("through Refund order, 3 of 3")
    await ann.click(third, "Approve")
    ended = await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert ended.output == '{"refunded":["A-1041","B-7"],"kept":["A-1042"]}'
    await rita.sees("Done", in_="dm")
    assert [entry.facts["order"] for entry in open_office.effects("refund")] == ["A-1041", "B-7"]
