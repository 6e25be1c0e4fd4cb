"""Actions that show each kind of data, and some of it at length."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action
from tests.kinds import change, letter, order, plain

QUESTIONS: dict[str, tuple[str, Callable[[], Any]]] = {
    "order": ("Order two desks?", order),
    "change": ("Roll this change out to checkout_api?", change),
    "letter": ("Send this letter to all customers?", lambda: {"draft": letter()}),
    "plain": ("Go on without a model?", plain),
}


class Kind(BaseModel):
    """Which of them, or how many lines of a contract."""

    kind: str = "contract"
    lines: int = 0


@action(
    id="show_kind",
    name="Show a kind",
    description="Shows one kind of data.",
    policy=Policy(deciders=ChannelMembers("#approvals")),
)
async def show_kind(input: Kind, ctx: Context) -> None:
    if ctx.resumption is not None:
        raise ConnectionError("The warehouse did not answer within 10 s")
    if input.kind in QUESTIONS:
        question, data = QUESTIONS[input.kind]
        raise ActionInterrupt(question, data=data())
    contract = "\n".join(f"Clause {number}. Nobody may miss this." for number in range(input.lines))
    raise ActionInterrupt("Sign the contract?", data={"contract": contract})
