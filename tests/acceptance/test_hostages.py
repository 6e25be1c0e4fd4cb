"""An action that takes its thread hostage: people are answered as ever, and it is named."""

import statistics

import pytest

from actions.kit.records.runs import RunStatus
from tests.acceptance.office import Office
from tests.waiting import until

MESSAGE = {"recipient": "press@example.com", "body": "Acme's new checkout is live."}


@pytest.mark.parametrize("how", ["blocks", "spins"])
async def test_an_action_that_never_gives_its_thread_back_delays_nobody_and_is_named(
    open_office: Office, how: str, capsys: pytest.CaptureFixture[str]
):
    waiting = [await open_office.start("send_message", MESSAGE) for _ in range(2)]
    ann, rita = open_office.person("ann"), open_office.person("rita")
    for run in waiting:
        await open_office.card(run.id)
    cards = [card for card in ann.messages("#approvals") if card.buttons]
    assert len(cards) == 2

    hostage = await open_office.start("take_hostage", {"how": how})
    before = len(open_office.workbench.acks)
    for _ in range(8):
        await rita.click(cards[0], "Approve")
        await rita.command("/signoff help")
    await named_as_blocked(open_office, hostage.id)
    for _ in range(4):
        await rita.command("/signoff help")
    await ann.click(cards[0], "Approve")
    acks = open_office.workbench.acks[before:]
    assert max(ack.ms for ack in acks) < 3000
    assert statistics.median(ack.ms for ack in acks) < 500

    ended = await open_office.ends(hostage.id, RunStatus.FAILED, timeout=30)
    assert ended.failure is not None
    assert ended.failure.kind == "time_limit"
    assert "extra_actions.py" in ended.failure.message
    await rita.sees("time limit", in_="dm")
    await open_office.ends(waiting[0].id, RunStatus.SUCCEEDED, timeout=20)

    await ann.click(cards[1], "Approve")
    await open_office.ends(waiting[1].id, RunStatus.SUCCEEDED, timeout=20)
    assert "take_hostage" in capsys.readouterr().out


async def named_as_blocked(office: Office, run_id: str) -> None:
    """While it does, the runner knows which action it is, and the trail of the run says so to whoever looks."""

    async def is_named() -> bool:
        return any(entry.event == "blocked" for entry in await office.store.trail(run_id))

    await until(is_named, "the trail to tell that the action blocks")
    assert office.bot.runner.blocked() == "take_hostage"
