"""Actions of which the acceptance tests need behaviour that no worked action should have."""

from pydantic import BaseModel

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action

IN_APPROVALS = Policy(deciders=ChannelMembers("#approvals"))


class Nothing(BaseModel):
    """An input without fields."""


@action(
    id="break_after_answer", name="Break after answer", description="Fails once it was approved.", policy=IN_APPROVALS
)
async def break_after_answer(input: Nothing, ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Break it?")
    raise RuntimeError("the other side said no")
