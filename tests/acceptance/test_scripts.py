"""Code that is proposed, edited and run, whose actions ask people; and a script from the terminal."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, create_subprocess_exec

import pytest

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import Office

PROPOSED = "sent = await send_message(recipient=who, body='We are live.')\nsent['recipient']"
EDITED = "for name in [who, 'Cleo']:\n    await send_message(recipient=name, body='We are live.')\nprint('done')"


async def test_code_is_edited_and_run_asks_with_its_line_and_is_done_once_although_the_bot_restarts_in_between(
    open_office: Office,
):
    run = await open_office.start("run_code", {"code": PROPOSED, "inputs": {"who": "Ben"}})
    rita, ann = open_office.person("rita"), open_office.person("ann")
    proposed = await rita.sees("Run this code?", in_="dm")
    assert proposed.says("sent = await send_message")
    await open_office.restart()
    await rita.click(proposed, "Edit and run")
    form = await rita.modal("Edit and run")
    assert form.values["Code"] == PROPOSED
    assert (await rita.submit(form, {"Code": EDITED})).closed
    first = await ann.sees("Approve sending this message?", in_="#approvals")
    assert first.says("through Send message in line 2 of the script")
    await open_office.restart()
    await ann.click(first, "Approve")
    await ann.sees("Cleo", in_="#approvals")
    second = await ann.sees("Approve sending this message?", in_="#approvals")
    await open_office.restart()
    await ann.click(second, "Approve")
    ended = await open_office.ends(run, RunStatus.SUCCEEDED)
    assert json.loads(ended.output or "") == {"status": "ran", "code": EDITED, "result": None, "printed": "done\n"}
    assert [entry.facts["recipient"] for entry in open_office.effects("message")] == ["Ben", "Cleo"]


async def test_code_is_run_as_it_stands_or_cancelled(open_office: Office):
    rita = open_office.person("rita")
    ran = await open_office.start("run_code", {"code": "6 * 7"})
    await rita.click(await rita.sees("6 * 7", in_="dm"), "Run")
    ended = json.loads((await open_office.ends(ran, RunStatus.SUCCEEDED)).output or "")
    assert ended == {"status": "ran", "code": "6 * 7", "result": 42, "printed": ""}
    cancelled = await open_office.start("run_code", {"code": "6 * 8"})
    await rita.click(await rita.sees("6 * 8", in_="dm"), "Cancel")
    ended = json.loads((await open_office.ends(cancelled, RunStatus.SUCCEEDED)).output or "")
    assert ended == {"status": "cancelled", "code": None, "result": None, "printed": ""}


async def signoff_script(office: Office, name: str, code: str, *variables: str) -> tuple[int | None, str, str]:
    """The command in a process of its own beside the bot."""
    file = office.folder / f"{name}.py"
    file.write_text(code)
    process = await create_subprocess_exec(
        sys.executable, "-c", "from bot.cli import main; main()",
        "script", str(file), *variables, "--as", office.person("rita").person.id,
        env=office.environment(office.settings()), cwd=office.folder, stdout=PIPE, stderr=PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 60)
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize("transport", ["socket"])
async def test_a_script_from_the_terminal_says_who_must_answer_and_what_it_came_to(open_office: Office):
    waits, ends, fails = await asyncio.gather(
        signoff_script(open_office, "waits", PROPOSED, "who=Ben"),
        signoff_script(open_office, "ends", "print('So much:')\n{'total': count * 2}", "count=21"),
        signoff_script(open_office, "fails", "for part in [2, 1, 0]:\n    1 / part"),
    )
    assert waits[:2] == (0, "")
    assert "waits for the answer to “Approve sending this message?” (line 1), in Slack." in waits[2]
    assert "May decide: members of #approvals. The script goes on by itself then. See: signoff show" in waits[2]
    assert ends[:2] == (0, 'So much:\n{\n  "total": 42\n}\n')
    assert fails[:2] == (1, "")
    assert " failed: ScriptError: line 2: ZeroDivisionError: division by zero" in fails[2]
