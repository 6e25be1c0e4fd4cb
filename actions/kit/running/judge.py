"""Tells from what came out of an action, and from what it did on the way, whether it paused, returned or failed."""

from collections.abc import Sequence
from typing import Literal

from pydantic import ValidationError

from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.records.outcomes import Raised, TurnedDown
from actions.kit.records.runs import Failure, RunStatus
from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.running.pauses import Execution, leaves, lost
from actions.kit.shapes.json_text import storable

MESSAGE_LIMIT = 2_000
"""Characters of a failure's message that are kept."""

LET_IT_THROUGH = (
    "Let ActionInterrupt through: write `except Exception`, not a bare `except` or `except BaseException`; no `return` in "
    "`finally`; no `suppress(BaseException)`; no `gather(return_exceptions=True)` around a pause; and raise it in the "
    "action itself or in a task that it awaits."
)
WAIT_FOR_IT = (
    "Await every ctx.ask and ctx.call before the action returns: no timeout around them, no `cancel()`, and no bare `except` "
    "that catches what ends a pass."
)
RAISE_IT = "Write `raise ActionInterrupt(...)`."
ONE_AT_A_TIME = "A run asks one thing at a time: raise one, and the next when the action runs again with its answer."
NO_ERROR_BESIDE = "Let the tasks beside a pause end before it is raised, or handle their errors."
AWAIT_THEM = "Await every task and join every thread before the action returns or pauses."
NO_EXIT = "An action ends by returning or by raising an error; it cannot end the process."


def judge(
    execution: Execution, error: BaseException | None, still_running: list[str]
) -> ActionInterrupt | Raised | TurnedDown | None:
    """The pause that the action made, or why it failed; `None` where it simply returned.

    `error` is what the action raised, `still_running` the names of what could not be ended.
    """
    return _told_no(execution, error) or _judge(execution, error, still_running)


def _judge(
    execution: Execution, error: BaseException | None, still_running: list[str]
) -> ActionInterrupt | Raised | None:
    pauses = [each for each in leaves(error) if isinstance(each, ActionInterrupt)] if error else []
    errors = [each for each in leaves(error) if not isinstance(each, ActionInterrupt)] if error else []
    if execution.exits:
        return _exited(execution.exits[0])
    if errors:
        return beside(pauses, errors) if pauses else _failed(errors, _not_taken_over(lost(execution, errors)))
    missing = _not_taken_over(lost(execution, pauses, and_replaced=True))
    if len(pauses) > 1 or (pauses and missing):
        return _several([*pauses, *missing])
    if missing:
        return _swallowed(missing[0])
    if still_running:
        return _raised("still_running", f"Still running {_after(pauses)}: {', '.join(still_running)}.", AWAIT_THEM)
    return pauses[0] if pauses else None


def _told_no(execution: Execution, error: BaseException | None) -> TurnedDown | None:
    """Where nothing but a `Declined` or `Expired` came out of it."""
    refusals = leaves(error) if error and not execution.exits else []
    first = next(iter(refusals), None)
    if not isinstance(first, Declined | Expired) or not all(isinstance(each, Declined | Expired) for each in refusals):
        return None
    status: Literal[RunStatus.DECLINED, RunStatus.EXPIRED]
    status = RunStatus.DECLINED if isinstance(first, Declined) else RunStatus.EXPIRED
    return TurnedDown(status, _clip(_words(first)), first.path, by=next(iter(first.by), None))


def bad_pause(error: InterruptError) -> Raised:
    """Why a pause could not be stored."""
    return _raised("bad_pause", f"The action could not pause: {'; '.join(error.mistakes)}.", None, error)


def _failure_of(error: BaseException) -> Failure:
    """An error of an action in words: its type and message, without the values that pydantic would quote."""
    if isinstance(error, CallFailed):
        told = error.failure
        return Failure(kind="call_failed", message=_clip(_words(error)), advice=told.advice, call=error.path)
    return Failure(kind=type(error).__name__, message=_clip(_words(error)))


def _not_taken_over(pauses: Sequence[BaseException]) -> list[BaseException]:
    return [each for each in pauses if not (isinstance(each, ActionInterrupt) and each.taken_over)]


def _exited(exit_: BaseException) -> Raised:
    name = type(exit_).__name__
    return _raised(name, f"The action raised {name}{f' ({exit_})' if str(exit_) else ''}.", NO_EXIT, exit_)


def beside(pauses: Sequence[BaseException], errors: Sequence[BaseException]) -> Raised:
    """Why an action that paused and failed at once failed."""
    message = f"The action paused ({_named(pauses)}) and failed ({_named(errors)}) at once."
    return _raised("pause_and_error", message, NO_ERROR_BESIDE, errors[0])


def _failed(errors: Sequence[BaseException], missing: Sequence[BaseException]) -> Raised:
    first = errors[0]
    if isinstance(first, InterruptError) and len(errors) == 1:
        return bad_pause(first)
    failure = _failure_of(first)
    if len(errors) > 1:
        message = _clip(f"The action failed in several places: {_named(errors)}.")
        failure = failure.model_copy(update={"message": message})
    if missing:
        failure = _with_missing(failure, missing)
    return Raised(failure, error=first)


def _with_missing(failure: Failure, missing: Sequence[BaseException]) -> Failure:
    never_raised = all(pause.__traceback__ is None for pause in missing)
    what = "made a pause and never raised it" if never_raised else "paused, and the pause was lost"
    message = f"{failure.message} (Before that it {what}: {_named(missing)}.)"
    advice = RAISE_IT if never_raised else LET_IT_THROUGH
    return failure.model_copy(update={"message": _clip(message), "advice": advice})


def _several(pauses: Sequence[BaseException]) -> Raised:
    return _raised("several_pauses", f"The action paused more than once at a time: {_named(pauses)}.", ONE_AT_A_TIME)


def swallowed(question: str) -> Raised:
    """Why an action that asked, and ended without the answer, failed."""
    return _raised("pause_swallowed", f"The action asked, and went on without the answer: {question!r}.", WAIT_FOR_IT)


def _swallowed(pause: BaseException) -> Raised:
    if isinstance(pause, ActionInterrupt) and pause.is_asked:
        return swallowed(pause.message)
    if pause.__traceback__ is None:
        return _raised("pause_not_raised", f"A pause was made but never raised: {_named([pause])}.", RAISE_IT)
    message = f"The action paused, but the pause was swallowed before it arrived: {_named([pause])}."
    return _raised("pause_swallowed", message, LET_IT_THROUGH, pause)


def _raised(kind: str, message: str, advice: str | None, error: BaseException | None = None) -> Raised:
    return Raised(Failure(kind=kind, message=_clip(message), advice=advice), error=error)


def _after(pauses: Sequence[BaseException]) -> str:
    return "after the action paused" if pauses else "after the action ended"


def _named(errors: Sequence[BaseException]) -> str:
    return ", ".join(repr(each.message) if isinstance(each, ActionInterrupt) else _with_type(each) for each in errors)


def _with_type(error: BaseException) -> str:
    return f"{type(error).__name__}: {_words(error)}"


def _words(error: BaseException) -> str:
    if isinstance(error, ValidationError):
        problems = error.errors(include_url=False, include_input=False)
        return f"{error.title}: " + "; ".join(f"{_path(each['loc'])}{each['msg']}" for each in problems)
    try:
        return str(error) or type(error).__name__
    except Exception:  # noqa: BLE001 - an author's `__str__` may raise anything
        return type(error).__name__


def _path(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


def _clip(text: str) -> str:
    clean = storable(text)
    return clean if len(clean) <= MESSAGE_LIMIT else f"{clean[: MESSAGE_LIMIT - 1]}…"
