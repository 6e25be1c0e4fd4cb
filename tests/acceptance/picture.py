"""Takes the picture in the README from the real demo, by `./dev python -m tests.acceptance.picture docs/images/workbench.png`."""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import expect

from bot import logs
from bot.cli.demo import STEPS, seed_all
from bot.cli.stage import staged
from tests.acceptance.browser import tabs_at

SIZE = (1280, 864)
QUESTION = "Approve sending this message?"


async def take_picture(path: Path) -> None:
    """Rita after the first step: her request waits, and she alone is told why her own answer does not count."""
    logs.set_up("console", "warning")
    async with staged("socket", hints=STEPS) as stage, tabs_at(stage.workbench.url) as tabs:
        await seed_all(stage)
        rita = await tabs.open("rita", size=SIZE)
        await expect(rita.card(QUESTION)).to_contain_text("until today")
        await rita.press(rita.card(QUESTION), "Approve")
        await rita.told("nobody approves their own request")
        await rita.page.mouse.move(0, 0)
        await rita.page.locator("#composer-text").blur()
        await rita.page.screenshot(path=path, animations="disabled")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_picture(target))
