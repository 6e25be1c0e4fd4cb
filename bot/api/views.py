"""Records as they go over the wire. An action's `state` is in none of them."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from actions.kit.action import Action
from actions.kit.edits import field_edits
from actions.kit.policies.deciders import ChannelMembers, Decider, Group, ManagerOf, OnCall, Person, Policy, Requester
from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.policy import those
from actions.kit.policies.quorum import needed
from actions.kit.records.interrupts import Card, Choice, DecisionRecord
from actions.kit.records.runs import RunRecord
from blocks.deciding import policy_said
from blocks.said import in_plain
from bot.api.shapes import (
    ActionShown,
    BrokenGlassShown,
    ChoiceShown,
    DecisionShown,
    EditShown,
    FailureShown,
    GrantShown,
    InterruptShown,
    PendingShown,
    RemarkShown,
    RunFound,
    RunShown,
    RunStarted,
    RunSummary,
)


def run_summary(run: RunRecord) -> RunSummary:
    return RunSummary(**_run_fields(run))


def run_shown(run: RunRecord, cards: Iterable[Card]) -> RunShown:
    return RunShown(**_run_fields(run), interrupts=[interrupt_shown(card) for card in cards])


def run_started(run: RunRecord, cards: Iterable[Card], *, webhook_secret: str | None) -> RunStarted:
    return RunStarted(**dict(run_shown(run, cards)), webhook_secret=webhook_secret)


def run_found(run: RunRecord, cards: Iterable[Card], *, joined: bool, webhook_secret: str | None) -> RunFound:
    return RunFound(**dict(run_started(run, cards, webhook_secret=webhook_secret)), joined=joined)


def interrupt_shown(card: Card) -> InterruptShown:
    return InterruptShown(**_interrupt_fields(card))


def pending_shown(card: Card, *, may_answer: bool) -> PendingShown:
    return PendingShown(**_interrupt_fields(card), may_answer=may_answer)


def grant_shown(grant: GrantRecord, now: datetime) -> GrantShown:
    return GrantShown(
        id=grant.id,
        action=grant.terms.action_id,
        action_name=grant.terms.action_name,
        where=grant.terms.where,
        status=grant.status(now),
        holder=grant.holder,
        approved_by=list(grant.approved_by),
        times=grant.terms.times,
        used=grant.used,
        granted_at=grant.granted_at,
        until=grant.until,
        revoked_at=grant.revoked_at,
        revoked_by=grant.revoked_by,
    )


def action_shown(action: Action) -> ActionShown:
    return ActionShown(
        id=action.id,
        name=action.name,
        description=action.description,
        input_schema=action.input_schema,
        answers={name: [_choice(each) for each in action.resume(name).shape.choices] for name in action.resume_names},
        answers_from=action.answers_from,
        deciders=[_decider(each) for each in _every_decider(action.policy)],
        deciders_from=action.policy_from,
        quorum=action.policy.quorum,
        policy_words=None if action.policy_from else in_plain(policy_said(action.policy, None)),
        expires_in_seconds=None if action.expires_in is None else action.expires_in.total_seconds(),
    )


def _run_fields(run: RunRecord) -> dict[str, Any]:
    failure = run.failure
    return {
        "id": run.id,
        "action": run.action_id,
        "action_name": run.action_name,
        "status": run.status,
        "requester": run.requester,
        "joined_by": list(run.joined),
        "withdrawn_by": list(run.withdrawn),
        "via": run.origin.via,
        "input": json.loads(run.input),
        "edits": [EditShown(**asdict(each)) for each in field_edits(run.edits, run.input)],
        "remarks": [RemarkShown(**each.model_dump(exclude={"source", "question"})) for each in run.remarks],
        "output": _parsed(run.output),
        "failure": failure
        and FailureShown(kind=failure.kind, message=failure.message, advice=failure.advice, call=failure.call),
        "created_at": run.created_at,
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "ended_by": run.ended_by,
        "marked_by": run.marked_by,
        "cancel_requested_by": run.cancel_requested_by,
    }


def _interrupt_fields(card: Card) -> dict[str, Any]:
    interrupt = card.interrupt
    return {
        "id": interrupt.id,
        "run": interrupt.run_id,
        "action": card.run.action_id,
        "asked_by": card.asker_id,
        "call_path": interrupt.call_path,
        "position": interrupt.position,
        "total": interrupt.total,
        "message": interrupt.message,
        "ui": interrupt.ui,
        "data": json.loads(interrupt.shown),
        "choices": [_choice(each) for each in interrupt.shape.choices],
        "deciders": [_decider(each) for each in those(interrupt.policy.deciders)],
        "quorum": needed(interrupt.policy),
        "stage": interrupt.policy.stage or 1,
        "stages": len(interrupt.policy.stages) or 1,
        "policy_words": in_plain(policy_said(interrupt.policy, card.run.requester)),
        "status": interrupt.status,
        "content_version": interrupt.content_version,
        "created_at": interrupt.created_at,
        "posted_at": interrupt.posted_at,
        "expires_at": interrupt.expires_at,
        "clock_paused_at": interrupt.paused_at,
        "undeliverable": interrupt.undeliverable,
        "settled_at": interrupt.settled_at,
        "settled_by": interrupt.settled_by,
        "cause": interrupt.cause,
        "grant": interrupt.granted.grant_id if interrupt.granted else None,
        "broken_glass": interrupt.broken
        and BrokenGlassShown(by=interrupt.settled_by, reason=interrupt.broken.reason, review=interrupt.broken.review),
        "choice": interrupt.choice,
        "answer": _parsed(interrupt.answer),
        "decisions": [_decision(each) for each in card.decisions],
    }


def _choice(choice: Choice) -> ChoiceShown:
    return ChoiceShown(
        key=choice.key,
        title=choice.title,
        description=choice.description,
        json_schema=choice.json_schema,
        has_form=choice.has_form,
        value=choice.value,
        declines=choice.declines,
    )


def _decision(decision: DecisionRecord) -> DecisionShown:
    return DecisionShown(
        person=decision.person,
        standing_for=decision.standing_for,
        choice=decision.choice,
        value=json.loads(decision.value),
        note=decision.note,
        at=decision.at,
    )


def _decider(decider: Decider) -> str:
    match decider:
        case Person():
            return decider.id or decider.email or ""
        case Requester():
            return "requester"
        case ChannelMembers():
            return decider.channel
        case Group():
            return f"@{decider.group}"
        case OnCall():
            return f"on call: {decider.rota}"
        case ManagerOf():
            return f"manager of {_decider(decider.of)}" + (f", level {decider.level}" if decider.level > 1 else "")


def _every_decider(policy: Policy) -> tuple[Decider, ...]:
    """Those of every stage, each once."""
    terms = policy.stages or (policy,)
    return those(each for one in terms for each in one.deciders)


def _parsed(text: str | None) -> Any:
    return None if text is None else json.loads(text)
