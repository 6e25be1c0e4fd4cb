"""Carries one nested call: marks it before it executes, writes down how it ended, and only then tells its caller."""

import asyncio
from typing import assert_never

from actions.kit.records.outcomes import AskAgain, Outcome, Paused, Raised, Returned, Stopped, TurnedDown, Unfit
from actions.kit.records.runs import CONTRACT_BROKEN, Failure, RunStatus
from actions.kit.running.calls import CallEnding, CallStatus
from actions.kit.running.passing import Node, Parked
from actions.kit.running.performing import perform

OF_THE_RUN = CONTRACT_BROKEN - {"output"} | {"pause_and_error", "still_running"}
"""What no caller can catch: a pause that did not arrive fails the run, wherever it was."""


async def carry(node: Node, ended: "asyncio.Future[CallEnding]") -> None:
    """Never raises; `ended` stays open where the call waits, or where nobody may go on."""
    try:
        ending = await _ending(node)
        if ending is None:
            return
        if not await node.of.journal.end(node.path, ending):
            node.of.break_off(Stopped(), node)
            return
    except Exception as error:  # noqa: BLE001 - nobody knows what is written down, so nobody may go on
        node.of.lose(error, node)
        return
    if not ended.done():
        ended.set_result(ending)
    node.close()


async def leave(node: Node) -> None:
    """Writes down that what still waits below a node does not execute."""
    for child in tuple(node.children):
        await leave(child)
        await node.of.journal.end(child.path, CallEnding(CallStatus.PAUSED))


async def _ending(node: Node) -> CallEnding | None:
    if not await node.of.journal.begin(node.path, node.as_asker, idempotent=node.action.idempotent):
        node.of.break_off(Stopped(), node)
        return None
    refusal = await node.context.refusal(node.action) if node.needs_leave else None
    if refusal is not None:
        return CallEnding(CallStatus.FAILED, failure=Failure(kind="not_allowed", message=refusal))
    outcome = await perform(node)
    ending = _ending_of(node, outcome)
    if ending is not None:
        await leave(node)
    return ending


def _ending_of(node: Node, outcome: Outcome | None) -> CallEnding | None:
    """How a call ended; `None` where it waits for people, was cut by the end of the pass, or cuts the pass short."""
    match outcome:
        case None | Stopped():
            return None
        case Returned(output):
            return CallEnding(CallStatus.FINISHED, output)
        case TurnedDown(status, message, call):
            is_expired = status is RunStatus.EXPIRED
            failure = Failure(kind=status.value, message=message, call=call)
            return CallEnding(CallStatus.EXPIRED if is_expired else CallStatus.DECLINED, failure=failure)
        case Paused():
            node.of.park(Parked(node, outcome, node.order, None))
        case Raised(failure, error=error) if failure.kind not in OF_THE_RUN:
            return CallEnding(CallStatus.FAILED, failure=failure, error=error)
        case Raised() | AskAgain() | Unfit():
            node.of.break_off(outcome, node)
        case _:
            assert_never(outcome)
    return None
