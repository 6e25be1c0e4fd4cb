"""Takes a script from one step to the next, and answers what it turns to us for.

What it calls is answered together, when it waits for something and everything that it called has ended. So the order in
which answers come is the same on every pass, whoever was faster, and the script does the same again.
"""

import asyncio
import difflib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Protocol, TypeVar

from pydantic_monty import (
    ExternalException,
    ExternalExceptionData,
    ExternalFuture,
    ExternalReturnValue,
    FunctionSnapshot,
    FutureSnapshot,
    MontyComplete,
    MontyError,
    NameLookupSnapshot,
    SyncSnapshot,
)

from actions.kit.running.endings import CallFailed, Declined, Expired
from actions.kit.sandbox.failures import failure_of, told_as
from actions.kit.sandbox.limits import Limits, ScriptError
from actions.kit.sandbox.pool import Opened
from actions.kit.sandbox.values import as_json, input_given
from actions.kit.shapes.json_text import NotJson, storable

NAMES = "Declined = PermissionError\nExpired = TimeoutError\nCallFailed = RuntimeError\n"
"""What a script calls the exceptions that calls end with. Its interpreter has no classes of exceptions but Python's own."""
CLOCKS = ("datetime.now", "date.today", "time.time")
MODULES = "import"
"""Of what a script wants of its surroundings: another module than those that the interpreter brings."""
WITH_HANDING_OVER = 6
"""How many times its seconds of computing a script may take with what it hands over, which the interpreter does not count."""
REFUSED = "a script has no files, no environment and does not sleep: {} is refused"

T = TypeVar("T")
Answer = ExternalReturnValue | ExternalException | ExternalExceptionData


class Host(Protocol):
    """Whoever runs a script: what it can call."""

    @property
    def functions(self) -> Collection[str]: ...

    async def call(self, name: str, given: Any, line: int | None, /) -> Any:
        """What the called action returned, as JSON. Raises `CallFailed`, `Declined` and `Expired`."""

    async def now(self, line: int | None, /) -> datetime:
        """What time it was when the script came here first."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call that the script has made, and waits for sooner or later."""

    name: str
    given: Any
    line: int | None


class Printed:
    """What the script prints, up to a limit."""

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        return storable("".join(self._parts))

    @property
    def is_full(self) -> bool:
        return self._left < 0

    def __call__(self, _stream: str, text: str) -> None:
        self._left -= len(text)
        if self._left < 0:
            raise ValueError("no more is printed")
        self._parts.append(text)


class Script:
    """One execution of one script, from its first line to its end."""

    def __init__(self, opened: Opened, code: str, host: Host, limits: Limits) -> None:
        self.printed = Printed(limits.output)
        self._opened = opened
        self._code = code.encode()
        self._host = host
        self._limits = limits
        self._calls = 0
        self._called: dict[int, Called] = {}
        self._told: dict[tuple[str, str], Exception] = {}

    async def run(self, inputs: dict[str, Any]) -> Any:
        """Its last value, as JSON.

        Raises:
            ScriptError: It failed, or used more than it may.
            Declined, Expired, CallFailed: What a call ended with, where the script lets it out.
        """
        session, code = self._opened.session, self._code.decode()
        try:
            await self._step(lambda: session.feed_run(NAMES))
            step: SyncSnapshot = await self._step(
                lambda: session.feed_start(code, inputs=inputs, print_callback=self.printed)
            )
            while not isinstance(step, MontyComplete):
                step = await self._step(await self._next(step))
        except MontyError as error:
            raise failure_of(error, self._told, self._limits, is_full=self.printed.is_full) from None
        if self._called:
            first = next(iter(self._called.values()))
            raise ScriptError("value", f"{first.name} is called without `await`, so it was not executed", first.line)
        try:
            return await self._step(lambda: as_json(step.output, "the result of the script"))
        except NotJson as error:
            raise ScriptError("value", str(error)) from None

    async def _step(self, work: Callable[[], T]) -> T:
        """One step in the script's thread; all of them may take so long together, whatever it is that takes long."""
        most = self._limits.seconds * WITH_HANDING_OVER
        done = await self._opened.step(work)
        if self._opened.spent > most:
            raise ScriptError("time", f"it takes more than {most:g} seconds with what it hands over")
        return done

    async def _next(self, step: FunctionSnapshot | NameLookupSnapshot | FutureSnapshot) -> Callable[[], SyncSnapshot]:
        match step:
            case FunctionSnapshot(is_os_function=True):
                return await self._wanted(step)
            case FunctionSnapshot():
                answer = await self._call(step)
                return lambda: step.resume(answer)
            case NameLookupSnapshot():
                if step.variable_name not in self._host.functions:
                    return step.resume
                function = _named(step.variable_name)
                return lambda: step.resume(value=function)
            case FutureSnapshot():
                answers = await self._ended()
                return lambda: step.resume(answers)

    async def _call(self, step: FunctionSnapshot) -> ExternalFuture | ExternalExceptionData:
        """A promise of what the call returns, or what is wrong with it. Raises `ScriptError` for one too many."""
        name, line = str(step.function_name), self._line(step)
        if name not in self._host.functions:
            return {"exc_type": "NameError", "message": _unknown(name, self._host.functions)}
        self._count(line)
        try:
            given = await self._step(lambda: input_given(name, step.args, step.kwargs))
        except TypeError as error:
            return {"exc_type": "TypeError", "message": str(error)}
        self._called[step.call_id] = Called(name, given, line)
        return {"future": ...}

    async def _ended(self) -> dict[int, Answer]:
        """Everything that the script has called so far and was not told of, once all of it has ended."""
        ids, calls = list(self._called), list(self._called.values())
        answers = await asyncio.gather(*(self._answer(each) for each in calls))
        self._called.clear()
        return dict(zip(ids, answers, strict=True))

    async def _answer(self, called: Called) -> Answer:
        try:
            return {"return_value": await self._host.call(called.name, called.given, called.line)}
        except (CallFailed, Declined, Expired) as error:
            told = told_as(error)
            self._told[told] = error
            return {"exc_type": told[0], "message": told[1]}

    async def _wanted(self, step: FunctionSnapshot) -> Callable[[], SyncSnapshot]:
        """What a script wants of its surroundings: it gets the time, and nothing else."""
        name, line = str(step.function_name), self._line(step)
        if name in CLOCKS:
            self._count(line)
            moment = _as_asked(name, await self._host.now(line), step.args)
            return lambda: step.resume({"return_value": moment})
        if name == MODULES:
            return step.resume_not_handled
        return lambda: step.resume({"exc_type": "OSError", "message": REFUSED.format(name)})

    def _count(self, line: int | None) -> None:
        self._calls += 1
        if self._calls > self._limits.calls:
            raise ScriptError("calls", f"a script makes at most {self._limits.calls:,} calls; this was one more", line)

    def _line(self, step: FunctionSnapshot) -> int | None:
        """None within a text that the script has executed."""
        at = step.position
        return None if at.filename == "<string>" else self._code[: at.start].count(b"\n") + 1


def _unknown(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"name {name!r} is not defined{f'; did you mean {close[0]!r}?' if close else ''}"


def _named(name: str) -> Callable[..., None]:
    """Stands for an action while it is a value. It is never called here: only its name is."""

    def action() -> None: ...

    action.__name__ = action.__qualname__ = name
    return action


def _as_asked(clock: str, moment: datetime, given: tuple[Any, ...]) -> Any:
    utc = moment.astimezone(UTC)
    if clock == "time.time":
        return utc.timestamp()
    if clock == "date.today":
        return utc.date()
    zone = given[0] if given and isinstance(given[0], tzinfo) else None
    return utc.astimezone(zone) if zone else utc.replace(tzinfo=None)
