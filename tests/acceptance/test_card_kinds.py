"""Kinds of cards in Slack: asked by an action, answered by people, through a restart."""

import json
from typing import Any

from tests.acceptance.office import Office
from tests.asked_kinds import CODE


async def output(office: Office, run_id: str) -> Any:
    ended = await office.ends(run_id)
    assert ended.output is not None, ended.failure
    return json.loads(ended.output)


async def test_proposed_code_is_run_or_edited_and_run_or_cancelled(open_office: Office):
    ann, asked = open_office.person("ann"), {"ui": "write_code"}

    run = await open_office.start("pauses_with_kind", asked)
    first = await ann.sees("Run this?", in_="#approvals")
    await open_office.card(run.id)
    await open_office.restart()
    assert first.buttons == ["Run", "Edit and run", "Cancel"]
    await ann.click(first, "Run")
    assert await output(open_office, run.id) == {"action": "run", "code": CODE}

    run = await open_office.start("asks_kind", asked)
    second = await ann.sees("Run this?", in_="#approvals", after=first)
    await ann.click(second, "Edit and run")
    form = await ann.modal("Edit and run")
    assert form.values == {"Code": CODE}
    await open_office.restart()
    assert (await ann.submit(form, {"Code": "print(1)\n"})).closed
    assert await output(open_office, run.id) == {"action": "run", "code": "print(1)\n"}
    await ann.sees_on(second, "print(1)")

    run = await open_office.start("pauses_with_kind", asked)
    await ann.click(await ann.sees("Run this?", in_="#approvals", after=second), "Cancel")
    assert await output(open_office, run.id) == {"action": "cancel"}
