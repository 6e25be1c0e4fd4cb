"""The example app for Bolt for JavaScript is served like the Python one, over both transports.

npm install @slack/bolt anywhere, then: NODE_PATH=/path/to/node_modules ./dev test tests/soak/bolt_js.py
"""

import shutil
from pathlib import Path

from bot.workbench.server import Workbench
from tests.integration.plain_apps import EXAMPLES, started
from tests.integration.test_workbench_plain_apps import foodies, have_lunch, transport

__all__ = ["foodies", "transport"]


async def test_bolt_for_javascript_is_served_the_same(foodies: Workbench, transport: str, tmp_path: Path):
    node = shutil.which("node")
    assert node, "Node.js is not on PATH"
    async with started(foodies, transport, tmp_path / "app.log", node, str(EXAMPLES / "lunch.js")):
        await have_lunch(foodies)
