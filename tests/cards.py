"""Sample records: the three worked actions' cards in every state, for whoever draws, stores or clicks them in a test."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from actions.kit.policies.policy import BreakGlass, ChannelMembers, Group, Person, Policy
from actions.kit.records.copies import Ending
from actions.kit.records.interrupts import (
    BrokenGlass,
    Card,
    Cause,
    Choice,
    Confirm,
    DecisionRecord,
    Decline,
    Expire,
    InterruptRecord,
    InterruptStatus,
    OnExpiry,
    Shape,
)
from actions.kit.records.runs import Failure, Origin, RunRecord, RunStatus

AT_NINE = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
ANN, BEA, CAI, DAN = "U0ANN", "U0BEA", "U0CAI", "U0DAN"

EMPTY_OBJECT: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
REASON: dict[str, Any] = {
    "title": "Reject",
    "type": "object",
    "properties": {
        "reason": {"title": "Reason", "type": "string", "minLength": 3, "description": "Shown to the requester"}
    },
    "required": ["reason"],
    "additionalProperties": False,
}
APPROVE = Choice(key="Approve", title="Approve", json_schema=EMPTY_OBJECT, has_form=False, value={}, style="primary")
REJECT = Choice(key="Reject", title="Reject", json_schema=REASON, has_form=True, style="danger", declines=True)
APPROVE_OR_REJECT = Shape(choices=(APPROVE, REJECT))
RESTART_OR_LEAVE = Shape(
    choices=(
        Choice(
            key="restart",
            title="Restart",
            json_schema={"const": "restart"},
            has_form=False,
            value="restart",
            style="danger",
            confirm=Confirm(title="Restart it now?", text="Requests in flight are lost.", confirm="Restart"),
        ),
        Choice(
            key="leave", title="Leave it", json_schema={"const": "leave"}, has_form=False, value="leave", declines=True
        ),
    )
)


def run_record(action_id: str, name: str, data: Any, **changes: Any) -> RunRecord:
    run = RunRecord(
        id=f"run_{action_id}",
        action_id=action_id,
        action_name=name,
        requester=ANN,
        origin=Origin(via="slack", channel="C0APPROVALS"),
        input=json.dumps(data),
        status=RunStatus.WAITING,
        epoch=2,
        claims=1,
        answered=False,
        created_at=AT_NINE,
    )
    return replace(run, **changes)


def interrupt_record(
    run: RunRecord,
    message: str,
    shown: Any,
    *,
    policy: Policy,
    shape: Shape = APPROVE_OR_REJECT,
    expires_in: timedelta | None = timedelta(hours=4),
    on_expiry: OnExpiry | None = None,
    **changes: Any,
) -> InterruptRecord:
    interrupt = InterruptRecord(
        id=f"int_{run.action_id}",
        run_id=run.id,
        number=1,
        call_path="",
        occurrence=1,
        message=message,
        data=json.dumps(shown),
        shown=json.dumps(shown),
        state=None,
        ui=None,
        resume="",
        shape=shape,
        fingerprint="f1",
        policy=policy,
        expires_in=expires_in,
        on_expiry=on_expiry or Expire(),
        status=InterruptStatus.PENDING,
        content_version=1,
        created_at=AT_NINE,
        posted_at=AT_NINE,
        expires_at=AT_NINE + expires_in if expires_in else None,
    )
    return replace(interrupt, **changes)


def send_message_card() -> Card:
    """A team decides in its channel."""
    draft = {
        "recipient": "customers@example.com",
        "subject": "Maintenance on Sunday",
        "body": "Dear customers,\n\non Sunday between 02:00 and 04:00 UTC the shop is closed for maintenance.\n\nYour team",
    }
    run = run_record("send_message", "Send message", draft)
    policy = Policy(deciders=(ChannelMembers(channel="C0APPROVALS"),))
    return Card(run, interrupt_record(run, "Approve sending this message?", draft, policy=policy))


def restart_service_card() -> Card:
    """The engineer on call decides in a direct message, within five minutes."""
    data = {"service": "checkout_api", "reason": "Memory at 97 % and rising", "started_by_alert": True}
    run = run_record("restart_service", "Restart service", data)
    policy = Policy(deciders=(Person(email="oncall@example.com"),))
    interrupt = interrupt_record(
        run,
        "Restart checkout_api?",
        data,
        policy=policy,
        shape=RESTART_OR_LEAVE,
        expires_in=timedelta(minutes=5),
        on_expiry=Decline(),
    )
    return Card(run, interrupt)


def spend_request_card() -> Card:
    """A manager signs off money."""
    data = {
        "vendor": "Northwind Traders",
        "amount": "1250.00",
        "currency": "EUR",
        "justification": "Two monitors for the new desks; the old ones go to the workshop.",
        "receipt_link": "https://receipts.example.com/4711",
        "needed_by": "2026-12-15",
        "recurring": False,
        "cost_center": None,
    }
    run = run_record("spend_request", "Spend request", data)
    policy = Policy(deciders=(Person(id=BEA, email="manager@example.com"),))
    interrupt = interrupt_record(
        run, "Sign off 1,250.00 EUR for Northwind Traders?", data, policy=policy, expires_in=timedelta(days=3)
    )
    return Card(run, interrupt)


CARDS: dict[str, Callable[[], Card]] = {
    "send_message": send_message_card,
    "restart_service": restart_service_card,
    "spend_request": spend_request_card,
}


def settle(card: Card, status: InterruptStatus, **changes: Any) -> Card:
    given = {"settled_at": AT_NINE + timedelta(minutes=3), "cause": Cause.HUMAN, **changes}
    return replace(card, interrupt=replace(card.interrupt, status=status, **given))


def with_run(card: Card, status: RunStatus, **changes: Any) -> Card:
    return replace(card, run=replace(card.run, status=status, **changes))


def decision(person: str, choice: str, value: Any = None, note: str | None = None) -> DecisionRecord:
    at = AT_NINE + timedelta(minutes=3)
    return DecisionRecord(person, choice, json.dumps(value), note, at, f"click:{person}")


def approved(card: Card) -> Card:
    """Answered with the first choice, the run queued again."""
    choice = card.interrupt.shape.choices[0]
    settled = settle(card, InterruptStatus.ANSWERED, settled_by=BEA, choice=choice.key, answer=json.dumps(choice.value))
    run = replace(card.run, status=RunStatus.QUEUED, epoch=3, answered=True)
    return replace(settled, run=run, decisions=(decision(BEA, choice.key, choice.value),))


def declined(card: Card, reason: str = "The wording is too harsh") -> Card:
    choice = next(choice for choice in card.interrupt.shape.choices if choice.declines)
    value = {"reason": reason} if choice.has_form else choice.value
    note = reason if choice.has_form else None
    changes = {"settled_by": BEA, "choice": choice.key, "answer": json.dumps(value)}
    settled = settle(card, InterruptStatus.DECLINED, **changes)
    ended = with_run(settled, RunStatus.DECLINED, ended_at=settled.interrupt.settled_at, ended_by=BEA)
    return replace(ended, decisions=(decision(BEA, choice.key, value, note),))


def broken(card: Card) -> Card:
    """Approved alone by somebody who broke the glass; the policy says who may, and who reviews it."""
    glass = BreakGlass(Person(CAI), review=Group("security"))
    policy = card.interrupt.policy.model_copy(update={"quorum": 2, "break_glass": glass})
    card = replace(card, interrupt=replace(card.interrupt, policy=policy))
    why = BrokenGlass(reason="Payments are down, and nobody of them answers", review="1kq8review", source="view:1")
    choice = card.interrupt.shape.choices[0].key
    settled = settle(
        card, InterruptStatus.ANSWERED, settled_by=CAI, cause=Cause.BREAK_GLASS, choice=choice, answer="{}", broken=why
    )
    return with_run(settled, RunStatus.SUCCEEDED, ended_at=AT_NINE + timedelta(minutes=4), output="true")


def expired(card: Card) -> Card:
    settled = settle(card, InterruptStatus.EXPIRED, cause=Cause.EXPIRED, settled_at=card.interrupt.expires_at)
    return with_run(settled, RunStatus.EXPIRED, ended_at=card.interrupt.expires_at)


def cancelled(card: Card) -> Card:
    settled = settle(card, InterruptStatus.CANCELLED, settled_by=ANN)
    return with_run(settled, RunStatus.CANCELLED, ended_by=ANN, ended_at=settled.interrupt.settled_at)


def superseded(card: Card) -> Card:
    return settle(card, InterruptStatus.SUPERSEDED, cause=Cause.POLICY)


def asked_again(card: Card) -> Card:
    because = "the action changed while it waited"
    return replace(card, interrupt=replace(card.interrupt, number=2, asked_again_because=because))


def voted(card: Card) -> Card:
    policy = card.interrupt.policy.model_copy(update={"quorum": 2})
    first = card.interrupt.shape.choices[0]
    interrupt = replace(card.interrupt, policy=policy)
    return replace(card, interrupt=interrupt, decisions=(decision(CAI, first.key, first.value),))


def unposted(card: Card) -> Card:
    return replace(card, interrupt=replace(card.interrupt, posted_at=None, expires_at=None))


def undeliverable(card: Card) -> Card:
    return replace(card, interrupt=replace(card.interrupt, undeliverable="not_in_channel"))


def ended_at(card: Card, status: RunStatus, **changes: Any) -> Card:
    return with_run(approved(card), status, ended_at=AT_NINE + timedelta(minutes=4), **changes)


FAILED = Failure(kind="ConnectionError", message="The mail server did not answer within 10 s", advice=None)
LOST = Failure(kind="lost", message="The process that ran it ended before it was done", advice=None)
UNKNOWN = Failure(kind="unknown_action", message="This version of the bot does not know the action", advice=None)

STATES: dict[str, Callable[[Card], Card]] = {
    "waiting": lambda card: card,
    "waiting_to_be_posted": unposted,
    "waiting_for_more_answers": voted,
    "waiting_undeliverable": undeliverable,
    "waiting_asked_again": asked_again,
    "queued": approved,
    "running": lambda card: with_run(approved(card), RunStatus.RUNNING),
    "waiting_for_a_further_answer": lambda card: with_run(approved(card), RunStatus.WAITING),
    "succeeded": lambda card: ended_at(card, RunStatus.SUCCEEDED, output='{"delivered": true}'),
    "succeeded_as_marked": lambda card: ended_at(card, RunStatus.SUCCEEDED, marked_by=DAN),
    "failed": lambda card: ended_at(card, RunStatus.FAILED, failure=FAILED),
    "stalled": lambda card: ended_at(card, RunStatus.STALLED, failure=LOST),
    "held": lambda card: with_run(approved(card), RunStatus.HELD, failure=UNKNOWN),
    "cancelled_after_the_answer": lambda card: ended_at(card, RunStatus.CANCELLED, ended_by=DAN),
    "declined": declined,
    "declined_by_the_deadline": lambda card: settle(
        with_run(card, RunStatus.DECLINED), InterruptStatus.DECLINED, cause=Cause.EXPIRED
    ),
    "expired": expired,
    "cancelled": cancelled,
    "superseded": superseded,
    "approved_by_breaking_the_glass": broken,
}


def ending_of(card: Card) -> Ending:
    """How the requester is told about the end that a card's run has come to."""
    run = card.run
    at = run.ended_at or AT_NINE
    return Ending(status=run.status, epoch=run.epoch, at=at, failure=run.failure, by=run.marked_by or run.ended_by)
