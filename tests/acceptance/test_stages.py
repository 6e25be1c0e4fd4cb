"""A spend request of two stages: the manager, then finance; each in turn, and everybody sees how far it is."""

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import Office
from tests.acceptance.test_answering import SPEND

LARGE = SPEND | {"amount": "9000.00"}
QUESTION = "Spend 9,000.00 EUR at Northwind?"
NOT_ONE_OF_THOSE = "You are not one of those who may answer this"


async def test_a_large_sum_is_signed_off_by_the_manager_and_then_by_finance(open_office: Office):
    run = await open_office.start("spend_request", LARGE)
    dana, ann, ben, rita = map(open_office.person, ("dana", "ann", "ben", "rita"))
    first = await dana.sees(QUESTION, in_="dm")
    await dana.sees_on(first, "Stage 1 of 2")
    await dana.click(first, "Approve")
    await dana.sees_on(first, "Stage 1 of 2: Approve by @Dana Diaz")
    second = await ann.sees(QUESTION, in_="dm")
    await ann.sees_on(second, "Stage 2 of 2")
    await dana.click(first, "Approve")
    await dana.is_told("left out of this decision")
    await ann.click(second, "Approve")
    for person, card in ((ann, second), (dana, first), (ben, await ben.sees(QUESTION, in_="dm"))):
        await person.sees_on(card, "Stage 2 of 2: Approve by @Ann Archer")
    await open_office.ends(run, RunStatus.SUCCEEDED)
    await rita.sees("Done", in_="dm")
    [entry] = open_office.ledger.entries()
    assert entry.facts["signed_off_by"] == ["U0DANA", "U0ANN"]


async def test_a_small_sum_is_the_managers_alone_and_the_card_says_why(open_office: Office):
    run = await open_office.start("spend_request", SPEND)
    dana = open_office.person("dana")
    card = await dana.sees("Spend 99.90 EUR at Northwind?", in_="dm")
    await dana.sees_on(card, "Not asked: members of @finance, as Amount is at most 5,000")
    await dana.click(card, "Approve")
    await open_office.ends(run, RunStatus.SUCCEEDED)
    assert [decision.person for decision in await open_office.decisions(run.id)] == ["U0DANA"]
