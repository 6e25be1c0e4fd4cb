"""Forms of several steps, with a way back; what is wrong is said in the step where it can be mended."""

import asyncio
import json
from datetime import date
from typing import Any

import pytest

from blocks.clicks import Mark
from blocks.values import BENEATH
from bot.workbench.driver import Tab
from bot.workbench.modals import Modal
from tests.acceptance import form_actions
from tests.acceptance.office import BOTH_DATABASES, Office
from tests.acceptance.test_forms_redrawn import answer, answering, says
from tests.waiting import until

QUESTION = "Who comes on Monday?"
PERSON = {"Name": "Nora", "Starts": date(2027, 1, 4), "Ends": date(2027, 6, 30)}
REST: tuple[dict[str, Any], ...] = ({"Rate": "12.50"}, {"Floor": "third"}, {"Account": "nora"}, {"Guide": "Ben"})


def by_end(modal: Modal, given: dict[str, Any]) -> dict[str, Any]:
    """Answers by the whole label of the field that ends with these words."""
    return {next(label for label in modal.labels if label.endswith(end)): value for end, value in given.items()}


async def fill(person: Tab, modal: Modal, given: dict[str, Any], *, then: str) -> None:
    """Fill in a step and go on to the next one."""
    assert modal.submit_label == "Next"
    assert (await person.submit(modal, by_end(modal, given))).result == "updated"
    assert then in modal.text


def held(modal: Modal, end: str) -> Any:
    return next(value for label, value in modal.values.items() if label.endswith(end))


async def test_five_steps_with_a_way_back_keep_everything(open_office: Office):
    run, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    assert "Step 1 of 5" in form.text
    await fill(ann, form, PERSON, then="Step 2 of 5")
    await fill(ann, form, REST[0], then="Step 3 of 5")
    await ann.type(form, next(label for label in form.labels if label.endswith("Floor")), "third")
    await ann.click(form, "Back")
    await says(ann, form, "Step 2 of 5")
    assert held(form, "Rate") == "12.50"
    await ann.click(form, "Back")
    await says(ann, form, "Step 1 of 5")
    assert held(form, "Starts") == "2027-01-04"
    await fill(ann, form, {"Name": "Nora N."}, then="Step 2 of 5")
    await fill(ann, form, {}, then="Step 3 of 5")
    assert held(form, "Floor") == "third"
    await fill(ann, form, {"Remark 9": "by the window"}, then="Step 4 of 5")
    await fill(ann, form, REST[2], then="Step 5 of 5")
    assert form.submit_label == "Answer"
    assert (await ann.submit(form, by_end(form, REST[3]))).closed
    told = await answer(open_office, run)
    assert told["person"]["name"] == "Nora N."
    assert (told["contract"]["rate"], told["desk"]["remark_9"]) == ("12.50", "by the window")
    assert told["welcome"]["guide"] == "Ben"


async def test_what_is_wrong_in_the_second_step_is_said_there_before_the_third(open_office: Office):
    _, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    await fill(ann, form, PERSON, then="Step 2 of 5")
    sent = await ann.submit(form, by_end(form, {"Rate": "plenty", "Remark 1": "typed"}), unchecked=True)
    assert sent.result == "errors"
    ((label, words),) = sent.errors.items()
    assert label.endswith("Rate")
    assert "must be a number" in words
    assert "Step 2 of 5" in form.text
    assert held(form, "Remark 1") == "typed"


async def test_what_the_authors_own_check_finds_in_a_step_is_told_in_that_step(open_office: Office):
    _, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    sent = await ann.submit(form, by_end(form, PERSON | {"Ends": date(2026, 1, 1)}))
    assert list(sent.errors.values()) == ["Person: they would leave before they come"]
    await fill(ann, form, {"Ends": date(2027, 6, 30)}, then="Step 2 of 5")


async def test_what_cannot_be_read_and_what_does_not_fit_are_told_at_once(open_office: Office):
    _, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    given = {"Name": None, "Starts": date(2027, 1, 4), "Ends": date(2027, 6, 30)}
    sent = await ann.submit(form, by_end(form, given), unchecked=True)
    assert {label.rpartition(BENEATH)[2]: words for label, words in sent.errors.items()} == {"Name": "is required"}
    await fill(ann, form, PERSON, then="Step 2 of 5")
    sent = await ann.submit(form, by_end(form, {"Rate": "much", "Remark 1": "x" * 41}), unchecked=True)
    assert {label.rpartition(BENEATH)[2] for label in sent.errors} == {"Rate", "Remark 1"}


async def test_what_the_authors_own_check_finds_in_the_end_leads_back_to_the_step_it_is_about(
    open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    run, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    await fill(ann, form, PERSON, then="Step 2 of 5")
    for number, given in enumerate(REST[:3], start=3):
        await fill(ann, form, given, then=f"Step {number} of 5")
    monkeypatch.setattr(form_actions, "TAKEN", {"nora"})
    assert (await ann.submit(form, by_end(form, REST[3]))).result == "updated"
    assert "Step 4 of 5" in form.text
    assert "was taken by somebody else" in form.text
    assert held(form, "Account") == "nora"
    assert await open_office.decisions(run.id) == []
    await fill(ann, form, {"Account": "nora.n"}, then="Step 5 of 5")
    assert "was taken" not in form.text
    assert held(form, "Guide") == "Ben"
    assert (await ann.submit(form)).closed
    assert (await answer(open_office, run))["access"]["account"] == "nora.n"


async def test_a_step_that_is_sent_again_after_its_ack_was_lost_leads_to_the_next_one_all_the_same(open_office: Office):
    _, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    await fill(ann, form, PERSON, then="Step 2 of 5")
    submission = open_office.workbench.bench.journal.deliveries_of("view_submission")[-1]
    again = await open_office.workbench.redeliver(submission)
    assert again.body["response_action"] == "update"
    assert again.body["view"]["private_metadata"] == form.view.given["private_metadata"]


async def test_a_step_back_and_a_step_on_at_once_end_with_the_form_showing_what_its_draft_holds(open_office: Office):
    _, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    await fill(ann, form, PERSON, then="Step 2 of 5")
    shown = form.filled(by_end(form, REST[0]))
    sending = open_office.workbench.acts.submit(ann.person.id, form.id, shown)
    await asyncio.gather(ann.click(form, "Back"), sending)

    async def agrees() -> bool:
        mark = Mark.parse(json.loads(form.view.given["private_metadata"])["draft"])
        assert mark is not None
        kept = await open_office.store.drafts.find(mark.draft_id, person=ann.person.id)
        return kept is not None and f"Step {kept.draft.step + 1} of 5" in form.text

    await until(agrees, "the form to show the step of its draft")
    assert "Step 2 of 5" not in form.text


@BOTH_DATABASES
async def test_a_form_goes_on_after_the_bot_was_restarted_in_the_middle_of_it(open_office: Office):
    run, ann, form = await answering(open_office, "ask_onboarding", QUESTION)
    await fill(ann, form, PERSON, then="Step 2 of 5")
    await ann.type(form, next(label for label in form.labels if label.endswith("Rate")), "12.50")
    await open_office.restart()
    await ann.click(form, "Back")
    await says(ann, form, "Step 1 of 5")
    assert held(form, "Name") == "Nora"
    await fill(ann, form, {}, then="Step 2 of 5")
    assert held(form, "Rate") == "12.50"
    for number, given in enumerate(REST[:3], start=3):
        await fill(ann, form, given, then=f"Step {number} of 5")
    assert (await ann.submit(form, by_end(form, REST[3]))).closed
    assert (await answer(open_office, run))["contract"]["rate"] == "12.50"
