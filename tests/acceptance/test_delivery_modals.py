"""Forms: what opens, what cannot, and the ways through several of them."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunStatus
from bot.settings import Transport
from bot.workbench.bench import Timings
from bot.workbench.cards import Card
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office, office

MESSAGE = {"recipient": "press@example.com", "body": "Hello."}
SOFA = "What shall become of the sofa?"


async def card_of(office: Office, action: str, given: dict[str, str], question: str) -> Card:
    await office.start(action, given)
    return await office.person("ann").sees(question, in_="#approvals")


@pytest.fixture
async def hasty_office(transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Office]:
    """Where a trigger lasts for a blink."""
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with office(transport, tmp_path, timings=Timings(trigger=0.2)) as opened:
        await opened.open()
        yield opened


async def test_a_form_that_cannot_open_in_time_leaves_everything_as_it_was_and_its_person_is_told(hasty_office: Office):
    card = await card_of(hasty_office, "send_message", MESSAGE, "Approve sending")
    ann = hasty_office.person("ann")
    hasty_office.workbench.faults.delay("views.open", 0.4)
    assert (await ann.click(card, "Reject")).ok
    await ann.is_told("could not open in time")
    assert ann.open_modal is None
    [pending] = await hasty_office.store.pending()
    assert pending.interrupt.status is InterruptStatus.PENDING
    await ann.click(card, "Reject")
    await ann.submit(await ann.modal(), {"Reason": "Too early"})
    await ann.sees_on(card, "Too early")


@pytest.mark.parametrize("transport", ["socket"])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("expired_trigger_id", "could not open in time"),
        ("exchanged_trigger_id", "could not open in time"),
        ("invalid_arguments", "could not be shown"),
        ("ratelimited", "could not be shown"),
        ("token_revoked", "could not be shown"),
    ],
)
async def test_whatever_keeps_a_form_from_opening_is_told(open_office: Office, error: str, told: str):
    card = await card_of(open_office, "send_message", MESSAGE, "Approve sending")
    ann = open_office.person("ann")
    open_office.workbench.faults.fail("views.open", error)
    await ann.click(card, "Reject")
    await ann.is_told(told)


@pytest.mark.parametrize("transport", ["socket"])
@pytest.mark.parametrize("after_commit", [True, False])
async def test_a_form_whose_call_breaks_off_is_told_and_not_opened_twice(open_office: Office, after_commit: bool):
    card = await card_of(open_office, "send_message", MESSAGE, "Approve sending")
    ann = open_office.person("ann")
    open_office.workbench.faults.drop_connection("views.open", after_commit=after_commit)
    await ann.click(card, "Reject")
    await ann.is_told("could not open in time")
    assert len(open_office.workbench.calls_of("views.open")) == 1


async def test_a_slow_form_holds_no_acknowledgement_up(open_office: Office):
    card = await card_of(open_office, "send_message", MESSAGE, "Approve sending")
    ann = open_office.person("ann")
    open_office.workbench.faults.delay("views.open", 2, after_commit=True)
    ack = await ann.click(card, "Reject")
    assert ack.ok
    assert ack.ms < 1000
    assert await ann.modal()


async def test_one_of_eight_ways_is_chosen_and_filled_in(open_office: Office):
    card = await card_of(open_office, "eight_ways", {"words": "Old."}, SOFA)
    ann = open_office.person("ann")
    assert card.buttons == ["Answer…"]
    await ann.click(card, "Answer…")
    await ann.submit(await ann.modal(), {"Your answer": "Sell"})
    form = await ann.modal()
    assert form.labels == ["Price"]
    assert "Price" in (await ann.submit(form, {"Price": "much"}, unchecked=True)).errors
    await ann.submit(form, {"Price": "40"})
    await ann.sees_on(card, "Done")
    assert [entry.facts for entry in open_office.effects("sofa")] == [{"way": "Sell", "price": 40}]


@pytest.mark.parametrize("transport", ["socket"])
async def test_one_of_eight_ways_without_fields_counts_at_once(open_office: Office):
    card = await card_of(open_office, "eight_ways", {"words": "Old."}, SOFA)
    ann = open_office.person("ann")
    await ann.click(card, "Answer…")
    await ann.submit(await ann.modal(), {"Your answer": "Burn"})
    await ann.sees_on(card, "Done")
    assert ann.open_modal is None
    assert [entry.facts for entry in open_office.effects("sofa")] == [{"way": "Burn"}]


@pytest.mark.parametrize("transport", ["socket"])
async def test_somebody_who_chooses_after_the_decision_is_told_in_the_form(open_office: Office):
    card = await card_of(open_office, "eight_ways", {"words": "Old."}, SOFA)
    ann, ben = open_office.person("ann"), open_office.person("ben")
    for person in (ann, ben):
        await person.click(card, "Answer…")
    late = await ben.modal()
    await ann.submit(await ann.modal(), {"Your answer": "Burn"})
    await ann.sees_on(card, "Done")
    await ben.submit(late, {"Your answer": "Sell"})
    assert "Already" in (await ben.modal("Not taken")).text
    assert len(open_office.effects("sofa")) == 1


@pytest.mark.parametrize("transport", ["socket"])
async def test_what_is_cut_on_the_card_is_one_click_away(open_office: Office):
    story = "\n".join(f"Chapter {number}. " + "It stood there. " * 20 for number in range(12))
    card = await card_of(open_office, "eight_ways", {"words": story}, SOFA)
    ann = open_office.person("ann")
    assert not card.says("Chapter 11.")
    await ann.click(card, "Show all")
    assert "Chapter 11." in (await ann.modal()).text


@pytest.mark.parametrize("transport", ["socket"])
async def test_an_answer_counts_although_its_form_cannot_be_told(open_office: Office):
    card = await card_of(open_office, "ask_slowly", {}, "What is the word?")
    ann = open_office.person("ann")
    await ann.click(card, "Answer")
    await ann.submit(await ann.modal(), {"Word": "plugh"})
    await ann.modal("Checking…")
    open_office.workbench.faults.fail("views.update", "not_found")
    Gate.here("validation").open()
    [run] = await open_office.store.runs()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert [entry.facts for entry in open_office.effects("word")] == [{"word": "plugh"}]
