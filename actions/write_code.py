"""Shows people code before it runs: run it, edit it and run that, or do not. Then it is run, where this bot can.

What to look at: `write_code` only asks, and returns the answer, for whoever goes on with it: a model, a script, a program.
`run_code` goes on itself. It asks once more where the code cannot be read, since nothing of it was executed then.
"""

from typing import Literal

from pydantic import BaseModel, Field, JsonValue

from actions import CallFailed, Context, Policy, Requester, action
from actions.execute_code import ExecuteCode
from actions.kit.cards.write_code import Cancel, EditAndRun, ProposedCode, Run
from actions.kit.sandbox.limits import LONGEST_SCRIPT, ScriptSyntaxError
from actions.script import Ran

EXECUTE = "execute_code"
INSTEAD = (
    "This bot cannot run code: it is installed without the extra `sandbox`. Run and Edit and run hand the code back, "
    "as you leave it, so that you can run it yourself."
)


class WriteCode(BaseModel):
    """Code that is proposed, and why."""

    code: str = Field(
        min_length=1,
        max_length=LONGEST_SCRIPT,
        description="Python, whole",
        json_schema_extra={"format": "multiline"},
    )
    note: str = Field(default="", max_length=500, description="What those who are asked should know of it")


class Shown(ProposedCode):
    """The code, and what there is to say about it."""

    note: str | None = None
    instead: str | None = Field(default=None, title="Not run here")


class RunCode(ExecuteCode):
    """Code that is shown to you first, and then run."""


class CodeRan(BaseModel):
    """What became of it: the code as it was run, and what it came to."""

    status: Literal["ran", "cancelled", "not_run"]
    code: str | None = None
    result: JsonValue = None
    printed: str = ""


@action(
    id="write_code",
    name="Write code",
    description="Shows you code, and returns it as you want it to be run.",
    policy=Policy(deciders=Requester()),
    ui="write_code",
    idempotent=True,
)
async def write_code(input: WriteCode, ctx: Context) -> Run | EditAndRun | Cancel:
    shown = Shown(code=input.code, note=input.note or None, instead=None if EXECUTE in ctx.actions else INSTEAD)
    answer: Run | EditAndRun | Cancel = await ctx.ask("Run this code?", shown.model_dump(exclude_none=True))
    return answer


@action(
    id="run_code",
    name="Run code",
    description="Shows you code, which you run as it stands, edit first, or cancel.",
    policy=Policy(deciders=Requester()),
    ui="write_code",
    idempotent=True,
)
async def run_code(input: RunCode, ctx: Context) -> CodeRan:
    asked = WriteCode(code=input.code)
    while True:
        answer = await ctx.call(write_code, asked)
        if isinstance(answer, Cancel):
            return CodeRan(status="cancelled")
        if EXECUTE not in ctx.actions:
            return CodeRan(status="not_run", code=answer.code)
        try:
            ran: Ran = await ctx.call(EXECUTE, {"code": answer.code, "inputs": input.inputs}, for_requester=True)
        except CallFailed as failed:
            if failed.failure.kind != ScriptSyntaxError.__name__:
                raise
            asked = WriteCode(code=answer.code, note=f"It cannot be read: {failed.failure.message}"[:500])
            continue
        return CodeRan(status="ran", code=answer.code, result=ran.result, printed=ran.printed)
