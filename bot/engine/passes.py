"""What one pass of an action is given, restored from its rows; what no longer fits the code is told apart, not executed."""

from collections.abc import Callable, Sequence

from actions.kit.action import Action
from actions.kit.context import Context, MayStart
from actions.kit.edits import field_edits
from actions.kit.errors import AnswerError
from actions.kit.records.interrupts import InterruptRecord
from actions.kit.records.runs import Failure
from actions.kit.running.asking import NOT_ANY_MORE
from storage.results import Claimed


class UnfitInputError(Exception):
    """The stored input does not fit the action as it is now."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class UnfitAnswerError(Exception):
    """A stored answer does not fit the action as it is now."""

    def __init__(self, interrupt: InterruptRecord, failure: Failure) -> None:
        super().__init__(failure.message)
        self.interrupt = interrupt
        self.failure = failure


def make_context(
    action: Action,
    claimed: Claimed,
    *,
    report: Callable[[str], None],
    resources: tuple[object, ...],
    actions: Sequence[Action],
    may_start: MayStart,
) -> Context:
    """The context of a pass. Runs authors' validators, so it belongs on the actions' loop.

    Raises:
        UnfitInputError: The action would not take this input today.
        UnfitAnswerError: It would not take this answer today.
    """
    run = claimed.run
    try:
        action.restore_input(run.input)
        action = action.bound(run.input)
    except AnswerError as error:
        raise UnfitInputError(changed("input", f"its stored input does not fit any more: {error}")) from error
    latest = next((each.interrupt for each in claimed.resumptions if not each.interrupt.call_path), None)
    try:
        return Context.build(
            run_id=run.id,
            requester=run.requester,
            resume=action.resume,
            answered=claimed.resumptions,
            calls=claimed.calls,
            report=report,
            resources=resources,
            actions=actions,
            may_start=may_start,
            epoch=run.epoch,
            in_conversation=run.origin.thread is not None,
            edits=field_edits(run.edits, run.input),
        )
    except (AnswerError, KeyError) as error:
        if latest is None:
            raise
        raise UnfitAnswerError(latest, changed("answer", NOT_ANY_MORE)) from error


def changed(kind: str, how: str) -> Failure:
    """Why a run is held: what is stored does not fit the code of today."""
    return Failure(
        kind=kind,
        message=f"The action was changed meanwhile, and {how}.",
        advice="It goes on by itself when the action fits again. It can be cancelled.",
    )
