"""What a receiver hears of a run that people decide in Slack."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from actions.kit.records.runs import Origin, RunStatus
from bot import clock
from bot.hooks.signing import new_secret
from storage.deliveries import DeliveryStatus, NewHook, RunHook
from storage.results import Started
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs
from tests.acceptance.test_approving import MESSAGE
from tests.acceptance.test_services import QUESTION
from tests.integration.receivers import Receiver, receiving
from tests.waiting import until

RECIPE = re.compile(r"<!-- recipe: python -->\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def genuine(secret: str, receiver: Receiver) -> bool:
    """As the page for receivers says it."""
    space: dict[str, Any] = {}
    found = RECIPE.search((Path(__file__).parents[2] / "docs" / "webhooks.md").read_text())
    assert found
    exec(found[1], space)  # noqa: S102 - our own page
    return all(space["is_genuine"](secret, arrival.headers, arrival.body) for arrival in receiver.arrived)


@pytest.fixture
async def office(closed_office: Office) -> Office:
    await closed_office.open(webhook_insecure=True)
    return closed_office


async def test_a_receiver_hears_of_the_start_the_question_the_decision_and_the_end_in_order(office: Office):
    secret = new_secret()
    async with receiving() as receiver:
        hook_id = await office.store.hooks.add(NewHook("ci", receiver.url, secret), now=clock.now())
        run = await office.start("send_message", MESSAGE)
        ann = office.person("ann")
        card = await ann.sees("Approve sending this message?", in_="#approvals")
        await ann.click(card, "Approve")
        await office.ends(run.id, RunStatus.SUCCEEDED)
        started, waiting, decided, ended = [arrival.told for arrival in await receiver.gets(4)]
    assert receiver.events == ["started", "waiting", "decided", "ended"]
    assert genuine(secret, receiver)
    assert {told["run"]["id"] for told in (started, waiting, decided, ended)} == {run.id}
    assert started["run"]["requester"] == "U0RITA"
    assert waiting["interrupt"]["message"] == "Approve sending this message?"
    assert [choice["key"] for choice in waiting["interrupt"]["choices"]] == ["approve", "reject"]
    assert (decided["decision"]["choice"], decided["decision"]["by"][0]["person"]) == ("approve", "U0ANN")
    assert ended["outcome"] == {"output": {"recipient": MESSAGE["recipient"]}, "failure": None, "by": None}
    assert MESSAGE["body"] not in json.dumps([started, waiting, decided, ended])

    async def all_delivered() -> bool:
        deliveries = await office.store.hooks.deliveries(hook_id=hook_id)
        return [each.status for each in deliveries] == [DeliveryStatus.DELIVERED] * 4

    await until(all_delivered, "everything to be noted as delivered")


async def test_a_webhook_of_one_run_hears_of_its_rejection_and_of_no_other_run(office: Office):
    secret = new_secret()
    async with receiving() as receiver:
        started = await office.bot.runner.start(
            "send_message",
            MESSAGE,
            requester="U0RITA",
            origin=Origin(via="http"),
            webhook=RunHook(receiver.url, secret),
        )
        assert isinstance(started, Started)
        ann = office.person("ann")
        card = await ann.sees("Approve sending this message?", in_="#approvals")
        await office.start("send_message", MESSAGE)
        await ann.click(card, "Reject")
        await ann.submit(await ann.modal(), {"Reason": "Not yet."})
        await receiver.gets(4)
    assert receiver.events == ["started", "waiting", "decided", "ended"]
    assert {arrival.told["run"]["id"] for arrival in receiver.arrived} == {started.run.id}
    assert receiver.arrived[2].told["decision"]["value"] == {"reason": "Not yet."}
    assert receiver.arrived[3].told["run"]["status"] == "declined"
    assert genuine(secret, receiver)


async def test_a_service_hears_of_the_run_that_it_started_over_http_signed_with_the_secret_it_was_given(office: Office):
    async with receiving() as receiver, programs(office) as session:
        service = await client(office, session, "U0RITA")
        started = await service.start("ask", QUESTION, webhook={"url": receiver.url})
        ann = office.person("ann")
        await ann.click(await ann.sees("Deploy build 417?", in_="#approvals"), "Approve")
        await receiver.gets(4)
    assert receiver.events == ["started", "waiting", "decided", "ended"]
    assert {arrival.told["run"]["id"] for arrival in receiver.arrived} == {started.body["id"]}
    assert receiver.arrived[3].told["outcome"]["output"]["decided_by"] == ["U0ANN"]
    assert genuine(started.body["webhook_secret"], receiver)
    assert not genuine(new_secret(), receiver)


async def test_what_a_receiver_missed_while_the_bot_was_away_arrives_after_it_is_back(office: Office):
    async with receiving() as receiver:
        receiver.status(500)
        await office.store.hooks.add(NewHook("ci", receiver.url, new_secret()), now=clock.now())
        run = await office.start("send_message", MESSAGE)
        await receiver.gets(1)
        await office.card(run.id)
        await office.close()
        receiver.status(200)
        await office.open(webhook_insecure=True)
        [first, *_] = await office.store.hooks.deliveries(run_id=run.id)
        await until(lambda: _can_be_sent_again(office, first.id), "the delivery to be free")
        await receiver.gets(3)
    assert receiver.events[:1] == ["started"]
    assert receiver.events[-2:] == ["started", "waiting"]
    assert len({arrival.id for arrival in receiver.arrived if arrival.event == "started"}) == 1


async def _can_be_sent_again(office: Office, delivery_id: str) -> Any:
    return await office.store.hooks.send_again(delivery_id, via="command line", now=clock.now())
