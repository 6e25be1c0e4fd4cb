"""Forms that change while somebody fills them in: nothing that was typed is lost, whatever is pressed in which order."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from blocks.values import BENEATH
from bot import clock
from bot.workbench.driver import Tab
from bot.workbench.elements import Placed, elements_of
from bot.workbench.journal import Ack
from bot.workbench.modals import Modal
from storage.drafts import KEPT_FOR
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office

SEAT, PLATE, PASSENGERS = (
    BENEATH.join(path) for path in (("Way", "Train", "Seat"), ("Way", "Car", "Plate"), ("Way", "Car", "Passengers"))
)
NAME, COUNT = ({row: f"Parts {row}{BENEATH}{what}" for row in (1, 2, 3)} for what in ("Name", "Count"))


async def answering(office: Office, action_id: str, question: str, *, who: str = "ann") -> tuple[RunRecord, Tab, Modal]:
    """Somebody with the form of an action's question open."""
    run = await office.start(action_id, {})
    person = office.person(who)
    await person.click(await person.sees(question), "Answer")
    return run, person, await person.modal("Answer")


async def shows(person: Tab, modal: Modal, *labels: str) -> None:
    """The form, once it asks for these fields and no others."""
    await person.until(lambda: modal.labels == list(labels), f"the fields {labels}, there are {modal.labels}")


async def says(person: Tab, modal: Modal, text: str) -> None:
    await person.until(lambda: text in modal.text, f"{text!r} in the form")


async def has_rows(person: Tab, modal: Modal, count: int) -> None:
    """The form of parts, once it has so many rows."""
    await shows(person, modal, *(label for row in range(1, count + 1) for label in (NAME[row], COUNT[row])))


def row_button(modal: Modal, row: int) -> Placed:
    """The button that removes a row, by the number that the row keeps."""
    return next(placed for placed in elements_of(modal.view.blocks) if placed.block_id.startswith(f"row:{row}:"))


async def remove(office: Office, person: Tab, modal: Modal, row: int) -> Ack:
    placed = row_button(modal, row)
    values = modal.view.values
    return await office.workbench.acts.view_click(
        person.person.id, modal.id, placed.block_id, placed.action_id, values=values
    )


async def answer(office: Office, run: RunRecord, kind: str = "answer") -> dict[str, Any]:
    await office.ends(run.id, RunStatus.SUCCEEDED)
    (entry,) = office.effects(kind)
    return dict(entry.facts)


async def test_a_union_that_is_switched_to_and_fro_keeps_what_was_typed_into_each_variant(open_office: Office):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    assert form.labels == ["Where", "Way"]
    await ann.type(form, "Where", "Kassel")
    await ann.choose(form, "Way", "Train")
    await shows(ann, form, "Where", "Way", SEAT)
    assert form.values["Where"] == "Kassel"
    await ann.type(form, SEAT, "window")
    await ann.choose(form, "Way", "Car")
    await shows(ann, form, "Where", "Way", PLATE, PASSENGERS)
    await ann.type(form, PLATE, "KS-42")
    await ann.choose(form, "Way", "Train")
    await shows(ann, form, "Where", "Way", SEAT)
    assert form.values[SEAT] == "window"
    await ann.choose(form, "Way", "Car")
    await shows(ann, form, "Where", "Way", PLATE, PASSENGERS)
    assert form.values[PLATE] == "KS-42"
    assert (await ann.submit(form, {PASSENGERS: 3})).closed
    assert await answer(open_office, run) == {
        "where": "Kassel",
        "way": {"kind": "car", "plate": "KS-42", "passengers": 3},
    }


async def test_the_input_of_a_new_run_is_redrawn_in_the_same_way(open_office: Office):
    rita, ann = open_office.person("rita"), open_office.person("ann")
    await rita.command("/signoff start_trip")
    form = await rita.modal("Start trip")
    await rita.type(form, "Where", "Kassel")
    await rita.choose(form, "Way", "Train")
    await shows(rita, form, "Where", "Way", SEAT)
    assert (await rita.submit(form, {SEAT: "aisle"})).closed
    await ann.click(await ann.sees("Go to Kassel?"), "Approve")
    (run,) = await open_office.store.runs()
    assert (await answer(open_office, run, "input"))["way"] == {"kind": "train", "seat": "aisle"}


async def test_a_form_that_was_chosen_among_many_is_redrawn_in_place(open_office: Office):
    run = await open_office.start("ask_way", {})
    ann = open_office.person("ann")
    await ann.click(await ann.sees("How do we get there?"), "Answer…")
    form = await ann.modal("Answer")
    assert (await ann.submit(form, {"Your answer": "Trip"})).result == "updated"
    await ann.choose(form, "Way", "Train")
    await shows(ann, form, "Where", "Way", SEAT)
    assert (await ann.submit(form, {"Where": "Kassel", SEAT: "aisle"})).closed
    assert (await answer(open_office, run))["where"] == "Kassel"


async def test_of_three_rows_the_second_is_removed_and_the_others_keep_what_was_typed(open_office: Office):
    run, ann, form = await answering(open_office, "ask_parts", "Which parts are missing?")
    await ann.type(form, NAME[1], "bolt")
    await ann.type(form, COUNT[1], "10")
    for number, (name, count) in enumerate([("nut", "20"), ("washer", "30")], start=2):
        await ann.click(form, "Add an entry")
        await has_rows(ann, form, number)
        await ann.type(form, NAME[number], name)
        await ann.type(form, COUNT[number], count)
    await remove(open_office, ann, form, 1)
    await has_rows(ann, form, 2)
    assert form.values == {
        NAME[1]: "bolt",
        COUNT[1]: "10",
        NAME[2]: "washer",
        COUNT[2]: "30",
    }
    assert (await ann.submit(form)).closed
    assert await answer(open_office, run) == {"parts": [{"name": "bolt", "count": 10}, {"name": "washer", "count": 30}]}


async def test_more_entries_than_rows_go_on_as_text_and_what_is_wrong_in_a_line_is_told_there(open_office: Office):
    run, ann, form = await answering(open_office, "ask_stock", "What is in stock?")
    for number in range(19):
        await ann.click(form, "Add an entry")
        await has_rows_of_text(ann, form, number + 1)
    await ann.type(form, NAME[1], "bolt")
    await ann.type(form, COUNT[1], "10")
    await ann.click(form, "More entries, as text")
    await shows(ann, form, "Parts")
    assert form.values["Parts"].startswith("bolt; 10")
    lines = [f"part {number}; {number}" for number in range(1, 41)]
    sent = await ann.submit(form, {"Parts": "\n".join([*lines, "nut; many"])})
    assert sent.errors == {"Parts": f"line 41{BENEATH}Count: must be a whole number such as 42"}
    assert (await ann.submit(form, {"Parts": "\n".join(lines)})).closed
    assert len((await answer(open_office, run))["parts"]) == 40


async def has_rows_of_text(person: Tab, modal: Modal, count: int) -> None:
    await person.until(lambda: len(modal.labels) == 2 * count, f"{count} rows")


async def test_a_row_whose_button_is_pressed_twice_in_a_row_takes_no_other_row_along(open_office: Office):
    run, ann, form = await answering(open_office, "ask_parts", "Which parts are missing?")
    for number, name in enumerate(["bolt", "nut", "washer"], start=1):
        if number > 1:
            await ann.click(form, "Add an entry")
            await has_rows(ann, form, number)
        await ann.type(form, NAME[number], name)
        await ann.type(form, COUNT[number], str(number))
    await asyncio.gather(remove(open_office, ann, form, 0), remove(open_office, ann, form, 0))
    await has_rows(ann, form, 2)
    assert (await ann.submit(form)).closed
    assert [part["name"] for part in (await answer(open_office, run))["parts"]] == ["nut", "washer"]


async def test_two_quick_clicks_both_count_and_the_form_shows_what_came_of_both(open_office: Office):
    _, ann, form = await answering(open_office, "ask_parts", "Which parts are missing?")
    await ann.type(form, NAME[1], "bolt")
    await asyncio.gather(ann.click(form, "Add an entry"), ann.click(form, "Add an entry"))
    await has_rows(ann, form, 3)
    assert form.values[NAME[1]] == "bolt"


async def test_a_click_that_slack_delivers_again_adds_nothing_a_second_time(open_office: Office):
    _, ann, form = await answering(open_office, "ask_parts", "Which parts are missing?")
    await ann.click(form, "Add an entry")
    await has_rows(ann, form, 2)
    delivered = open_office.workbench.bench.journal.deliveries_of("block_actions")[-1]
    assert (await open_office.workbench.redeliver(delivered)).ok
    await ann.click(form, "Add an entry")
    await has_rows(ann, form, 3)


async def test_what_is_typed_while_the_form_is_redrawn_stays(open_office: Office):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    pressed = asyncio.create_task(ann.choose(form, "Way", "Train"))
    await asyncio.sleep(0)
    await ann.type(form, "Where", "typed meanwhile")
    await pressed
    await shows(ann, form, "Where", "Way", SEAT)
    assert form.values["Where"] == "typed meanwhile"
    assert (await ann.submit(form, {SEAT: "aisle"})).closed
    assert (await answer(open_office, run))["where"] == "typed meanwhile"


async def test_a_form_that_is_sent_before_it_was_redrawn_is_shown_as_it_is_now(open_office: Office):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    hurried = form.filled({"Where": "Kassel", "Way": "Train"})
    sent = await open_office.workbench.acts.submit(ann.person.id, form.id, hurried)
    assert sent.result == "updated"
    await shows(ann, form, "Where", "Way", SEAT)
    assert "changed while it was sent" in form.text
    assert form.values["Where"] == "Kassel"
    assert (await ann.submit(form, {SEAT: "aisle"})).closed
    await answer(open_office, run)


async def test_what_is_wrong_in_a_row_stands_at_its_field(open_office: Office):
    _, ann, form = await answering(open_office, "ask_parts", "Which parts are missing?")
    await ann.click(form, "Add an entry")
    await has_rows(ann, form, 2)
    rows = {NAME[1]: "bolt", COUNT[1]: 1, NAME[2]: "nut", COUNT[2]: 0}
    sent = await ann.submit(form, rows, unchecked=True)
    assert sent.errors.keys() == {COUNT[2]}
    assert form.values[NAME[1]] == "bolt"


async def test_after_a_slow_check_that_fails_a_redrawn_form_comes_back_as_it_was(open_office: Office):
    run, ann, form = await answering(open_office, "ask_slow_trip", "Where does it slowly go?")
    await ann.choose(form, "Way", "Car")
    await shows(ann, form, "Where", "Way", PLATE, PASSENGERS)
    filled = {"Where": "Atlantis", PLATE: "KS-42", PASSENGERS: 1}
    assert (await ann.submit(form, filled)).result == "updated"
    assert form.title == "Checking…"
    Gate(open_office.folder, "validation").open()
    await ann.modal("Answer")
    assert "is no place" in form.text
    assert form.values["Where"] == "Atlantis"
    assert form.values[PLATE] == "KS-42"
    assert (await ann.submit(form, {"Where": "Kassel"})).closed
    assert (await answer(open_office, run))["where"] == "Kassel"


async def test_a_form_that_is_sent_twice_counts_once(open_office: Office):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    await ann.choose(form, "Way", "Train")
    await shows(ann, form, "Where", "Way", SEAT)
    assert (await ann.submit(form, {"Where": "Kassel", SEAT: "aisle"})).closed
    submission = open_office.workbench.bench.journal.deliveries_of("view_submission")[-1]
    assert (await open_office.workbench.redeliver(submission)).ok
    await answer(open_office, run)
    assert len(await open_office.decisions(run.id)) == 1


async def test_a_decided_question_is_told_in_the_middle_of_its_form(open_office: Office):
    _, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    ben = open_office.person("ben")
    await ben.click(await ben.sees("Where does it go?"), "Answer")
    his = await ben.modal("Answer")
    await ben.choose(his, "Way", "Train")
    await shows(ben, his, "Where", "Way", SEAT)
    assert (await ben.submit(his, {"Where": "Kassel", SEAT: "aisle"})).closed
    await ann.choose(form, "Way", "Car")
    told = await ann.modal("Not taken")
    assert "by @Ben Brook" in told.text


async def test_a_draft_of_somebody_else_is_refused_and_stays_as_it_is(open_office: Office):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    await ann.type(form, "Where", "Kassel")
    await ann.choose(form, "Way", "Train")
    await shows(ann, form, "Where", "Way", SEAT)
    ben = open_office.person("ben")
    await ben.click(await ben.sees("Where does it go?"), "Answer")
    his = await ben.modal("Answer")
    his.view.given["private_metadata"] = form.view.given["private_metadata"]
    await ben.choose(his, "Way", "Car")
    assert "not kept any more" in (await ben.modal("Not taken")).text
    assert (await ann.submit(form, {SEAT: "aisle"})).closed
    assert (await answer(open_office, run))["way"]["kind"] == "train"


@pytest.mark.parametrize("way", ["a click", "a submission"])
async def test_whoever_comes_back_after_a_day_is_told_what_to_do(open_office: Office, way: str):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    later = clock.now() + KEPT_FOR + timedelta(minutes=1)
    assert await open_office.store.drafts.forget(now=later) == 1
    if way == "a click":
        await ann.choose(form, "Way", "Train")
    else:
        await ann.submit(form, {"Where": "Kassel", "Way": "Train"})
    told = await ann.modal("Not taken")
    assert "not kept any more" in told.text
    assert "open the form again" in told.text
    await open_office.ends(run.id, RunStatus.WAITING)


async def test_what_is_more_than_a_draft_holds_is_refused_and_what_stood_there_is_kept(
    open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    run, ann, form = await answering(open_office, "ask_trip", "Where does it go?")
    monkeypatch.setattr("storage.drafts.MAX_DRAFT", 2_000)
    sent = await ann.submit(form, {"Where": "x" * 2_500, "Way": "Train"})
    assert "more than a form can keep" in sent.errors["Where"]
    await ann.type(form, "Where", "y" * 2_600)
    await ann.choose(form, "Way", "Train")
    await says(ann, form, "more than a form can keep")
    await ann.type(form, "Where", "Kassel")
    await ann.choose(form, "Way", "Car")
    await shows(ann, form, "Where", "Way", PLATE, PASSENGERS)
    assert (await ann.submit(form, {PLATE: "KS-42", PASSENGERS: 1})).closed
    await answer(open_office, run)
