"""Sends to the bot whatever people do, over Socket Mode or signed HTTP, and holds it to its three seconds."""

import asyncio
import time
import uuid
from collections.abc import Mapping
from typing import Any

from bot.workbench.bench import Bench
from bot.workbench.http_delivery import HttpDelivery, NotAccepted
from bot.workbench.journal import Ack, Delivery, DeliveryKind, Outcome
from bot.workbench.socket_mode import NotConnected, SocketMode


class Courier:
    """Delivers over HTTP where the app has a request URL, else over Socket Mode, as Slack does."""

    def __init__(self, bench: Bench, sockets: SocketMode, http: HttpDelivery) -> None:
        self._bench = bench
        self._sockets = sockets
        self._http = http
        self._tasks: set[asyncio.Task[Ack]] = set()

    @property
    def transport(self) -> str:
        return "http" if self._bench.request_url else "socket"

    @property
    def connected(self) -> bool:
        """Whether a delivery has somewhere to go; over HTTP that shows only when it is tried."""
        return self._bench.request_url is not None or self._sockets.connections > 0

    async def deliver(self, kind: DeliveryKind, payload: Mapping[str, Any], *, accepts_response: bool = False) -> Ack:
        """Send and wait for the ack, three seconds at most. Never raises: the outcome says what happened."""
        delivery = Delivery(kind, payload, str(uuid.uuid4()), accepts_response)
        if self._bench.faults.doubles(delivery.type, delivery.kind):
            self._in_background(self.redeliver(delivery))
        return await self.redeliver(delivery)

    async def redeliver(self, delivery: Delivery) -> Ack:
        """Send this very delivery again: same envelope id, same payload."""
        self._bench.journal.deliveries.append(delivery)
        started = time.perf_counter()
        outcome, body, detail = await self._attempt(delivery)
        if outcome == "acked" and self._bench.faults.takes_ack():
            outcome, body = "withheld", None
        ms = (time.perf_counter() - started) * 1000
        ack = Ack(delivery.type, outcome, ms, body, detail, delivery)
        self._bench.journal.acks.append(ack)
        return ack

    def event(self, event: Mapping[str, Any]) -> None:
        """Send an event of the Events API if the app has subscribed to it; nobody waits for the ack."""
        if event["type"] in self._bench.workspace.app.events and self.connected:
            self._in_background(self.deliver("events_api", self._wrapped(event)))

    async def close(self) -> None:
        """Give what is under way its three seconds, then let go of it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._bench.timings.ack)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _attempt(self, delivery: Delivery) -> tuple[Outcome, Any, str]:
        try:
            async with asyncio.timeout(self._bench.timings.ack):
                carrier = self._http if self._bench.request_url else self._sockets
                return "acked", await carrier.deliver(delivery), ""
        except TimeoutError:
            return "late", None, f"no ack within {self._bench.timings.ack:g} s"
        except NotConnected:
            return "not_connected", None, "the app has no open connection"
        except ConnectionError as error:
            return "lost", None, str(error)
        except NotAccepted as error:
            return "refused" if error.status else "not_connected", None, str(error)

    def _in_background(self, coroutine: Any) -> None:
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _wrapped(self, event: Mapping[str, Any]) -> dict[str, Any]:
        workspace, number = self._bench.workspace, uuid.uuid4().hex[:10].upper()
        authorization = {"team_id": workspace.team_id, "user_id": workspace.app.user, "is_bot": True}
        return {
            "token": "",
            "team_id": workspace.team_id,
            "api_app_id": workspace.app.id,
            "event": event,
            "type": "event_callback",
            "event_id": f"Ev{number}",
            "event_time": int(time.time()),
            "authorizations": [{"enterprise_id": None, "is_enterprise_install": False, **authorization}],
            "is_ext_shared_channel": False,
            "context_team_id": workspace.team_id,
            "context_enterprise_id": None,
        }
