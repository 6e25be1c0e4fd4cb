"""Scenes of forms, each made by the real bot from a pydantic model: every element, filled in and with what is wrong in it."""

from collections.abc import Mapping

from playwright.async_api import expect

from blocks.values import BENEATH
from tests.acceptance.browser import Screen
from tests.pictures.filling import Answer, fill_in
from tests.pictures.studio import TALL, LiveStudio

Answers = Mapping[str, Answer]

RIGHT: dict[str, Answers] = {
    "texts": {
        "Name": "Rita Rossi",
        "Why it is needed": "The old one leaks, and the new tenants come on Monday.",
        "Ticket": "OPS-1234",
        "Contact": "offers@example.com",
        "Offer": "https://offers.example.com/4711",
    },
    "numbers": {
        "Seats": "4",
        "Boxes": "12",
        "Discount": "0.25",
        "Rate": "12.50",
        f"Price{BENEATH}Amount": "249.90",
    },
    "times": {
        "Day": "2027-01-15",
        "Opens": "08:30",
        "When we meet": "2027-01-15T14:30",
        "On the clock of the shop": "2027-01-15T14:30",
        "How long it takes": "PT2H30M",
    },
    "choices": {
        "Urgent": "Yes",
        "Way": "by_courier",
        "Size": "large",
        "Month": "March",
        "Street": "77 Long",
        "Extras": ("gift_wrap", "insured"),
        "Best months": ("May", "June"),
        "Colour": "red",
    },
    "lists": {
        "Guests": "Ann\nBen\nDana",
        "Scores": "3\n1\n4",
        "Days": "2027-01-15\n2027-01-16",
        "Labels": '{"team": "shop"}',
        "Extra": '{"anything": [1, 2, 3]}',
    },
    "places": {
        "Owner": "Ben Brook",
        "Reviewers": ("Ann Archer", "Dana Diaz"),
        "Channel": "#general",
        "Where it was discussed": "#approvals",
        "Group": "S0123ABCD",
    },
    "delivery": {
        f"Ship to{BENEATH}Street": "12 Mill Lane",
        f"Ship to{BENEATH}Town": "Kassel",
    },
}
WRONG_IN_SLACK: dict[str, Answers] = {
    "texts": {"Name": "Ri", "Contact": "offers at example", "Offer": "example"},
    "numbers": {"Seats": "400", "Rate": "twelve"},
}
"""What Slack's own client refuses before the bot hears of it."""
WRONG: dict[str, Answers] = {
    "texts": {**RIGHT["texts"], "Ticket": "the one of last week"},
    "numbers": {**RIGHT["numbers"], "Boxes": "10", "Discount": "0.5", "Rate": "12.505", f"Price{BENEATH}Amount": "0"},
    "times": {**RIGHT["times"], "On the clock of the shop": "half past two", "How long it takes": "a while"},
    "choices": {**RIGHT["choices"], "Best months": ("May",)},
    "lists": {
        "Guests": "Ann",
        "Scores": "3\none\n4",
        "Days": "2027-01-15\nlater\n2027-13-45",
        "Labels": '{"team": shop}',
        "Extra": '{\n  "a": 1,\n  "b": [1, 2\n}',
    },
    "places": {**RIGHT["places"], "Reviewers": ("Ann Archer",), "Group": "the managers"},
    "delivery": {**RIGHT["delivery"], f"Bill to{BENEATH}Street": "12 Mill Lane"},
}
"""What the bot says about it."""


async def forms(studio: LiveStudio) -> None:
    """Each group of elements: empty, filled in, refused by Slack's client, refused by the bot."""
    rita = await studio.opens("rita", size=TALL)
    await rita.look_at("approvals")
    for name, answers in RIGHT.items():
        await _open(rita, name)
        await _take(studio, rita, f"form_{name}_empty", "as it opens")
        await rita.submit()
        await expect(rita.modal.locator(".block-wrong").first).to_be_visible()
        await _take(studio, rita, f"form_{name}_missing", "sent without anything")
        await _close(rita)
        await _open(rita, name)
        await fill_in(rita, answers)
        await _take(studio, rita, f"form_{name}_filled", "filled in")
        await _close(rita)
        for kind, wrong in (("refused_by_slack", WRONG_IN_SLACK.get(name)), ("refused", WRONG[name])):
            if wrong:
                await _open(rita, name)
                await fill_in(rita, wrong)
                await rita.submit()
                await expect(rita.modal.locator(".block-wrong").first).to_be_visible()
                await expect(rita.modal).not_to_have_attribute("aria-busy", "true")
                await _take(studio, rita, f"form_{name}_{kind}", kind.replace("_", " "))
                await _close(rita)


async def changing(studio: LiveStudio) -> None:
    """A union, rows, steps, a select among a thousand, more choices than a card has buttons."""
    ann = await studio.opens("ann", size=TALL)
    await ann.look_at("approvals")
    await _union(studio, ann)
    await _rows(studio, ann)
    await _steps(studio, ann)
    await _searched(studio, ann)
    await _many_ways(studio, ann)


async def _union(studio: LiveStudio, ann: Screen) -> None:
    await _answer(studio, ann, "ask_trip", "Where does it go?")
    await _take(studio, ann, "union_unchosen", "a union of models, nothing chosen")
    await ann.field("Where").locator("input").fill("Kassel")
    await ann.field("Way").get_by_label("Car").check()
    await expect(ann.field(f"Way{BENEATH}Car{BENEATH}Plate")).to_be_visible()
    await _take(studio, ann, "union_chosen", "a union, one of them chosen")
    await ann.submit()
    await expect(ann.modal.locator(".block-wrong").first).to_be_visible()
    await _take(studio, ann, "union_missing", "a union, its fields left empty")
    await _close(ann)


async def _rows(studio: LiveStudio, ann: Screen) -> None:
    await _answer(studio, ann, "ask_parts", "Which parts are missing?")
    for row, (name, count) in enumerate([("bolt", "10"), ("nut", "20"), ("washer", "0")], start=1):
        if row > 1:
            await ann.press(ann.modal, "Add an entry")
        await fill_in(ann, {f"Parts {row}{BENEATH}Name": name, f"Parts {row}{BENEATH}Count": count})
    await _take(studio, ann, "rows_filled", "a list of models, three rows")
    await ann.submit()
    await expect(ann.modal.locator(".block-wrong").first).to_be_visible()
    await _take(studio, ann, "rows_refused", "a list of models, one row wrong")
    await _close(ann)


async def _steps(studio: LiveStudio, ann: Screen) -> None:
    await _answer(studio, ann, "ask_onboarding", "Who comes on Monday?")
    await _take(studio, ann, "steps_first", "the first of five steps")
    person = f"Person{BENEATH}"
    await fill_in(ann, {f"{person}Name": "Nora", f"{person}Starts": "2027-01-04", f"{person}Ends": "2026-01-01"})
    await ann.submit()
    await expect(ann.modal).to_contain_text("they would leave before they come")
    await _take(studio, ann, "steps_refused", "what is wrong with the whole step")
    await fill_in(ann, {f"{person}Ends": "2027-06-30"})
    await ann.submit()
    await expect(ann.modal).to_contain_text("Step 2 of 5")
    await fill_in(ann, {f"Contract{BENEATH}Rate": "12.50"})
    await _take(studio, ann, "steps_second", "the second of five steps")
    for number, (label, answer) in enumerate(
        [(f"Desk{BENEATH}Floor", "third"), (f"Access{BENEATH}Account", "nora"), (f"Welcome{BENEATH}Guide", "Ben")],
        start=3,
    ):
        await ann.submit()
        await expect(ann.modal).to_contain_text(f"Step {number} of 5")
        await fill_in(ann, {label: answer})
    await _take(studio, ann, "steps_last", "the last of five steps")
    await _close(ann)


async def _searched(studio: LiveStudio, ann: Screen) -> None:
    await _answer(studio, ann, "ask_town", "Which town?")
    await ann.field("Town").get_by_role("combobox").fill("074")
    await expect(ann.field("Town").get_by_role("option").first).to_be_visible()
    await studio.take("searched", "a select among a thousand, searched as one types", ann.page)
    await ann.page.keyboard.press("Escape")
    await _close(ann)


async def _many_ways(studio: LiveStudio, ann: Screen) -> None:
    question = "What shall become of the old printer?"
    await studio.live.start("many_ways", {})
    await expect(ann.card(question)).to_contain_text("until tomorrow")
    await studio.take("many_ways_card", "more choices than a card has buttons", ann.card(question))
    await ann.press(ann.card(question), "Answer…")
    await _take(studio, ann, "many_ways_choose", "choosing among them")


async def _answer(studio: LiveStudio, ann: Screen, action_id: str, question: str) -> None:
    await studio.live.start(action_id, {})
    await ann.card(question).get_by_role("button", name="Answer").click()
    await expect(ann.modal).to_be_visible()


async def _open(screen: Screen, action_id: str) -> None:
    await screen.write(f"/signoff {action_id}")
    await expect(screen.modal).to_be_visible()


async def _take(studio: LiveStudio, screen: Screen, name: str, caption: str) -> None:
    title = await screen.modal.locator(".dialog-title").text_content()
    await studio.take(name, f"{title}: {caption}", await studio.whole(screen))


async def _close(screen: Screen) -> None:
    await screen.modal.locator("[data-role=close-view]").click()
    await expect(screen.modal).to_have_count(0)
