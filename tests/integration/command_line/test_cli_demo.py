"""`signoff demo` as a person starts and ends it: on a terminal and off it, to its end or broken off."""

import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from actions.kit.records.runs import RunRecord
from bot.cli.demo import STEPS
from bot.clock import now
from tests.integration.command_line.desk import MAIN, PATIENCE, Desk
from tests.integration.scenes import Scene


@pytest.fixture
def temporary(desk: Desk) -> Path:
    """Where the demo keeps its database; nothing may be left there."""
    folder = desk.folder / "temporary"
    folder.mkdir()
    desk.set(TMPDIR=str(folder))
    return folder


@pytest.mark.parametrize("transport", ["socket", "http"])
def test_once_plays_an_approval_to_its_end_and_leaves_nothing_behind(desk: Desk, temporary: Path, transport: str):
    said = desk.process("demo", "--once", "--transport", transport)
    assert said.status == 0, said
    assert said.err == ""
    assert "\x1b" not in said.out
    assert "Ann    presses Approve" in said.out
    assert "*" not in said.out
    assert "│ Recipient" in said.out
    assert said.out.splitlines()[-1].endswith("succeeded, and its effect is in the ledger once")
    assert list(temporary.iterdir()) == []
    assert [path.name for path in desk.folder.iterdir()] == ["temporary"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_waits_until_it_is_told_to_end_and_leaves_nothing_behind(desk: Desk, temporary: Path, how: int):
    demo = desk.serve("demo", "--port", "0")
    printed = demo.says("Ctrl-C ends it.")
    assert "http://127.0.0.1:" in printed
    assert "?as=rita\n" in printed
    assert "three requests of yours" in printed
    steps = [f"  {number}. {step.replace('*', '')}\n" for number, step in enumerate(STEPS, start=1)]
    assert "".join(steps) in printed
    assert list(temporary.iterdir()) != []
    assert demo.ends(how) == 0
    assert demo.text.endswith("Bye: the demo and its database are gone.\n")
    assert "Traceback" not in demo.text
    assert list(temporary.iterdir()) == []


def test_the_actions_that_the_setting_names_can_be_tried_too(desk: Desk):
    desk.set(ACTIONS="our_team.nowhere")
    assert "ACTIONS names 'our_team.nowhere', which cannot be found" in desk.process("demo", "--port", "0").err


@pytest.mark.parametrize("arguments", [("--port", "0"), ("--once",)])
def test_broken_off_while_it_starts_it_leaves_nothing_behind_either(
    desk: Desk, temporary: Path, arguments: tuple[str, ...]
):
    demo = desk.serve("demo", *arguments)
    assert desk.waits(lambda: any(temporary.iterdir()))
    status = demo.ends(signal.SIGINT)
    assert status == (1 if "--once" in arguments else 0)
    assert "Traceback" not in demo.text
    assert list(temporary.iterdir()) == []


async def waiting(scene: Scene) -> RunRecord:
    run = await scene.running(now=now())
    await scene.posted(run=run, now=now())
    return run


def on_a_terminal(*arguments: str) -> str:
    """What a terminal of eighty columns is sent."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-c", MAIN, *arguments], stdout=theirs, stderr=theirs, env=os.environ | {"COLUMNS": "80"}
    ) as process:
        os.close(theirs)
        sent = b""
        with suppress(OSError):  # the other end closes
            while piece := os.read(ours, 65536):
                sent += piece
        assert process.wait(PATIENCE) == 0
    os.close(ours)
    return sent.decode().replace("\r\n", "\n")


def test_on_a_terminal_ids_stay_whole_and_colours_can_be_switched_off(desk: Desk):
    run = desk.happens(waiting)
    desk.set(TERM="xterm-256color")
    coloured = on_a_terminal("runs")
    assert "\x1b[1m" in coloured
    assert f"{run.id}  send_message  " in coloured
    desk.set(TERM="dumb")
    assert "\x1b" not in on_a_terminal("runs")
    desk.set(TERM="xterm-256color", NO_COLOR="1")
    assert "\x1b[3" not in on_a_terminal("show", run.id)
