"""Answers that people give: falsy ones, wrong ones, slow ones, and what the action gets of them."""

from typing import Any

import pytest

from actions.kit.records.runs import RunStatus
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}
SPEND = {"amount": "99.90", "currency": "EUR", "vendor": "Northwind", "justification": "Two monitors for new desks"}


async def test_a_rejection_without_a_reason_is_asked_for_one_and_counts_only_with_it(open_office: Office):
    run = await open_office.start("spend_request", SPEND)
    dana, rita = open_office.person("dana"), open_office.person("rita")
    card = await dana.sees("Spend 99.90 EUR at Northwind?", in_="dm")
    await dana.click(card, "Reject")
    form = await dana.modal("Reject")
    for too_short in (None, "", "no", "  n "):
        refused = await dana.submit(form, {"Reason": too_short}, unchecked=True)
        assert refused.errors.keys() == {"Reason"}
        assert (await open_office.ends(run.id, RunStatus.WAITING)).epoch == run.epoch
        assert await open_office.decisions(run.id) == []
    assert (await dana.submit(form, {"Reason": "We have monitors"})).closed

    await dana.sees_on(card, "Rejected")
    assert card.says("We have monitors")
    assert card.buttons == []
    told = await rita.sees("Rejected", in_="dm")
    assert told.says("We have monitors")
    assert (await open_office.ends(run.id, RunStatus.DECLINED)).output is None
    assert open_office.effects() == []


@pytest.mark.parametrize(
    ("action_id", "question", "button", "value"),
    [
        ("ask_yes_no", "Is it warm?", "No", False),
        ("ask_yes_no", "Is it warm?", "Yes", True),
        ("ask_or_none", "Which colour?", "(empty)", ""),
        ("ask_or_none", "Which colour?", "None", None),
    ],
)
async def test_a_falsy_choice_is_an_answer_and_reaches_the_action_as_it_is(
    open_office: Office, action_id: str, question: str, button: str, value: Any
):
    run = await open_office.start(action_id, {})
    ann = open_office.person("ann")
    await ann.click(await ann.sees(question), button)
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert [entry.facts for entry in open_office.effects()] == [
        {"type": type(value).__name__, "value": value, "cause": "human"}
    ]


@pytest.mark.parametrize(
    ("action_id", "question", "filled", "value"),
    [
        ("ask_number", "How many are left?", 0, 0),
        ("ask_list", "Who is missing?", None, []),
    ],
)
async def test_a_falsy_answer_of_a_form_reaches_the_action_as_it_is(
    open_office: Office, action_id: str, question: str, filled: Any, value: Any
):
    run = await open_office.start(action_id, {})
    ann = open_office.person("ann")
    await ann.click(await ann.sees(question), "Answer")
    form = await ann.modal()
    sent = await ann.submit(form, {form.labels[0]: filled})
    assert sent.closed, sent
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert [entry.facts for entry in open_office.effects()] == [
        {"type": type(value).__name__, "value": value, "cause": "human"}
    ]


async def test_an_answer_without_fields_is_an_answer_too(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    await ann.click(await ann.sees("Approve sending"), "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    [decision] = await open_office.decisions(run.id)
    assert (decision.choice, decision.value) == ("approve", "{}")


async def test_the_authors_own_checks_land_on_their_fields_before_any_decision_exists(open_office: Office):
    run = await open_office.start("ask_budget", {})
    ann = open_office.person("ann")
    await ann.click(await ann.sees("How much may it cost?"), "Answer")
    form = await ann.modal()
    guessed = await ann.submit(form, {"Hardware": 1, "Travel": 300})
    assert guessed.errors == {"Travel": "must not be a guess"}
    over = await ann.submit(form, {"Hardware": 900, "Travel": 150})
    assert over.errors == {"Hardware": "together they are over the budget of 1000"}
    assert await open_office.decisions(run.id) == []
    assert (await open_office.ends(run.id, RunStatus.WAITING)).claims == 1

    assert (await ann.submit(form, {"Hardware": 900, "Travel": 50})).closed
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert [entry.facts for entry in open_office.effects()] == [{"hardware": 900, "travel": 50}]


async def test_a_slow_check_is_acknowledged_at_once_and_its_answer_counts_once(open_office: Office):
    run = await open_office.start("ask_slowly", {})
    ann, gate = open_office.person("ann"), Gate(open_office.folder, "validation")
    await ann.click(await ann.sees("What is the word?"), "Answer")
    form = await ann.modal("Answer")
    sent = await ann.submit(form, {"Word": "hello"})
    assert sent.result == "updated"
    assert form.title == "Checking…"
    assert await open_office.decisions(run.id) == []
    gate.open()
    await ann.modal("Done")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(await open_office.decisions(run.id)) == 1
    assert [entry.facts for entry in open_office.effects()] == [{"word": "hello"}]


async def test_after_a_slow_check_that_fails_the_form_comes_back_with_what_was_typed_and_what_is_wrong(
    open_office: Office,
):
    run = await open_office.start("ask_slowly", {})
    ann, gate = open_office.person("ann"), Gate(open_office.folder, "validation")
    await ann.click(await ann.sees("What is the word?"), "Answer")
    form = await ann.modal("Answer")
    assert (await ann.submit(form, {"Word": "xyzzy"})).result == "updated"
    assert form.title == "Checking…"
    gate.open()
    again = await ann.modal("Answer")
    assert "is no word" in again.text
    assert again.values == {"Word": "xyzzy"}
    assert await open_office.decisions(run.id) == []
    assert (await ann.submit(again, {"Word": "hello"})).closed
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert [entry.facts for entry in open_office.effects()] == [{"word": "hello"}]


async def test_a_slow_answer_counts_although_its_form_was_closed_meanwhile(open_office: Office):
    run = await open_office.start("ask_slowly", {})
    ann, gate = open_office.person("ann"), Gate(open_office.folder, "validation")
    await ann.click(await ann.sees("What is the word?"), "Answer")
    form = await ann.modal("Answer")
    assert (await ann.submit(form, {"Word": "hello"})).result == "updated"
    await ann.close(form)
    gate.open()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert ann.open_modal is None
    assert len(await open_office.decisions(run.id)) == 1


async def test_a_slow_answer_that_is_sent_twice_counts_once(open_office: Office):
    run = await open_office.start("ask_slowly", {})
    ann, gate = open_office.person("ann"), Gate(open_office.folder, "validation")
    await ann.click(await ann.sees("What is the word?"), "Answer")
    form = await ann.modal("Answer")
    await ann.submit(form, {"Word": "hello"})
    submission = open_office.workbench.bench.journal.deliveries_of("view_submission")[-1]
    await open_office.workbench.redeliver(submission)
    gate.open()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert len(await open_office.decisions(run.id)) == 1
    assert len(open_office.effects()) == 1


async def test_an_input_that_is_slow_to_check_starts_its_run_once_it_is_checked(open_office: Office):
    rita, gate = open_office.person("rita"), Gate(open_office.folder, "validation")
    await rita.command("/signoff start_slowly")
    form = await rita.modal("Start slowly")
    assert (await rita.submit(form, {"Word": "hello"})).result == "updated"
    assert form.title == "Checking…"
    gate.open()
    await rita.modal("Done")
    await open_office.person("ann").sees("Say hello?", in_="#approvals")
    assert len(await open_office.store.runs()) == 1


async def test_declining_never_executes_the_action_by_button_form_or_deadline(open_office: Office):
    ann, omar = open_office.person("ann"), open_office.person("omar")
    by_button = await open_office.start("restart_service", {"service": "search", "reason": "It is slow"})
    await omar.click(await omar.sees("Restart search?", in_="dm"), "Leave it")
    by_form = await open_office.start("gated", {})
    await ann.click(await ann.sees("Go through the gate?"), "Reject")
    await ann.submit(await ann.modal("Reject"), {"Reason": "Not today"})
    by_deadline = await open_office.start("declined_by_default", {})
    await ann.sees("Stop by itself?")
    await open_office.move_to_deadline(by_deadline.id)
    for run in (by_button, by_form, by_deadline):
        ended = await open_office.ends(run.id, RunStatus.DECLINED)
        assert ended.output is None
        assert [e.event for e in await open_office.store.trail(run.id)].count("claimed") == 0
    assert [entry.kind for entry in open_office.effects()] == ["asking"]
