"""The scene of an edit: its form, the card that it ended, the one that asks anew, and what the requester is told."""

from playwright.async_api import expect

from tests.pictures.studio import TALL, LiveStudio

ASKED = {"amount": "4000.00", "currency": "EUR", "vendor": "Northwind", "justification": "Two monitors for new desks"}
BEFORE, AFTER = "Spend 4,000.00 EUR at Northwind?", "Spend 6,000.00 EUR at Northwind?"


async def edits(studio: LiveStudio) -> None:
    """A manager edits a spend request before they sign it off."""
    dana = await studio.opens("dana", size=TALL)
    await dana.look_at("Signoff")
    await studio.live.start("spend_request", ASKED)
    old = dana.card(BEFORE)
    await expect(old).to_contain_text("Waiting for an answer until")
    await studio.take("edit_offered", "A card of which something may be edited", old)
    await dana.press(old, "Edit…")
    await expect(dana.modal).to_be_visible()
    await studio.take("edit_form", "The form behind Edit", await studio.whole(dana))
    await dana.field("Amount").locator("input").fill("6000.00")
    await (
        dana.field("Justification").locator("textarea").fill(f"{ASKED['justification']}, and one for the meeting room")
    )
    await dana.submit()
    await expect(dana.modal).to_contain_text("asked again")
    await studio.take("edit_done", "What whoever edits is told", await studio.whole(dana))
    await dana.modal.get_by_role("button", name="Close").last.click()
    await expect(dana.modal).to_have_count(0)
    new = dana.card(AFTER)
    await expect(new).to_contain_text("Edited by")
    await studio.take("edit_asked_anew", "The card that asks anew", new)
    await studio.take("edit_ended", "The card that the edit ended", old)
    rita = await studio.opens("rita", size=TALL)
    await rita.look_at("Signoff")
    told = rita.card("edited what you asked for")
    await studio.take("edit_told", "What the requester is told", told)
