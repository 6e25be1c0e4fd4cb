"""People at the workbench's page in a real browser: each tab is one person, and tells what it complained about."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Literal

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, async_playwright, expect

from tests.requirements import chromium

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
)
WIDE = (1280, 800)
NARROW = (390, 844)

Scheme = Literal["light", "dark"]

expect.set_options(timeout=15_000)  # milliseconds; all of it is waited for only where something is wrong


class Screen:
    """One person's tab. What it finds is a locator, which looks again until its expectation holds."""

    def __init__(self, page: Page, complaints: list[str]) -> None:
        self.page = page
        self.complaints = complaints

    @property
    def keyboard_focus(self) -> Locator:
        return self.page.locator(":focus")

    @property
    def modal(self) -> Locator:
        return self.page.locator("[role=dialog]")

    @property
    def home(self) -> Locator:
        """The app's Home tab, where the conversation with the app shows it."""
        return self.page.locator("#home")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#panel")

    @property
    def app_state(self) -> Locator:
        return self.page.locator("[data-role=app-state]")

    @property
    def whispers(self) -> Locator:
        """What only this person sees."""
        return self.page.locator("article.message-ephemeral")

    @property
    def live_buttons(self) -> Locator:
        return self.page.locator("#messages [data-action-id]")

    def card(self, text: str) -> Locator:
        """The newest message with these words in the open conversation."""
        return self.page.locator("#messages article", has_text=text).last

    def row(self, conversation: str) -> Locator:
        """A line of the sidebar."""
        return self.page.locator(".sidebar [data-role=conversation]", has_text=conversation)

    def field(self, label: str) -> Locator:
        """One input of the open modal, with its label, hint and error."""
        return self.modal.locator(".block-input").filter(has=self.page.get_by_text(label, exact=True))

    async def look_at(self, conversation: str) -> None:
        await self.row(conversation).click()
        await expect(self.page.locator("#conversation-title")).to_contain_text(conversation)

    async def look_at_home(self, app: str = "Signoff") -> None:
        await self.look_at(app)
        await self.page.locator("[data-role=tab-home]").click()

    async def press(self, on: Locator, label: str) -> None:
        await on.get_by_role("button", name=label, exact=True).click()

    async def confirm(self, label: str) -> None:
        """Say yes to the question that a button asks first."""
        await self.press(self.page.get_by_role("alertdialog"), label)

    async def write(self, text: str) -> None:
        """Type into the message field and send."""
        await self.page.locator("#composer-text").fill(text)
        await self.page.locator("#composer-text").press("Enter")

    async def submit(self) -> None:
        await self.modal.locator("[data-role=submit-view]").click()

    async def told(self, text: str) -> None:
        await expect(self.whispers.last).to_contain_text(text)

    async def overflows(self) -> bool:
        """Whether anything is wider than the window, so that one would have to scroll sideways."""
        return bool(await self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


class Tabs:
    """Opens a tab for a person, with a browser profile of its own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self.complaints: list[str] = []

    async def open(self, who: str, *, size: tuple[int, int] = WIDE, scheme: Scheme = "light") -> Screen:
        screen = await self.visit(f"?as={who}", size=size, scheme=scheme)
        await expect(screen.page.locator("#app")).to_be_visible()
        return screen

    async def visit(self, query: str = "", *, size: tuple[int, int] = WIDE, scheme: Scheme = "light") -> Screen:
        context = await self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,
            locale="en-GB",
            timezone_id="Europe/Berlin",
            reduced_motion="reduce",
        )
        page = await context.new_page()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url} {request.failure}"))
        await page.goto(self._url + query)
        return Screen(page, self.complaints)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"console {message.type}: {message.text}")


@asynccontextmanager
async def tabs_at(url: str) -> AsyncIterator[Tabs]:
    """A browser without tabs. Skips or fails the test where there is none."""
    path = chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, headless=True, args=list(ARGUMENTS))
        try:
            yield Tabs(browser, url)
        finally:
            await browser.close()
