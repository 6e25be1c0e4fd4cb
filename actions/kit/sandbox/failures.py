"""Why a script failed, in words for whoever wrote it; and which exception it is told of a call that did not end well."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.sandbox.limits import SUSPENSIONS, Limits, ScriptError, ScriptSyntaxError

Exceptions = Literal["PermissionError", "TimeoutError", "RuntimeError"]

LONGEST = 1_000
"""Characters of an error's own words."""


def told_as(error: CallFailed | Declined | Expired) -> tuple[Exceptions, str]:
    """The name of the exception in the script, and its words."""
    match error:
        case Declined():
            return "PermissionError", f"{error}{_fields(error.data)}"
        case Expired():
            return "TimeoutError", str(error)
        case CallFailed():
            return "RuntimeError", str(error)


def _fields(answer: Any) -> str:
    """What they filled in when they said no: most often, why."""
    if not isinstance(answer, dict) or not answer:
        return ""
    told = "; ".join(f"{name}: {value}" for name, value in answer.items())
    return f" ({_clipped(told)})"


def failure_of(
    error: MontyError, told: Mapping[tuple[str, str], Exception], limits: Limits, *, is_full: bool
) -> Exception:
    """What to raise for an error of the interpreter: what it was told of a call, if the script let just that out."""
    match error:
        case MontySyntaxError():
            return ScriptSyntaxError("syntax", _clipped(str(error)), _line(error))
        case MontyCrashedError():
            return ScriptError("crashed", f"the process of the script ended: {_clipped(str(error))}")
        case MontyRuntimeError():
            inner = error.exception()
            known = told.get((type(inner).__name__, str(inner)))
            return known or _used_up(inner, limits, is_full=is_full) or _own(error)
        case _:
            return ScriptError("error", _clipped(str(error)))


def _used_up(error: BaseException, limits: Limits, *, is_full: bool) -> ScriptError | None:
    """Which limit it ran into. None of these can be caught by the script."""
    text = str(error)
    if is_full:
        return ScriptError("output", f"it prints more than {limits.output:,} characters")
    if isinstance(error, TimeoutError) and "time limit exceeded" in text:
        return ScriptError("time", f"it computes for more than {limits.seconds:g} seconds")
    if isinstance(error, MemoryError):
        return ScriptError("memory", f"it needs more than {limits.memory // 1024 // 1024} MiB of memory")
    if isinstance(error, RuntimeError) and "suspension" in text:
        return ScriptError("calls", f"it turns to what is outside more than {SUSPENSIONS:,} times")
    return None


def _own(error: MontyRuntimeError) -> ScriptError:
    if isinstance(error.exception(), NotImplementedError) and "syntax parser" in str(error):
        return ScriptSyntaxError("syntax", _clipped(str(error.exception())), _line(error))
    return ScriptError("error", _clipped(error.display("type-msg")), _line(error))


def _line(error: Any) -> int | None:
    """The innermost line of the script itself."""
    lines = [frame.line for frame in error.traceback() if frame.filename != "<string>"]
    return lines[-1] if lines else None


def _clipped(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
