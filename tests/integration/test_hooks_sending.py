"""The sender and real receivers: in order, until they take it, and never more than is theirs to have."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from actions.kit.records.runs import RunStatus
from bot.hooks.postman import Postman
from bot.hooks.reach import Reach
from bot.hooks.sender import BACKOFF, GIVEN_UP_AFTER, Sender
from storage.deliveries import DeliveryRecord, DeliveryStatus, NewHook
from storage.store import Store
from tests.integration.receivers import Arrival, Receiver, receiving
from tests.integration.scenes import BEN, ME, NOW, SECOND, Scene
from tests.waiting import until

SECRET = "whsec_of_the_receiver"
HERE = Reach(insecure=True)


@dataclass
class Clock:
    """The sender's time, which stands still until a test moves it."""

    now: datetime = NOW

    def __call__(self) -> datetime:
        return self.now

    def move(self, by: timedelta) -> None:
        self.now += by


@dataclass
class Post:
    """One process that sends. `nudge` is what a commit of its own store does."""

    scene: Scene
    clock: Clock = field(default_factory=Clock)
    due: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def store(self) -> Store:
        return self.scene.store

    @asynccontextmanager
    async def sending(
        self, *, reach: Reach = HERE, patience: float = 5.0, owner: str = ME, due: asyncio.Event | None = None
    ) -> AsyncIterator[Sender]:
        async with AsyncExitStack() as stack:
            postman = await stack.enter_async_context(Postman(reach, now=self.clock, patience=patience))
            sender = Sender(
                self.store, postman, due=due or self.due, owner=owner, now=self.clock, patience=patience, rest=0.05
            )
            sender.start()
            stack.push_async_callback(sender.stop)
            yield sender

    async def hook(self, receiver: Receiver | str, **values: Any) -> str:
        url = receiver if isinstance(receiver, str) else receiver.url
        return await self.store.hooks.add(
            NewHook(**{"name": "ci", "url": url, "secret": SECRET, **values}), now=self.clock.now
        )

    async def life(self) -> str:
        """A run from its start to its end: four events."""
        run = (await self.scene.answered()).run
        await self.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
        return run.id

    async def reaches(self, *statuses: DeliveryStatus, attempts: int = 0) -> list[DeliveryRecord]:
        """All deliveries, once they stand so and none is on its way, the first of them after so many attempts."""

        async def reached() -> list[DeliveryRecord] | None:
            found = list(await self.store.hooks.deliveries())
            resting = all(each.ended_at or not each.attempts or each.next_at > self.clock.now for each in found)
            there = [each.status for each in found] == list(statuses) and found[0].attempts >= attempts
            return found if resting and there else None

        return await until(reached, f"deliveries to be {statuses}")


PENDING, DELIVERED, FAILED = DeliveryStatus.PENDING, DeliveryStatus.DELIVERED, DeliveryStatus.FAILED


@pytest.fixture
def post(scene: Scene) -> Post:
    post = Post(scene)
    scene.store._on_delivery = post.due.set
    return post


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


async def test_a_run_arrives_in_order_with_what_identifies_each_delivery(post: Post, receiver: Receiver):
    await post.hook(receiver)
    async with post.sending():
        run_id = await post.life()
        arrivals = await receiver.gets(4)
        deliveries = await post.reaches(DELIVERED, DELIVERED, DELIVERED, DELIVERED)
    assert receiver.events == ["started", "waiting", "decided", "ended"]
    assert [arrival.headers["Signoff-Event"] for arrival in arrivals] == receiver.events
    assert [arrival.told["sequence"] for arrival in arrivals] == [1, 2, 3, 4]
    assert [arrival.id for arrival in arrivals] == [each.id for each in deliveries]
    assert {arrival.told["id"] == arrival.id for arrival in arrivals} == {True}
    assert {arrival.told["run"]["id"] for arrival in arrivals} == {run_id}
    assert {arrival.headers["Content-Type"] for arrival in arrivals} == {"application/json; charset=utf-8"}
    assert all(arrival.headers["User-Agent"].startswith("Signoff/") for arrival in arrivals)
    assert {each.response_status for each in deliveries} == {204}


async def test_many_runs_each_arrive_in_order_and_never_two_of_one_at_once(post: Post, receiver: Receiver):
    going: set[str] = set()

    async def slowly(arrival: Arrival) -> web.Response:
        run = arrival.told["run"]["id"]
        assert run not in going
        going.add(run)
        await asyncio.sleep(0.005)
        going.discard(run)
        return web.Response()

    receiver.answers = slowly
    await post.hook(receiver)
    async with post.sending(), post.sending(owner="a replica", due=asyncio.Event()):
        runs = [await post.life() for _ in range(8)]
        await receiver.gets(32, timeout=30)
    for run in runs:
        told = [arrival.told["sequence"] for arrival in receiver.arrived if arrival.told["run"]["id"] == run]
        assert told == [1, 2, 3, 4]
    assert receiver.most_at_once > 1


async def test_what_is_not_taken_is_tried_again_later_and_later_with_the_same_body(post: Post, receiver: Receiver):
    receiver.status(500)
    await post.hook(receiver)
    await post.scene.asked()
    async with post.sending():
        for attempt, wait in enumerate(BACKOFF[:4], start=1):
            first, _ = await post.reaches(PENDING, PENDING, attempts=attempt)
            assert (first.error, first.response_status) == ("it answered 500", 500)
            assert first.next_at == post.clock.now + wait
            post.clock.move(wait)
        receiver.status(200)
        await post.reaches(DELIVERED, DELIVERED)
    assert receiver.events == ["started"] * 5 + ["waiting"]
    assert len({(arrival.id, arrival.body) for arrival in receiver.arrived[:5]}) == 1
    timestamps = [int(arrival.headers["Signoff-Timestamp"]) for arrival in receiver.arrived]
    assert [after - before for before, after in pairwise(timestamps)] == [5, 30, 120, 600, 0]


async def test_after_a_day_it_is_given_up_and_what_follows_has_its_turn(post: Post, receiver: Receiver):
    receiver.status(503)
    await post.hook(receiver)
    await post.scene.asked()
    attempts = 0
    with capture_logs() as logs:
        async with post.sending():
            while (await post.store.hooks.deliveries())[0].status is PENDING:
                attempts += 1
                first, _ = await post.reaches(PENDING, PENDING, attempts=attempts)
                post.clock.move(first.next_at - post.clock.now)
                if post.clock.now + BACKOFF[-1] > NOW + GIVEN_UP_AFTER:
                    receiver.status(503, 200)
                    break
            started, waiting = await post.reaches(FAILED, DELIVERED)
    assert (started.error, started.attempts) == ("it answered 503", 10)
    assert waiting.attempts == 1
    assert NOW + timedelta(hours=22) < post.clock.now < NOW + GIVEN_UP_AFTER
    assert [each["event"] for each in logs if each["log_level"] == "error"] == ["webhook_given_up"]


async def test_one_that_wants_nothing_more_is_disabled(post: Post, receiver: Receiver):
    receiver.status(410)
    hook_id = await post.hook(receiver)
    await post.scene.asked()
    async with post.sending():
        await post.reaches(FAILED, FAILED)
    await post.scene.asked()
    assert len(receiver.arrived) == 1
    hook = await post.store.hooks.hook(hook_id)
    assert hook is not None
    assert hook.disabled_reason == "it answered 410 Gone"
    assert len(await post.store.hooks.deliveries()) == 2


async def test_a_redirect_is_not_followed(post: Post, receiver: Receiver):
    async with receiving() as other:

        async def elsewhere(_: Arrival) -> web.Response:
            return web.Response(status=307, headers={"Location": other.url})

        receiver.answers = elsewhere
        await post.hook(receiver)
        await post.scene.running()
        async with post.sending():
            [first] = await post.reaches(PENDING, attempts=1)
        assert (first.error, first.response_status) == ("it answered 307, a redirect, which is not followed", 307)
        assert other.arrived == []


async def test_a_receiver_that_hangs_is_left_after_a_while_and_holds_up_nobody_else(post: Post, receiver: Receiver):
    over = asyncio.Event()

    async def late(_: Arrival) -> web.Response:
        await over.wait()
        return web.Response()

    receiver.answers = late
    async with receiving() as other:
        await post.hook(receiver)
        await post.hook(other)
        async with post.sending(patience=0.4):
            for _ in range(10):
                await post.scene.running()
            await other.gets(10, timeout=5)
            slow, *_ = await post.reaches(*[PENDING, DELIVERED] * 10, attempts=1)
        over.set()
    assert slow.error == "no answer within 0.4 seconds"


async def test_an_answer_without_an_end_counts_by_its_status(post: Post, receiver: Receiver):
    async def endless(_: Arrival) -> web.StreamResponse:
        raise AssertionError

    async def stream(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(b"x" * 65536)

    app = web.Application()
    app.router.add_post("/", stream)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    await post.hook(f"http://127.0.0.1:{runner.addresses[0][1]}/")
    await post.scene.running()
    async with post.sending(patience=2.0):
        [only] = await post.reaches(DELIVERED)
    assert only.response_status == 200
    await runner.cleanup()


async def test_one_that_is_not_there_or_speaks_no_http_is_tried_again(post: Post):
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(b"SSH-2.0-OpenSSH secret words\r\n")
        writer.close()

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    await post.hook(f"http://127.0.0.1:{port}/token-in-path")
    await post.hook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
    await post.scene.running()
    async with server, post.sending():
        refused, babbled = await post.reaches(PENDING, PENDING, attempts=1)
    assert refused.error == "the connection was refused"
    assert babbled.error == "the connection failed: ClientResponseError"


async def test_a_crash_between_sending_and_writing_it_down_sends_the_same_delivery_again(
    post: Post, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    """The receiver knows it by its id; what follows still comes after it."""

    async def crash(*_: object, **__: object) -> bool:
        raise RuntimeError("the process is gone")

    await post.hook(receiver)
    await post.scene.asked()
    with monkeypatch.context() as patched:
        patched.setattr(post.store.hooks, "delivered", crash)
        async with post.sending(owner="killed"):
            await receiver.gets(1)
    async with post.sending():
        assert len(receiver.arrived) == 1
        post.clock.move(30 * SECOND)
        await post.reaches(DELIVERED, DELIVERED)
    assert receiver.events == ["started", "started", "waiting"]
    assert receiver.arrived[0].id == receiver.arrived[1].id
    assert receiver.arrived[0].body == receiver.arrived[1].body


async def test_what_was_wanted_while_nobody_sent_is_sent_later(post: Post, receiver: Receiver):
    await post.hook(receiver)
    await post.life()
    async with post.sending():
        await post.reaches(DELIVERED, DELIVERED, DELIVERED, DELIVERED)
    assert receiver.events == ["started", "waiting", "decided", "ended"]


async def test_stopping_lets_what_is_on_its_way_arrive(post: Post, receiver: Receiver):
    asked, answering = asyncio.Event(), asyncio.Event()

    async def when_told(_: Arrival) -> web.Response:
        asked.set()
        await answering.wait()
        return web.Response()

    receiver.answers = when_told
    await post.hook(receiver)
    async with post.sending() as sender:
        await post.scene.asked()
        await asked.wait()
        stopping = asyncio.create_task(sender.stop())
        await asyncio.sleep(0)
        answering.set()
        await stopping
    first, second = await post.reaches(DELIVERED, PENDING)
    assert (first.attempts, second.attempts) == (1, 0)


async def test_one_that_is_sent_again_arrives_under_its_own_id(post: Post, receiver: Receiver):
    await post.hook(receiver)
    await post.scene.running()
    async with post.sending():
        [only] = await post.reaches(DELIVERED)
        await post.store.hooks.send_again(only.id, via="command line", now=post.clock.now)
        first, second = await receiver.gets(2)
        await post.reaches(DELIVERED)
    assert (first.id, first.body) == (second.id, second.body)


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("https://169.254.169.254/latest", "its URL leads to '169.254.169.254', which is not on the public internet"),
        ("http://example.com/", "its URL must begin with https://"),
        ("https://localhost/", "its URL leads to 'localhost', which is not on the public internet"),
    ],
)
async def test_what_leads_inside_is_never_connected_to(post: Post, url: str, error: str):
    await post.hook(url)
    await post.scene.running()
    async with post.sending(reach=Reach()):
        [only] = await post.reaches(PENDING, attempts=1)
    assert only.error is not None
    assert only.error.startswith(error)


async def test_an_address_is_looked_up_once_and_connected_to_as_it_was_checked(
    post: Post, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
):
    """A name that leads somewhere else the second time finds nobody who asks a second time."""
    loop = asyncio.get_running_loop()
    original, asked = loop.getaddrinfo, list[str]()

    async def once(host: str, *arguments: Any, **options: Any) -> Any:
        if host == "hooks.example":
            asked.append(host)
            host = "127.0.0.1"
        return await original(host, *arguments, **options)

    monkeypatch.setattr(loop, "getaddrinfo", once)
    await post.hook(receiver.url.replace("127.0.0.1", "hooks.example").replace("http:", "https:"))
    await post.scene.running()
    async with post.sending(reach=Reach(hosts=("hooks.example",))):
        [only] = await post.reaches(PENDING, attempts=1)
    assert asked == ["hooks.example"]
    assert only.error == "no secure connection: ClientConnectorSSLError"


async def test_neither_the_secret_nor_the_url_nor_the_body_is_logged(post: Post, receiver: Receiver, capfd):
    receiver.status(500, 410, 200)
    await post.hook(receiver.url + "?token=in-the-url")
    with capture_logs() as logs:
        async with post.sending():
            interrupt = await post.scene.asked(data='"hidden data"')
            await post.reaches(PENDING, PENDING, attempts=1)
            post.clock.move(5 * SECOND)
            await post.reaches(FAILED, FAILED)
            await post.store.cancel(interrupt.run_id, person=BEN, via="slack", now=NOW)
    assert {each["event"] for each in logs} == {"webhook_not_delivered", "webhook_disabled"}
    said = str(logs) + "".join(capfd.readouterr())
    for secret in (SECRET, "in-the-url", "hidden", "Approve sending"):
        assert secret not in said
