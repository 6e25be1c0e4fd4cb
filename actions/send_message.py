"""Send a message once a team has agreed: the template for approvals in a channel.

What to look at: the draft is built once, shown as `data` and kept as `state`, so that what was approved is what is
sent, even if drafting again would give another text. Nothing irreversible happens before the pause. The answer needs
no code: the default is `Approve | Reject`, and a rejection ends the run without executing the action again.
"""

from datetime import timedelta

from pydantic import BaseModel, Field

from actions import ActionInterrupt, ChannelMembers, Context, Policy, action
from actions.ledger import Ledger


class SendMessage(BaseModel):
    """What the form of `/signoff send_message` asks for."""

    recipient: str = Field(min_length=1, max_length=80, description="Who gets it: a name or an address")
    body: str = Field(min_length=1, max_length=2000, title="Message", description="What it says")


class Draft(BaseModel):
    """What is approved, and then sent exactly so."""

    recipient: str
    text: str


class Sent(BaseModel):
    """The message went out to them."""

    recipient: str


@action(
    id="send_message",
    name="Send message",
    description="Sends a message to a recipient, pending approval.",
    # Anyone in the channel may approve, except whoever asked. The card is shown in that channel, and whoever reads the
    # draft with care can say so first, and ask about it.
    policy=Policy(deciders=ChannelMembers("#approvals"), claim_for=timedelta(minutes=30), may_ask=True),
    expires_in=timedelta(hours=4),
)
async def send_message(input: SendMessage, ctx: Context) -> Sent:
    if ctx.resumption is None:
        draft = build_draft(input)
        raise ActionInterrupt("Approve sending this message?", data=draft, state=draft)

    draft = ctx.resumption.state_as(Draft)
    await ctx.resource(Ledger).record("message", ctx.idempotency_key, draft.model_dump())
    ctx.report(f"Sent to {draft.recipient}.")
    return Sent(recipient=draft.recipient)


def build_draft(asked: SendMessage) -> Draft:
    """Stands for the slow part: a model that writes, a template, a translation."""
    return Draft(recipient=asked.recipient.strip(), text=asked.body.strip())
