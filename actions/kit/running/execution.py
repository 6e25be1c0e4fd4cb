"""Executes an action once, from the top, with what its run's log says, and tells how that ended."""

import asyncio

from actions.kit.action import Action
from actions.kit.context import Context
from actions.kit.errors import AnswerError
from actions.kit.records.interrupts import Asker
from actions.kit.records.outcomes import AskAgain, Outcome, Paused, Raised, Stopped
from actions.kit.records.runs import Failure
from actions.kit.running.calls import CallEnding, Journal
from actions.kit.running.carrying import leave
from actions.kit.running.nesting import Nest
from actions.kit.running.passing import Node, Pass
from actions.kit.running.performing import perform
from actions.kit.running.stray import watch


class Unkept:
    """A journal that nobody reads: for an action that is executed by itself."""

    async def begin(self, _path: str, _asker: Asker, /, *, idempotent: bool) -> bool:  # noqa: ARG002 - told to keep it
        return True

    async def end(self, _path: str, _ending: CallEnding, /) -> bool:
        return True


async def execute(action: Action, input_text: str, context: Context, journal: Journal | None = None) -> Outcome:
    """Run the action's function once, on the current loop. Never raises what the action raised.

    Nested calls are written into `journal`, before and after each; what ended before is taken from the context's log.

    Returns:
        `Paused` when it asks: by a raised pause, alone or in an exception group, or by what parked when nothing else
        went on; `Returned` with its validated output; `TurnedDown` when it let a refusal out; `Raised` when it failed,
        exited, diverged from its log, or broke a rule of pausing: two raised pauses, a pause beside an error, a swallowed
        pause, a task or thread that still ran 5 seconds after it was cancelled. `AskAgain` and `Unfit` when the code was
        changed. `Stopped` when this call was cancelled from outside and the action ended because of it, or when the run
        was taken away; one that had paused or returned all the same has done so.

    Raises:
        Exception: What the journal raised: then nobody knows what is written down.

    Takes up to 5 seconds longer than the action where that leaves tasks or threads behind. A daemon thread may outlive
    an action that returned.
    """
    try:
        action.restore_input(input_text)
        action = action.bound(input_text)
    except AnswerError as error:
        message = f"The stored input does not fit the action: {error}"
        return Raised(Failure(kind="input", message=message), error=error)
    watch(asyncio.get_running_loop())
    of = Pass(context.call_log, journal or Unkept(), context.resources, Nest)
    root = Node(of, action, input_text, context, None)
    try:
        outcome = of.concluded(await perform(root))
        if not isinstance(outcome, Paused | AskAgain | Stopped):
            await leave(root)
        return outcome
    finally:
        of.close()
