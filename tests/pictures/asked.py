"""The scene of the kinds of cards: each asked by the real bot, the forms behind its buttons, and once it was answered."""

from playwright.async_api import Locator, expect

from tests.acceptance.browser import Screen
from tests.asked_kinds import QUESTIONS
from tests.pictures.studio import TALL, LiveStudio

FORMS: dict[str, tuple[str, ...]] = {
    "confirm": ("Confirm", "Reject"),
    "choose": ("Choose",),
    "review": ("Edit", "Respond"),
    "form": ("Answer",),
    "write_code": ("Edit and run",),
}
"""The buttons that open a form."""


async def asked(studio: LiveStudio) -> None:
    ann = await studio.opens("ann", size=TALL)
    await ann.look_at("approvals")
    for ui, (question, _) in QUESTIONS.items():
        await studio.live.start("pauses_with_kind", {"ui": ui})
        card = ann.card(question)
        await expect(card).to_contain_text("Waiting for an answer until")
        await studio.take(f"asked_{ui}", question, card)
        for title in FORMS[ui]:
            await _form(studio, ann, card, f"asked_{ui}_{title.lower().replace(' ', '_')}", title)
    await _edited(studio, ann)


async def _form(studio: LiveStudio, ann: Screen, card: Locator, name: str, title: str) -> None:
    await ann.press(card, title)
    await expect(ann.modal).to_be_visible()
    await studio.take(name, f"The form behind {title}", await studio.whole(ann))
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal).to_have_count(0)


async def _edited(studio: LiveStudio, ann: Screen) -> None:
    """What is typed otherwise is refused in the form; what was edited stands on the card once it is settled."""
    await ann.press(ann.card("Delete this database?"), "Confirm")
    await ann.field("Name").get_by_role("textbox").fill("orders-2023")
    await ann.submit()
    await expect(ann.field("Name")).to_contain_text("exactly as it is shown")
    await studio.take("asked_confirm_refused", "Another name than the one that is shown", await studio.whole(ann))
    await ann.page.keyboard.press("Escape")
    await ann.press(ann.card("Run this?"), "Edit and run")
    await ann.field("Code").get_by_role("textbox").fill("print(sum(order.total for order in orders))\n")
    await ann.submit()
    await expect(ann.card("Run this?")).to_contain_text("Done")
    await studio.take("asked_write_code_edited", "Edited, and run", ann.card("Run this?"))
    await ann.press(ann.card("Send this letter?"), "Accept")
    await expect(ann.card("Send this letter?")).to_contain_text("Done")
    await studio.take("asked_review_accepted", "Accepted", ann.card("Send this letter?"))
