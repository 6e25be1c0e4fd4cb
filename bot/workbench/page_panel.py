"""What the panel beside the page shows: the traffic line by line, one line in full, planned faults, scopes; never a secret."""

from collections.abc import Mapping
from itertools import islice
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.journal import Call, Delivery, Entry, Note
from bot.workbench.traffic import entry_object, redacted

MOST = 300
"""Lines that one answer lists, the latest ones; those before them are in the journal."""


def panel_state(bench: Bench) -> dict[str, Any]:
    """Everything but what the lines carry, which `panel_entry` gives one by one."""
    latest = islice(reversed(bench.journal.entries), MOST)
    return {
        "ok": True,
        "traffic": [_line(entry) for entry in latest],
        "faults": {"catalogue": bench.faults.catalogue, "planned": bench.faults.planned()},
        "tokens": [
            {"kind": token.kind, "scopes": sorted(token.scopes), "refusal": token.refusal}
            for token in bench.workspace.tokens.values()
        ],
    }


def panel_entry(bench: Bench, number: str) -> dict[str, Any] | None:
    """What was sent and what came back, without secrets; `None` where there is no such line (any more)."""
    entry = next((entry for entry in reversed(bench.journal.entries) if str(entry.n) == number), None)
    return None if entry is None else {"ok": True, **entry_object(entry)}


def _line(entry: Entry) -> dict[str, Any]:
    return {"n": entry.n, "rev": entry.rev, "at": entry.about.at.timestamp(), **redacted(_about(entry))}


def _about(entry: Entry) -> dict[str, Any]:
    match entry.about:
        case Call() as call:
            return _call(call)
        case Delivery() as delivery:
            return _delivery(delivery, entry)
        case Note(words):
            return {"way": "note", "name": words, "about": "", "verdict": "note", "words": "", "ms": None}


def _call(call: Call) -> dict[str, Any]:
    error = "line cut" if call.dropped else "" if call.ok else str(call.answer.get("error", call.status))
    about = call.arguments.get("channel") or call.arguments.get("user_id") or call.arguments.get("user") or ""
    return {
        "way": "to_slack",
        "name": call.method,
        "about": str(about),
        "verdict": "bad" if error else "good",
        "words": error or "ok",
        "ms": call.ms,
    }


def _delivery(delivery: Delivery, entry: Entry) -> dict[str, Any]:
    ack = entry.ack
    return {
        "way": "to_app",
        "name": delivery.type,
        "about": _subject(delivery.payload),
        "who": _who(delivery.payload),
        "verdict": "waiting" if ack is None else "good" if ack.ok else "bad",
        "words": "waiting" if ack is None else ack.outcome.replace("_", " "),
        "ms": None if ack is None else ack.ms,
    }


def _who(payload: Mapping[str, Any]) -> str:
    user = payload.get("user")
    return str(user.get("id", "")) if isinstance(user, Mapping) else str(payload.get("user_id", ""))


def _subject(payload: Mapping[str, Any]) -> str:
    """What was clicked, submitted, typed, or what happened."""
    clicks = payload.get("actions") or [{}]
    candidates = (
        payload.get("command"),
        (payload.get("event") or {}).get("type"),
        clicks[0].get("action_id"),
        payload.get("action_id"),
        payload.get("callback_id"),
        (payload.get("view") or {}).get("callback_id"),
    )
    return next((str(candidate) for candidate in candidates if candidate), "")
