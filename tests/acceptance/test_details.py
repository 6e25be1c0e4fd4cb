"""Large data is read page by page behind the card, by those in its conversation alone, or as a file that comes to whoever asks."""

from dataclasses import replace

import pytest

from actions.kit.records.runs import RunStatus
from bot.engine.results import Details, Refusal
from bot.workbench.modals import Modal
from tests.acceptance.office import Office
from tests.waiting import until

CONTRACT = "Sign the contract?"
FILE = "Send me the file"


async def opened(office: Office, lines: int) -> Modal:
    await office.start("show_kind", {"lines": lines})
    ann = office.person("ann")
    await ann.click(await ann.sees(CONTRACT, in_="#approvals"), "Show all")
    return await ann.modal()


async def shows(office: Office, who: str, words: str) -> Modal:
    """The person's window once it says this."""

    async def found() -> Modal | None:
        modal = await office.person(who).modal()
        return modal if modal.says(words) else None

    return await until(found, f"{who}'s window to say {words!r}")


async def test_every_clause_of_a_long_contract_can_be_read(open_office: Office):
    modal = await opened(open_office, 3_000)
    ann = open_office.person("ann")
    pages = [modal.text]
    while "Next" in modal.buttons:
        await ann.click(modal, "Next")
        modal = await shows(open_office, "ann", f"Page {len(pages) + 1} of")
        pages.append(modal.text)
    assert len(pages) > 2
    assert all(f"Clause {number}." in "".join(pages) for number in range(3_000))
    await ann.click(modal, "Previous")
    assert (await shows(open_office, "ann", f"Page {len(pages) - 1} of")).text == pages[-2]


async def test_the_file_comes_to_whoever_asks_for_it_and_to_nobody_else(open_office: Office):
    modal = await opened(open_office, 3_000)
    await open_office.person("ann").click(modal, FILE)
    await shows(open_office, "ann", "The file is in your direct messages")
    bench = open_office.workbench
    (shared,) = [
        (conversation, file)
        for conversation in bench.workspace.conversations.values()
        for message in conversation.messages
        for file in message.files
    ]
    place, file = shared
    assert set(place.members) == {"U0ANN", "U0SIGNOFF"}
    content = (file.content or b"").decode()
    assert all(f"Clause {number}." in content for number in range(3_000))


@pytest.mark.parametrize("transport", ["socket"])
async def test_somebody_outside_of_the_conversation_is_shown_nothing(open_office: Office):
    run = await open_office.start("show_kind", {"lines": 100})
    card = await open_office.card(run.id)
    for person in ("U0OMAR", "U0GUS"):
        assert isinstance(await open_office.bot.runner.details(card.interrupt.id, person), Refusal)
    for person in ("U0ANN", "U0DANA", "U0RITA"):
        assert isinstance(await open_office.bot.runner.details(card.interrupt.id, person), Details)


@pytest.mark.parametrize("transport", ["socket"])
async def test_a_bot_that_may_not_send_files_says_so(open_office: Office):
    tokens = open_office.workbench.workspace.tokens
    for value, token in tokens.items():
        tokens[value] = replace(token, scopes=token.scopes - {"files:write"})
    modal = await opened(open_office, 3_000)
    await open_office.person("ann").click(modal, FILE)
    assert (await shows(open_office, "ann", "files:write")).says("has to grant it")


@pytest.mark.parametrize("transport", ["socket"])
async def test_what_failed_after_the_answer_is_run_again_from_its_card(open_office: Office):
    run = await open_office.start("show_kind", {"kind": "order"})
    ann = open_office.person("ann")
    card = await ann.sees("Order two desks?", in_="#approvals")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.FAILED)
    await ann.sees_on(card, "Failed")
    assert "Run again" in card.buttons
    assert not {"Approve", "Reject"} & set(card.buttons)
    before = (await open_office.card(run.id)).run.epoch
    await ann.click(card, "Run again")

    async def ran_again() -> bool:
        now = await open_office.store.run(run.id)
        return now is not None and now.epoch > before and now.status is RunStatus.FAILED

    await until(ran_again, "the run to have run again")
