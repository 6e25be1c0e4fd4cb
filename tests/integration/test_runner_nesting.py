"""Actions that ask and call, with a real database: every answer finds its place, and what ended is never done again."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from actions import Action, ActionInterrupt, CallFailed, Context, Declined, Expired, Person, Policy
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallRecord, CallStatus
from bot.engine.results import Settled
from storage.results import NewRun
from tests.authors import IN_THE_CHANNEL, declare, executing
from tests.integration.engine_room import ANN, BEN, VIA, Room, click, engine_room, form, order, refused


class Number(BaseModel):
    number: int = 1


class Colour(BaseModel):
    """A colour."""

    colour: str


def refunding(effects: list[str], **options: Any) -> Action:
    async def refund(input: Number, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Refund {input.number}?")
        effects.append(ctx.idempotency_key)
        return f"refunded {input.number}"

    return declare(refund, **{"id": "refund", "name": "Refund order"} | options)


async def calls_of(room: Room, run: RunRecord) -> dict[str, CallRecord]:
    return {call.path: call for call in await room.store.calls.of_run(run.id)}


async def test_each_answer_goes_to_the_call_that_asked_and_what_ended_is_replayed(tmp_path: Path, database_url: str):
    effects: list[str] = []
    refund = refunding(effects)

    async def body(ctx: Context) -> list[str]:
        calls = (ctx.call(refund, {"number": n}, name=f"order {n}") for n in (1, 2, 3))
        return list(await asyncio.gather(*calls))

    action = executing(body)
    async with engine_room(tmp_path, action, refund, url=database_url) as room:
        run = await room.begin(action)
        seen = []
        for number in (1, 2, 3):
            card = await room.asked(run, number)
            interrupt = card.interrupt
            asker = interrupt.asker
            assert asker is not None
            seen.append((interrupt.call_path, asker.action_id, interrupt.position, interrupt.total))
            assert isinstance(await room.runner.click(click(card, "approve")), Settled)
        ended = await room.ended(run)
        calls = await calls_of(room, run)
    assert seen == [(f"order {n}", "refund", n, 3) for n in (1, 2, 3)]
    assert ended.output == '["refunded 1","refunded 2","refunded 3"]'
    assert sorted(effects) == [f"{run.id}:order {n}:1" for n in (1, 2, 3)]
    assert {call.status for call in calls.values()} == {CallStatus.FINISHED}


async def test_two_parallel_runs_of_one_action_never_cross_answers(tmp_path: Path, database_url: str):
    async def body(ctx: Context) -> str:
        return str(await ctx.ask("Which?", resume=Literal["left", "right"]))

    action = executing(body)
    async with engine_room(tmp_path, action, url=database_url) as room:
        first, second = await room.paused(action), await room.paused(action)
        await room.runner.click(click(second, "right"))
        await room.runner.click(click(first, "left"))
        outputs = [(await room.ended(card.run)).output for card in (first, second)]
    assert outputs == ['"left"', '"right"']


async def test_a_type_that_only_the_question_knows_is_checked_in_the_form_and_comes_back_as_itself(tmp_path: Path):
    seen: list[Any] = []

    async def body(ctx: Context) -> None:
        seen.append(await ctx.ask("Which colour?", resume=Colour))

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert not isinstance(await room.runner.submit_answer(form(card, "answer", {})), Settled)
        await room.runner.submit_answer(form(card, "answer", {"/colour": "red"}))
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
    assert seen == [Colour(colour="red")]


async def test_a_called_action_that_is_declined_is_not_executed_and_its_caller_goes_on(
    tmp_path: Path, database_url: str
):
    effects: list[str] = []
    refund = refunding(effects)

    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.call(refund, {}))
        except Declined as no:
            return f"{no.by[0]} said no: {no.reason}"

    action = executing(body)
    async with engine_room(tmp_path, action, refund, url=database_url) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.submit_answer(form(card, "reject", {"/reason": "Too dear"})), Settled)
        ended = await room.ended(card.run)
        call = (await calls_of(room, card.run))["refund"]
        settled = (await room.asked(card.run)).interrupt
    assert (ended.status, ended.output) == (RunStatus.SUCCEEDED, f'"{ANN} said no: Too dear"')
    assert (call.status, call.executions, effects) == (CallStatus.DECLINED, 1, [])
    assert settled.status is InterruptStatus.DECLINED


async def test_a_refusal_that_nobody_catches_ends_the_run_as_declined_by_them(tmp_path: Path, database_url: str):
    after: list[str] = []

    async def body(ctx: Context) -> None:
        await ctx.ask("Ship it?")
        after.append("shipped")

    action = executing(body)
    async with engine_room(tmp_path, action, url=database_url) as room:
        card = await room.paused(action)
        await room.runner.submit_answer(form(card, "reject", {"/reason": "Never"}))
        ended = await room.ended(card.run)
    assert (ended.status, ended.ended_by, after) == (RunStatus.DECLINED, ANN, [])


async def test_a_question_that_runs_out_is_told_to_the_caller(tmp_path: Path, database_url: str):
    refund = refunding([], expires_in=timedelta(minutes=5))

    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.call(refund, {}))
        except Expired:
            await ctx.ask("And now?", expires_in=timedelta(minutes=1))
        return "never"

    action = executing(body)
    async with engine_room(tmp_path, action, refund, url=database_url) as room:
        card = await room.post(await room.paused(action))
        room.clock.ahead = timedelta(minutes=6)
        await room.runner.expire()
        again = await room.post(await room.asked(card.run, 2))
        call = (await calls_of(room, card.run))["refund"]
        room.clock.ahead = timedelta(minutes=10)
        await room.runner.expire()
        ended = await room.ended(card.run)
    assert (again.interrupt.message, call.status) == ("And now?", CallStatus.EXPIRED)
    assert ended.status is RunStatus.EXPIRED


async def test_a_failed_run_that_is_run_again_tries_the_call_anew_by_which_it_failed(tmp_path: Path, database_url: str):
    tried: list[str] = []
    done: list[str] = []

    async def flaky(input: Number, ctx: Context) -> str:
        tried.append(ctx.idempotency_key)
        if len(tried) == 1:
            raise ConnectionError("the bank is away")
        return "paid"

    async def effect(input: Number, ctx: Context) -> None:
        done.append(ctx.idempotency_key)

    async def missing(input: Number, ctx: Context) -> None:
        done.append("missing")
        raise LookupError("no such account")

    paying = declare(flaky, id="flaky", name="Pay")
    first, lost = declare(effect, id="effect"), declare(missing, id="missing")

    async def middle(input: Number, ctx: Context) -> str:
        return str(await ctx.call(paying, {}))

    around = declare(middle, id="middle")

    async def body(ctx: Context) -> str:
        await ctx.call(first, {})
        try:
            await ctx.call(lost, {})
        except CallFailed:
            return str(await ctx.call(around, {}))
        return "never"

    action = executing(body)
    async with engine_room(tmp_path, action, paying, first, lost, around, url=database_url) as room:
        run = await room.begin(action)
        failed = await room.ended(run)
        assert failed.failure is not None
        assert (failed.status, failed.failure.call) == (RunStatus.FAILED, "middle")
        assert "the bank is away" in failed.failure.message
        await room.runner.order(order(failed, "run_again", run.requester))
        ended = await room.ended(run, epoch=2)
    assert (ended.status, ended.output) == (RunStatus.SUCCEEDED, '"paid"')
    assert len(tried) == 2
    assert len(set(tried)) == 1
    assert (len(done), done.count("missing")) == (2, 1)


async def test_for_somebody_whom_slack_does_not_know_nothing_is_called_and_it_says_so(tmp_path: Path):
    done: list[str] = []
    refund = refunding(done)

    async def body(ctx: Context) -> str:
        return str(await ctx.call("refund", {}, for_requester=True))

    action = executing(body)
    async with engine_room(tmp_path, action, refund) as room:
        unknown = NewRun(action.id, action.name, "U0NOBODY", VIA, "{}")
        failed = await room.ended((await room.store.start(unknown, lease=None, now=room.clock.now())).run)
    assert failed.failure is not None
    assert "Slack knows nobody by the id U0NOBODY" in failed.failure.message
    assert done == []


async def test_an_action_that_asks_and_is_not_registered_fails_with_what_to_do(tmp_path: Path):
    refund = refunding([])

    async def body(ctx: Context) -> str:
        return str(await ctx.call(refund, {}))

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        ended = await room.ended(await room.begin(action))
    assert ended.failure is not None
    assert (ended.failure.kind, "ACTIONS" in (ended.failure.advice or "")) == ("unknown_action", True)


async def test_a_swallowed_question_fails_the_run(tmp_path: Path):
    async def body(ctx: Context) -> str:
        try:
            await ctx.ask("Sure?")
        except BaseException:  # noqa: BLE001 - the fault that is tried
            return "went on"
        return "never"

    async with engine_room(tmp_path, action := executing(body)) as room:
        ended = await room.ended(await room.begin(action))
    assert ended.failure is not None
    assert ended.failure.kind == "pause_swallowed"


# Code that changed during the pause


def picking(*colours: str) -> Action:
    async def pick(input: Number, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt("Which?", data={"of": "the door"})
        return str(ctx.resumption.data)

    return declare(pick, id="pick", name="Pick", resume=Literal[colours])


def calling(called: Action) -> Action:
    async def body(ctx: Context) -> str:
        return str(await ctx.call(called, {}))

    return executing(body)


async def test_a_called_action_that_was_changed_and_fits_goes_on(tmp_path: Path, database_url: str):
    before = picking("red", "blue")
    async with engine_room(tmp_path, calling(before), before, url=database_url) as room:
        card = await room.paused(calling(before))
    after = picking("red", "blue", "green")
    async with engine_room(tmp_path, calling(after), after, url=database_url) as room:
        today = await room.asked(card.run, 2)
        assert [choice.key for choice in today.interrupt.shape.choices] == ["red", "blue", "green"]
        assert (today.interrupt.call_path, today.interrupt.asker) == ("pick", card.interrupt.asker)
        await room.runner.click(click(today, "green"))
        assert (await room.ended(card.run)).output == '"green"'


async def answered_without_resume(room: Room, action: Action, choice: str) -> RunRecord:
    """Somebody answers, and the process ends before the run goes on."""
    card = await room.paused(action)
    room.engine._free = 0
    assert isinstance(await room.runner.click(click(card, choice)), Settled)
    return card.run


async def woken(room: Room) -> None:
    """The next process looks after what nobody took up."""
    room.clock.ahead = timedelta(minutes=1)
    await room.runner.recover()


async def test_an_answer_that_a_changed_call_does_not_take_is_asked_for_again_with_the_reason(
    tmp_path: Path, database_url: str
):
    before, after = picking("red", "blue"), picking("green", "blue")
    async with engine_room(tmp_path, calling(before), before, url=database_url) as room:
        run = await answered_without_resume(room, calling(before), "red")
    async with engine_room(tmp_path, calling(after), after, url=database_url) as room:
        await woken(room)
        again = await room.asked(run, 2)
        old = await room.asked(run, 1)
        assert (await calls_of(room, run))["pick"].status is CallStatus.PAUSED
        await room.runner.click(click(again, "blue"))
        ended = await room.ended(run)
    assert old.interrupt.status is InterruptStatus.SUPERSEDED
    assert "does not fit any more" in (again.interrupt.asked_again_because or "")
    assert (again.interrupt.call_path, ended.output) == ("pick", '"blue"')


async def test_a_question_whose_type_was_changed_is_asked_again_and_an_earlier_one_fails_the_run(
    tmp_path: Path, database_url: str
):
    def asking(*colours: str) -> Action:
        async def body(ctx: Context) -> list[Any]:
            return [await ctx.ask("Which?", resume=Literal[colours]), await ctx.ask("Sure?", resume=bool, name="sure")]

        return executing(body)

    async with engine_room(tmp_path, asking("red"), url=database_url) as room:
        run = await answered_without_resume(room, asking("red"), "red")
    async with engine_room(tmp_path, asking("blue"), url=database_url) as room:
        await woken(room)
        again = await room.asked(run, 2)
        assert [choice.key for choice in again.interrupt.shape.choices] == ["blue"]
        await room.runner.click(click(again, "blue"))
        await room.asked(run, 3)
    async with engine_room(tmp_path, asking("green"), url=database_url) as room:
        await room.runner.click(click(await room.asked(run, 3), "yes"))
        ended = await room.ended(run)
    assert ended.failure is not None
    assert (ended.failure.kind, ended.failure.call) == ("diverged", "ask")
    assert "was answered 'blue'" in ended.failure.message
    assert "asks for one of green" in ended.failure.message


async def test_a_called_action_that_got_an_optional_field_meanwhile_is_the_same_call(tmp_path: Path):
    effects: list[str] = []

    def with_input(type_: type[BaseModel]) -> tuple[Action, Action]:
        async def effect(input: Any, ctx: Context) -> int:
            effects.append(ctx.call_path)
            return 1

        effect.__annotations__["input"] = type_
        called = declare(effect, id="effect", name="Effect")

        async def body(ctx: Context) -> int:
            made = int(await ctx.call(called, type_()))
            await ctx.ask("Go on?")
            return made

        return executing(body), called

    class Number2(BaseModel):
        number: int = 1
        note: str = "none"

    before, called = with_input(Number)
    async with engine_room(tmp_path, before, called) as room:
        card = await room.paused(before)
    after, called = with_input(Number2)
    async with engine_room(tmp_path, after, called) as room:
        await room.runner.click(click(await room.asked(card.run), "approve"))
        assert (await room.ended(card.run)).output == "1"
    assert effects == ["effect"]


async def test_an_output_that_does_not_fit_any_more_holds_the_run_until_the_code_is_back(tmp_path: Path):
    def returning(type_: Any, value: Any) -> tuple[Action, Action]:
        async def effect(input: Number, ctx: Context) -> Any:
            return value

        effect.__annotations__["return"] = type_
        called = declare(effect, id="effect", name="Effect")

        async def body(ctx: Context) -> str:
            made = str(await ctx.call(called, {}))
            await ctx.ask("Go on?")
            return made

        return executing(body), called

    before, called = returning(str, "made")
    async with engine_room(tmp_path, before, called) as room:
        card = await room.paused(before)
    after, changed = returning(int, 1)
    async with engine_room(tmp_path, after, changed) as room:
        await room.runner.click(click(await room.asked(card.run), "approve"))
        held = await room.reaches(card.run, RunStatus.HELD)
        assert held.failure is not None
        assert "'Effect'" in held.failure.message
    async with engine_room(tmp_path, before, called) as room:
        assert (await room.ended(card.run)).output == '"made"'


# Cut off


def slow() -> tuple[Action, list[str]]:
    began: list[str] = []

    async def sleeping(input: Number, ctx: Context) -> None:
        began.append(ctx.call_path)
        if len(began) == 1:
            await asyncio.sleep(600)

    return declare(sleeping, id="sleeping", name="Slow step"), began


async def begun(began: list[str]) -> None:
    async with asyncio.timeout(10):
        while not began:  # noqa: ASYNC110 - it begins on another thread's loop
            await asyncio.sleep(0.005)


async def test_a_run_that_is_cancelled_while_a_call_executes_stalls_at_that_call(tmp_path: Path, database_url: str):
    called, began = slow()

    async def body(ctx: Context) -> None:
        await ctx.call(called, {})

    action = executing(body)
    async with engine_room(tmp_path, action, called, url=database_url) as room:
        run = await room.begin(action)
        await begun(began)
        await room.runner.cancel(run.id, run.requester)
        stalled = await room.ended(run)
        assert stalled.failure is not None
        assert (stalled.status, stalled.failure.call) == (RunStatus.STALLED, "sleeping")
        assert "“Slow step”" in stalled.failure.message


async def test_a_run_whose_time_is_up_while_a_call_executes_stalls_at_that_call_and_can_go_on(
    tmp_path: Path, database_url: str
):
    called, began = slow()

    async def body(ctx: Context) -> str:
        await ctx.call(called, {})
        return "went on"

    action = executing(body, time_limit=timedelta(seconds=0.5))
    async with engine_room(tmp_path, action, called, url=database_url) as room:
        run = await room.begin(action)
        stalled = await room.ended(run)
        assert stalled.failure is not None
        assert (stalled.status, stalled.failure.kind, stalled.failure.call) == (
            RunStatus.STALLED,
            "time_limit",
            "sleeping",
        )
        await room.runner.order(order(stalled, "it_happened", run.requester))
        ended = await room.ended(run, epoch=2)
        call = (await calls_of(room, run))["sleeping"]
    assert (ended.status, ended.output, began) == (RunStatus.SUCCEEDED, '"went on"', ["sleeping"])
    assert (call.status, call.marked_by) == (CallStatus.FINISHED, run.requester)


@pytest.mark.parametrize("verb", ["run_again", "it_did_not"])
async def test_what_people_order_about_a_call_in_doubt_is_done_to_that_call(
    tmp_path: Path, database_url: str, verb: str
):
    called, began = slow()
    done: list[str] = []

    async def effect(input: Number, ctx: Context) -> None:
        done.append(ctx.call_path)

    first = declare(effect, id="effect")

    async def body(ctx: Context) -> str:
        await ctx.call(first, {})
        await ctx.call(called, {})
        return "went on"

    action = executing(body, time_limit=timedelta(seconds=0.5))
    async with engine_room(tmp_path, action, first, called, url=database_url) as room:
        run = await room.begin(action)
        stalled = await room.ended(run)
        await room.runner.order(order(stalled, verb, run.requester))
        ended = await room.ended(run, epoch=2)
        if verb == "it_did_not":
            assert ended.failure is not None
            assert (ended.status, ended.failure.call, len(began)) == (RunStatus.FAILED, "sleeping", 1)
            assert "marked as not having happened" in ended.failure.message
            await room.runner.order(order(ended, "run_again", run.requester))
            ended = await room.ended(run, epoch=3)
        again = await room.runner.order(order(stalled, verb, run.requester))
    assert (ended.status, len(began), done) == (RunStatus.SUCCEEDED, 2, ["effect"])
    assert refused(again)


async def test_a_call_that_happened_and_whose_result_is_needed_fails_the_run_and_is_not_done_again(tmp_path: Path):
    began: list[str] = []

    async def paying(input: Number, ctx: Context) -> int:
        began.append(ctx.call_path)
        await asyncio.sleep(600)
        return 1

    called = declare(paying, id="paying", name="Pay")

    async def body(ctx: Context) -> int:
        return int(await ctx.call(called, {}))

    action = executing(body, time_limit=timedelta(seconds=0.5))
    async with engine_room(tmp_path, action, called) as room:
        run = await room.begin(action)
        stalled = await room.ended(run)
        await room.runner.order(order(stalled, "it_happened", run.requester))
        failed = await room.ended(run, epoch=2)
        assert failed.failure is not None
        assert (failed.status, "marked it as having happened" in failed.failure.message) == (RunStatus.FAILED, True)
        await room.runner.order(order(failed, "run_again", run.requester))
        failed = await room.ended(run, epoch=3)
    assert (failed.status, began) == (RunStatus.FAILED, ["paying"])


async def test_only_those_who_may_decide_a_called_action_answer_it(tmp_path: Path):
    refund = refunding([], policy=Policy(deciders=Person(BEN)))

    async def body(ctx: Context) -> str:
        return str(await ctx.call(refund, {}))

    action = executing(body, policy=IN_THE_CHANNEL)
    async with engine_room(tmp_path, action, refund) as room:
        card = await room.paused(action)
        assert refused(await room.runner.click(click(card, "approve", ANN)))
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Settled)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
