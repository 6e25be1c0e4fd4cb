"""How long two hundred decisions wait for their acknowledgement, eight at a time, over both transports.

./dev test tests/soak/acks.py -s
"""

import asyncio
from datetime import timedelta
from pathlib import Path
from statistics import quantiles

import pytest

from bot.settings import Transport
from bot.workbench.cards import Card
from storage.transitions import copies
from tests.acceptance.office import Office, office

CLICKS, TOGETHER = 200, 8
MESSAGE = {"recipient": "press@example.com", "body": "Hello."}


@pytest.mark.parametrize("transport", ["socket", "http"])
async def test_decisions_are_acknowledged_well_within_three_seconds(
    transport: Transport, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    monkeypatch.setattr(copies, "POST_PACE", timedelta())
    async with office(transport, tmp_path) as opened:
        await opened.open()
        await approve(opened, await asked(opened))
        ms = [ack.ms for ack in opened.workbench.acks_of("block_actions")]
        cuts = quantiles(ms, n=100)
        print(f"\n{transport}: {len(ms)} acks, p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms, longest {max(ms):.0f} ms")  # noqa: T201 - it is a measurement
        assert all(ack.ok for ack in opened.workbench.acks_of("block_actions"))
        assert cuts[94] < 1500


async def asked(opened: Office) -> list[Card]:
    """As many cards as there will be clicks."""
    ann = opened.person("ann")
    for _ in range(CLICKS):
        await opened.start("send_message", MESSAGE)
    await ann.until(lambda: len(ann.messages("#approvals")) == CLICKS, "the cards", timeout=60)
    return ann.messages("#approvals")


async def approve(opened: Office, cards: list[Card]) -> None:
    one_of = asyncio.Semaphore(TOGETHER)

    async def click(card: Card) -> None:
        async with one_of:
            await opened.person("ann").click(card, "Approve")

    await asyncio.gather(*map(click, cards))
