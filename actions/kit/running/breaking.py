"""What stops at a place of a run: for ever in this pass, or with the reason why the run cannot go on."""

import asyncio
from typing import NoReturn

from actions.kit.records.outcomes import Outcome, Raised
from actions.kit.records.runs import Failure
from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.running.passing import Node
from actions.kit.running.places import DEEPEST, MOST_PLACES, depth

SAME_AGAIN = (
    "Between its questions and calls an action must do the same on every pass. Put what may differ (the time, a look-up, "
    "chance) and what has an effect into an action of its own and `ctx.call` it; give places that may come in another "
    "order a `name=`. Where the code was changed on purpose: cancel the run and start it anew."
)
LONGEST_SIDE = 600
"""Characters of each side of a divergence that are told."""


async def next_place(node: Node, name: str) -> str:
    """The path of the next place of that name. Raises `PlaceError`, and `RuntimeError` once the action has ended."""
    if node.over.done():
        raise RuntimeError(f"the action {node.action.id!r} has ended, and asks or calls no more")
    path = node.places.next(name)
    if node.places.count > MOST_PLACES or depth(path) > DEEPEST:
        limits = f"at most {MOST_PLACES:,} questions and calls, and {DEEPEST} within each other"
        message = f"An action makes {limits}; this was one more: {path[-LONGEST_SIDE:]!r}."
        await stop(node, Raised(Failure(kind="too_many_calls", message=message)))
    return path


async def for_ever() -> NoReturn:
    """Waits for the end of the pass, which cancels whoever waits here."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("the end of a pass cancels")


async def stop(node: Node, verdict: Outcome) -> NoReturn:
    """Nothing goes on here in this pass, and the run learns why; no exception that the action could catch."""
    node.of.break_off(verdict, node)
    await for_ever()


async def diverged(node: Node, path: str, before: str, now: str) -> NoReturn:
    """The action does something else than it did on an earlier pass, at the same place."""
    message = f"At {path!r} it {_clipped(before)} on an earlier pass, and now it {_clipped(now)}."
    await stop(node, Raised(Failure(kind="diverged", message=message, advice=SAME_AGAIN, call=path)))


def told(node: Node, error: CallFailed | Declined | Expired) -> CallFailed | Declined | Expired:
    """An error that a place returns: it lies behind, and what is asked beside it may not be wanted any more."""
    node.passed(error.path)
    node.was_told_no = True
    return error


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST_SIDE else f"{text[: LONGEST_SIDE - 1]}…"
