"""The traffic between Slack and the app as JSON, line by line, without any token or other secret in it."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.workbench.journal import Ack, Call, Delivery, Entry, Note

_SECRET = re.compile(r"\b(xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[\w.-]+")
_CAPABILITY = re.compile(r"(/actions/|/upload/|[?&]ticket=)[\w-]+")
_HIDDEN = frozenset({"token", "bot_access_token", "client_secret", "signing_secret"})
GONE = "…"


def entry_object(entry: Entry) -> dict[str, Any]:
    """A line of the traffic. `type` is `call` (the app to Slack), `delivery` (Slack to the app) or `note`."""
    return {"n": entry.n, "rev": entry.rev, "at": _moment(entry.about.at), **_about(entry)}


def redacted(value: Any) -> Any:
    """The value with tokens, response URLs and tickets cut out, wherever they stand."""
    if isinstance(value, str):
        return _CAPABILITY.sub(rf"\1{GONE}", _SECRET.sub(rf"\1-{GONE}", value))
    if isinstance(value, Mapping):
        return {key: GONE if key in _HIDDEN else redacted(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [redacted(inside) for inside in value]
    return value


def _about(entry: Entry) -> dict[str, Any]:
    match entry.about:
        case Call() as call:
            return _call(call)
        case Delivery() as delivery:
            return _delivery(delivery) | _acked(entry.ack)
        case Note(words):
            return {"type": "note", "name": redacted(words)}


def _call(call: Call) -> dict[str, Any]:
    return {
        "type": "call",
        "name": call.method,
        "arguments": redacted(call.arguments),
        "ok": call.ok and not call.dropped,
        "error": call.answer.get("error"),
        "status": call.status,
        "dropped": call.dropped,
        "ms": round(call.ms, 1),
        "answer": redacted(call.answer),
    }


def _delivery(delivery: Delivery) -> dict[str, Any]:
    event = delivery.payload.get("event") if delivery.kind == "events_api" else None
    named = event.get("type") if isinstance(event, Mapping) else delivery.payload.get("command")
    return {
        "type": "delivery",
        "name": str(named or delivery.type),
        "kind": delivery.kind,
        "envelope_id": delivery.envelope_id,
        "retry_attempt": delivery.retry_attempt,
        "retry_reason": delivery.retry_reason,
        "payload": redacted(delivery.payload),
    }


def _acked(ack: Ack | None) -> dict[str, Any]:
    """`outcome` is `waiting` until the app has acked or its time is up."""
    if ack is None:
        return {"outcome": "waiting", "ok": None, "ms": None, "ack": None, "detail": ""}
    return {
        "outcome": ack.outcome,
        "ok": ack.ok,
        "ms": round(ack.ms, 1),
        "ack": redacted(ack.body),
        "detail": redacted(ack.detail),
    }


def _moment(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
