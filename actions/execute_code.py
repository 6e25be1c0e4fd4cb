"""Runs a script that somebody wrote: the template for an action whose inside is not known when it is written.

What to look at: there is nothing to approve here. What a script may do is decided at the actions that it calls, by their
policies, one call at a time. It has no effect of its own, so it is `idempotent`. Without the extra `sandbox` there is no
such action.
"""

from pydantic import BaseModel, Field, JsonValue

from actions import Action, ChannelMembers, Context, Policy, action
from actions.kit.sandbox.limits import LONGEST_SCRIPT, is_installed
from actions.script import Ran, run_script


class ExecuteCode(BaseModel):
    """A script, and what it starts with."""

    code: str = Field(
        min_length=1,
        max_length=LONGEST_SCRIPT,
        title="Script",
        description="Python. The actions are its functions: await send_message(recipient=…, body=…). Its last value is returned",
        json_schema_extra={"format": "multiline"},
    )
    inputs: dict[str, JsonValue] = Field(default={}, description="Its variables, as a JSON object")


async def _execute_code(input: ExecuteCode, ctx: Context) -> Ran:
    return await run_script(input.code, input.inputs, ctx)


execute_code: Action | None = None
if is_installed():
    execute_code = action(
        id="execute_code",
        name="Execute code",
        description="Runs a script in a sandbox, with the actions that you may start as its only functions.",
        policy=Policy(deciders=ChannelMembers("#approvals")),
        idempotent=True,
    )(_execute_code)
