"""A process that is killed at a chosen point: it says on its output where it is, and waits there for the end.

python -m tests.integration.engine_victim PLACE POINT
"""

import asyncio
import sys
from pathlib import Path

from actions import Action, ActionInterrupt, Context
from tests.authors import executing
from tests.integration.engine_room import Room, click, engine_room


def victim(place: Path, point: str, *, idempotent: bool = False) -> Action:
    """Appends a line per pass to `passes`, and per effect to `effects`, in the folder `place`."""

    async def body(ctx: Context) -> str:
        append(place / "passes", ctx.idempotency_key)
        if ctx.resumption is None:
            await stop_at("first pass", point)
            raise ActionInterrupt("Shall I?", data={"run": ctx.run_id})
        await stop_at("second pass", point)
        append(place / "effects", ctx.idempotency_key)
        await stop_at("effect", point)
        return "done"

    return executing(body, idempotent=idempotent)


def append(file: Path, line: str) -> None:
    with file.open("a") as opened:
        opened.write(f"{line}\n")


def lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


async def stop_at(here: str, point: str) -> None:
    if here == point:
        print(here, flush=True)  # noqa: T201 - how the parent knows where this process is
        await asyncio.sleep(600)


async def play(room: Room, action: Action, point: str) -> None:
    card = await room.paused(action)
    await stop_at("paused", point)
    if point == "answered":
        room.engine._free = 0  # as if the process ended between the commit and the claim
    await room.runner.click(click(card, "approve"))
    await stop_at("answered", point)
    await room.ended(card.run)


async def main(place: Path, point: str) -> None:
    action = victim(place, point)
    async with engine_room(place, action) as room:
        await play(room, action, point)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
