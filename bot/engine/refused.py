"""What is noted of an answer that did not count, so that whoever wonders finds out why: its shape, never what it said."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from actions.kit.shapes.answers import MISSING
from blocks.expected import name_of, shape_of
from bot.engine.orders import Via
from bot.engine.results import FieldErrors, OpenForm, Refusal, Shown, Why
from storage.results import RefusedAnswer

INVALID, MALFORMED = "invalid", "malformed"
NOTED = frozenset({Why.NOT_ALLOWED, Why.NO_SUCH_CHOICE, Why.OUTDATED, Why.HELD, Why.NOT_VERIFIED, Why.NOT_CHECKED})
"""What may keep an open question waiting. Who was too late, or answers twice, reads in the trail who was first."""
MOST = 5
"""Places of a value that are told."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Who tried to answer what, and how; `value` is `MISSING` where none was given or it came from a form."""

    interrupt_id: str
    person: str
    via: Via
    choice: str = ""
    value: Any = MISSING


def refused_answer(end: object, tried: Tried) -> RefusedAnswer | None:
    """What to note; `None` where the answer counted, or there is nothing to learn from it."""
    match end:
        case FieldErrors(problems=[_, *_] as problems) | OpenForm(shown=Shown(problems=[_, *_] as problems)):
            return _refused(tried, INVALID, (_pointer(problem.path) for problem in problems))
        case Refusal(why=why) if why in NOTED:
            return _refused(tried, why, ())
    return None


def not_an_answer(tried: Tried, pointers: Iterable[str]) -> RefusedAnswer:
    """What to note of a request whose envelope does not fit at these JSON pointers."""
    return _refused(tried, MALFORMED, map(_told, pointers))


def _told(pointer: str) -> str:
    """With as much of each key as may be told: those of the envelope are a stranger's too."""
    return "/".join(name_of(key) if key else key for key in pointer.split("/"))


def _refused(tried: Tried, why: str, places: Iterable[str]) -> RefusedAnswer:
    shape = None if tried.value is MISSING else shape_of(tried.value)
    choice = name_of(tried.choice) if tried.choice else None
    return RefusedAnswer(tried.interrupt_id, tried.person, tried.via, why, choice, shape, tuple(places)[:MOST])


def _pointer(path: Iterable[str | int]) -> str:
    """A JSON pointer, with as much of each key as may be told."""
    return "".join(f"/{each if isinstance(each, int) else name_of(each)}" for each in path)
