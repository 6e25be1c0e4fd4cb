"""Sends events to an app that has subscribed to them and may have them, again and again until it takes them."""

import time
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.delivery import Courier
from bot.workbench.events import Event, events_of, scope_for, subscription_of
from bot.workbench.happenings import Happening
from bot.workbench.journal import Ack, Delivery
from bot.workbench.payloads import VERIFICATION_TOKEN

_REASONS = {"late": "http_timeout", "withheld": "http_timeout", "not_connected": "connection_failed"}


class Subscriptions:
    """Listens to the workspace for the app."""

    def __init__(self, bench: Bench, courier: Courier) -> None:
        self._bench = bench
        self._courier = courier
        bench.workspace.listeners.append(self._on_happening)

    def send(self, event: Event) -> None:
        """Send an event if the app has subscribed to it and a token of its has the scope; nobody waits for the ack."""
        workspace = self._bench.workspace
        scope = scope_for(event)
        held = any(scope in token.scopes for token in workspace.tokens.values() if token.refusal is None)
        if subscription_of(event) in workspace.app.events and (scope is None or held):
            self._courier.in_background(self._until_taken(self._wrapped(event)))

    def tell_of_revocation(self) -> None:
        """`tokens_revoked`, which needs no scope: https://docs.slack.dev/reference/events/tokens_revoked."""
        workspace = self._bench.workspace
        tokens = {"oauth": [], "bot": [workspace.app.user]}
        self.send({"type": "tokens_revoked", "tokens": tokens, "event_ts": workspace.next_ts()})

    def _on_happening(self, happening: Happening) -> None:
        for event in events_of(self._bench, happening):
            self.send(event)

    async def _until_taken(self, payload: Mapping[str, Any]) -> None:
        """Deliver, and up to three times more where the app does not take it (https://docs.slack.dev/apis/events-api).

        Whether a retry over Socket Mode keeps its envelope id is not documented: it gets a new one, so that only an app
        which looks at the event's own id knows it again.
        """
        delivery = Delivery("events_api", payload, str(uuid.uuid4()), accepts_response=False)
        ack = await self._courier.dispatch(delivery)
        for attempt, wait in enumerate(self._bench.timings.event_retries, start=1):
            if ack.ok or ack.no_retry:
                return
            with self._courier.idle():
                await self._bench.wait_until(self._bench.moment() + wait)
            again = replace(delivery, retry_attempt=attempt, retry_reason=self._reason(ack))
            ack = await self._courier.dispatch(replace(again, envelope_id=str(uuid.uuid4())))

    def _reason(self, ack: Ack) -> str:
        """Why it is sent again, in the words of HTTP or of Socket Mode."""
        return _REASONS.get(ack.outcome, "http_error") if self._bench.request_url else "timeout"

    def _wrapped(self, event: Event) -> dict[str, Any]:
        workspace, number = self._bench.workspace, uuid.uuid4().hex[:10].upper()
        authorization = {"team_id": workspace.team_id, "user_id": workspace.app.user, "is_bot": True}
        return {
            "token": VERIFICATION_TOKEN,
            "team_id": workspace.team_id,
            "api_app_id": workspace.app.id,
            "event": event,
            "type": "event_callback",
            "event_id": f"Ev{number}",
            "event_time": int(time.time()),
            "event_context": f"4-{number.lower()}",
            "authorizations": [{"enterprise_id": None, "is_enterprise_install": False, **authorization}],
            "is_ext_shared_channel": False,
            "context_team_id": workspace.team_id,
            "context_enterprise_id": None,
        }
