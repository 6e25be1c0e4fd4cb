"""Who calls: the person whom a token is bound to, with whatever the token is for."""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus

from aiohttp import web

from actions.kit.records.people import PersonFacts
from bot.api.problems import ProblemError
from bot.api.tokens import PREFIX, Scope, hash_of
from bot.engine.people import CouldNotVerify, Directory
from storage.results import NOTED_EVERY, Token
from storage.store import Store

SCHEME = "Bearer"


@dataclass(frozen=True, slots=True)
class Caller:
    """The person in whose name a request is made, and by which token."""

    token: Token

    @property
    def person(self) -> str:
        return self.token.person

    def may_touch(self, action_id: str) -> bool:
        """Whether the token is for this action, as far as it is for certain ones only."""
        return not self.token.actions or action_id in self.token.actions

    def require(self, scope: Scope) -> None:
        """Raises `ProblemError` where the token is not for this."""
        if scope not in self.token.scopes:
            has = ", ".join(sorted(self.token.scopes)) or "none"
            raise _forbidden("scope", f"This token has no scope {scope.value!r}; it has: {has}.")

    def require_action(self, action_id: str) -> None:
        """Raises `ProblemError` where the token is for certain other actions only."""
        if not self.may_touch(action_id):
            names = ", ".join(sorted(self.token.actions))
            raise _forbidden("scope", f"This token is not for the action {action_id!r}; it is for: {names}.")


class Authentication:
    """Finds the caller of a request. The person is looked up too: whoever left Slack calls nothing."""

    def __init__(self, store: Store, directory: Directory, now: Callable[[], datetime]) -> None:
        self._store = store
        self._directory = directory
        self._now = now

    async def caller(self, request: web.Request) -> Caller:
        """Raises `ProblemError`: 401 for a token that opens nothing, 403 for a person who may not."""
        token_id, secret = _parts(request.headers.getall("Authorization", []))
        token = await self._store.token(token_id)
        # An unknown id costs a comparison too, so that time does not tell it from a wrong secret.
        expected = token.secret_hash if token else hash_of("")
        if not hmac.compare_digest(hash_of(secret), expected) or token is None:
            raise _unauthorized("This token is not known here.")
        now = self._now()
        if not token.is_valid(now):
            raise _unauthorized("This token was revoked." if token.revoked_at else "This token has expired.")
        await self._check_person(token.person)
        if token.last_used_at is None or token.last_used_at <= now - NOTED_EVERY:
            await self._store.token_used(token.id, now=now)
        return Caller(token)

    async def _check_person(self, person: str) -> None:
        try:
            facts: PersonFacts | None = await self._directory.person(person)
        except CouldNotVerify:
            return  # whatever needs to know more asks again, and refuses; one's own runs can be read meanwhile
        if facts is None or facts.is_deleted or facts.is_bot:
            raise _forbidden(
                "no-such-person", f"The person of this token, {person}, is no member of this Slack (any more)."
            )


def _parts(headers: list[str]) -> tuple[str, str]:
    if len(headers) != 1:
        raise _unauthorized(f"Give a token: Authorization: {SCHEME} {PREFIX}_…")
    scheme, _, given = headers[0].partition(" ")
    prefix, _, rest = given.strip().partition("_")
    token_id, _, secret = rest.partition("_")
    if scheme.lower() != SCHEME.lower() or prefix != PREFIX or not token_id.isalnum() or not secret.isascii():
        raise _unauthorized(f"This is no token of ours: Authorization: {SCHEME} {PREFIX}_…")
    return token_id, secret


def _unauthorized(detail: str) -> ProblemError:
    return ProblemError(HTTPStatus.UNAUTHORIZED, "unauthorized", detail, headers={"WWW-Authenticate": SCHEME})


def _forbidden(kind: str, detail: str) -> ProblemError:
    return ProblemError(HTTPStatus.FORBIDDEN, kind, detail)
