"""A process with a nested call that is killed at a chosen point: it says on its output where it is, and waits for the end.

python -m tests.integration.nested_victim PLACE POINT
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from actions import Action, Context
from storage.calls import Calls
from tests.authors import Nothing, declare, executing
from tests.integration.engine_room import engine_room
from tests.integration.engine_victim import append, stop_at

FIRST, PAY = "first", "pay"


def victims(place: Path, point: str) -> tuple[Action, Action, Action]:
    """An orchestrator that calls two effects; each appends its key to the file of its id in `place`."""

    async def first(input: Nothing, ctx: Context) -> None:
        append(place / FIRST, ctx.idempotency_key)

    async def pay(input: Nothing, ctx: Context) -> None:
        append(place / PAY, ctx.idempotency_key)
        await stop_at("effect", point)

    effects = declare(first, id=FIRST, name="First"), declare(pay, id=PAY, name="Pay")

    async def body(ctx: Context) -> str:
        append(place / "passes", ctx.idempotency_key)
        for effect in effects:
            await ctx.call(effect, {})
        return "done"

    return executing(body), *effects


def stopping(point: str) -> None:
    """The door to the log says where it is: around each commit about the second call."""
    begin, end = Calls.begin, Calls.end

    async def begin_here(self: Calls, *args: Any, **named: Any) -> bool:
        if named["path"] == PAY:
            await stop_at("before the mark", point)
        begun = await begin(self, *args, **named)
        if named["path"] == PAY:
            await stop_at("marked", point)
        return begun

    async def end_here(self: Calls, *args: Any, **named: Any) -> bool:
        kept = await end(self, *args, **named)
        if named["path"] == PAY:
            await stop_at("finished", point)
        return kept

    Calls.begin, Calls.end = begin_here, end_here  # type: ignore[method-assign]


async def main(place: Path, point: str) -> None:
    stopping(point)
    actions = victims(place, point)
    async with engine_room(place, *actions) as room:
        await room.ended(await room.begin(actions[0]))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
