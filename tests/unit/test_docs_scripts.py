"""What the page about scripts shows works: its script, as it stands there, and its test."""

from contextlib import closing
from decimal import Decimal
from pathlib import Path

from actions.execute_code import ExecuteCode, execute_code
from actions.kit.sandbox.limits import LONGEST_SCRIPT, Limits
from actions.kit.sandbox.pool import AT_ONCE, COMPUTING, Sandbox
from actions.kit.sandbox.values import MOST_VALUES
from actions.kit.shapes.json_text import MAX_DEPTH, MAX_DIGITS, MAX_JSON
from actions.ledger import Ledger
from actions.refund_orders import order_total, refund_order
from actions.testing import run
from tests.shown_code import code_of, shown_tests

PAGE = Path(__file__).parents[2] / "docs" / "scripts.md"
[SCRIPT, _, TEST] = code_of(PAGE)


async def test_the_script_that_it_shows_asks_in_its_seventh_line_and_returns_what_was_refunded(tmp_path: Path):
    assert execute_code is not None
    asked = ExecuteCode(code=SCRIPT, inputs={"orders": ["A-1041", "A-1042"], "reason": "Damaged on the way"})
    with closing(Sandbox()) as sandbox:
        resources = [sandbox, Ledger(tmp_path / "ledger.jsonl")]
        first = await run(execute_code, asked, resources=resources, actions=[order_total, refund_order])
        assert (first.call_path, first.position) == ("line 7", (1, 2))
        second = await first.answer("reject", reason="It was used")
        done = await second.answer("approve")
    assert done.output.result == [None, str(Decimal(sum(map(ord, "A-1042"))) / 4)]
    assert "was declined by U0DECIDER" in done.output.printed


async def test_the_test_that_it_shows_passes(tmp_path: Path):
    [shown] = shown_tests(TEST)
    await shown(tmp_path)


def test_its_limits_are_those_of_the_code():
    limits = Limits()
    for told in (
        f"| computing | {limits.seconds:g} seconds",
        f"| memory | {limits.memory // 1024 // 1024} MiB |",
        f"| printed | {limits.output:,} characters |",
        f"| calls, looks at the clock | {limits.calls:,} |",
        f"| the script itself | {LONGEST_SCRIPT:,} characters |",
        f"| at the same time | {AT_ONCE} under way, {COMPUTING} of them computing;",
        f"{MAX_JSON // 1024 // 1024} MiB of JSON, {MOST_VALUES:,} values, {MAX_DEPTH} levels, integers of {MAX_DIGITS:,} digits",
    ):
        assert told in PAGE.read_text("utf-8")
