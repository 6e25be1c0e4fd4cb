"""What the page about asking and calling shows works, and the worked action does what it says."""

import re
from decimal import Decimal
from pathlib import Path

import pytest

from actions.ledger import Ledger
from actions.refund_orders import Refunded, refund_orders
from actions.testing import run

PAGE = Path(__file__).parents[2] / "docs" / "nesting.md"
ASKED = {"orders": ["A-1041", "A-1042", "B-7"], "reason": "Damaged on the way"}


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.jsonl")


async def test_the_test_that_it_shows_passes(tmp_path: Path):
    [code] = re.findall(
        r"^```python\n(from actions\.ledger.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    space: dict[str, object] = {}
    exec(code, space)  # noqa: S102 - the page is ours
    [shown] = [value for name, value in space.items() if name.startswith("test_")]
    await shown(tmp_path)  # type: ignore[operator]


async def test_each_order_is_asked_about_in_its_turn_and_refunded_once(ledger: Ledger):
    trial = await run(refund_orders, ASKED, resources=[ledger])
    turns = []
    for answer in ({"choice": "approve"}, {"choice": "reject", "reason": "It was used"}, {"choice": "approve"}):
        turns.append((trial.call_path, trial.position, trial.data["order"]))
        fields = dict(answer)
        trial = await trial.answer(fields.pop("choice"), **fields)
    assert turns == [
        ("order A-1041", (1, 3), "A-1041"),
        ("order A-1042", (2, 3), "A-1042"),
        ("order B-7", (3, 3), "B-7"),
    ]
    assert trial.output == Refunded(refunded=["A-1041", "B-7"], kept=["A-1042"])
    entries = ledger.entries()
    assert [entry.key for entry in entries] == ["run:order A-1041:1", "run:order B-7:1"]
    assert Decimal(entries[0].facts["amount"]) == Decimal(sum(map(ord, "A-1041"))) / 4


async def test_an_order_that_nobody_answers_for_is_kept(ledger: Ledger):
    trial = await run(refund_orders, ASKED | {"orders": ["A-1"]}, resources=[ledger])
    assert (await trial.expire()).output == Refunded(refunded=[], kept=["A-1"])
    assert ledger.entries() == []
