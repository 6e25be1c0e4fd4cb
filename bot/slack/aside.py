"""Draws what is large in a thread of its own, so that the loop goes on acknowledging meanwhile."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from actions.kit.records.interrupts import Card

T = TypeVar("T")

LARGE = 32 * 1024
"""Characters of a card's data, answers and edits from which drawing takes more than a few milliseconds."""


async def aside(card: Card, draw: Callable[[], T]) -> T:
    """What `draw` makes of the card. It is pure, so it may run anywhere."""
    size = len(card.interrupt.shown) + len(card.interrupt.message) + sum(len(each.value) for each in card.decisions)
    size += sum(len(each.before) for each in card.run.edits)
    return await asyncio.to_thread(draw) if size > LARGE else draw()
