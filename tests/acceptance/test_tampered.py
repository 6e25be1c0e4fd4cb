"""Answers that no card offered: empty, misspelt, without a tag, with two. None of them may become an approval."""

import json
import uuid
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench import payloads
from bot.workbench.cards import Card
from bot.workbench.driver import Tab
from bot.workbench.journal import Ack, Delivery
from bot.workbench.modals import Modal
from tests.acceptance.office import Office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


def broken(carried: str) -> Iterator[tuple[str, str]]:
    """What somebody could make of the JSON that a button or a form carries, each with a name."""
    whole = json.loads(carried)
    yield "empty", ""
    yield "an empty object", "{}"
    yield "no JSON", "approve"
    yield "no object", '"approve"'
    yield "tagless", json.dumps({key: value for key, value in whole.items() if key != "choice"})
    yield "an empty tag", json.dumps(whole | {"choice": ""})
    yield "no tag but null", json.dumps(whole | {"choice": None})
    yield "a misspelt tag", json.dumps(whole | {"choice": "aprove"})
    yield "a tag in capitals", json.dumps(whole | {"choice": "APPROVE"})
    yield "two tags in a list", json.dumps(whole | {"choice": ["reject", "approve"]})
    yield "a misspelt key", json.dumps({"choise" if key == "choice" else key: value for key, value in whole.items()})
    yield "one key too many", json.dumps(whole | {"approved": True})
    yield "doubly tagged", carried[:-1] + ',"choice":"approve"}'
    yield "another version", json.dumps(whole | {"version": whole["version"] + 1})
    yield "a version that is a text", json.dumps(whole | {"version": "1"})
    yield "another interrupt", json.dumps(whole | {"interrupt": "somebody-elses"})
    yield "deeply nested", "[" * 2000 + "]" * 2000


async def press(office: Office, who: str, card: Card, label: str, **forged: str) -> Ack:
    """Presses a button that carries something else than the card gave it."""
    there, blocks = card.element(label), deepcopy(card.blocks)
    for element in (element for block in blocks for element in block.get("elements", ())):
        if element.get("action_id") == there.action_id:
            element.update(forged)
    action_id = forged.get("action_id", there.action_id)
    return await office.workbench.acts.click(who, card.channel, card.ts, there.block_id, action_id, as_seen=blocks)


async def test_a_tampered_button_never_becomes_an_answer_and_its_person_is_told(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending this message?")
    for told, (name, value) in enumerate(broken(card.element("Approve").element["value"]), start=1):
        assert (await press(open_office, "ann", card, "Approve", value=value)).ok, name
        await is_told_once_more(ann, told, name)
    await still_open(open_office, run.id)
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(open_office.effects()) == 1


async def test_a_button_that_contradicts_its_own_id_is_refused(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending this message?")
    await press(open_office, "ann", card, "Approve", action_id="order:it_happened")
    await ann.is_told("redrawn")
    await still_open(open_office, run.id)


async def test_a_tampered_form_never_becomes_an_answer_and_says_so_in_its_place(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    card = await ann.sees("Approve sending this message?")
    await ann.click(card, "Reject")
    carried = (await ann.modal("Reject")).view.given["private_metadata"]
    for name, metadata in broken(carried):
        form = await reopened(ann, card, metadata)
        sent = await ann.submit(form, {"Reason": "Too early"})
        assert sent.result == "updated", (name, sent)
        assert form.title == "Not taken", name
    await still_open(open_office, run.id)


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"field:reson": {"value": {"type": "plain_text_input", "value": "Too early"}}},
        {"field:reason": {}},
        {"field:reason": {"valu": {"type": "plain_text_input", "value": "Too early"}}},
        {"field:reason": {"value": {"type": "plain_text_input", "value": None}}},
        {"field:reason": {"value": {"type": "plain_text_input", "value": ["Too", "early"]}}},
        {"field:reason": {"value": "Too early"}},
    ],
)
async def test_a_form_that_comes_back_without_its_field_is_asked_for_it(open_office: Office, values: dict[str, Any]):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    await ann.click(await ann.sees("Approve sending this message?"), "Reject")
    form = await ann.modal("Reject")
    form.view.given["blocks"] = [block for block in form.view.blocks if block["type"] != "section"]
    ack = await submit_raw(open_office, form, values)
    assert ack.body["response_action"] in {"errors", "update"}, ack
    await still_open(open_office, run.id)


async def is_told_once_more(ann: Tab, told: int, name: str) -> None:
    await ann.until(lambda: len(ann.refusals) == told, f"being told about {name}")


async def still_open(office: Office, run_id: str) -> None:
    """Nothing was decided, nothing ran, and the question is still there."""
    run = await office.ends(run_id, RunStatus.WAITING)
    assert (run.claims, run.answered) == (1, False)
    assert await office.decisions(run_id) == []
    assert office.effects() == []


async def reopened(ann: Tab, card: Card, metadata: str) -> Modal:
    """The same form anew, which carries something else than it was given."""
    before = ann.open_modal
    await ann.click(card, "Reject")
    form = await ann.modal("Reject", other_than=before)
    form.view.given["private_metadata"] = metadata
    return form


async def submit_raw(office: Office, form: Modal, values: dict[str, Any]) -> Ack:
    """What no client of Slack's would send as the state of a form."""
    bench = office.workbench.bench
    person = bench.workspace.person(form.view.person)
    assert person is not None
    payload = payloads.submission(bench, person, form.view)
    payload["view"] = {**payload["view"], "state": {"values": values}}
    return await office.workbench.redeliver(Delivery("interactive", payload, str(uuid.uuid4()), accepts_response=True))
