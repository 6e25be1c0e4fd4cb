"""How a person fills in a form of the page: by the label of each field, with whatever control stands there."""

from collections.abc import Mapping

from playwright.async_api import expect

from tests.acceptance.browser import Screen

Answer = str | tuple[str, ...]
"""A text to type or an option to choose; several options of a field that takes several."""


async def fill_in(screen: Screen, answers: Mapping[str, Answer]) -> None:
    for label, answer in answers.items():
        await _fill(screen, label, answer)


async def _fill(screen: Screen, label: str, answer: Answer) -> None:
    field = screen.field(label)
    await expect(field, f"the field {label!r}").to_have_count(1)
    options = (answer,) if isinstance(answer, str) else answer
    if await field.get_by_role("combobox").and_(field.locator("input")).count():
        for option in options:
            await field.get_by_role("combobox").fill(option)
            await field.get_by_role("option").first.click()
    elif await field.locator("select").count():
        await field.locator("select").select_option(list(options))
    elif await field.locator("summary").count():
        await field.locator("summary").click()
        for option in options:
            await field.get_by_label(option, exact=True).check()
        await screen.page.keyboard.press("Escape")
    elif await field.locator("[type=radio], [type=checkbox]").count():
        for option in options:
            await field.get_by_label(option, exact=True).check()
    else:
        await field.locator("input, textarea").fill(options[0])
