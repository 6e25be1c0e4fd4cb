"""Sends to the bot whatever people do, over Socket Mode or signed HTTP, and holds it to its three seconds."""

import asyncio
import time
import uuid
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
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
        self._busy: set[asyncio.Task[Any]] = set()
        self._idle: set[asyncio.Task[Any]] = set()
        self._failures: list[BaseException] = []
        self._overtaken: list[asyncio.Event] = []

    @property
    def waiting(self) -> int:
        """How many tasks of the background are under way."""
        return len(self._busy)

    @property
    def transport(self) -> str:
        return "http" if self._bench.request_url else "socket"

    @property
    def connected(self) -> bool:
        """Whether a delivery has somewhere to go; over HTTP that shows only when it is tried."""
        return self._bench.request_url is not None or self._sockets.connections > 0

    async def deliver(self, kind: DeliveryKind, payload: Mapping[str, Any], *, accepts_response: bool = False) -> Ack:
        """Send and wait for the ack, three seconds at most. Never raises: the outcome says what happened.

        https://docs.slack.dev/interactivity/handling-user-interaction; people's acts are not sent again, events are (`Subscriptions`).
        """
        return await self.dispatch(Delivery(kind, payload, str(uuid.uuid4()), accepts_response))

    async def dispatch(self, delivery: Delivery) -> Ack:
        """Send a delivery that is made already, with whatever faults are planned for it."""
        kinds = (delivery.type, delivery.kind)
        if self._bench.faults.divert("duplicate", *kinds):
            self.in_background(self.redeliver(delivery))
        reordered = self._bench.faults.divert("reorder", *kinds)
        if reordered is not None:
            await self._let_one_pass(reordered.seconds)
        waiting, self._overtaken = self._overtaken, []
        try:
            return await self.redeliver(delivery)
        finally:
            for overtaken in waiting:
                overtaken.set()

    async def redeliver(self, delivery: Delivery) -> Ack:
        """Send this very delivery again: same envelope id, same payload."""
        entry = self._bench.journal.sent(delivery)
        started = time.perf_counter()
        ack = await self._attempt(delivery)
        if ack.ok:
            ack = await self._on_the_way_back(ack, delivery, started)
        ack = replace(ack, ms=(time.perf_counter() - started) * 1000, delivery=delivery)
        self._bench.journal.acked(entry, ack)
        return ack

    def in_background(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Let this go on by itself; it is waited for at the end."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._busy.add(task)
        task.add_done_callback(self._is_done)

    @contextmanager
    def idle(self) -> Iterator[None]:
        """While a task of the background is in here it only waits for its time, and the end does not wait for it."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - only coroutines of `in_background` come here
        self._busy.discard(task)
        self._idle.add(task)
        self._bench.workspace.changes.happened()
        try:
            yield
        finally:
            self._idle.discard(task)
            self._busy.add(task)

    async def close(self) -> None:
        """Give what is under way its three seconds, then let go of it; what went wrong in the background is raised."""
        await self._bench.workspace.changes.until(lambda: not self._busy, timeout=self._bench.timings.ack)
        tasks = [*self._busy, *self._idle]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._failures:
            raise self._failures[0]

    def _is_done(self, task: asyncio.Task[Any]) -> None:
        self._busy.discard(task)
        failure = None if task.cancelled() else task.exception()
        if failure is not None:
            self._failures.append(failure)
        self._bench.workspace.changes.happened()

    async def _attempt(self, delivery: Delivery) -> Ack:
        slowed = self._bench.faults.divert("slow", delivery.type, delivery.kind)
        ack = Ack(delivery.type, "acked", 0)
        try:
            async with asyncio.timeout(self._bench.timings.ack):
                await asyncio.sleep(0 if slowed is None else slowed.seconds)
                carrier = self._http if self._bench.request_url else self._sockets
                return replace(ack, body=await carrier.deliver(delivery))
        except TimeoutError:
            return replace(ack, outcome="late", detail=f"no ack within {self._bench.timings.ack:g} s")
        except NotConnected:
            return replace(ack, outcome="not_connected", detail="the app has no open connection")
        except ConnectionError as error:
            return replace(ack, outcome="lost", detail=str(error))
        except NotAccepted as error:
            outcome: Outcome = "refused" if error.status else "not_connected"
            return replace(ack, outcome=outcome, detail=str(error), no_retry=error.no_retry)

    async def _on_the_way_back(self, ack: Ack, delivery: Delivery, started: float) -> Ack:
        """An ack may get lost or come late between the bot and Slack; the bot does not know."""
        kinds = (delivery.type, delivery.kind)
        if self._bench.faults.divert("lose_acks", *kinds):
            return replace(ack, outcome="withheld", body=None)
        if self._bench.faults.divert("late_acks", *kinds):
            await asyncio.sleep(max(0.0, self._bench.timings.ack - (time.perf_counter() - started)))
            return replace(ack, outcome="late", body=None, detail="the ack came too late")
        return ack

    async def _let_one_pass(self, seconds: float) -> None:
        overtaken = asyncio.Event()
        self._overtaken.append(overtaken)
        try:
            async with asyncio.timeout(seconds):
                await overtaken.wait()
        except TimeoutError:
            self._overtaken = [other for other in self._overtaken if other is not overtaken]
