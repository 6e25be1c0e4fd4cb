"""Reads an action's signature: what it takes, what it returns, and what is wrong with how it says so."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from actions.kit.context import Context

FORM = "async def NAME(input: Input, ctx: Context) -> Output"
"""How every action is written."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The types of an action's input and output; `None` where they cannot be told, and then `mistakes` say why."""

    input_type: Any
    output_type: Any
    mistakes: tuple[str, ...] = ()


def read_signature(function: Callable[..., Any]) -> Signature:
    """The types that a function declares, and every mistake, each with its fix."""
    if not inspect.iscoroutinefunction(function):
        return Signature(None, None, (_not_async(function),))
    parameters = list(inspect.signature(function).parameters.values())
    if len(parameters) != 2 or any(not _is_plain(each) for each in parameters):  # noqa: PLR2004 - input and ctx
        return Signature(None, None, (f"it must take two arguments, the input and the context: {FORM}",))
    try:
        hints = get_type_hints(function, include_extras=True)
    except Exception as error:  # noqa: BLE001 - evaluating an annotation runs the author's code
        return Signature(None, None, (_not_resolved(error),))
    return _signature(hints, parameters[0].name, parameters[1].name)


def _signature(hints: dict[str, Any], first: str, second: str) -> Signature:
    if hints.get(first) is Context:
        return Signature(None, hints.get("return"), (f"the input comes first, then the context: {FORM}",))
    mistakes = [f"annotate {name!r} with a type: {FORM}" for name in (first, second) if name not in hints]
    if second in hints and hints[second] is not Context:
        mistakes.append(f"annotate {second!r} as Context (from actions import Context): {FORM}")
    if "return" not in hints:
        mistakes.append(f"annotate what it returns, `-> None` if nothing: {FORM}")
    return Signature(hints.get(first), hints.get("return"), tuple(mistakes))


def _is_plain(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)


def _not_async(function: Any) -> str:
    if inspect.isasyncgenfunction(function):
        return "it yields; an action returns its output and pauses by raising ActionInterrupt"
    return f"it must be an async function: {FORM}"


def _not_resolved(error: Exception) -> str:
    return (
        f"its annotations cannot be read ({type(error).__name__}: {error}); import the types at the top of the module, "
        f"not under TYPE_CHECKING and not inside a function"
    )
