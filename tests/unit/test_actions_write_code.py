"""Code is shown to people first: as it stands, edited, or not at all; and where the bot cannot run it, it says so."""

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest_asyncio

from actions.execute_code import execute_code
from actions.kit.resources import opened
from actions.script import open_sandbox
from actions.testing import Trial, run
from actions.write_code import CodeRan, run_code, write_code

Runs = Callable[..., Awaitable[Trial]]


@pytest_asyncio.fixture
async def runs() -> AsyncIterator[Runs]:
    assert execute_code is not None
    async with opened([open_sandbox]) as resources:

        async def runs(code: str, *, is_installed: bool = True) -> Trial:
            there = [execute_code] if is_installed and execute_code else []
            return await run(run_code, {"code": code, "inputs": {"a": 20}}, resources=resources, actions=there)

        yield runs


async def test_the_answers_are_those_that_a_caller_goes_on_with(runs: Runs):
    shown = await run(write_code, {"code": "1 + 1", "note": "It adds"}, actions=[run_code])
    assert shown.choices == ("run", "edit_and_run", "cancel")
    assert shown.data["note"] == "It adds"
    ran, edited = await shown.answer("run"), await shown.answer("edit_and_run", code="2 + 2")
    assert ran.output.model_dump() == {"action": "run", "code": "1 + 1"}
    assert edited.output.model_dump() == {"action": "run", "code": "2 + 2"}
    assert (await shown.answer("cancel")).output.model_dump() == {"action": "cancel"}


async def test_what_was_shown_or_edited_is_what_runs(runs: Runs):
    shown = await runs("a + 1")
    assert (await shown.answer("run")).output == CodeRan(status="ran", code="a + 1", result=21)
    edited = await shown.answer("edit_and_run", code="print(a)")
    assert edited.output == CodeRan(status="ran", code="print(a)", printed="20\n")
    cancelled = await shown.answer("cancel")
    assert cancelled.output == CodeRan(status="cancelled")
    assert list(cancelled.calls) == ["write_code"]


async def test_code_that_cannot_be_read_is_shown_once_more_with_what_is_wrong(runs: Runs):
    again = await (await runs("a + 1")).answer("edit_and_run", code="a = 1\nyield a")
    assert again.data["code"] == "a = 1\nyield a"
    assert again.data["note"].startswith("It cannot be read: line 2: ")
    assert (await again.answer("edit_and_run", code="a")).output.result == 20


async def test_code_that_fails_half_way_is_not_shown_again(runs: Runs):
    failed = await (await runs("1 / 0")).answer("run")
    assert failed.failure.message == "'Execute code' failed: line 1: ZeroDivisionError: division by zero"


async def test_without_the_sandbox_the_card_says_that_the_code_is_handed_back(runs: Runs):
    shown = await runs("a + 1", is_installed=False)
    assert "hand the code back" in shown.data["instead"]
    assert (await shown.answer("run")).output == CodeRan(status="not_run", code="a + 1")
