"""A pause arrives, or the run fails and says why it did not: every way in which one can get lost."""

import asyncio
import contextlib
import gc
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import pytest
from pydantic import BaseModel, SecretStr, model_serializer

from actions import ActionInterrupt, Answer, Context, Decline, InterruptError, Never, Person, Policy
from actions.kit.records.outcomes import Outcome, Paused, PauseRequest, Raised, Returned
from actions.kit.records.runs import Failure
from tests.authors import IN_THE_CHANNEL, execute_once, executing


def request_of(outcome: Outcome) -> PauseRequest:
    assert isinstance(outcome, Paused), outcome
    return outcome.request


def failure_of(outcome: Outcome) -> Failure:
    assert isinstance(outcome, Raised), outcome
    return outcome.failure


async def pausing(ctx: Context, message: str = "Go on?") -> Any:
    raise ActionInterrupt(message)


async def test_a_pause_comes_out_as_what_is_stored_with_the_terms_of_the_action():
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", data={"b": 1, "a": [2.50]}, state={"step": 1})

    action = executing(body)
    request = request_of(await execute_once(action, input_text="{}"))
    assert (request.message, request.data, request.shown, request.state) == (
        "Go on?",
        '{"b":1,"a":[2.5]}',
        '{"b":1,"a":[2.5]}',
        '{"step":1}',
    )
    assert [choice.key for choice in request.shape.choices] == ["approve", "reject"]
    assert request.policy == IN_THE_CHANNEL.model_copy(update={"follows": True})
    assert request.expires_in == action.expires_in
    assert (request.call_path, request.occurrence, request.resume) == ("", 1, "")
    assert request.fingerprint == action.fingerprint()


async def test_without_data_the_card_shows_the_input():
    request = request_of(await execute_once(executing(pausing)))
    assert (request.data, request.shown) == (None, "{}")


@pytest.mark.parametrize(("data", "shown"), [({}, "{}"), ([], "[]"), (0, "0"), ("", '""'), (False, "false")])
async def test_falsy_data_is_shown_as_data(data, shown):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", data=data)

    assert request_of(await execute_once(executing(body))).shown == shown


async def test_a_tidy_except_does_not_swallow_a_pause():
    async def body(ctx: Context) -> None:
        with contextlib.suppress(Exception):
            await pausing(ctx)

    request_of(await execute_once(executing(body)))


async def test_a_pause_is_found_inside_nested_exception_groups():
    async def body(ctx: Context) -> None:
        async with asyncio.TaskGroup() as outer:
            outer.create_task(inner(ctx))

    async def inner(ctx: Context) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(pausing(ctx, "From deep inside?"))

    assert request_of(await execute_once(executing(body))).message == "From deep inside?"


async def test_two_pauses_in_one_group_fail_the_run_and_both_are_named():
    async def body(ctx: Context) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(pausing(ctx, "First?"))
            group.create_task(pausing(ctx, "Second?"))

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "several_pauses"
    assert "'First?'" in failure.message
    assert "'Second?'" in failure.message


async def test_two_pauses_of_a_gather_fail_the_run_although_only_one_comes_out():
    async def body(ctx: Context) -> None:
        await asyncio.gather(pausing(ctx, "First?"), pausing(ctx, "Second?"))

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "several_pauses"
    assert "'First?'" in failure.message
    assert "'Second?'" in failure.message


async def test_a_pause_beside_an_error_fails_the_run_and_both_are_named():
    async def failing() -> None:
        raise ValueError("no such account")

    async def body(ctx: Context) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(pausing(ctx))
            group.create_task(failing())

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "pause_and_error"
    assert "'Go on?'" in failure.message
    assert "ValueError: no such account" in failure.message


async def swallowed_by_a_bare_except(ctx: Context) -> Any:
    try:
        return await pausing(ctx)
    except:  # noqa: E722
        return "went on"


async def swallowed_by_base_exception(ctx: Context) -> str:
    with contextlib.suppress(BaseException):
        await pausing(ctx)
    return "went on"


async def swallowed_by_return_in_finally(ctx: Context) -> str:
    try:
        await pausing(ctx)
    finally:
        return "went on"  # noqa: B012


async def swallowed_by_gather(ctx: Context) -> str:
    await asyncio.gather(pausing(ctx), return_exceptions=True)
    return "went on"


async def swallowed_by_a_task_that_nobody_awaits(ctx: Context) -> str:
    task = asyncio.create_task(pausing(ctx))
    await asyncio.wait({task})
    return "went on"


def pausing_synchronously() -> None:
    raise ActionInterrupt("Go on?")


def ignoring_what_the_thread_raises() -> None:
    with contextlib.suppress(BaseException):
        pausing_synchronously()


async def swallowed_in_to_thread(ctx: Context) -> str:
    await asyncio.to_thread(ignoring_what_the_thread_raises)
    return "went on"


async def swallowed_in_the_default_executor(ctx: Context) -> str:
    future = asyncio.get_running_loop().run_in_executor(None, pausing_synchronously)
    await asyncio.gather(future, return_exceptions=True)
    return "went on"


async def swallowed_in_a_plain_thread(ctx: Context) -> str:
    thread = threading.Thread(target=ignoring_what_the_thread_raises)
    thread.start()
    thread.join()
    return "went on"


async def swallowed_in_a_pool_of_its_own(ctx: Context) -> str:
    with ThreadPoolExecutor() as pool:
        pool.submit(pausing_synchronously)
    return "went on"


SWALLOWING = [
    swallowed_by_a_bare_except,
    swallowed_by_base_exception,
    swallowed_by_return_in_finally,
    swallowed_by_gather,
    swallowed_by_a_task_that_nobody_awaits,
    swallowed_in_to_thread,
    swallowed_in_the_default_executor,
    swallowed_in_a_plain_thread,
    swallowed_in_a_pool_of_its_own,
]


@pytest.mark.parametrize("body", SWALLOWING, ids=lambda body: body.__name__)
async def test_a_swallowed_pause_fails_the_run_and_says_so(body):
    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "pause_swallowed"
    assert "'Go on?'" in failure.message
    assert "except Exception" in (failure.advice or "")


async def test_a_pause_that_a_task_raises_when_it_is_cancelled_counts_as_swallowed():
    kept = []

    async def when_cancelled() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise ActionInterrupt("Go on?") from None

    async def body(ctx: Context) -> str:
        kept.append(asyncio.create_task(when_cancelled()))
        await asyncio.sleep(0)
        return "went on"

    assert failure_of(await execute_once(executing(body))).kind == "pause_swallowed"


async def test_an_error_that_replaces_a_pause_tells_of_the_pause():
    async def body(ctx: Context) -> None:
        with contextlib.suppress(BaseException):
            await pausing(ctx)
        raise ValueError("no such account")

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "ValueError"
    assert "'Go on?'" in failure.message


async def test_an_error_in_a_finally_tells_of_the_pause_that_it_replaced():
    async def body(ctx: Context) -> None:
        try:
            await pausing(ctx)
        finally:
            raise ValueError("could not clean up")

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "ValueError"
    assert "could not clean up" in failure.message
    assert "'Go on?'" in failure.message


class Mapper:
    """A resource that runs an author's callback in a task or thread of its own, and ignores what comes of it."""

    async def in_a_task(self, callback: Any) -> None:
        await asyncio.wait({asyncio.create_task(callback())})

    async def in_a_thread(self, callback: Any) -> None:
        await asyncio.to_thread(callback)


@pytest.mark.parametrize("how", ["in_a_task", "in_a_thread"])
async def test_a_pause_that_a_resource_swallows_is_noticed(how):
    async def body(ctx: Context) -> str:
        callback = ignoring_what_the_thread_raises if how == "in_a_thread" else lambda: pausing(ctx)
        await getattr(ctx.resource(Mapper), how)(callback)
        return "went on"

    outcome = await execute_once(executing(body), resources=[Mapper()])
    assert failure_of(outcome).kind == "pause_swallowed"


async def test_a_pause_that_leaves_a_thread_is_told_by_the_run_and_not_printed(capfd):
    async def body(ctx: Context) -> str:
        thread = threading.Thread(target=pausing_synchronously)
        thread.start()
        thread.join()
        return "went on"

    assert failure_of(await execute_once(executing(body))).kind == "pause_swallowed"
    assert "Go on?" not in capfd.readouterr().err


async def test_the_pauses_of_lost_tasks_are_not_printed_by_asyncio(caplog):
    async def body(ctx: Context) -> str:
        await asyncio.wait({asyncio.create_task(pausing(ctx))})
        return "went on"

    failure_of(await execute_once(executing(body)))
    gc.collect()
    assert caplog.records == []


async def test_a_pause_that_was_made_and_not_raised_fails_the_run():
    async def body(ctx: Context) -> str:
        ActionInterrupt("Go on?")
        return "went on"

    failure = failure_of(await execute_once(executing(body)))
    assert (failure.kind, failure.advice) == ("pause_not_raised", "Write `raise ActionInterrupt(...)`.")


async def test_an_error_after_a_pause_that_was_never_raised_names_the_missing_raise():
    async def body(ctx: Context) -> Any:
        ActionInterrupt("Go on?")
        return ctx.resumption.data  # type: ignore[union-attr]

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "AttributeError"
    assert "it made a pause and never raised it: 'Go on?'" in failure.message
    assert failure.advice == "Write `raise ActionInterrupt(...)`."


async def test_a_pause_may_replace_another_while_that_is_handled():
    async def body(ctx: Context) -> None:
        try:
            await pausing(ctx, "Vague?")
        except ActionInterrupt:
            raise ActionInterrupt("Precise?") from None

    assert request_of(await execute_once(executing(body))).message == "Precise?"


async def test_a_pause_may_be_taken_out_of_its_group():
    async def body(ctx: Context) -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(pausing(ctx))
        except BaseExceptionGroup as group_error:
            raise group_error.exceptions[0]  # noqa: B904

    request_of(await execute_once(executing(body)))


async def test_an_adapter_may_take_a_pause_over():
    async def body(ctx: Context) -> str:
        try:
            await pausing(ctx)
        except ActionInterrupt as pause:
            pause.take_over()
        return "carried on in another form"

    assert isinstance(await execute_once(executing(body)), Returned)


async def test_a_pause_raised_in_a_thread_that_is_awaited_arrives():
    async def body(ctx: Context) -> None:
        await asyncio.to_thread(pausing_synchronously)

    request_of(await execute_once(executing(body)))


async def test_two_executions_at_once_do_not_mix_up_their_pauses():
    async def swallows(ctx: Context) -> str:
        await asyncio.sleep(0)
        return await swallowed_in_a_plain_thread(ctx)

    async def returns(ctx: Context) -> str:
        await asyncio.sleep(0.02)
        return "fine"

    swallowing, fine = await asyncio.gather(execute_once(executing(swallows)), execute_once(executing(returns)))
    assert failure_of(swallowing).kind == "pause_swallowed"
    assert isinstance(fine, Returned)


async def test_a_pool_that_outlives_a_run_carries_the_next_run_s_pauses_to_the_next_run():
    with ThreadPoolExecutor(max_workers=1) as shared:

        async def uses(ctx: Context) -> str:
            await asyncio.get_running_loop().run_in_executor(shared, len, "")
            return "fine"

        async def swallows(ctx: Context) -> str:
            await asyncio.get_running_loop().run_in_executor(shared, ignoring_what_the_thread_raises)
            return "went on"

        assert isinstance(await execute_once(executing(uses)), Returned)
        assert failure_of(await execute_once(executing(swallows))).kind == "pause_swallowed"
        assert isinstance(await execute_once(executing(uses)), Returned)


BAD_DATA = {
    "nan": ({"amount": float("nan")}, "data.amount"),
    "infinity": ([1, float("inf")], "data[1]"),
    "nul": ({"lines": [{"text": "a\0b"}]}, "data.lines[0].text"),
    "surrogate": ({"text": "\ud800"}, "data.text"),
    "object": ({"client": object()}, "data.client"),
    "key": ({1: "one"}, "data"),
    "too large": ("x" * 5_000_000, "data"),
}


@pytest.mark.parametrize(("data", "path"), BAD_DATA.values(), ids=BAD_DATA)
async def test_data_that_cannot_be_stored_fails_at_the_raise_with_the_path_of_the_value(data, path):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", data=data)

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "bad_pause"
    assert f"{path} " in failure.message


async def test_a_cyclic_object_is_refused_with_its_path():
    loop: dict[str, Any] = {}
    loop["again"] = [loop]

    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", data=loop)

    assert "data.again[0]" in failure_of(await execute_once(executing(body))).message


async def test_a_secret_in_the_state_is_refused_and_never_told():
    class Login(BaseModel):
        password: SecretStr

    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", state={"login": Login(password=SecretStr("hunter2"))})

    failure = failure_of(await execute_once(executing(body)))
    assert "state.login.password" in failure.message
    assert "hunter2" not in failure.message


async def test_catching_a_pause_that_cannot_be_stored_fails_the_run_too():
    async def body(ctx: Context) -> str:
        try:
            raise ActionInterrupt("Go on?", data=float("nan"))
        except InterruptError:
            return "went on"

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "pause_swallowed"
    assert "data is nan" in failure.message


async def test_a_serializer_that_raises_still_counts_as_a_pause():
    class Odd(BaseModel):
        @model_serializer
        def told(self) -> dict[str, Any]:
            raise RuntimeError("no words")

    async def body(ctx: Context) -> str:
        with contextlib.suppress(Exception):
            raise ActionInterrupt("Go on?", data=Odd())
        return "went on"

    assert failure_of(await execute_once(executing(body))).kind == "bad_pause"


@pytest.mark.parametrize("message", ["", "  ", None, 3, "a\0b"])
async def test_a_pause_needs_a_message(message):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt(message)

    assert failure_of(await execute_once(executing(body))).kind == "bad_pause"


async def test_a_raise_overrides_the_terms_of_the_action():
    dana = Policy(deciders=Person("dana@example.com"))

    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Which?", resume=int, policy=dana, expires_in=Never, on_expiry=Decline(), ui="pick")

    request = request_of(await execute_once(executing(body, resumes={"count": int})))
    assert (request.policy, request.expires_in, request.on_expiry, request.ui) == (dana, None, Decline(), "pick")
    assert request.resume == "count"
    assert [choice.key for choice in request.shape.choices] == [
        choice.key for choice in executing(body, resumes={"count": int}).resume("count").shape.choices
    ]


async def test_a_resume_type_may_be_given_by_its_name():
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Which?", resume="colour")

    action = executing(body, resumes={"count": int, "colour": Literal["red", "blue"]})
    request = request_of(await execute_once(action))
    assert (request.resume, [choice.key for choice in request.shape.choices]) == ("colour", ["red", "blue"])


async def test_a_resume_type_that_was_not_declared_fails_the_run():
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Which?", resume=int)

    failure = failure_of(await execute_once(executing(body, resumes={"colour": Literal["red", "blue"]})))
    assert failure.kind == "bad_pause"
    assert "resumes={...}" in failure.message
    assert "'colour'" in failure.message


async def test_a_default_answer_of_the_action_must_fit_the_type_of_the_raise():
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Which?", resume=int)

    action = executing(body, on_expiry=Answer(choice="approve"), resumes={"count": int})
    failure = failure_of(await execute_once(action))
    assert failure.kind == "bad_pause"
    assert "on_expiry=Answer('approve', ...)" in failure.message


@pytest.mark.parametrize(
    "terms",
    [{"expires_in": 300}, {"on_expiry": "decline"}, {"ui": ""}, {"policy": "dana"}, {"policy": Policy(deciders=())}],
    ids=str,
)
async def test_terms_that_make_no_sense_fail_the_run(terms):
    async def body(ctx: Context) -> None:
        raise ActionInterrupt("Go on?", **terms)

    failure = failure_of(await execute_once(executing(body)))
    assert failure.kind == "bad_pause"
    assert next(iter(terms)) in failure.message
