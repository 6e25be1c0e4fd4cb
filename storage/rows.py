"""Turns rows into records and records into rows; the only place that knows how a value is kept in a column."""

import json
from datetime import timedelta
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row

from actions.kit.policies.absences import Absence
from actions.kit.policies.granted import Granted, GrantRecord, GrantTerms
from actions.kit.policies.policy import Place, Policy
from actions.kit.policies.remarks import Remark
from actions.kit.records.audit import AuditRecord
from actions.kit.records.copies import CopyRecord, Ending
from actions.kit.records.interrupts import Asker, BrokenGlass, DecisionRecord, InterruptRecord, OnExpiry, Shape
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import Edit, Failure, Origin, RunRecord
from actions.kit.running.calls import CallRecord
from storage.results import Token

MICROSECOND = timedelta(microseconds=1)

_places: TypeAdapter[Place] = TypeAdapter(Place)
_expiries: TypeAdapter[OnExpiry] = TypeAdapter(OnExpiry)
_remarks: TypeAdapter[tuple[Remark, ...]] = TypeAdapter(tuple[Remark, ...])
_edits: TypeAdapter[tuple[Edit, ...]] = TypeAdapter(tuple[Edit, ...])

RUN_PLAIN = [
    "id",
    "action_id",
    "action_name",
    "requester",
    "input",
    "status",
    "epoch",
    "claims",
    "answered",
    "created_at",
    "lease_owner",
    "lease_until",
    "cancel_requested_by",
    "output",
    "started_at",
    "ended_at",
    "ended_by",
    "marked_by",
    "request",
]
INTERRUPT_PLAIN = [
    "id",
    "run_id",
    "number",
    "call_path",
    "occurrence",
    "message",
    "data",
    "shown",
    "shown_schema",
    "state",
    "ui",
    "resume",
    "fingerprint",
    "status",
    "content_version",
    "created_at",
    "posted_at",
    "expires_at",
    "paused_at",
    "undeliverable",
    "settled_at",
    "settled_by",
    "cause",
    "choice",
    "answer",
    "asked_again_because",
    "position",
    "total",
    "run_epoch",
    "warned_at",
    "extended",
    "claimed_by",
    "claimed_until",
]
CALL_PLAIN = [
    "run_id",
    "path",
    "action_id",
    "action_name",
    "input",
    "status",
    "epoch",
    "executions",
    "began_at",
    "ended_at",
    "output",
    "marked_by",
    "idempotent",
]
COPY_PLAIN = [
    "id",
    "run_id",
    "interrupt_id",
    "kind",
    "shown_version",
    "wanted_version",
    "attempts",
    "channel",
    "ts",
    "thread_ts",
    "text",
    "error",
    "maybe_posted",
    "person",
    "reposted",
    "fallback",
]
TOKEN_PLAIN = [
    "id",
    "name",
    "person",
    "secret_hash",
    "created_at",
    "expires_at",
    "revoked_at",
    "last_used_at",
]


def run_record(row: Row[Any]) -> RunRecord:
    values = row._mapping  # noqa: SLF001 -- SQLAlchemy's documented way to read a row by column name
    return RunRecord(
        **{name: values[name] for name in RUN_PLAIN},
        origin=origin_of(values["origin"]),
        failure=None if values["failure"] is None else Failure.model_validate_json(values["failure"]),
        joined=words_of(values["joined"]),
        withdrawn=words_of(values["withdrawn"]),
        edits=() if values["edits"] is None else _edits.validate_json(values["edits"]),
        remarks=() if values["remarks"] is None else _remarks.validate_json(values["remarks"]),
    )


def run_values(run: RunRecord) -> dict[str, Any]:
    return {
        **{name: getattr(run, name) for name in RUN_PLAIN},
        "origin": run.origin.model_dump_json(),
        "failure": failure_text(run.failure),
        "joined": words_text(run.joined),
        "withdrawn": words_text(run.withdrawn),
        "edits": edits_text(run.edits),
        "remarks": remarks_text(run.remarks),
    }


def interrupt_record(row: Row[Any]) -> InterruptRecord:
    values = row._mapping  # noqa: SLF001 -- as above
    expires_in = values["expires_in"]
    return InterruptRecord(
        **{name: values[name] for name in INTERRUPT_PLAIN},
        shape=shape_of(values["shape"]),
        policy=policy_of(values["policy"]),
        on_expiry=_on_expiry(values["on_expiry"]),
        expires_in=None if expires_in is None else expires_in * MICROSECOND,
        asker=None if values["asker"] is None else Asker.model_validate_json(values["asker"]),
        editable=words_of(values["editable"]),
        granted=None if values["granted"] is None else Granted.model_validate_json(values["granted"]),
        broken=None if values["broken"] is None else BrokenGlass.model_validate_json(values["broken"]),
    )


def interrupt_values(interrupt: InterruptRecord) -> dict[str, Any]:
    expires_in = interrupt.expires_in
    return {
        **{name: getattr(interrupt, name) for name in INTERRUPT_PLAIN},
        "shape": interrupt.shape.model_dump_json(),
        "policy": interrupt.policy.model_dump_json(),
        "on_expiry": interrupt.on_expiry.model_dump_json(),
        "expires_in": None if expires_in is None else expires_in // MICROSECOND,
        "asker": None if interrupt.asker is None else interrupt.asker.model_dump_json(),
        "editable": words_text(interrupt.editable),
        "granted": None if interrupt.granted is None else interrupt.granted.model_dump_json(),
        "broken": None if interrupt.broken is None else interrupt.broken.model_dump_json(),
    }


def grant_record(row: Row[Any]) -> GrantRecord:
    return GrantRecord(
        id=row.run_id,
        holder=row.holder,
        terms=GrantTerms.model_validate_json(row.terms),
        approved_by=words_of(row.approved_by),
        granted_at=row.granted_at,
        until=row.until,
        used=row.used,
        revoked_at=row.revoked_at,
        revoked_by=row.revoked_by,
    )


def grant_values(grant: GrantRecord) -> dict[str, Any]:
    return {
        "run_id": grant.id,
        "holder": grant.holder,
        "action_id": grant.terms.action_id,
        "terms": grant.terms.model_dump_json(),
        "approved_by": words_text(grant.approved_by),
        "granted_at": grant.granted_at,
        "until": grant.until,
        "times": grant.terms.times,
        "used": grant.used,
        "revoked_at": grant.revoked_at,
        "revoked_by": grant.revoked_by,
    }


def call_record(row: Row[Any]) -> CallRecord:
    values = row._mapping  # noqa: SLF001 -- as above
    failure = values["failure"]
    return CallRecord(
        **{name: values[name] for name in CALL_PLAIN},
        failure=None if failure is None else Failure.model_validate_json(failure),
    )


def request_values(request: PauseRequest) -> dict[str, Any]:
    """What an interrupt takes over from the pause that asked for it."""
    return {name: getattr(request, name) for name in PauseRequest.__dataclass_fields__}


def decision_record(row: Row[Any]) -> DecisionRecord:
    fits = tuple(tuple(each) for each in json.loads(row.fits))
    values = {name: getattr(row, name) for name in DecisionRecord.__dataclass_fields__}
    return DecisionRecord(**values | {"fits": fits})


def decision_values(decision: DecisionRecord) -> dict[str, Any]:
    values = {name: getattr(decision, name) for name in DecisionRecord.__dataclass_fields__}
    return values | {"fits": json.dumps(decision.fits)}


def absence_record(row: Row[Any]) -> Absence:
    return Absence(**{name: getattr(row, name) for name in Absence.__dataclass_fields__})


def copy_record(row: Row[Any]) -> CopyRecord:
    values = row._mapping  # noqa: SLF001 -- as above
    return CopyRecord(
        **{name: values[name] for name in COPY_PLAIN},
        status=values["status"].value,
        place=None if values["place"] is None else place_of(values["place"]),
        ending=None if values["ending"] is None else Ending.model_validate_json(values["ending"]),
    )


def audit_record(row: Row[Any]) -> AuditRecord:
    return AuditRecord(row.at, row.run_id, row.interrupt_id, row.event, row.person, row.via, json.loads(row.details))


def token_record(row: Row[Any]) -> Token:
    values = row._mapping  # noqa: SLF001 -- as above
    return Token(
        **{name: values[name] for name in TOKEN_PLAIN},
        scopes=frozenset(json.loads(values["scopes"])),
        actions=frozenset(json.loads(values["actions"])),
    )


def token_values(token: Token) -> dict[str, Any]:
    return {
        **{name: getattr(token, name) for name in TOKEN_PLAIN},
        "scopes": json.dumps(sorted(token.scopes)),
        "actions": json.dumps(sorted(token.actions)),
    }


def failure_text(failure: Failure | None) -> str | None:
    return None if failure is None else failure.model_dump_json()


def edits_text(edits: tuple[Edit, ...]) -> str | None:
    return _edits.dump_json(edits).decode() if edits else None


def remarks_text(remarks: tuple[Remark, ...]) -> str | None:
    return _remarks.dump_json(remarks).decode() if remarks else None


def words_text(words: tuple[str, ...]) -> str | None:
    """A list of people or of names, in their order."""
    return json.dumps(words) if words else None


def words_of(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(json.loads(text))


def place_text(place: Place | None) -> str | None:
    return None if place is None else place.model_dump_json()


def place_of(text: str) -> Place:
    return _places.validate_json(text)


# Frozen values that repeat from row to row; parsing a shape costs more than reading its row.
@lru_cache(maxsize=256)
def shape_of(text: str) -> Shape:
    return Shape.model_validate_json(text)


@lru_cache(maxsize=256)
def policy_of(text: str) -> Policy:
    return Policy.model_validate_json(text)


@lru_cache(maxsize=256)
def _on_expiry(text: str) -> OnExpiry:
    return _expiries.validate_json(text)


@lru_cache(maxsize=256)
def origin_of(text: str) -> Origin:
    return Origin.model_validate_json(text)
