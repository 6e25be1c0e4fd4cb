"""One execution from the top: what it returns, how it fails, what it may not leave behind, how it is stopped."""

import asyncio
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from types import FrameType
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from actions import Action, ActionInterrupt, Context
from actions.kit.records.outcomes import Outcome, Paused, Raised, Returned, Stopped
from actions.kit.records.runs import Failure
from actions.kit.running import stray
from actions.ledger import Ledger
from tests.authors import Nothing, declare, execute_once, executing


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    monkeypatch.setattr(stray, "GRACE", 0.3)


def failure_of(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Raised), outcome
    return outcome.failure


class Receipt(BaseModel):
    amount: Decimal


def returning(value: Any, output: Any) -> Action:
    async def tried(input: Nothing, ctx: Context):
        return value

    tried.__annotations__["return"] = output
    return declare(tried)


@pytest.mark.parametrize(
    ("value", "output", "text"),
    [
        (Receipt(amount=Decimal("12.10")), Receipt, '{"amount":"12.10"}'),
        ({"amount": "12.10"}, Receipt, '{"amount":"12.10"}'),
        (None, None, "null"),
        ({"b": 1, "a": -0.0}, dict[str, float], '{"b":1.0,"a":-0.0}'),
    ],
)
async def test_what_an_action_returns_is_validated_and_kept_as_text(value, output, text):
    assert await execute_once(returning(value, output)) == Returned(text)


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ({"amount": "much"}, Receipt),
        (3, None),
        (float("nan"), float),
        ({"login": SecretStr("hunter2")}, dict[str, Any]),
        ("\0", str),
    ],
)
async def test_an_output_that_does_not_fit_fails_the_run_without_quoting_it(value, output):
    failure = failure_of(await execute_once(returning(value, output)))
    assert failure.kind == "output"
    assert "much" not in failure.message
    assert "hunter2" not in failure.message


async def test_an_output_that_does_not_fit_is_told_with_its_type_and_what_to_return():
    failure = failure_of(await execute_once(returning(None, Receipt)))
    assert failure.message.startswith("What the action returned (NoneType) is not Receipt: ")
    assert "without `return`" in (failure.advice or "")


class Unreadable(dict[str, int]):
    """A mapping that breaks when it is written down."""

    def items(self) -> Any:
        raise RuntimeError("hunter2")


async def test_an_output_that_breaks_while_it_is_stored_fails_the_run():
    failure = failure_of(await execute_once(returning(Unreadable(a=1), Any)))
    assert failure.kind == "output"
    assert "cannot be stored: RuntimeError" in failure.message
    assert "hunter2" not in failure.message


async def test_a_stored_input_that_no_longer_fits_fails_the_run():
    class Asked(BaseModel):
        amount: int

    calls = []

    async def tried(input: Any, ctx: Context) -> None:
        calls.append(input)

    tried.__annotations__["input"] = Asked
    outcome = await execute_once(declare(tried), input_text='{"sum": 3}')
    assert failure_of(outcome).kind == "input"
    assert calls == []


async def test_an_error_is_told_by_its_type_and_message():
    async def body(ctx: Context) -> None:
        raise LookupError("no such account")

    outcome = await execute_once(executing(body))
    assert failure_of(outcome) == Failure(kind="LookupError", message="no such account")
    assert isinstance(outcome, Raised)
    assert isinstance(outcome.error, LookupError)


async def test_an_error_without_words_is_told_by_its_name():
    async def body(ctx: Context) -> None:
        raise TimeoutError

    assert failure_of(await execute_once(executing(body))).message == "TimeoutError"


async def test_an_error_that_cannot_even_be_told_is_told_by_its_name():
    class Mute(Exception):  # noqa: N818
        def __str__(self) -> str:
            raise RuntimeError("no words")

    async def body(ctx: Context) -> None:
        raise Mute

    assert failure_of(await execute_once(executing(body))) == Failure(kind="Mute", message="Mute")


async def test_a_validation_error_is_told_without_the_values():
    async def body(ctx: Context) -> None:
        Receipt.model_validate({"amount": "a secret"})

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "ValidationError"
    assert failure.message.startswith("Receipt: amount: Input should be")
    assert "a secret" not in failure.message


async def test_a_message_that_no_database_could_keep_is_mended_and_cut():
    async def body(ctx: Context) -> None:
        raise ValueError("\0\ud800" + "x" * 10_000)

    message = failure_of(await execute_once(executing(body))).message
    assert len(message) == 2_000
    assert message.startswith("\N{REPLACEMENT CHARACTER}?xx")
    assert message.endswith("x…")


async def test_an_error_in_ever_so_many_groups_is_told():
    async def body(ctx: Context) -> None:
        error: Exception = ValueError("no such account")
        for _ in range(5_000):
            error = ExceptionGroup("and again", [error])
        raise error

    assert failure_of(await execute_once(executing(body))).message == "no such account"


async def test_several_errors_are_all_named():
    async def failing(error: Exception) -> None:
        raise error

    async def body(ctx: Context) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(failing(ValueError("first")))
            group.create_task(failing(KeyError("second")))

    failure = failure_of(await execute_once(executing(body)))
    assert "ValueError: first" in failure.message
    assert "KeyError: 'second'" in failure.message


async def exits(ctx: Context) -> None:
    sys.exit(3)


async def exits_in_an_awaited_task(ctx: Context) -> None:
    await asyncio.create_task(exits(ctx))


async def exits_in_a_group(ctx: Context) -> None:
    async with asyncio.TaskGroup() as group:
        group.create_task(exits(ctx))


async def exits_in_a_task_that_nobody_awaits(ctx: Context) -> None:
    task = asyncio.create_task(exits(ctx))
    await asyncio.wait({task})


async def exits_in_gather(ctx: Context) -> None:
    await asyncio.gather(exits(ctx), return_exceptions=True)


async def exits_in_a_thread(ctx: Context) -> None:
    await asyncio.to_thread(sys.exit, 3)


EXITING = [
    exits,
    exits_in_an_awaited_task,
    exits_in_a_group,
    exits_in_a_task_that_nobody_awaits,
    exits_in_gather,
    exits_in_a_thread,
]


@pytest.mark.parametrize("body", EXITING, ids=lambda body: body.__name__)
async def test_an_exit_is_a_failure_of_the_action_and_never_ends_the_loop(body):
    failure = failure_of(await execute_once(executing(body)))
    assert (failure.kind, failure.message) == ("SystemExit", "The action raised SystemExit (3).")


async def test_a_keyboard_interrupt_of_the_action_is_a_failure_too():
    async def body(ctx: Context) -> None:
        raise KeyboardInterrupt

    assert failure_of(await execute_once(executing(body))).kind == "KeyboardInterrupt"


async def test_an_exit_that_the_action_handles_is_its_own_affair():
    async def body(ctx: Context) -> str:
        try:
            sys.exit(3)
        except SystemExit:
            return "stayed"

    assert await execute_once(executing(body)) == Returned('"stayed"')


async def test_tasks_that_an_action_left_behind_are_cancelled_and_awaited():
    ended = []

    async def stray_task() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.02)
            ended.append("tidied up")

    async def body(ctx: Context) -> None:
        task = asyncio.create_task(stray_task())
        await asyncio.sleep(0)
        ctx.report(task.get_name())
        raise ActionInterrupt("Go on?")

    assert isinstance(await execute_once(executing(body)), Paused)
    assert ended == ["tidied up"]


async def test_a_task_started_while_others_are_cancelled_is_cancelled_too():
    async def endless() -> None:
        await asyncio.Event().wait()

    kept = []

    async def leaves_another() -> None:
        try:
            await endless()
        finally:
            kept.append(asyncio.create_task(endless()))

    async def body(ctx: Context) -> None:
        kept.append(asyncio.create_task(leaves_another()))
        await asyncio.sleep(0)

    assert isinstance(await execute_once(executing(body)), Returned)
    assert len(kept) == 2
    assert all(task.cancelled() for task in kept)


async def test_a_task_that_does_not_end_fails_the_run_by_name():
    release = asyncio.Event()

    async def stubborn() -> None:
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    kept = []

    async def body(ctx: Context) -> None:
        kept.append(asyncio.create_task(stubborn(), name="stubborn"))
        await asyncio.sleep(0)
        raise ActionInterrupt("Go on?")

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "still_running"
    assert "task 'stubborn'" in failure.message
    release.set()
    await kept[0]


@pytest.mark.parametrize("how", ["thread", "to_thread", "pool"])
async def test_a_thread_that_does_not_end_fails_the_run_by_name(how):
    release = threading.Event()

    def waits_in_a_thread() -> None:
        release.wait(10)

    kept: list[Any] = []

    async def body(ctx: Context) -> None:
        match how:
            case "thread":
                kept.append(threading.Thread(target=waits_in_a_thread, name="waits_in_a_thread"))
                kept[0].start()
            case "to_thread":
                kept.append(asyncio.create_task(asyncio.to_thread(waits_in_a_thread)))
                await asyncio.sleep(0)
            case _:
                kept.append(ThreadPoolExecutor())
                kept[0].submit(waits_in_a_thread)
        raise ActionInterrupt("Go on?")

    try:
        failure = failure_of(await execute_once(executing(body)))
    finally:
        release.set()
    assert failure.kind == "still_running"
    assert "waits_in_a_thread" in failure.message


async def test_a_thread_that_ends_in_time_is_waited_for():
    def slowly() -> None:
        threading.Event().wait(0.1)

    async def body(ctx: Context) -> None:
        threading.Thread(target=slowly).start()
        raise ActionInterrupt("Go on?")

    assert isinstance(await execute_once(executing(body)), Paused)


async def test_a_daemon_thread_may_outlive_an_action_that_returned_but_not_one_that_paused():
    release = threading.Event()

    async def body(ctx: Context) -> None:
        threading.Thread(target=release.wait, daemon=True).start()

    async def paused(ctx: Context) -> None:
        await body(ctx)
        raise ActionInterrupt("Go on?")

    try:
        assert isinstance(await execute_once(executing(body)), Returned)
        assert failure_of(await execute_once(executing(paused))).kind == "still_running"
    finally:
        release.set()


class Pool:
    """A shared client that keeps something going for everybody once it is first used."""

    def __init__(self) -> None:
        self.keeper: asyncio.Task[None] | None = None
        self.thread: threading.Thread | None = None
        self.release = threading.Event()

    async def use(self) -> str:
        if self.keeper is None:
            self.keeper = asyncio.create_task(self._keep())
            self.thread = threading.Thread(target=self.release.wait)
            self.thread.start()
        return "used"

    async def _keep(self) -> None:
        while True:
            await asyncio.create_task(asyncio.sleep(0.01))

    async def call(self, callback: Any) -> Any:
        return await callback()


async def test_what_a_shared_resource_starts_for_itself_is_left_alone():
    pool = Pool()

    async def body(ctx: Context) -> None:
        await ctx.resource(Pool).use()
        raise ActionInterrupt("Go on?")

    assert isinstance(await execute_once(executing(body), resources=[pool]), Paused)
    assert pool.keeper is not None
    assert pool.thread is not None
    assert not pool.keeper.done()
    assert pool.thread.is_alive()
    pool.release.set()
    pool.keeper.cancel()


def foreign_client() -> Any:
    """A client from a package of its own, of which the resource is only the door."""
    module: dict[str, Any] = {"__name__": "acme_client.core"}
    source = """
import asyncio

class Client:
    async def fetch(self):
        return await Connection().open()

class Connection:
    async def open(self):
        return asyncio.create_task(asyncio.Event().wait())
"""
    exec(source, module)  # noqa: S102
    return module["Client"]()


async def test_what_the_package_of_a_resource_starts_is_left_alone_too():
    client = foreign_client()
    kept: list[asyncio.Task[Any]] = []

    async def body(ctx: Context) -> None:
        kept.append(await client.fetch())

    assert isinstance(await execute_once(executing(body), resources=[client]), Returned)
    assert not kept[0].done()
    kept[0].cancel()


async def test_an_action_from_elsewhere_that_uses_the_ledger_is_watched_all_the_same(tmp_path):
    async def body(ctx: Context) -> str:
        await ctx.resource(Ledger).record("tried", ctx.idempotency_key, {})
        await asyncio.create_task(exits(ctx))
        return "never"

    outcome = await execute_once(executing(body), resources=[Ledger(tmp_path / "ledger.jsonl")])
    assert failure_of(outcome).kind == "SystemExit"


async def test_what_the_action_starts_in_a_callback_of_a_resource_is_the_action_s():
    kept = []

    async def body(ctx: Context) -> None:
        async def callback() -> None:
            kept.append(asyncio.create_task(asyncio.Event().wait()))

        await ctx.resource(Pool).call(callback)

    assert isinstance(await execute_once(executing(body), resources=[Pool()]), Returned)
    await asyncio.sleep(0)
    assert kept[0].cancelled()


async def test_cancelled_from_outside_it_stops():
    started = asyncio.Event()
    ended = []

    async def body(ctx: Context) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    task = asyncio.create_task(execute_once(executing(body)))
    await started.wait()
    task.cancel()
    assert await task == Stopped()
    assert ended == [True]


async def test_an_action_that_returns_although_it_was_stopped_has_returned():
    started = asyncio.Event()

    async def body(ctx: Context) -> str:
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "done all the same"
        return "never"

    task = asyncio.create_task(execute_once(executing(body)))
    await started.wait()
    task.cancel()
    assert await task == Returned('"done all the same"')


async def test_an_action_that_cannot_be_stopped_is_named():
    started, release = asyncio.Event(), asyncio.Event()

    async def body(ctx: Context) -> None:
        started.set()
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue

    task = asyncio.create_task(execute_once(executing(body)))
    await started.wait()
    task.cancel()
    assert "task 'action tried'" in failure_of(await task).message
    release.set()
    await asyncio.sleep(0)


async def test_cancelled_twice_it_still_ends_what_the_action_left_behind():
    started = asyncio.Event()
    ended = []

    async def body(ctx: Context) -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)
            ended.append(True)

    task = asyncio.create_task(execute_once(executing(body)))
    await started.wait()
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.005)
    assert await task == Stopped()
    assert ended == [True]


async def test_an_action_that_cancels_itself_has_failed():
    async def body(ctx: Context) -> None:
        raise asyncio.CancelledError

    assert failure_of(await execute_once(executing(body))).kind == "CancelledError"


def frames() -> list[FrameType]:
    frame: FrameType | None = sys._getframe()
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


async def test_a_stack_tells_which_run_is_being_executed():
    async def body(ctx: Context) -> list[str | None]:
        async def in_a_task() -> str | None:
            return stray.run_on(frames())

        return [stray.run_on(frames()), await asyncio.create_task(in_a_task())]

    assert await execute_once(executing(body), run_id="R7") == Returned('["R7","R7"]')
    assert stray.run_on(frames()) is None


async def test_an_execution_leaves_other_tasks_of_its_loop_alone():
    mine = asyncio.create_task(asyncio.Event().wait())

    async def body(ctx: Context) -> None:
        return None

    await execute_once(executing(body))
    assert not mine.done()
    mine.cancel()
