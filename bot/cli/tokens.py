"""`signoff token`: keys for programs, made, listed and revoked. Each acts in the name of one person of Slack's."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from rich.markup import escape

from actions.kit.policies.deciders import PERSON_ID
from blocks.text import one_line
from bot import clock
from bot.api.tokens import DEFAULT_SCOPES, Scope, new_token
from bot.cli.ages import age
from bot.cli.records import opened
from bot.cli.show import err, fail, moment, out, print_json, print_table, safe
from bot.settings import Settings
from storage.results import Token

COLUMNS = ("id", "name", "for", "scopes", "actions", "made", "used", "state")


async def create_token(
    person: str, name: str, scopes: Sequence[str], actions: Sequence[str], expires: str | None, *, as_json: bool
) -> None:
    """Print the token on standard output, alone, so that a script can take it; what is said about it goes elsewhere."""
    settings = Settings.load()
    now = clock.now()
    made = new_token(
        _name(name),
        _person(person),
        scopes=frozenset(_scope(each) for each in scopes) or DEFAULT_SCOPES,
        actions=_actions(actions, settings),
        now=now,
        expires_at=now + age("--expires", expires) if expires else None,
    )
    async with opened(settings) as store:
        await store.create_token(made.stored)
    if as_json:
        print_json({**_facts(made.stored, now), "token": made.shown})
        return
    out.print(escape(made.shown))
    err.print(f"This is shown once. It acts as {safe(person)}, for: {', '.join(sorted(made.stored.scopes))}.")
    err.print(f"To revoke it: signoff token revoke {made.stored.id}")


async def list_tokens(*, as_json: bool) -> None:
    now = clock.now()
    async with opened(Settings.load()) as store:
        found = await store.tokens()
    if as_json:
        print_json([_facts(token, now) for token in found])
    elif found:
        print_table(COLUMNS, [(_row(token, now), None) for token in found])
    else:
        out.print("No tokens. Make one: signoff token create --for U… --name …")


async def revoke_token(token_id: str) -> None:
    async with opened(Settings.load()) as store:
        token = await store.revoke_token(token_id.strip().lower(), now=clock.now())
    if token is None:
        fail(f"There is no token {token_id!r}. `signoff token list` shows their ids.")
    out.print(f"Token {token.id} ({safe(token.name)}) opens nothing since {moment(token.revoked_at)}.")


def _person(given: str) -> str:
    if not PERSON_ID.fullmatch(given):
        fail(
            f"--for takes the Slack id of a person, such as U012ABCDEF (Slack: profile, ⋮, Copy member ID), not {given!r}."
        )
    return given


def _name(given: str) -> str:
    if not given.strip() or len(given) > 80:  # noqa: PLR2004 - said in the same line's message
        fail("--name is missing or longer than 80 characters: say what uses the token, such as --name deploys.")
    return given.strip()


def _scope(given: str) -> Scope:
    if given.lower() not in set(Scope):
        fail(f"--scope takes one of {', '.join(Scope)}; {given!r} is none.")
    return Scope(given.lower())


def _actions(given: Sequence[str], settings: Settings) -> frozenset[str]:
    if not given:
        return frozenset()
    from bot.cli.catalogue import known_actions

    return frozenset(known_actions(given, settings))


def _facts(token: Token, now: datetime) -> dict[str, Any]:
    return {
        "id": token.id,
        "name": token.name,
        "person": token.person,
        "scopes": sorted(token.scopes),
        "actions": sorted(token.actions),
        "created_at": token.created_at.isoformat(),
        "expires_at": token.expires_at.isoformat() if token.expires_at else None,
        "revoked_at": token.revoked_at.isoformat() if token.revoked_at else None,
        "last_used_at": token.last_used_at.isoformat() if token.last_used_at else None,
        "valid": token.is_valid(now),
    }


def _row(token: Token, now: datetime) -> tuple[str, ...]:
    return (
        token.id,
        one_line(token.name),
        token.person,
        ",".join(sorted(token.scopes)),
        ",".join(sorted(token.actions)) or "all",
        moment(token.created_at),
        moment(token.last_used_at) or "never",
        _state(token, now),
    )


def _state(token: Token, now: datetime) -> str:
    if token.revoked_at is not None:
        return f"revoked {moment(token.revoked_at)}"
    if token.expires_at is None:
        return "open"
    return f"{'until' if token.is_valid(now) else 'expired'} {moment(token.expires_at)}"
