"""A process with a graph that is killed at a chosen point: it says on its output where it is, and waits for the end.

python -m tests.integration.graph_victim PLACE POINT
"""

import asyncio
import sys
from pathlib import Path
from typing import Literal

from langgraph.graph import START, StateGraph
from langgraph.types import interrupt
from typing_extensions import TypedDict

from actions import Action
from actions.langgraph import graph_action
from tests.authors import IN_THE_CHANNEL, Nothing
from tests.integration.engine_room import click, engine_room
from tests.integration.engine_victim import append, stop_at


class Asked(TypedDict, total=False):
    said: str


def victim(place: Path, point: str, *, idempotent: bool) -> Action:
    """Each node appends a line to the file of its name, and so does each answer that a node gets."""

    async def prepare(state: Asked) -> Asked:
        append(place / "prepare", "")
        return {}

    async def ask(state: Asked) -> Asked:
        append(place / "ask", "")
        said = interrupt("Go on?")
        append(place / "answers", said)
        await stop_at("answered", point)
        return {"said": said}

    async def act(state: Asked) -> Asked:
        append(place / "act", state["said"])
        await stop_at("acting", point)
        return {}

    return graph_action(
        StateGraph(Asked).add_sequence([prepare, ask, act]).add_edge(START, "prepare").compile(),
        id="graph",
        name="Graph",
        description="A graph.",
        policy=IN_THE_CHANNEL,
        input=Nothing,
        resume=Literal["yes", "no"],
        idempotent=idempotent,
    )


async def main(place: Path, point: str) -> None:
    action = victim(place, point, idempotent=True)
    async with engine_room(place, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "yes"))
        await room.ended(card.run)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
