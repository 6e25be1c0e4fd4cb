"""What a script or a model wants called is called on the requester's behalf: only what they might start themselves."""

from typing import Any

import pytest
from pydantic import BaseModel

from actions import Action, CallFailed, Context
from actions.kit.records.outcomes import Outcome, Returned
from actions.kit.running.execution import execute
from actions.testing import run
from tests.authors import RUN, declare, executing


class Order(BaseModel):
    number: int


def counted() -> tuple[Action, list[int]]:
    effects: list[int] = []

    async def refund(input: Order, ctx: Context) -> int:
        effects.append(input.number)
        return input.number * 10

    return declare(refund, id="refund", name="Refund"), effects


async def refused_to(person: str, action: Action) -> Outcome:
    asked: list[str] = []

    async def may_start(called: Action, who: str) -> str | None:
        asked.append(called.id)
        return f"{who} may not start {called.name}." if who == person else None

    context = Context.build(
        run_id=RUN, requester=person, resume=action.resume, may_start=may_start, actions=[counted()[0]]
    )
    return await execute(action, "{}", context)


async def test_an_action_is_called_by_its_id():
    refund, effects = counted()

    async def body(ctx: Context) -> Any:
        return await ctx.call("refund", {"number": 7})

    assert (await run(executing(body), {}, actions=[refund])).output == 70
    assert effects == [7]


async def test_an_id_that_nobody_registered_is_told_with_those_that_are():
    refund, _ = counted()

    async def body(ctx: Context) -> Any:
        return await ctx.call("refnud", {"number": 7})

    failure = (await run(executing(body), {}, actions=[refund])).failure
    assert "no action 'refnud' is registered; there are: refund" in failure.message


async def test_what_the_requester_may_not_start_is_not_executed_on_their_behalf():
    refund, effects = counted()

    async def body(ctx: Context) -> str:
        with pytest.raises(CallFailed) as refused:
            await ctx.call(refund, {"number": 7}, for_requester=True)
        return refused.value.failure.message

    assert await refused_to("U0RITA", executing(body)) == Returned('"U0RITA may not start Refund."')
    assert effects == []


async def test_what_the_author_calls_is_the_authors_to_say():
    refund, effects = counted()

    async def body(ctx: Context) -> Any:
        return await ctx.call(refund, {"number": 7})

    assert await refused_to("U0RITA", executing(body)) == Returned("70")
    assert effects == [7]
