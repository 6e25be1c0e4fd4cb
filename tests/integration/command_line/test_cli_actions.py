"""`signoff actions`, `--help` and `--version`: what there is, and what is wrong with it."""

import json
import resource
import subprocess
import sys
from textwrap import dedent

import pytest

from tests.integration.command_line.desk import MAIN, Desk

COMMANDS = ("serve", "demo", "workbench", "actions", "start", "script", "runs", "show", "cancel")
BROKEN = """
    from pydantic import BaseModel
    from actions import Context, action

    class Nothing(BaseModel):
        pass

    @action(id="pay", name="Pay", description="D")
    async def pay(input: Nothing, ctx: Context) -> None:
        return None
"""


def module(desk: Desk, text: str) -> str:
    """A team's module in the working directory, under a name that no other test has."""
    name = f"team_{desk.folder.name}".replace("-", "_")
    (desk.folder / f"{name}.py").write_text(dedent(text))
    desk.monkeypatch.syspath_prepend(str(desk.folder))
    return name


def test_each_action_says_who_decides_how_long_it_waits_and_what_can_be_answered(desk: Desk):
    said = desk.signoff("actions").out
    assert "send_message  Send message: Sends a message to a recipient, pending approval.\n" in said
    (block,) = (each for each in said.split("\n    takes") if each.startswith("     recipient, body\n"))
    assert "decides   members of #approvals" in block
    assert "waits     4 hours, then it expires" in block
    assert "answers   Approve, Reject (declines)" in block
    assert list(desk.folder.iterdir()) == []


def test_for_scripts_there_are_schemas(desk: Desk):
    found = {each["id"]: each for each in json.loads(desk.signoff("actions", "--json").out)}
    assert list(found["send_message"]["input_schema"]["properties"]) == ["recipient", "body"]
    assert [choice["key"] for choice in found["send_message"]["answers"][""]] == ["approve", "reject"]
    assert found["send_message"]["policy"]["deciders"] == [{"kind": "channel_members", "channel": "#approvals"}]


def test_what_an_action_leaves_to_its_input_is_told_by_the_field(desk: Desk):
    (block,) = (each for each in desk.signoff("actions").out.split("\n    takes") if "'answer'" in each)
    assert "decides   what 'deciders' of the input says" in block
    assert "answers   what 'answer' of the input says" in block
    found = {each["id"]: each for each in json.loads(desk.signoff("actions", "--json").out)}["ask"]
    assert (found["policy"], found["policy_from"]) == (None, "deciders")
    assert (found["answers"], found["answers_from"]) == ({}, "answer")


def test_a_module_that_is_missing_is_told_with_the_setting(desk: Desk):
    desk.set(ACTIONS="our_team.approvals")
    told = desk.signoff("actions").one_error
    assert told == (
        "ACTIONS names 'our_team.approvals', which cannot be found: check its spelling, and that it is on PYTHONPATH"
    )


def test_an_action_with_a_mistake_is_told_with_the_fix_and_without_a_traceback(desk: Desk):
    desk.set(ACTIONS=module(desk, BROKEN))
    told = desk.signoff("actions").one_error
    assert "action 'pay': nobody decides" in told
    assert "policy=Policy(deciders=" in told
    assert "Traceback" not in desk.process("actions").err


@pytest.mark.parametrize("text", ["1 / 0", "def broken(:", "raise SystemExit(3)", "import nowhere_at_all", "x = 1"])
def test_a_module_that_does_not_load_is_told_in_one_line(desk: Desk, text: str):
    desk.set(ACTIONS=module(desk, text))
    assert desk.settings["ACTIONS"] in desk.signoff("actions").one_error


@pytest.mark.parametrize("command", [(), *((each,) for each in COMMANDS)])
def test_every_command_has_help_that_fits_eighty_columns(desk: Desk, command: tuple[str, ...]):
    said = desk.signoff(*command, "--help")
    assert said.status == 0
    assert max(map(len, said.out.splitlines())) <= 80
    assert not command or "Example" in said.out
    assert command or all(f"\n  {each} " in said.out for each in COMMANDS)


def test_the_version_is_printed(desk: Desk):
    assert desk.signoff("--version").out.startswith("signoff 0.")


def test_help_loads_neither_slack_nor_a_database_nor_an_action():
    script = "import sys, bot.cli.commands as c; print([name for name in sys.modules if name.partition('.')[0] in %r])"
    heavy = ("slack_sdk", "slack_bolt", "aiohttp", "sqlalchemy", "pydantic", "alembic", "apscheduler", "holidays")
    ended = subprocess.run([sys.executable, "-c", script % (heavy,)], capture_output=True, text=True, check=True)  # noqa: S603
    assert ended.stdout == "[]\n"


def test_help_answers_at_once():
    """In processor time, since others may use the machine meanwhile: a third of a second, with room for a slow one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", MAIN, "--help"], capture_output=True, check=True)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 1
