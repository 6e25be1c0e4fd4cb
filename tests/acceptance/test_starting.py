"""Ways to start, and to see what is one's own: the command's words, the shortcuts, the Home tab. All of it over both transports."""

import pytest

from actions.kit.records.runs import RunStatus
from blocks.starts import LISTED
from tests.acceptance.office import Office

QUESTION = "Approve sending this message?"
MESSAGE = {"recipient": "press@example.com", "body": "We are live."}
FILLED = {"Recipient": "press@example.com", "Message": "We are live."}


async def test_the_command_alone_lists_what_can_be_started_with_a_button_each(open_office: Office):
    rita = open_office.person("rita")
    assert (await rita.command("/signoff")).ok
    listed = await rita.is_told("What can be started here")
    assert listed.says("Puts a yes-or-no question to people")
    button = [n for n, title in enumerate(listed.buttons) if title == "Start"]
    assert len(button) == min(len(open_office.bot.registry.actions), LISTED)
    assert (await rita.command("/signoff send_message")).ok
    form = await rita.modal("Send message")
    assert (await rita.submit(form, FILLED)).closed
    await rita.sees(QUESTION, in_="#approvals")


async def test_a_button_of_the_list_opens_the_form_of_its_action(open_office: Office):
    rita = open_office.person("rita")
    await rita.command("/signoff")
    listed = await rita.is_told("What can be started here")
    block = next(block for block in listed.message.blocks if "`decision`" in str(block))
    acts = open_office.workbench.acts
    assert (await acts.click("rita", listed.channel, listed.ts, block["block_id"], block["accessory"]["action_id"])).ok
    await rita.modal("Ask for a decision")


async def test_what_one_asked_for_is_listed_shown_and_cancelled(open_office: Office):
    rita = open_office.person("rita")
    await rita.command("/signoff mine")
    await rita.is_told("You have not asked for anything yet")
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    await rita.command("/signoff mine")
    mine = await rita.is_told("What you asked for (1 open)")
    assert mine.says(QUESTION)
    assert mine.says(run.id)
    await rita.command(f"/signoff show {run.id[:14]}")
    shown = await rita.is_told("press@example.com")
    assert shown.says("started by")
    await rita.command(f"/signoff cancel {run.id}")
    await rita.is_told("is now ✖️ Cancelled")
    await open_office.ends(run.id, RunStatus.CANCELLED)
    await rita.command(f"/signoff cancel {run.id}")
    await rita.is_told("This is no longer open")


async def test_what_waits_is_listed_for_those_who_decide_and_for_nobody_else(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    for name, told in {"ann": QUESTION, "rita": "Nothing waits", "omar": "Nothing waits"}.items():
        person = open_office.person(name)
        await person.command("/signoff pending")
        await person.is_told(told)


@pytest.mark.parametrize(
    ("name", "told"), [("ann", "press@example.com"), ("omar", "Only the requester of a run, those who decide it")]
)
async def test_a_run_is_shown_to_those_whom_it_concerns_and_others_are_told_why_not(
    open_office: Office, name: str, told: str
):
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    person = open_office.person(name)
    await person.command(f"/signoff show {run.id}")
    await person.is_told(told)


async def test_half_an_id_tells_a_stranger_nothing(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    omar = open_office.person("omar")
    for given in (run.id[:14], run.id[:3], "nonsense", "<!channel>"):
        await omar.command(f"/signoff show {given}")
        await omar.is_told("There is no run")
    await omar.command("/signoff show")
    await omar.is_told("Which run?")


async def test_only_the_requester_and_operators_cancel(open_office: Office):
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    ben = open_office.person("ben")
    await ben.command(f"/signoff cancel {run.id}")
    await ben.is_told("Only the requester and the operators may do this")


async def test_the_words_are_explained_and_a_slip_is_answered_with_what_was_meant(open_office: Office):
    rita = open_office.person("rita")
    await rita.command("/signoff help")
    assert (await rita.is_told("`/signoff mine`")).says("`/signoff cancel ID`")
    await rita.command("/signoff pendng")
    await rita.is_told("Did you mean `/signoff pending`?")


async def test_the_global_shortcut_asks_which_action_and_opens_its_form(open_office: Office):
    rita = open_office.person("rita")
    assert (await rita.shortcut("Start a request")).ok
    asked = await rita.modal("Start a request")
    sent = await rita.submit(asked, {"What do you want to start?": "Send message"})
    assert sent.result == "updated"
    form = await rita.modal("Send message")
    assert (await rita.submit(form, FILLED)).closed
    await rita.sees(QUESTION, in_="#approvals")


async def test_a_guest_is_told_that_guests_start_nothing(open_office: Office):
    gus = open_office.person("gus")
    await gus.shortcut("Start a request")
    await gus.submit(await gus.modal("Start a request"), {"What do you want to start?": "Send message"})
    assert "Guests cannot start" in (await gus.modal("Not started")).text


async def test_a_request_is_started_from_home(open_office: Office):
    rita = open_office.person("rita")
    rita.open_home()
    home = await rita.home("Nothing waits")
    assert (await rita.click(home, "Start a request…")).ok
    asked = await rita.modal("Start a request")
    await rita.submit(asked, {"What do you want to start?": "Send message"})
    await rita.submit(await rita.modal("Send message"), FILLED)
    await rita.home("1 open")


async def test_people_are_asked_about_a_message_which_is_quoted_and_linked_and_pings_nobody(open_office: Office):
    ben, rita, dana = (open_office.person(name) for name in ("ben", "rita", "dana"))
    said = ben.say("Shall we tell @ann & <!channel> *now*? https://example.com/plan", in_="#approvals")
    assert (await rita.message_shortcut(said, "Ask for a decision")).ok
    form = await rita.modal("Ask for a decision")
    about = form.values["What it is about"]
    assert about == "Ben Brook wrote:\nShall we tell @Ann Archer & <!channel> *now*? https://example.com/plan"
    sent = await rita.submit(form, {"Question": "Do we tell them today?", "Who decides": ["dana"]})
    assert sent.closed
    card = await dana.sees("Do we tell them today?", in_="dm")
    assert card.says("Ben Brook wrote:")
    assert "/archives/C0APPROVALS/p" in card.text
    assert (await dana.click(card, "Approve")).ok
    await rita.sees("Do we tell them today?", in_="dm")


async def test_a_message_that_the_bot_cannot_see_is_quoted_without_a_link(open_office: Office):
    open_office.workbench.workspace.leave("#ops", "signoff")
    omar = open_office.person("omar")
    said = omar.say("The rack is hot", in_="#ops")
    await omar.message_shortcut(said, "Ask for a decision")
    form = await omar.modal("Ask for a decision")
    assert form.values["What it is about"] == "Omar Okafor wrote:\nThe rack is hot"
    assert not form.values["Link"]
