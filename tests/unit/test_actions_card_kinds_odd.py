"""Answers of kinds of cards at their limits: what is edited too long, and names that nobody can type."""

from typing import Any

import pytest

from actions import Context
from actions.kit.errors import AnswerError
from actions.testing import run
from tests.authors import executing


@pytest.mark.parametrize(
    ("ui", "choice", "field"), [("write_code", "edit_and_run", "code"), ("review", "edit", "document")]
)
async def test_what_is_edited_is_no_longer_than_what_can_be_shown(ui: str, choice: str, field: str):
    async def body(ctx: Context) -> Any:
        return (await ctx.ask("Like this?", {field: "x" * 50_000}, ui=ui)).model_dump()

    paused = await run(executing(body), {})
    assert (await paused.answer(choice, **{field: "y" * 50_000})).output[field] == "y" * 50_000
    with pytest.raises(AnswerError, match=f"{field} must have at most 50,000 characters"):
        await paused.answer(choice, **{field: "y" * 50_001})


@pytest.mark.parametrize(
    "name", ["a\u200bb", "a\u202eb", "a  b", "a\tb", "a\N{NO-BREAK SPACE}b", "e\u0301", "a\u2028b"]
)
async def test_a_name_that_nobody_can_type_as_it_is_shown_is_not_asked_for(name: str):
    async def body(ctx: Context) -> None:
        await ctx.ask("Delete it?", {"name": name}, ui="confirm")

    assert "cannot be typed as it is shown" in (await run(executing(body), {})).failure.message


@pytest.mark.parametrize("name", ["orders 2024 (old) #1", "naïve-Straße", "数据库", "a'\"b\\c", "{x}|[y]^$.*"])
async def test_any_other_name_confirms_when_it_is_typed_as_it_is_shown(name: str):
    async def body(ctx: Context) -> Any:
        return (await ctx.ask("Delete it?", {"name": name}, ui="confirm")).name

    paused = await run(executing(body), {})
    assert (await paused.answer("confirm", name=name)).output == name
    with pytest.raises(AnswerError, match="must be typed exactly as it is shown"):
        await paused.answer("confirm", name=f"{name}.")
