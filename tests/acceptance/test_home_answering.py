"""The Home tab: what waits is answered there, and every copy and every Home tab that it concerns changes."""

from actions.kit.records.runs import RunStatus
from bot.workbench.driver import Tab
from bot.workbench.modals import Home
from tests.acceptance.office import BOTH_DATABASES, Office

pytestmark = BOTH_DATABASES

QUESTION = "Approve sending this message?"
MESSAGE = {"recipient": "press@example.com", "body": "We are live."}


async def opens_home(office: Office, name: str, text: str = "") -> tuple[Tab, Home]:
    person = office.person(name)
    person.open_home()
    return person, await person.home(text)


async def test_whoever_opens_home_for_the_first_time_sees_that_nothing_waits(open_office: Office):
    _, home = await opens_home(open_office, "ann", "Nothing waits for your answer")
    assert "You have not asked for anything yet" in home.text


async def test_a_question_appears_and_is_answered_in_home_and_every_copy_changes(open_office: Office):
    ann, home = await opens_home(open_office, "ann", "Nothing waits")
    rita, asked = await opens_home(open_office, "rita", "Nothing waits")
    ben, others = await opens_home(open_office, "ben", "Nothing waits")
    run = await open_office.start("send_message", MESSAGE)
    home, others = await ann.home(QUESTION), await ben.home(QUESTION)
    asked = await rita.home(QUESTION)
    assert "Approve" in home.buttons
    assert "Approve" in others.buttons
    assert "Approve" not in asked.buttons
    assert "Withdraw" in asked.buttons
    card = await ann.sees(QUESTION, in_="#approvals")
    assert (await ann.click(home, "Approve")).ok
    await ann.sees_on(card, "Approved")
    assert card.buttons == []
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    for person in (ann, ben, rita):
        assert "Approve" not in (await person.home("Done")).buttons
    assert "Nothing waits" in (await ben.home("Decided lately")).text
