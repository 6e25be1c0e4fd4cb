"""Records as JSON for scripts, and a few in words. An action's `state` is in none of them."""

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from actions.kit.edits import field_edits
from actions.kit.records.audit import AuditRecord
from actions.kit.records.copies import CopyRecord
from actions.kit.records.interrupts import Card, DecisionRecord
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallRecord

AMISS = {
    RunStatus.FAILED: "failed",
    RunStatus.DECLINED: "was declined",
    RunStatus.EXPIRED: "expired",
    RunStatus.CANCELLED: "was cancelled",
    RunStatus.STALLED: "stalled",
    RunStatus.HELD: "is held",
}
"""Where a run does not end well, or goes on no more by itself."""


def run_facts(run: RunRecord) -> dict[str, Any]:
    return {
        "id": run.id,
        "action": run.action_id,
        "action_name": run.action_name,
        "status": run.status,
        "requester": run.requester,
        "joined": list(run.joined),
        "origin": run.origin.model_dump(exclude_none=True),
        "input": json.loads(run.input),
        "edits": [asdict(each) | {"at": _iso(each.at)} for each in field_edits(run.edits, run.input)],
        "remarks": [each.model_dump(mode="json", exclude={"source"}) for each in run.remarks],
        "output": _parsed(run.output),
        "failure": run.failure.model_dump(exclude_none=True) if run.failure else None,
        "created_at": _iso(run.created_at),
        "started_at": _iso(run.started_at),
        "ended_at": _iso(run.ended_at),
        "ended_by": run.ended_by,
        "marked_by": run.marked_by,
        "cancel_requested_by": run.cancel_requested_by,
        "epoch": run.epoch,
    }


def card_facts(card: Card) -> dict[str, Any]:
    interrupt = card.interrupt
    return {
        "id": interrupt.id,
        "call_path": interrupt.call_path,
        "asked_by": card.asker_id,
        "position": interrupt.position,
        "total": interrupt.total,
        "message": interrupt.message,
        "shown": json.loads(interrupt.shown),
        "choices": [choice.key for choice in interrupt.shape.choices],
        "policy": interrupt.policy.model_dump(mode="json", exclude_none=True),
        "status": interrupt.status,
        "created_at": _iso(interrupt.created_at),
        "posted_at": _iso(interrupt.posted_at),
        "expires_at": _iso(interrupt.expires_at),
        "clock_paused_at": _iso(interrupt.paused_at),
        "undeliverable": interrupt.undeliverable,
        "settled_at": _iso(interrupt.settled_at),
        "settled_by": interrupt.settled_by,
        "cause": interrupt.cause,
        "grant": interrupt.granted.grant_id if interrupt.granted else None,
        "broken_glass": interrupt.broken
        and {"by": interrupt.settled_by, "reason": interrupt.broken.reason, "review": interrupt.broken.review},
        "choice": interrupt.choice,
        "answer": _parsed(interrupt.answer),
        "decisions": [_decision_facts(decision) for decision in card.decisions],
    }


def call_facts(call: CallRecord) -> dict[str, Any]:
    return {
        "path": call.path,
        "action": call.action_id,
        "action_name": call.action_name,
        "status": call.status,
        "executions": call.executions,
        "input": json.loads(call.input),
        "output": _parsed(call.output),
        "failure": call.failure.model_dump(exclude_none=True) if call.failure else None,
        "began_at": _iso(call.began_at),
        "ended_at": _iso(call.ended_at),
        "marked_by": call.marked_by,
    }


def copy_facts(copy: CopyRecord) -> dict[str, Any]:
    return {
        "id": copy.id,
        "interrupt": copy.interrupt_id,
        "kind": copy.kind,
        "place": copy.place.model_dump(mode="json", exclude_none=True) if copy.place else None,
        "status": copy.status,
        "channel": copy.channel,
        "ts": copy.ts,
        "thread_ts": copy.thread_ts,
        "shown_version": copy.shown_version,
        "wanted_version": copy.wanted_version,
        "attempts": copy.attempts,
        "error": copy.error,
    }


def audit_facts(entry: AuditRecord) -> dict[str, Any]:
    return {
        "at": _iso(entry.at),
        "event": entry.event,
        "person": entry.person,
        "via": entry.via,
        "interrupt": entry.interrupt_id,
        "details": dict(entry.details),
    }


def failure_words(run: RunRecord) -> str | None:
    """Why a run failed, stalled or is held, and what to do about it."""
    failure = run.failure
    if failure is None:
        return None
    return " ".join(filter(None, (f"{failure.kind}: {failure.message}", failure.advice)))


def amiss_words(run: RunRecord) -> str:
    """Of a run whose status is one of `AMISS`, which it is and why."""
    why = failure_words(run)
    return f"Run {run.id} {AMISS[run.status]}{f': {why}' if why else '.'}"


def _decision_facts(decision: DecisionRecord) -> dict[str, Any]:
    return {
        "person": decision.person,
        "standing_for": decision.standing_for,
        "choice": decision.choice,
        "value": json.loads(decision.value),
        "note": decision.note,
        "at": _iso(decision.at),
    }


def _parsed(text: str | None) -> Any:
    return None if text is None else json.loads(text)


def _iso(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
