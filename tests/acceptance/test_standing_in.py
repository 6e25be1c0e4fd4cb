"""Somebody goes away and names a colleague, who decides in their place on every route; and comes back."""

from datetime import timedelta

from actions.kit.records.runs import RunStatus
from bot import clock
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs
from tests.acceptance.test_answering import SPEND

QUESTION = "Spend 99.90 EUR at Northwind?"


async def test_dana_is_away_and_omar_decides_in_her_place_until_she_is_back(open_office: Office):
    dana, omar, ann = (open_office.person(name) for name in ("dana", "omar", "ann"))
    open_office.workbench.workspace.conversations["C0APPROVALS"].members.append("U0OMAR")
    spending = await open_office.start("spend_request", SPEND)
    await dana.sees(QUESTION, in_="dm")
    omar.open_home()
    await omar.home("Nothing waits for your answer")

    await dana.command("/signoff away until friday, ask @omar")
    told = await dana.is_told("You are away until Friday")
    assert "18:00 (Etc/UTC); @Omar Okafor decides in your place" in told.text
    told = await omar.sees("chose you to decide in their place", in_="dm")
    assert "1 question waits for you in their place" in told.text
    home = await omar.home(QUESTION)
    assert "You stand in for @Dana Diaz until" in home.text
    assert "in the place of @Dana Diaz" in home.text
    await omar.click(home, "Approve")
    await open_office.ends(spending, RunStatus.SUCCEEDED)
    await dana.sees("by @Omar Okafor for @Dana Diaz", in_="dm")

    two = await open_office.start("two_of_three", {})
    card = await omar.sees("Release it?", in_="#approvals")
    await omar.click(card, "Approve")
    await ann.sees_on(card, "@Omar Okafor for @Dana Diaz")
    await dana.command("/signoff back")
    await dana.is_told("Welcome back")
    await dana.click(card, "Approve")
    await dana.is_told("has already answered in your place")
    await ann.click(card, "Approve")
    await open_office.ends(two, RunStatus.SUCCEEDED)


async def test_dana_says_so_in_home_and_omar_answers_by_a_program(open_office: Office):
    dana, omar = open_office.person("dana"), open_office.person("omar")
    dana.open_home()
    await dana.click(await dana.home("You are here"), "I will be away…")
    form = await dana.modal("Away")
    later = (clock.now() + timedelta(days=5)).date().isoformat()
    sent = await dana.submit(form, {"Until": later, "Who decides in your place": "U0DANA"})
    assert "cannot decide in your own place" in str(sent.errors)
    assert (await dana.submit(form, {"Until": later, "Who decides in your place": "U0OMAR"})).closed
    home = await dana.home("@Omar Okafor decides in your place")
    run = await open_office.start("spend_request", SPEND)
    card = await open_office.card(run.id)
    await omar.sees(QUESTION, in_="dm")
    async with programs(open_office) as session:
        as_omar = await client(open_office, session, "U0OMAR")
        answered = await as_omar.answer(card.interrupt.id, choice="approve")
    assert answered.body["decisions"][0]["standing_for"] == "U0DANA"
    await dana.click(home, "I am back")
    await dana.home("You are here")
    await omar.sees("is back: you do not decide in their place any more", in_="dm")


async def test_danas_status_says_that_she_is_away_and_omar_gets_the_card_too(open_office: Office):
    dana, omar = open_office.person("dana"), open_office.person("omar")
    await dana.command("/signoff away when my status says so, ask omar@example.com")
    await dana.is_told("While your Slack status says that you are away, @Omar Okafor decides in your place")
    open_office.workbench.workspace.people["U0DANA"].status_emoji = ":palm_tree:"
    run = await open_office.start("spend_request", SPEND)
    card = await omar.sees(QUESTION, in_="dm")
    await dana.command("/signoff away")
    await dana.is_told("You are away, as your Slack status says")
    await omar.click(card, "Approve")
    await omar.sees_on(card, "by @Omar Okafor for @Dana Diaz")
    await open_office.ends(run, RunStatus.SUCCEEDED)
