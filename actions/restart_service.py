"""Restart a service when the engineer on call agrees: the template for questions by direct message that are soon stale.

What to look at: whoever is on call decides and is asked by direct message (the rota is in `actions/people.yml`, and may
be a calendar), and is looked up anew at the click; the question expires after five minutes,
because an old one would restart a service that has long recovered. The answer is a plain `Literal`, one button for
each value (shown as "Restart" and "Leave it"); `declines` says which of them ends the run without executing the action
again. A service needs one restart however many people ask for it in the same words: `joins` makes them share one run.
Whoever works on an incident may ask for several in advance: `grants` says how many, and that one service may be meant.
"""

from datetime import timedelta
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field

from actions import ActionInterrupt, Context, Grants, OnCall, Policy, action
from actions.ledger import Ledger


class Service(StrEnum):
    """What can be restarted; the form offers exactly these."""

    CHECKOUT = "checkout"
    SEARCH = "search"
    MAILER = "mailer"


class RestartService(BaseModel):
    """What the form of `/signoff restart_service` asks for. The card shows it as it is."""

    service: Service
    reason: str = Field(min_length=3, max_length=500, description="What you see, and since when")


class Restarted(BaseModel):
    """The service was told to restart."""

    service: Service


@action(
    id="restart_service",
    name="Restart service",
    description="Restarts a service when the engineer on call agrees.",
    resume=Literal["restart", "leave_it"],
    declines={"leave_it"},
    policy=Policy(deciders=OnCall("services"), grants=Grants(lasts=timedelta(hours=8), times=10, fields=("service",))),
    expires_in=timedelta(minutes=5),
    time_limit=timedelta(minutes=2),
    joins=True,
)
async def restart_service(input: RestartService, ctx: Context) -> Restarted:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Restart {input.service}?")

    engineers = [decision.who for decision in ctx.resumption.decisions] or ctx.resumption.granted_by
    facts = {"service": input.service, "reason": input.reason, "approved_by": engineers[-1]}
    await ctx.resource(Ledger).record("restart", ctx.idempotency_key, facts)
    return Restarted(service=input.service)
