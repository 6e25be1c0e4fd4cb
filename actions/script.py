"""Runs Python that nobody vouches for, with the registered actions as its only functions.

What to look at: a script is an action's inside. What it calls is called by the action that runs it (`ctx.call`), on behalf
of the requester and no more than they might start themselves. So it pauses with what it calls, and is replayed from the
run's log until it gets to where it was: `await` is where it waits for people, for days if need be.
"""

import json
from collections.abc import AsyncIterator, Collection, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from keyword import iskeyword
from typing import Any

from pydantic import BaseModel, JsonValue

from actions import Action, Context, Policy, Requester, action, resources
from actions.kit.running.places import line_name
from actions.kit.sandbox.limits import NOT_INSTALLED, Limits, ScriptError, is_installed
from actions.kit.sandbox.pool import Sandbox
from actions.kit.shapes.json_text import NotJson, to_json_text

_is_inside: ContextVar[bool] = ContextVar("signoff_is_inside_a_script", default=False)


class Ran(BaseModel):
    """What a script came to: the value of its last line, as JSON, and what it printed."""

    result: JsonValue
    printed: str


async def run_script(code: str, inputs: Mapping[str, Any], ctx: Context, *, limits: Limits | None = None) -> Ran:
    """Execute a script, with `inputs` as its variables. It stops where an action that it calls waits for people.

    `ctx` is that of the action that runs it. The actions that the requester may start are async functions in it:
    `await send_message(recipient="Ben", body="Hello")` returns JSON. An action runs one script; call `execute_code` for
    more.

    Raises:
        ScriptError: It fails, or uses more than `limits`; no other script, action or pause is touched by that.
        Declined, Expired, CallFailed: What a call ended with, where the script does not catch it.
    """
    if not is_installed():
        raise ScriptError("not_installed", NOT_INSTALLED)
    if _is_inside.get():
        raise ScriptError("nested", "a script does not run another one")
    from actions.kit.sandbox.driver import Script  # noqa: PLC0415 - it needs what the extra `sandbox` installs

    limits = limits or Limits()
    token = _is_inside.set(True)
    try:
        async with ctx.resource(Sandbox).opened(limits, f"{ctx.run_id}:{ctx.call_path}") as opened:
            script = Script(opened, code, _Caller(ctx), limits)
            result = await script.run(_variables(inputs, ctx.actions))
    finally:
        _is_inside.reset(token)
    return Ran(result=result, printed=script.printed.text)


@dataclass(frozen=True, slots=True)
class _Caller:
    """Calls for a script: each place is named by the line of the script in which it stands."""

    ctx: Context

    @property
    def functions(self) -> Collection[str]:
        return self.ctx.actions

    async def call(self, name: str, given: Any, line: int | None) -> Any:
        called = self.ctx.actions[name]
        returned = await self.ctx.call(called, given, name=line_name(line), for_requester=True)
        return json.loads(called.output_text(returned))

    async def now(self, line: int | None) -> datetime:
        return await self.ctx.call(_clock(), {}, name=line_name(line))  # type: ignore[no-any-return]


@cache
def _clock() -> Action:
    """What time it is differs from pass to pass, so a script is told what it was when it came there first."""

    class Nothing(BaseModel):
        """A look at the clock needs none."""

    async def clock(input: Nothing, ctx: Context) -> datetime:  # noqa: ARG001 - every action is given both
        return datetime.now(UTC)

    return action(
        id="clock",
        name="Clock",
        description="Looks at the clock.",
        policy=Policy(deciders=Requester()),
        resume=bool,
        idempotent=True,
    )(clock)


def _variables(inputs: Mapping[str, Any], functions: Collection[str]) -> dict[str, Any]:
    """The inputs, if they can be variables. Raises `ScriptError`."""
    for name in inputs:
        if not name.isidentifier() or iskeyword(name):
            raise ScriptError("value", f"the input {name!r} cannot be a variable: take letters, digits and _")
        if name in functions:
            raise ScriptError("value", f"the input {name!r} is called like an action; give it another name")
    try:
        to_json_text(inputs, what="inputs")
    except NotJson as error:
        raise ScriptError("value", str(error)) from None
    return dict(inputs)


@resources
async def open_sandbox() -> AsyncIterator[Sandbox | None]:
    """What scripts run in; nothing where the extra `sandbox` is not installed."""
    sandbox = Sandbox() if is_installed() else None
    try:
        yield sandbox
    finally:
        if sandbox is not None:
            sandbox.close()
