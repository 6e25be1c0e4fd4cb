"""Runs a library's code so that what it keeps for itself is not the action's: worker threads, pools, clients.

An action that leaves a task or thread behind fails. A library that starts its first worker during an action keeps that one
for the next; it is no more the action's than a connection pool is.
"""

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from typing import Any, TypeVar

from actions.kit.running.pauses import set_aside

T = TypeVar("T")


async def apart(coroutine: Coroutine[Any, Any, T]) -> T:
    """What a coroutine returns. It is cancelled when the caller is, and pauses made in it count as ever."""
    return await asyncio.get_running_loop().create_task(coroutine, context=set_aside(copy_context()))
