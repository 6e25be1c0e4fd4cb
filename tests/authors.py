"""Actions for tests: declared in one line, executed once."""

from collections.abc import Callable, Iterable
from typing import Any

from pydantic import BaseModel

from actions import Action, ChannelMembers, Context, Policy, action
from actions.kit.edits import field_edits
from actions.kit.records.outcomes import Outcome
from actions.kit.records.runs import Edit
from actions.kit.running.calls import Answered
from actions.kit.running.execution import execute

IN_THE_CHANNEL = Policy(deciders=ChannelMembers("#approvals"))
RUN = "R1"
REQUESTER = "U0RITA"


class Nothing(BaseModel):
    """An input without fields."""


def declare(function: Callable[..., Any], **options: Any) -> Action:
    """An action with everything that a declaration must have and that the test does not care about."""
    settings: dict[str, Any] = {
        "id": "tried",
        "name": "Tried",
        "description": "Tried out.",
        "policy": IN_THE_CHANNEL,
    } | options
    return action(**settings)(function)


def executing(body: Callable[[Context], Any], **options: Any) -> Action:
    """An action whose body is an async function of its context."""

    async def tried(input: Nothing, ctx: Context) -> Any:
        return await body(ctx)

    return declare(tried, **options)


async def execute_once(
    action: Action,
    *,
    answered: Iterable[Answered] = (),
    report: Callable[[str], None] = lambda _: None,
    resources: Iterable[object] = (),
    input_text: str = "{}",
    run_id: str = RUN,
    edits: Iterable[Edit] = (),
) -> Outcome:
    context = Context.build(
        run_id=run_id,
        requester=REQUESTER,
        resume=action.resume,
        answered=answered,
        report=report,
        resources=resources,
        edits=field_edits(edits, input_text),
    )
    return await execute(action, input_text, context)
