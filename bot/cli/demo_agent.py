"""The agent of the demo: refunds orders, with a model that is a function, so that it works without a provider.

What to look at: no name of this module is the action `pay_back`, so it is not registered, and nobody can start it. It is a
tool of this agent alone, and each call of it is approved by a person first.
"""

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field

from actions import Action, ChannelMembers, Context, Policy, action
from actions.kit.agents.declared import agent_action
from actions.ledger import Ledger
from actions.refund_orders import OrderNumber, order_total

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

ORDER = re.compile(r"\b[A-Z]{1,3}-\d{1,8}\b")
MOST = 5
ASK_FOR = "Which orders? Write their numbers, such as A-1041, and what is wrong with them."


class PayBack(BaseModel):
    """What is approved, and then paid back exactly so."""

    order: OrderNumber
    amount: Annotated[Decimal, Field(gt=0, max_digits=9, decimal_places=2, json_schema_extra={"unit": "EUR"})]
    reason: str = Field(min_length=3, max_length=300)


def pay_back() -> Action:
    """The tool."""

    @action(
        id="pay_back",
        name="Pay back",
        description="Pays back money for an order.",
        policy=Policy(deciders=ChannelMembers("#approvals")),
    )
    async def pay(asked: PayBack, ctx: Context) -> str:
        await ctx.resource(Ledger).record("refund", ctx.idempotency_key, asked.model_dump(mode="json"))
        return f"Paid back {asked.amount} EUR."

    return pay


def scripted() -> "FunctionModel":
    """The model: looks up what the orders cost, wants to pay that back, and says what came of it."""
    from pydantic_ai.models.function import FunctionModel

    return FunctionModel(_next, model_name="scripted")


support = agent_action(
    id="support",
    name="Support agent",
    description="Refunds orders; each refund is approved by a person.",
    instructions="You refund orders that went wrong. Look up what an order cost, and pay back no more than that.",
    tools=[order_total, pay_back()],
    needs_approval=["pay_back"],
    model=scripted,
)


def _next(messages: "list[ModelMessage]", _: "AgentInfo") -> "ModelResponse":
    """The next turn, from nothing but what was said before."""
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart

    prompt = str(getattr(messages[0].parts[0], "content", ""))
    orders = list(dict.fromkeys(ORDER.findall(prompt)))[:MOST]
    results = [part for part in messages[-1].parts if isinstance(part, ToolReturnPart)]
    if not orders:
        return ModelResponse(parts=[TextPart(ASK_FOR)])
    if not results:
        return ModelResponse(parts=[ToolCallPart("order_total", {"order": order}) for order in orders])
    if results[0].tool_name == "order_total":
        wanted = [_refund(order, each, prompt) for order, each in zip(orders, results, strict=True)]
        return ModelResponse(parts=[ToolCallPart("pay_back", each) for each in wanted])
    return ModelResponse(parts=[TextPart(_summary(orders, results))])


def _refund(order: str, total: "ToolReturnPart", prompt: str) -> dict[str, Any]:
    return {"order": order, "amount": str(total.content), "reason": prompt[:300]}


def _summary(orders: Sequence[str], results: "Sequence[ToolReturnPart]") -> str:
    return "\n".join(f"{order}: {_outcome(each.content)}" for order, each in zip(orders, results, strict=True))


def _outcome(content: Any) -> str:
    return f"{content['result']} (changed by whoever approved it)" if isinstance(content, dict) else str(content)
