"""How a question is put to the people of a stage: new deciders, places and deadline in one step, or that nobody is reached."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, update

from actions.kit.policies.hours import later
from actions.kit.policies.policy import Policy
from actions.kit.policies.stages import expires_in_of
from actions.kit.records.interrupts import Card, InterruptRecord
from storage import queries, rows
from storage.errors import BrokenRuleError
from storage.queries import PENDING
from storage.results import Following
from storage.tables import interrupts
from storage.transaction import Transaction
from storage.transitions import views
from storage.transitions.audit import note
from storage.transitions.copies import flag_undeliverable
from storage.transitions.pacing import forget, plan

ENTER = update(interrupts).where(interrupts.c.id == bindparam("b_id"), PENDING)


def asked(
    transaction: Transaction,
    /,
    ask: Callable[..., InterruptRecord | None],
    *of: Any,
    hindrance: str | None,
    now: datetime,
    **values: Any,
) -> InterruptRecord | None:
    """A question as `ask` opens it; where nobody is reached by it, that is told in the same step."""
    interrupt = ask(transaction, *of, now=now, **values)
    card = None if interrupt is None or hindrance is None else queries.card(transaction.connection, interrupt.id)
    if card is None or hindrance is None or card.interrupt.settled_at or card.interrupt.undeliverable is not None:
        return interrupt
    flag_undeliverable(transaction, card, hindrance, now)
    return replace(interrupt, undeliverable=hindrance) if interrupt else None


def enter(
    transaction: Transaction, card: Card, policy: Policy, following: Mapping[int, Following], now: datetime, *, via: str
) -> Card:
    """Asks the stage at which the policy stands. Whoever saw the card before must look at it anew.

    Its clock starts with the first new card, or now where none is wanted. Where nobody can be reached, that is told.
    """
    interrupt = card.interrupt
    ahead = following.get(policy.stage, Following())
    policy = policy.model_copy(update={"gone": ahead.gone})
    fresh = views.not_standing(transaction, interrupt.id, ahead.copies)
    expires_in = expires_in_of(policy, interrupt.expires_in)
    starts = None if fresh else now
    fields: dict[str, Any] = {
        "expires_in": expires_in,
        "posted_at": starts,
        "expires_at": later(now, expires_in, policy.hours) if starts and expires_in else None,
        "paused_at": None,
        "undeliverable": None,
        "content_version": interrupt.content_version + 1,
        "warned_at": None,
        "extended": 0,
        "claimed_by": None,
        "claimed_until": None,
    }
    stage = replace(interrupt, policy=policy, **fields)
    values = {**fields, "policy": policy.model_dump_json(), "expires_in": rows.interrupt_values(stage)["expires_in"]}
    if transaction.connection.execute(ENTER, {"b_id": interrupt.id, **values}).rowcount != 1:
        raise BrokenRuleError("a stage is entered while its question is pending", card.run.id)
    forget(transaction, interrupt)
    if starts:
        plan(transaction, stage, now, stage.expires_at)
    views.drop_notices(transaction, interrupt.id)
    views.drop_calls(transaction, interrupt.id)
    views.want_line(transaction, card.run.id, _line(policy), now)
    views.touch(transaction, card.run.id, now)
    views.want(transaction, card.run.id, interrupt.id, fresh, now)
    note(transaction, card.run.id, "stage entered", at=now, via=via, interrupt_id=interrupt.id, stage=policy.stage)
    entered_card = replace(card, interrupt=stage)
    if ahead.hindrance is not None:
        flag_undeliverable(transaction, entered_card, ahead.hindrance, now)
    return entered_card


def _line(policy: Policy) -> str:
    return f"Stage {policy.stage - 1} of {len(policy.stages)} is agreed; stage {policy.stage} is asked now."
