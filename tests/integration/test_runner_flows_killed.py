"""The worked flows in a process that dies at each of its moments: they come to the same end, and order once."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from actions import Action
from actions.crypto import connect_wallet, get_order_status, place_crypto_order, trade_crypto
from actions.forecasts import Forecasts, recorded
from actions.kit.records.runs import RunStatus
from actions.ledger import Ledger
from actions.quotes import OrderStatuses, Quotes
from actions.quotes import recorded as recorded_quotes
from actions.weather import forecast, weather
from storage.database import Database
from tests.integration.nested_world import World, place
from tests.integration.scenes import REQUESTER, vote

WALLET = {"address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "chainId": 1}
ANSWERS: dict[str, tuple[str, Any]] = {
    "ask_location": ("place", {"lat": 47.06733, "lon": 15.44197, "label": "Graz, Austria"}),
    "connect_wallet": ("wallet", WALLET),
    "place_crypto_order": ("confirm", None),
    "get_order_status": ("status", {"status": "filled"}),
}
TRADE = {"side": "buy", "pair": "ETH-USD", "amount": "0.25"}
FLOWS: list[tuple[Action, Any, list[str]]] = [
    (weather, {}, ["ask_location"]),
    (trade_crypto, TRADE, ["connect_wallet", "place_crypto_order", "get_order_status"]),
]


class Flow(World):
    """One run of a worked flow, whose process dies at its `left`-th moment, and those that come after it do not."""

    def __init__(self, database: Database, root: Action, ledger: Ledger) -> None:
        super().__init__(database)
        self.root = root
        self.actions = {each.id: each for each in (weather, forecast, trade_crypto)}
        self.actions |= {each.id: each for each in (connect_wallet, place_crypto_order, get_order_status)}
        quotes = Quotes(recorded_quotes(), now=lambda: self.now)
        self.resources = (ledger, Forecasts(recorded), quotes, OrderStatuses())
        self.answered: Counter[str] = Counter()

    async def to_the_end(self, left: int) -> int:
        """Until the run has ended; how many of the moments were left, which is none if the process died."""
        while not (run := await self.run()).status.ended:
            match run.status:
                case RunStatus.QUEUED:
                    left -= await self.live(left if left >= 0 else None)
                case RunStatus.RUNNING:
                    await self.recover()
                case RunStatus.WAITING:
                    await self._reply()
                case other:
                    raise AssertionError(other)
        return left

    async def _reply(self) -> None:
        asked = (await self.card()).interrupt
        assert asked.ui is not None
        key, value = ANSWERS[asked.ui]
        self.answered[asked.ui] += 1
        choice = asked.shape.choice(key)
        assert choice is not None
        said = json.dumps(choice.value if value is None else value)
        source = f"answer {sum(self.answered.values())}"
        await self.store.answer(vote(asked.id, REQUESTER, choice, value=said, source=source), now=self.now)


@pytest.mark.parametrize(("root", "given", "asked"), FLOWS, ids=["weather", "crypto"])
async def test_killed_at_any_moment_a_flow_asks_each_thing_once_and_ends_as_if_nothing_had_been(
    tmp_path: Path, root: Action, given: Any, asked: list[str]
):
    async with Database(place(tmp_path)) as database:
        dies_at, left = 0, -1
        while left < 0:
            ledger = Ledger(tmp_path / f"ledger-{dies_at}.jsonl")
            flow = Flow(database, root, ledger)
            await flow.start(given)
            left = await flow.to_the_end(dies_at)
            ended = await flow.run()
            assert (ended.status, flow.answered) == (RunStatus.SUCCEEDED, Counter(asked)), dies_at
            assert json.loads(ended.output or "")["status" if root is trade_crypto else "place"] in {
                "filled",
                "Graz, Austria",
            }
            orders = [entry.kind for entry in ledger.entries()]
            assert orders == (["crypto_order"] if root is trade_crypto else []), dies_at
            dies_at += 1
        assert dies_at > 2 * len(asked) + 4
