"""A select of a thousand values: searched while somebody types, in answers and in the input of a new run."""

from actions.kit.records.runs import RunStatus
from tests.acceptance.form_actions import TOWNS
from tests.acceptance.office import Office
from tests.acceptance.test_forms_redrawn import answer, answering


async def test_one_of_a_thousand_towns_is_found_and_reaches_the_action(open_office: Office):
    run, ann, form = await answering(open_office, "ask_town", "Which town?")
    found = await ann.search(form, "Town", "0742")
    assert found[0] == TOWNS[742]
    await ann.choose(form, "Town", TOWNS[742])
    assert (await ann.submit(form)).closed
    assert await answer(open_office, run) == {"town": TOWNS[742], "days": 1}


async def test_no_more_than_a_hundred_options_come_whatever_is_typed(open_office: Office):
    _, ann, form = await answering(open_office, "ask_town", "Which town?")
    assert len(await ann.search(form, "Town", "town")) == 100
    assert await ann.search(form, "Town", "no such place") == []


async def test_the_input_of_a_new_run_is_searched_too(open_office: Office):
    rita = open_office.person("rita")
    await rita.command("/signoff start_visit")
    form = await rita.modal("Start visit")
    assert (await rita.search(form, "Town", "0007"))[0] == TOWNS[7]
    await rita.choose(form, "Town", TOWNS[7])
    assert (await rita.submit(form)).closed
    ann = open_office.person("ann")
    await ann.click(await ann.sees(f"Visit {TOWNS[7]}?"), "Approve")
    (run,) = await open_office.store.runs()
    await open_office.ends(run.id, RunStatus.SUCCEEDED)


async def test_what_was_not_offered_is_no_answer(open_office: Office):
    run, ann, form = await answering(open_office, "ask_town", "Which town?")
    placed = form.field("Town")
    made_up = {"text": {"type": "plain_text", "text": "Utopia"}, "value": "4711"}
    form.view.offered[placed.block_id, placed.action_id] = [made_up]
    forged = {"type": "external_select", "selected_option": made_up}
    values = {**form.view.values, placed.block_id: {placed.action_id: forged}}
    sent = await open_office.workbench.acts.submit(ann.person.id, form.id, values)
    assert sent.errors.keys() == {placed.block_id}
    assert await open_office.decisions(run.id) == []
