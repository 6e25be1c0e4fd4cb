"""Tokens: `signoff_ID_SECRET`, bound to a person of Slack's. Only the hash of the secret is stored."""

import hashlib
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from storage.results import Token

PREFIX = "signoff"


class Scope(StrEnum):
    """What a token may do, each by itself. Answering in a person's name has to be asked for."""

    READ = "read"
    START = "start"
    CANCEL = "cancel"
    ANSWER = "answer"


DEFAULT_SCOPES = frozenset({Scope.READ, Scope.START, Scope.CANCEL})


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token as it is made: what is stored, and what is shown once."""

    stored: Token
    shown: str = field(repr=False)


def new_token(
    name: str,
    person: str,
    *,
    scopes: frozenset[str],
    actions: frozenset[str],
    now: datetime,
    expires_at: datetime | None,
) -> NewToken:
    """A fresh secret of 32 random bytes. Only its hash is in what is stored."""
    token_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
    stored = Token(
        id=token_id,
        name=name,
        person=person,
        secret_hash=hash_of(secret),
        scopes=scopes,
        actions=actions,
        created_at=now,
        expires_at=expires_at,
    )
    return NewToken(stored, f"{PREFIX}_{token_id}_{secret}")


def hash_of(secret: str) -> str:
    """SHA-256, which is enough for 32 random bytes."""
    return hashlib.sha256(secret.encode()).hexdigest()
