"""The commands that docs/workbench.md shows for the control API do what it says, run by a shell against the example app."""

import json
import os
import re
import shutil
from asyncio.subprocess import PIPE, create_subprocess_exec
from pathlib import Path
from typing import Any

from bot.workbench.config import load_workspace
from bot.workbench.server import Workbench
from tests.integration.plain_apps import EXAMPLES, lunch, started
from tests.requirements import lacking

PAGE = Path(__file__).parents[2] / "docs" / "workbench.md"
SHOWN = re.compile(r"<!-- tried -->\n```console\n(.*?)```", re.DOTALL)


def told() -> list[tuple[str, str]]:
    """Each command of the page, and what is shown of its answer."""
    shown = SHOWN.search(PAGE.read_text(encoding="utf-8"))
    assert shown
    parts = re.split(r"^\$ ", shown[1], flags=re.MULTILINE)[1:]
    return [(command, answer.strip()) for command, _, answer in (part.partition("\n") for part in parts)]


def holds(shown: Any, real: Any) -> bool:
    """Whether all that is shown is in the answer, at its place; `…` stands for anything."""
    if shown == "…":
        return real is not None
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(key in real and holds(shown[key], real[key]) for key in shown)
    if isinstance(shown, list):
        return isinstance(real, list) and len(shown) == len(real) and all(map(holds, shown, real))
    return bool(shown == real)


async def test_each_command_of_the_page_gives_what_the_page_shows(tmp_path: Path):
    if shutil.which("curl") is None:
        lacking("curl", "curl is not on PATH (Debian: apt install curl)")
    configured = load_workspace(EXAMPLES / "workbench.yml")
    async with (
        Workbench(workspace=configured.workspace, signing_secret=configured.signing_secret) as workbench,
        started(workbench, "socket", tmp_path / "app.log", *lunch()),
    ):
        answers = await _answers(workbench, [command for command, _ in told()], tmp_path)
    for (command, shown), answer in zip(told(), answers, strict=True):
        assert not shown or holds(json.loads(shown), json.loads(answer)), f"{command}\n{answer}"


async def _answers(workbench: Workbench, commands: list[str], folder: Path) -> list[str]:
    """What the shell printed for each, all in one shell, so that variables and files stay."""
    first, *rest = commands
    assert first == "W=http://127.0.0.1:8700/workbench/v1"
    mark = "--- next ---"
    script = f"\necho '{mark}'\n".join([f"W={workbench.url}workbench/v1", *rest])
    shell = await create_subprocess_exec(
        "bash", "-eu", "-c", script, cwd=folder, env=os.environ, stdout=PIPE, stderr=PIPE
    )
    out, err = await shell.communicate()
    assert shell.returncode == 0, (out, err)
    return out.decode().split(f"{mark}\n")
