"""The digest of a morning, over both transports: who gets it, and how it is switched off and on."""

from datetime import timedelta

import pytest

from actions.kit.records.copies import CopyKind
from bot import clock
from bot.engine import sweeps
from bot.slack import digests
from storage.results import Digest
from tests.acceptance.office import Office
from tests.waiting import until

QUESTION = "May we ship on Friday?"
MONTH = timedelta(days=30)


@pytest.fixture
async def office(closed_office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """The whole bot, which looks for whom and when to tell all the time."""
    monkeypatch.setattr(digests, "MEETS_EVERY", timedelta())
    monkeypatch.setattr(sweeps, "DIGESTS_EVERY", 0.2)
    await closed_office.open(digest_hour=9)
    return closed_office


async def morning_comes(office: Office, person: str) -> None:
    """The next morning of somebody, once the bot has met them."""

    async def planned() -> Digest | None:
        found = await office.store.digests.due(clock.now() + MONTH, limit=100)
        return next((each for each in found if each.person == person), None)

    digest = await until(planned, f"a morning of {person}")
    await office.workbench.move_clock(digest.at - clock.now())


async def test_what_waits_is_told_in_the_morning_once_and_never_again_to_who_switched_it_off(office: Office):
    omar, ben = office.person("omar"), office.person("ben")
    run = await office.start("ask", {"message": QUESTION, "deciders": [omar.person.id], "expires_in": "P20D"})
    await omar.sees(QUESTION, in_="dm")
    await morning_comes(office, omar.person.id)
    digest = await omar.sees("1 question waits for your answer", in_="dm")
    assert digest.says(QUESTION)
    assert digest.says("asked by")
    await office.close()
    await office.open(digest_hour=9)
    await morning_comes(office, omar.person.id)

    async def told() -> list[str | None]:
        return [each.person for each in await office.store.copies(run.id) if each.kind is CopyKind.DIGEST]

    async def told_again() -> bool:
        return await told() == [omar.person.id] * 2

    await until(told_again, "the digest of the second morning")
    assert (await omar.click(digest, "No more digests")).ok
    await omar.is_told("You get no more digests")
    assert await office.store.digests.due(clock.now() + MONTH, limit=100) == ()
    omar.open_home()
    await omar.click(await omar.home("You get no digests"), "Switch on")
    await omar.home("On weekdays at 9:00 your time")
    await omar.command("/signoff digest off")
    assert await office.store.digests.is_off(omar.person.id)
    await ben.command("/signoff digest perhaps")
    await ben.is_told("Type `/signoff digest on`")
    assert not [card for card in ben.messages() if card.says("waits for your answer")]
