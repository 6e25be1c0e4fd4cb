"""One request from its bytes to its answer: who calls, is there room, may the token do this, does it fit; then the work."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, NoReturn, TypeVar

import structlog
from aiohttp import web
from pydantic import BaseModel, ConfigDict, ValidationError

from actions.kit.shapes.wording import problems_of
from bot.api import limits, problems
from bot.api.authentication import Authentication, Caller
from bot.api.problems import MEDIA_TYPE, FieldProblem, ProblemError
from bot.api.tokens import Scope
from bot.logs import where
from storage.errors import StorageError

log = structlog.get_logger(__name__)

M = TypeVar("M", bound=BaseModel)

JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was let in: who calls, and what they sent, as the models of its operation."""

    caller: Caller
    path: Mapping[str, str]
    headers: Mapping[str, str]
    _body: BaseModel | None = None
    _query: BaseModel | None = None

    def body(self, model: type[M]) -> M:
        assert isinstance(self._body, model)  # noqa: S101 - the operation says so
        return self._body

    def query(self, model: type[M]) -> M:
        assert isinstance(self._query, model)  # noqa: S101 - as above
        return self._query


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered; without a model the body is empty."""

    model: BaseModel | None
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)


class NoQuery(BaseModel):
    """An operation without query parameters."""

    model_config = ConfigDict(extra="forbid")


Handler = Callable[[Call], Awaitable[Reply]]
Unfit = Callable[[Call, ProblemError], Awaitable[None]]
"""Hears that the body does not fit its model, before the caller does; it may raise a problem that says more."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that can be asked for: where, by whom, with what, and everything that may be answered."""

    method: str
    path: str
    id: str
    summary: str
    scope: Scope
    handler: Handler
    replies: Mapping[HTTPStatus, type[BaseModel] | None]
    refusals: tuple[HTTPStatus, ...] = ()
    body: type[BaseModel] | None = None
    query: type[BaseModel] | None = None
    unfit: Unfit | None = None
    request_headers: Mapping[str, str] = field(default_factory=dict)
    reply_headers: Mapping[str, str] = field(default_factory=dict)


class Calls:
    """Carries operations out."""

    def __init__(self, authentication: Authentication) -> None:
        self._authentication = authentication
        self._rate = limits.Rate()

    def handler(self, operation: Operation) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def on_request(request: web.Request) -> web.Response:
            caller = await self._authentication.caller(request)
            if seconds := self._rate.take(caller.token.id):
                raise problems.too_many(f"A token may make {limits.PER_MINUTE} requests a minute.", seconds)
            caller.require(operation.scope)
            query = _query(request, operation.query or NoQuery)
            call = Call(caller, request.match_info, request.headers, _query=query)
            if operation.body:
                call = replace(call, _body=await self._fitting(request, call, operation.body, operation.unfit))
            return _response(await operation.handler(call))

        return on_request

    @staticmethod
    async def _fitting(request: web.Request, call: Call, model: type[M], unfit: Unfit | None) -> M:
        try:
            return await _body(request, model)
        except ProblemError as error:
            if unfit and error.details.errors:
                await unfit(call, error)
            raise


@web.middleware
async def answer_problems(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Everything that goes wrong becomes problem details; what is our own fault is logged, without what was sent."""
    try:
        return await handler(request)
    except ProblemError as error:
        return _problem(error)
    except web.HTTPException as error:
        status = HTTPStatus(error.status)
        headers = {"Allow": error.headers["Allow"]} if "Allow" in error.headers else {}
        return _problem(ProblemError(status, status.phrase.lower().replace(" ", "-"), error.reason, headers=headers))
    except StorageError as error:
        log.warning("api_without_database", error=str(error))
        return _problem(problems.try_later("The database cannot be asked at the moment."))
    except Exception as error:  # noqa: BLE001 - whatever it was, the caller gets an answer
        log.error("api_broke_off", error=type(error).__name__, where=where(error))  # noqa: TRY400 - a traceback may quote
        status = HTTPStatus.INTERNAL_SERVER_ERROR
        return _problem(
            ProblemError(status, "fault", "Something broke. Whether it took effect can be read from the run.")
        )


def _problem(error: ProblemError) -> web.Response:
    text = error.details.model_dump_json(exclude_none=True)
    return web.Response(text=text, status=error.status, content_type=MEDIA_TYPE, headers=error.headers)


def _response(reply: Reply) -> web.Response:
    if reply.model is None:
        return web.Response(status=reply.status, headers=reply.headers)
    text = reply.model.model_dump_json()
    return web.Response(text=text, status=reply.status, content_type=JSON, headers=reply.headers)


def _query(request: web.Request, model: type[M]) -> M:
    given: dict[str, Any] = {}
    for name in dict.fromkeys(request.query):
        values = request.query.getall(name)
        is_list = name in model.model_fields and "list" in str(model.model_fields[name].annotation)
        if len(values) > 1 and not is_list:
            raise problems.invalid([FieldProblem(parameter=name, message="is given more than once")])
        given[name] = values if is_list else values[0]
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise problems.invalid(problems.in_query(problems_of(error, given))) from error


async def _body(request: web.Request, model: type[M]) -> M:
    if request.content_type != JSON:
        status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
        raise ProblemError(status, "not-json", f"The body must be JSON: Content-Type: {JSON}.")
    raw = _parsed(await _read(request))
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise problems.invalid(problems.in_body(problems_of(error, raw))) from error


async def _read(request: web.Request) -> bytes:
    kept = bytearray()
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            async for chunk in request.content.iter_chunked(64 * 1024):
                kept += chunk
                if len(kept) > limits.MOST_BYTES:
                    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
                    raise ProblemError(status, "too-large", f"A body may have {limits.MOST_BYTES:,} bytes.")
    except TimeoutError:
        status = HTTPStatus.REQUEST_TIMEOUT
        raise ProblemError(status, "too-slow", f"The body did not arrive in {limits.BODY_SECONDS:g} seconds.") from None
    return bytes(kept)


def _parsed(body: bytes) -> Any:
    """JSON as it is meant: no key twice, no number that is none. Raises `ProblemError`."""
    try:
        return json.loads(body.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise problems.malformed("The body is not UTF-8.") from None
    except json.JSONDecodeError as error:
        raise problems.malformed(f"The body is not JSON: {error.msg} at character {error.pos}.") from None
    except RecursionError:
        raise problems.malformed("The body is nested too deep.") from None
    except ValueError as error:  # of ours, or a number of more digits than Python reads
        raise problems.malformed(f"The body cannot be read: {str(error).partition(';')[0]}.") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in {other for other, _ in pairs[:number]})
        raise ValueError(f"the key {twice[:80]!r} is there twice")
    return read


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")
