"""`signoff actions`: what this bot can be asked for, who decides it, how long it waits, and which answers there are."""

import difflib
from collections.abc import Sequence
from typing import Any, NoReturn

from actions.kit.action import Action
from actions.kit.policies.deciders import Decider, Policy
from actions.kit.records.interrupts import Answer, Choice, Decline, Expire, OnExpiry
from actions.kit.registry import Registry
from blocks.deciding import deciders_listed, policy_said
from blocks.pacing import pacing_said
from blocks.people import duration_words
from blocks.said import in_plain
from bot.cli.show import fail, out, print_json, safe
from bot.settings import Settings

REQUESTER = "whoever started it"


def list_actions(*, as_json: bool) -> None:
    """Print every action, in the order of their names."""
    found = Registry.load(Settings.load().actions).actions
    if as_json:
        print_json([_facts(action) for action in found])
        return
    for action in found:
        out.print(f"[bold]{safe(action.id)}[/]  {safe(action.name)}: {safe(action.description)}")
        for label, words in _lines(action):
            out.print(f"    {label:<9} {safe(words)}")
    out.print("\nStart one: signoff start ACTION FIELD=VALUE … --as U…")


def unknown_action(wanted: str, registry: Registry) -> NoReturn:
    """Say that there is no such action, and which one may have been meant."""
    known = [action.id for action in registry.actions]
    close = difflib.get_close_matches(wanted, known, n=1)
    hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(known)}."
    fail(f"There is no action {wanted!r}. {hint}")


def known_actions(given: Sequence[str], settings: Settings) -> list[str]:
    """The ids that were given, each of an action that is there."""
    registry = Registry.load(settings.actions)
    return [(registry.get(each) or unknown_action(each, registry)).id for each in given]


def deciders_words(policy: Policy) -> str:
    """Who decides, in plain words: "2 of U01 or dana@example.com"."""
    return in_plain(policy_said(policy, None, named=len(policy.deciders) or 1))


def people_words(deciders: Sequence[Decider]) -> str:
    return in_plain(deciders_listed(deciders, None, named=len(deciders), by=", "))


def _lines(action: Action) -> list[tuple[str, str]]:
    schema = action.input_schema
    required = set(schema.get("required", ()))
    fields = [name if name in required else f"[{name}]" for name in schema.get("properties", {})]
    lines = [
        ("takes", ", ".join(fields) or "a value, given with --input"),
        ("decides", _of_input(action.policy_from) or deciders_words(action.policy)),
        ("waits", _waits(action)),
        ("answers", _of_input(action.answers_from) or ", ".join(map(_answer, action.resume().shape.choices))),
    ]
    if action.policy.starters:
        lines.append(("started", f"by {people_words(action.policy.starters)}"))
    return lines


def _of_input(field: str | None) -> str | None:
    return field and f"what {field!r} of the input says"


def _waits(action: Action) -> str:
    waits = "for ever"
    if action.expires_in is not None:
        waits = f"{duration_words(action.expires_in)}, {_then(action.on_expiry)}"
    return "; ".join((waits, *(in_plain(part) for part in pacing_said(action.policy, None))))


def _then(on_expiry: OnExpiry) -> str:
    match on_expiry:
        case Expire():
            return "then it expires"
        case Decline():
            return "then it counts as declined"
        case Answer():
            return f"then the answer is {on_expiry.choice!r}"


def _answer(choice: Choice) -> str:
    return f"{choice.title} (declines)" if choice.declines else choice.title


def _facts(action: Action) -> dict[str, Any]:
    return {
        "id": action.id,
        "name": action.name,
        "description": action.description,
        "policy": None if action.policy_from else action.policy.model_dump(mode="json", exclude_none=True),
        "policy_from": action.policy_from,
        "expires_in_seconds": None if action.expires_in is None else action.expires_in.total_seconds(),
        "on_expiry": action.on_expiry.model_dump(mode="json"),
        "time_limit_seconds": action.time_limit.total_seconds(),
        "idempotent": action.idempotent,
        "version": action.version,
        "input_schema": action.input_schema,
        "answers": {
            name: [choice.model_dump(mode="json", exclude_none=True) for choice in action.resume(name).shape.choices]
            for name in action.resume_names
        },
        "answers_from": action.answers_from,
    }
