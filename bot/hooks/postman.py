"""Carries one delivery to its receiver: one POST, one answer, and what that answer means."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from importlib.metadata import version
from types import TracebackType
from typing import Self

from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientError,
    ClientSession,
    ClientSSLError,
    DummyCookieJar,
    TCPConnector,
)

from bot.hooks.reach import Reach, ReachError, Resolver
from bot.hooks.signing import headers
from storage.deliveries import Parcel

PATIENCE = 10.0
"""Seconds from looking up the host to the status of the answer."""


@dataclass(frozen=True, slots=True)
class Taken:
    """The receiver has it."""

    status: int


@dataclass(frozen=True, slots=True)
class NotTaken:
    """It may be tried again. `status` is the receiver's, where it answered at all."""

    error: str
    status: int | None = None


@dataclass(frozen=True, slots=True)
class Unwanted:
    """The receiver wants nothing of this kind any more."""

    status: int


Reply = Taken | NotTaken | Unwanted


class Postman:
    """Follows no redirect and reads no body: neither is a receiver's to decide. Each delivery has a connection of its own.

    There is no proxy on this way, since it would look the host up itself.
    """

    def __init__(self, reach: Reach, *, now: Callable[[], datetime], patience: float = PATIENCE) -> None:
        self._reach = reach
        self._now = now
        self._patience = patience
        self._session: ClientSession | None = None

    async def __aenter__(self) -> Self:
        connector = TCPConnector(resolver=Resolver(self._reach), use_dns_cache=False, force_close=True, limit=0)
        agent = {"User-Agent": f"Signoff/{version('signoff')}"}
        self._session = ClientSession(
            connector=connector, cookie_jar=DummyCookieJar(), headers=agent, auto_decompress=False
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()

    async def carry(self, parcel: Parcel) -> Reply:
        try:
            self._reach.check(parcel.url)
            async with asyncio.timeout(self._patience):
                status = await self._post(parcel)
        except TimeoutError:
            return NotTaken(f"no answer within {self._patience:g} seconds")
        except ReachError as error:
            return NotTaken(f"its URL {error}")
        except (ClientError, OSError, ValueError) as error:
            return NotTaken(_words(error))
        return _meaning(status)

    async def _post(self, parcel: Parcel) -> int:
        if self._session is None:
            raise RuntimeError("the postman is entered before it carries anything")
        sent = self._session.post(
            parcel.url, data=parcel.body.encode(), headers=headers(parcel, self._now()), allow_redirects=False
        )
        response = await sent
        response.close()
        return response.status


def _meaning(status: int) -> Reply:
    if HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        return Taken(status)
    if status == HTTPStatus.GONE:
        return Unwanted(status)
    if HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST:
        return NotTaken(f"it answered {status}, a redirect, which is not followed", status)
    return NotTaken(f"it answered {status}", status)


def _words(error: Exception) -> str:
    """Short, and without anything that the URL or the receiver says: both may hold secrets."""
    match error:
        case ClientSSLError() | ClientConnectorCertificateError():
            return f"no secure connection: {type(error).__name__}"
        case ClientConnectorDNSError():
            return "its host is not known"
        case ClientConnectorError(os_error=ConnectionRefusedError()):
            return "the connection was refused"
        case _:
            return f"the connection failed: {type(error).__name__}"
