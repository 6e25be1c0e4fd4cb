"""The Home tab stays right: whatever happens, wherever it was answered, after a restart, through Slack's rate limits."""

from datetime import timedelta

import pytest

from actions.kit.policies.deciders import Person, Policy
from actions.kit.records.runs import Origin, RunStatus
from bot import clock
from bot.workbench.driver import Tab
from bot.workbench.modals import Home
from storage.results import Lease, NewRun
from tests.acceptance.office import Office
from tests.integration.scenes import question

QUESTION = "Approve sending this message?"
MESSAGE = {"recipient": "press@example.com", "body": "We are live."}
SPEND = {
    "amount": "1250.00",
    "currency": "EUR",
    "vendor": "Example Chairs",
    "justification": "Two people join in December.",
}


async def at_home(office: Office, name: str, text: str = "") -> Home:
    person = office.person(name)
    person.open_home()
    return await person.home(text)


async def goes(person: Tab, home: Home, button: str) -> None:
    await person.until(lambda: button not in home.buttons, f"{button!r} to go from Home")


async def test_what_is_answered_on_the_card_leaves_the_home_tab(open_office: Office):
    ann = open_office.person("ann")
    await open_office.start("send_message", MESSAGE)
    home = await at_home(open_office, "ann", QUESTION)
    card = await ann.sees(QUESTION, in_="#approvals")
    await ann.click(card, "Approve")
    await goes(ann, home, "Approve")
    assert "Nothing waits" in (await ann.home("Done")).text


async def test_a_choice_with_a_form_opens_it_from_home_and_its_errors_stand_in_it(open_office: Office):
    dana = open_office.person("dana")
    run = await open_office.start("spend_request", SPEND)
    home = await at_home(open_office, "dana", "Example Chairs")
    card = await dana.sees("Example Chairs", in_="dm")
    await dana.click(home, "Reject")
    form = await dana.modal("Reject")
    assert not (await dana.submit(form, {}, unchecked=True)).closed
    assert (await dana.submit(form, {form.labels[0]: "Not this year"})).closed
    await goes(dana, home, "Reject")
    await open_office.ends(run.id, RunStatus.DECLINED)
    assert (await dana.sees_on(card, "Rejected")).buttons == []


async def test_a_button_that_is_out_of_date_is_refused_privately_and_the_tab_is_drawn_anew(open_office: Office):
    ann, ben = open_office.person("ann"), open_office.person("ben")
    await open_office.start("send_message", MESSAGE)
    home = await at_home(open_office, "ben", QUESTION)
    seen = dict(home.view.given)
    await ann.click(await ann.sees(QUESTION, in_="#approvals"), "Approve")
    await goes(ben, home, "Approve")
    home.view.show(seen)
    assert (await ben.click(home, "Approve")).ok
    told = await ben.sees("Already approved", in_="dm")
    assert told.says("Ann Archer")
    await goes(ben, home, "Approve")


async def test_a_run_of_ones_own_is_cancelled_from_home(open_office: Office):
    rita = open_office.person("rita")
    run = await open_office.start("send_message", MESSAGE)
    home = await at_home(open_office, "rita", QUESTION)
    await rita.click(home, "Withdraw")
    await open_office.ends(run.id, RunStatus.CANCELLED)
    await rita.home("Cancelled")
    await goes(rita, home, "Withdraw")


async def test_everything_that_a_card_cuts_opens_from_home(open_office: Office):
    ann = open_office.person("ann")
    await open_office.start("send_message", {**MESSAGE, "body": "Read this. " * 100})
    home = await at_home(open_office, "ann", QUESTION)
    assert (await ann.click(home, "Show all")).ok
    assert (await ann.modal("Send message")).text.count("Read this.") == 100


async def test_the_deadline_that_passes_empties_the_home_tab(open_office: Office):
    ann = open_office.person("ann")
    run = await open_office.start("send_message", MESSAGE)
    await open_office.card(run.id)
    home = await at_home(open_office, "ann", QUESTION)
    await open_office.move_to_deadline(run.id)
    await open_office.ends(run.id, RunStatus.EXPIRED)
    await goes(ann, home, "Approve")
    assert "Expired" in (await ann.home("Decided lately")).text


async def test_what_changed_while_the_bot_was_away_is_shown_after_its_restart(open_office: Office):
    ann = open_office.person("ann")
    run = await open_office.start("send_message", MESSAGE)
    home = await at_home(open_office, "ann", QUESTION)
    await open_office.close()
    async with open_office.reading() as store:
        await store.cancel(run.id, person="U0RITA", via="command line", now=clock.now())
    assert "Approve" in home.buttons
    await open_office.open()
    await goes(ann, home, "Approve")


async def test_what_slack_shows_already_is_not_published_again(open_office: Office):
    home = await at_home(open_office, "omar", "Nothing waits")
    shown = home.view.hash
    await open_office.start("send_message", MESSAGE)
    await at_home(open_office, "ann", QUESTION)
    open_office.person("omar").open_home()
    await at_home(open_office, "ben", QUESTION)
    assert home.view.hash == shown


async def test_a_rate_limit_delays_a_home_tab_and_loses_nothing(open_office: Office):
    ann = open_office.person("ann")
    home = await at_home(open_office, "ann", "Nothing waits")
    open_office.workbench.faults.rate_limit("views.publish", retry_after=1, times=2)
    run = await open_office.start("send_message", MESSAGE)
    card = await ann.sees(QUESTION, in_="#approvals")
    assert (await ann.click(card, "Approve")).ok
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    assert "Done" in (await ann.home("Done", timeout=15)).text
    assert home.view.given["type"] == "home"


async def pending(office: Office, number: int, decider: str = "U0OMAR") -> None:
    """So many questions to one person, in the store alone: nothing of them is posted."""
    policy = Policy(deciders=Person(decider))
    for each in range(number):
        now = clock.now()
        new = NewRun(f"action_{each % 2}", f"Action {each % 2}", "U0RITA", Origin(via="demo"), "{}")
        started = await office.store.start(new, lease=Lease("nobody", now + timedelta(minutes=1)), now=now)
        asked = question(message=f"Question {each:03d}?", policy=policy)
        await office.store.pause(started.run.id, 1, owner="nobody", request=asked, copies=(), now=now)


@pytest.mark.parametrize("number", [0, 3, 500])
async def test_however_many_questions_wait_they_are_counted_and_shown_page_by_page(open_office: Office, number: int):
    omar = open_office.person("omar")
    await pending(open_office, number)
    home = await at_home(open_office, "omar", "Waiting for me")
    await omar.until(lambda: (f"Waiting for me ({number})" in str(home.buttons)) is bool(number), "the count")
    assert home.buttons.count("Approve") == min(number, 5)
    if number < 10:
        return
    await omar.click(home, "See them all")
    await omar.home(f"1 to 10 of {number}")
    for page in range(1, 3):
        await omar.click(home, "More")
        await omar.home(f"{page * 10 + 1} to {page * 10 + 10} of {number}")
    assert home.buttons.count("Approve") == 10
    await omar.choose(home, "Only one action…", "Action 1")
    await omar.home("1 to 10 of 250")
    assert "Action 0 ·" not in home.text
