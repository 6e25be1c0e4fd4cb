"""Takes the picture in the README from the real demo, by `./dev python -m tests.acceptance.picture docs/images/workbench.png`."""

import asyncio
import sys
from pathlib import Path

from playwright.async_api import expect

from bot import logs
from bot.cli.demo import REQUESTS, seed
from bot.cli.stage import Stage, staged
from tests.acceptance.browser import tabs_at

SIZE = (1280, 864)
QUESTION = "Approve sending this message?"
EARLIER = {"recipient": "all@example.com", "body": "The office is closed on Monday. The phones are answered from home."}


async def take_picture(path: Path) -> None:
    """Ann looks at #approvals: what Ben approved is done, and the demo's own request waits."""
    logs.set_up("console", "warning")
    async with staged("socket") as stage, tabs_at(stage.workbench.url) as tabs:
        await _settle(stage)
        await seed(stage, *REQUESTS[0])
        ann = await tabs.open("ann", size=SIZE)
        await ann.look_at("approvals")
        await expect(ann.card(QUESTION)).to_contain_text("until today")
        await expect(ann.page.get_by_role("button", name="2 replies")).to_be_visible()
        await ann.page.locator("#composer-text").blur()
        await ann.page.screenshot(path=path, animations="disabled")


async def _settle(stage: Stage) -> None:
    await seed(stage, "send_message", EARLIER)
    ben = stage.workbench.person("ben")
    card = await ben.sees(QUESTION, in_="#approvals")
    await ben.click(card, "Approve")
    await ben.sees_on(card, "Done")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(take_picture(target))
