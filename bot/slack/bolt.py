"""Makes the Bolt app, with everything that it would otherwise take from the environment or ask Slack for.

Bolt switches to OAuth with a store of files where SLACK_CLIENT_ID and SLACK_CLIENT_SECRET are set. An `authorize` of our
own keeps that from changing anything: each request is answered as the one identity that was found at start-up, without
a call to Slack before the listener. The signature is the transport's business, over the raw bytes.
"""

import time
from collections.abc import Callable
from typing import Any

import structlog
from slack_bolt.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from bot.logs import where
from bot.slack.client import Identity
from bot.slack.quiet import bolt_logger

log = structlog.get_logger(__name__)


OnAck = Callable[[str, float], None]


def _nobody(_kind: str, _seconds: float) -> None:
    """Who is told of acks where nobody measures them."""


class TimedApp(AsyncApp):
    """Tells, of each request, its kind in Slack's words and the seconds until its acknowledgement was ready."""

    def __init__(self, *, on_ack: OnAck, **given: Any) -> None:
        super().__init__(**given)
        self._on_ack = on_ack

    async def async_dispatch(self, req: AsyncBoltRequest) -> BoltResponse:
        began = time.perf_counter()
        try:
            return await super().async_dispatch(req)
        finally:
            kind = "slash_commands" if "command" in req.body else str(req.body.get("type"))
            self._on_ack(kind, time.perf_counter() - began)


def make_app(client: AsyncWebClient, identity: Identity, *, on_ack: OnAck = _nobody) -> AsyncApp:
    """A Bolt app without listeners. Its acks wait for the listener, so nothing may follow an `ack()` that can be slow."""
    known = AuthorizeResult(
        enterprise_id=identity.enterprise_id,
        team_id=identity.team_id,
        bot_user_id=identity.bot_user,
        bot_id=identity.bot_id,
        bot_token=client.token,
    )

    async def authorize() -> AuthorizeResult:
        return known

    app = TimedApp(
        on_ack=on_ack,
        name="signoff",
        logger=bolt_logger(),
        client=client,
        authorize=authorize,
        process_before_response=True,
        signing_secret="",
        request_verification_enabled=False,
        ssl_check_enabled=False,
        attaching_function_token_enabled=False,
        attaching_conversation_kwargs_enabled=False,
    )
    app.error(_on_error)
    return app


async def _on_error(error: Exception) -> None:
    """A listener failed before it could acknowledge. The exception's own words may quote a payload, so they stay out."""
    log.error("listener_failed", error=type(error).__name__, where=where(error))
