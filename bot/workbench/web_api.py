"""The Web API: checks token, scopes and arguments the same way for every method, lets planned faults happen, writes down."""

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from aiohttp import web

from bot.workbench import (
    methods_channels,
    methods_chat,
    methods_checks,
    methods_conversations,
    methods_files,
    methods_groups,
    methods_profiles,
    methods_reactions,
    methods_scheduled,
    methods_users,
    methods_views,
)
from bot.workbench.arguments import read_arguments
from bot.workbench.bench import Bench
from bot.workbench.faults import ConnectionDropped
from bot.workbench.journal import Call
from bot.workbench.methods import Method, MethodCall
from bot.workbench.methods_auth import auth_methods
from bot.workbench.slack_errors import SlackError, cut, invalid_arguments, missing_scope
from bot.workbench.socket_mode import SocketMode
from bot.workbench.workspace import Token

TABLES = (
    methods_channels,
    methods_chat,
    methods_checks,
    methods_conversations,
    methods_files,
    methods_groups,
    methods_profiles,
    methods_reactions,
    methods_scheduled,
    methods_users,
    methods_views,
)


class WebApi:
    """Answers `/api/METHOD`."""

    def __init__(self, bench: Bench, sockets: SocketMode) -> None:
        self._bench = bench
        rows = [*auth_methods(sockets), *(row for table in TABLES for row in table.METHODS)]
        self._methods: dict[str, Method] = {row.name: row for row in rows}

    async def handle(self, request: web.Request) -> web.StreamResponse:
        name, started = request.match_info["method"], time.perf_counter()
        arguments: dict[str, Any] = {}
        token: str | None = None
        try:
            token, arguments = await read_arguments(request)
            body = await self._answer(name, token, arguments, started)
            answer = web.json_response(body)
        except SlackError as error:
            answer = self._refused(name, arguments, error, started)
        except ConnectionDropped:
            return cut(request)
        answer.headers.update(self._headers(name, token))
        return answer

    def _headers(self, name: str, value: str | None) -> dict[str, str]:
        """What comes with every answer; to whoever is known, what they may do, and what the method asks for.

        https://docs.slack.dev/authentication/installing-with-oauth
        """
        now = datetime.now(UTC) + self._bench.clock_off
        headers = {"X-Slack-Req-Id": f"{len(self._bench.journal.calls):08x}", "Date": format_datetime(now, usegmt=True)}
        token = self._bench.workspace.tokens.get(value or "")
        if token is None or name not in self._methods:
            return headers
        held, asked = ",".join(sorted(token.scopes)), ",".join(sorted(self._methods[name].scopes))
        return headers | {"X-OAuth-Scopes": held, "X-Accepted-OAuth-Scopes": asked}

    async def _answer(self, name: str, token: str | None, arguments: dict[str, Any], started: float) -> dict[str, Any]:
        """The body of a success. A fault that strikes after the commit leaves the call in force and the journal."""
        faults, journal = self._bench.faults, self._bench.journal
        try:
            await faults.strike(name, "before", arguments)
        except ConnectionDropped:
            journal.called(Call(name, arguments, {"ok": False}, dropped=True, ms=_ms(started)))
            raise
        body = {"ok": True, **self._perform(name, token, arguments)}
        entry = journal.called(Call(name, arguments, body, ms=_ms(started)))
        try:
            await faults.strike(name, "after", arguments)
        except (ConnectionDropped, SlackError) as struck:
            status = struck.status if isinstance(struck, SlackError) else 0
            journal.corrected(entry, Call(name, arguments, body, status, dropped=True, ms=_ms(started)))
            if isinstance(struck, SlackError):
                struck.more["after_commit"] = True
            raise
        return body

    def _perform(self, name: str, token: str | None, arguments: Mapping[str, Any]) -> dict[str, Any]:
        method = self._methods.get(name)
        if method is None:
            raise SlackError("unknown_method", req_method=name)
        holder = self._holder(method, token)
        self._check_names(method, arguments)
        return method.answer(MethodCall(self._bench, name, holder, arguments))

    def _holder(self, method: Method, value: str | None) -> Token:
        if method.token == "none":  # noqa: S105 - a kind of token
            return Token("", "bot", frozenset())
        if value is None:
            raise SlackError("not_authed")
        token = self._bench.workspace.tokens.get(value)
        if token is None:
            raise SlackError("invalid_auth")
        if token.refusal is not None:
            raise SlackError(token.refusal)
        if method.token not in ("any", token.kind):
            raise SlackError("not_allowed_token_type")
        for scope in sorted(method.scopes - token.scopes):
            raise missing_scope(scope, token.scopes)
        return token

    def _check_names(self, method: Method, arguments: Mapping[str, Any]) -> None:
        """Missing ones Slack refuses; unknown ones it overlooks, which hides our mistakes, so here they are refused."""
        missing = [name for name in sorted(method.required) if arguments.get(name) in (None, "")]
        if missing:
            raise invalid_arguments([f"missing required field: {name} [json-pointer:/{name}]" for name in missing])
        unknown = sorted(arguments.keys() - method.required - method.optional - {"team_id"})
        if unknown and self._bench.strict:
            lines = [f"{method.name} knows no argument {name!r} [json-pointer:/{name}]" for name in unknown]
            raise invalid_arguments(lines, error="invalid_arg_name")

    def _refused(self, name: str, arguments: Mapping[str, Any], error: SlackError, started: float) -> web.Response:
        if not error.more.pop("after_commit", False):
            self._bench.journal.called(Call(name, arguments, error.body, error.status, ms=_ms(started)))
        return web.json_response(error.body, status=error.status, headers=error.headers)


def _ms(started: float) -> float:
    return (time.perf_counter() - started) * 1000
