"""What a webhook is told: the body of a delivery, as JSON text. docs/webhooks.md describes it.

Neither the run's input nor an interrupt's data or state is in it: a receiver may be anybody's log. Answers and outputs
are JSON text already and stand in the body as they are, so that no number changes on its way.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, assert_never

from actions.kit.records.interrupts import InterruptRecord
from actions.kit.records.runs import RunRecord
from storage.deliveries import HookEvent, Occurrence


def body_of(occurrence: Occurrence, *, delivery_id: str, number: int) -> str:
    """One line of JSON, the same at each attempt."""
    return _object(
        id=_text(delivery_id),
        event=_text(occurrence.event),
        at=_text(occurrence.at),
        sequence=_text(number),
        run=_run(occurrence.run),
        **_details(occurrence),
    )


def _details(occurrence: Occurrence) -> dict[str, str]:
    match occurrence.event:
        case HookEvent.STARTED:
            return {}
        case HookEvent.WAITING:
            return {"interrupt": _interrupt(occurrence)}
        case HookEvent.DECIDED:
            return {"decision": _decision(occurrence)}
        case HookEvent.ENDED:
            return {"outcome": _outcome(occurrence.run)}
        case never:
            assert_never(never)


def _run(run: RunRecord) -> str:
    return _object(
        id=_text(run.id),
        action=_text(run.action_id),
        requester=_text(run.requester),
        status=_text(run.status),
        created_at=_text(run.created_at),
    )


def _interrupt(occurrence: Occurrence) -> str:
    interrupt = occurrence.interrupt
    if interrupt is None:
        return "null"
    choices = (_object(key=_text(choice.key), title=_text(choice.title)) for choice in interrupt.shape.choices)
    return _object(
        id=_text(interrupt.id),
        call_path=_text(interrupt.call_path),
        position=_text(interrupt.position),
        total=_text(interrupt.total),
        message=_text(interrupt.message),
        choices=_array(choices),
    )


def _decision(occurrence: Occurrence) -> str:
    interrupt = occurrence.interrupt
    if interrupt is None:
        return "null"
    by = (
        _object(
            person=_text(each.person),
            standing_for=_text(each.standing_for),
            choice=_text(each.choice),
            at=_text(each.at),
        )
        for each in occurrence.decisions
    )
    return _object(
        interrupt=_text(interrupt.id),
        choice=_text(interrupt.choice),
        value=interrupt.answer or "null",
        cause=_text(interrupt.cause),
        grant=_text(interrupt.granted.grant_id if interrupt.granted else None),
        broken_glass=_broken_glass(interrupt),
        by=_array(by),
    )


def _broken_glass(interrupt: InterruptRecord) -> str:
    broken = interrupt.broken
    if broken is None:
        return "null"
    return _object(by=_text(interrupt.settled_by), review=_text(broken.review))


def _outcome(run: RunRecord) -> str:
    failure = run.failure
    return _object(
        output=run.output or "null",
        failure="null" if failure is None else _object(kind=_text(failure.kind), message=_text(failure.message)),
        by=_text(run.ended_by),
    )


def _object(**members: str) -> str:
    return "{" + ", ".join(f"{_text(name)}: {value}" for name, value in members.items()) + "}"


def _array(members: Iterable[str]) -> str:
    return "[" + ", ".join(members) + "]"


def _text(value: Any) -> str:
    return json.dumps(value.isoformat() if isinstance(value, datetime) else value, ensure_ascii=False)
