"""Where pictures are taken: a local Slack with a browser at its page, with the real bot behind it or without."""

import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from playwright.async_api import FloatRect, Locator, Page
from slack_sdk.web.async_client import AsyncWebClient

from bot.workbench.live import LiveWorkbench, Setup
from bot.workbench.server import Workbench
from tests.acceptance.browser import WIDE, Scheme, Screen, Tabs, tabs_at
from tests.integration.workbench_bots import client_of
from tests.pictures.album import Album, Made, Picture

TALL = (1000, 2600)
"""A window in which no form has to be scrolled."""

SETTLED = """async () => {
  for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame)
  await Promise.allSettled(document.getAnimations().map((it) => it.finished))
}"""
"""A transition begins some frames after the click that causes it."""


@dataclass(frozen=True, slots=True)
class Studio:
    """One scene's: what it takes goes into the album under the scene's name."""

    scene: str
    album: Album
    workbench: Workbench
    tabs: Tabs
    made: Made

    @property
    def client(self) -> AsyncWebClient:
        """The bot's side of the Web API."""
        return client_of(self.workbench)

    async def posts(self, content: dict[str, Any], channel: str = "C0APPROVALS") -> str:
        """A message of the bot's; its `ts`."""
        posted = await self.client.chat_postMessage(channel=channel, **content)
        return str(posted["ts"])

    async def opens(
        self,
        who: str,
        *,
        size: tuple[int, int] = WIDE,
        scheme: Scheme = "light",
        at: datetime | None = None,
        is_told: bool = False,
    ) -> Screen:
        """Somebody's tab, without notifications unless they are `is_told`.

        `at` is what its clock says, so that "today" and "tomorrow" are right for what is drawn.
        """
        screen = await self.tabs.open(who, size=size, scheme=scheme)
        if at is not None:
            await screen.page.clock.set_fixed_time(at)
            await screen.page.reload()
        if not is_told:
            await screen.page.evaluate("document.getElementById('notices').style.display = 'none'")
        return screen

    async def take(self, name: str, caption: str, of: Locator | Page, *, margin: float = 0) -> None:
        """A picture of a part of the page, with so many pixels around it, or of all that the window shows."""
        page = of if isinstance(of, Page) else of.page
        await page.mouse.move(0, 0)
        await page.evaluate(SETTLED)
        path = self.album.place_for(Picture(self.scene, name, caption, self.made))
        if margin and isinstance(of, Locator):
            await page.screenshot(path=path, animations="disabled", caret="hide", clip=await _around(of, margin))
        else:
            await of.screenshot(path=path, animations="disabled", caret="hide")

    async def whole(self, screen: Screen) -> Locator:
        """The open dialog, as tall as what is in it."""
        await screen.modal.evaluate("(dialog) => { dialog.style.maxHeight = 'none' }")
        return screen.modal


@dataclass(frozen=True, slots=True)
class LiveStudio(Studio):
    """With the real bot and its database."""

    live: LiveWorkbench


async def _around(part: Locator, margin: float) -> FloatRect:
    box = await part.bounding_box()
    if box is None:
        raise LookupError("what is to be taken is not to be seen")
    return {
        "x": box["x"] - margin,
        "y": box["y"] - margin,
        "width": box["width"] + 2 * margin,
        "height": box["height"] + 2 * margin,
    }


@asynccontextmanager
async def bare_studio(scene: str, album: Album) -> AsyncIterator[Studio]:
    async with Workbench() as workbench, tabs_at(workbench.url) as tabs:
        yield Studio(scene, album, workbench, tabs, "drawn")


@asynccontextmanager
async def live_studio(
    scene: str, album: Album, actions: Sequence[str] = (), hints: Iterable[str] = ()
) -> AsyncIterator[LiveStudio]:
    """With modules of `actions` besides the worked ones. `hints` are what the page says can be tried."""
    with tempfile.TemporaryDirectory(prefix="signoff-pictures-") as name:
        folder = Path(name)
        os.environ["SIGNOFF_LEDGER"] = str(folder / "ledger.jsonl")
        async with Workbench(hints=hints) as workbench, tabs_at(workbench.url) as tabs:
            live = LiveWorkbench(workbench, Setup(actions), folder)
            await live.open()
            try:
                yield LiveStudio(scene, album, workbench, tabs, "live", live)
            finally:
                await live.close()
