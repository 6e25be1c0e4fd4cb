"""Questions and calls within an action: each is answered or executed once, and every pass takes the same way."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Literal

import pytest
from pydantic import BaseModel

from actions import (
    Action,
    ActionInterrupt,
    Answer,
    Approve,
    CallFailed,
    Context,
    Decline,
    Declined,
    Expired,
    FromInput,
    Person,
    Policy,
    action,
)
from actions.testing import AnswerError, run
from tests.authors import IN_THE_CHANNEL, declare, executing


class Number(BaseModel):
    number: int = 1


class Picked(BaseModel):
    """An answer with a field."""

    colour: str


def counted(**options: Any) -> tuple[Action, list[int]]:
    """An action that has an effect, and a list of them."""
    effects: list[int] = []

    async def effect(input: Number, ctx: Context) -> int:
        effects.append(input.number)
        return input.number * 10

    return declare(effect, **{"id": "effect", "name": "Effect"} | options), effects


def asking(**options: Any) -> tuple[Action, list[str]]:
    """An action that raises a pause, and has its effect once it was answered."""
    effects: list[str] = []

    async def refund(input: Number, ctx: Context) -> str:
        if ctx.resumption is None:
            raise ActionInterrupt(f"Refund {input.number}?", state={"n": input.number})
        effects.append(ctx.idempotency_key)
        return f"refunded {ctx.resumption.state['n']}"

    return declare(refund, **{"id": "refund", "name": "Refund order"} | options), effects


# Questions


async def test_a_question_returns_its_answer_as_the_type_that_was_asked_for():
    async def body(ctx: Context) -> str:
        colour = await ctx.ask("Which colour?", {"of": "the door"}, resume=Picked)
        assert isinstance(colour, Picked)
        size = await ctx.ask("Which size?", resume=Literal["small", "large"], name="size")
        return f"{size} and {colour.colour}"

    paused = await run(executing(body), {})
    assert (paused.message, paused.data, paused.call_path) == ("Which colour?", {"of": "the door"}, "ask")
    paused = await paused.answer("answer", colour="red")
    assert (paused.message, paused.choices, paused.call_path) == ("Which size?", ("small", "large"), "size")
    assert (await paused.answer("large")).output == "large and red"


async def test_a_question_takes_the_settings_of_its_action_unless_it_has_its_own():
    async def body(ctx: Context) -> str:
        await ctx.ask("As always?")
        return str(await ctx.ask("And this?", policy=Policy(deciders=Person("U0BOSS")), resume="pick", ui="door"))

    paused = await run(executing(body, resumes={"pick": bool}), {})
    assert (paused.choices, paused.request.policy.deciders) == (("approve", "reject"), IN_THE_CHANNEL.deciders)
    paused = await paused.answer("approve")
    assert (paused.choices, paused.request.ui) == (("yes", "no"), "door")
    assert paused.request.policy.deciders == (Person("U0BOSS"),)
    assert (await paused.answer("no")).output == "False"


@pytest.mark.parametrize("value", [False, 0, "", [], {}, None], ids=repr)
async def test_a_falsy_answer_is_an_answer(value: Any):
    async def body(ctx: Context) -> list[Any]:
        return [await ctx.ask("What?", resume={})]

    paused = await run(executing(body), {})
    assert (await paused.answer("answer", value)).output == [value]


async def test_what_does_not_fit_the_type_of_a_question_is_refused_and_nothing_runs():
    async def body(ctx: Context) -> str:
        return str((await ctx.ask("Which colour?", resume=Picked)).colour)

    paused = await run(executing(body), {})
    with pytest.raises(AnswerError, match="colour"):
        await paused.answer("answer")
    assert paused.executions == 1


async def test_questions_of_one_name_are_told_apart_by_which_time_it_is():
    async def body(ctx: Context) -> list[int]:
        return [await ctx.ask(f"Number {each}?", resume=int, name="number") for each in range(3)]

    paused = await run(executing(body), {})
    paths = []
    for value in (5, 6):
        paths.append(paused.call_path)
        paused = await paused.answer("answer", value)
    assert [*paths, paused.call_path] == ["number", "number#2", "number#3"]
    assert (await paused.answer("answer", 7)).output == [5, 6, 7]


async def test_a_declined_question_raises_where_it_was_asked_with_who_and_why():
    told: list[Declined] = []

    async def body(ctx: Context) -> str:
        try:
            await ctx.ask("Ship it?")
        except Declined as no:
            told.append(no)
            return "kept"
        return "shipped"

    paused = await run(executing(body), {})
    ended = await paused.answer("reject", reason="Not on Friday", by="U0ANN")
    assert ended.output == "kept"
    assert (told[0].question, told[0].choice, told[0].data, told[0].by) == (
        "Ship it?",
        "reject",
        {"reason": "Not on Friday"},
        ("U0ANN",),
    )


async def test_a_declined_question_that_nobody_catches_ends_the_action_as_declined():
    after: list[str] = []

    async def body(ctx: Context) -> None:
        await ctx.ask("Ship it?")
        after.append("shipped")

    paused = await run(executing(body), {})
    assert (await paused.answer("reject", reason="Never")).status == "declined"
    assert after == []


async def test_a_question_that_ran_out_raises_expired_or_does_what_the_deadline_says():
    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.ask("Ship it?", on_expiry=ctx_terms.get("terms")))
        except Expired:
            return "nobody came"
        except Declined:
            return "no by default"

    ctx_terms: dict[str, Any] = {}
    assert (await (await run(executing(body), {})).expire()).output == "nobody came"
    ctx_terms["terms"] = Decline()
    assert (await (await run(executing(body), {})).expire()).output == "no by default"
    ctx_terms["terms"] = Answer(choice="approve")
    assert (await (await run(executing(body), {})).expire()).output == str(Approve())


async def test_a_question_that_ran_out_and_is_not_caught_ends_the_action_as_expired():
    async def body(ctx: Context) -> None:
        await ctx.ask("Ship it?")

    assert (await (await run(executing(body), {})).expire()).status == "expired"


async def test_a_raised_pause_and_questions_have_answers_of_their_own():
    async def body(ctx: Context) -> list[Any]:
        if ctx.resumption is None:
            raise ActionInterrupt("First?")
        first = ctx.resumption.choice
        second = await ctx.ask("Second?", resume=int)
        return [first, second, ctx.resumption.choice]

    paused = await (await run(executing(body), {})).answer("approve")
    assert (await paused.answer("answer", 2)).output == ["approve", 2, "approve"]


# Calls


async def test_a_finished_call_is_replayed_and_never_executed_again():
    effect, effects = counted()

    async def body(ctx: Context) -> int:
        made: int = await ctx.call(effect, Number(number=3))
        await ctx.ask("Go on?")
        return made + int(await ctx.call(effect, {"number": 4}))

    paused = await run(executing(body), {})
    assert effects == [3]
    ended = await paused.answer("approve")
    assert (ended.output, effects) == (70, [3, 4])
    assert {path: call.executions for path, call in ended.calls.items()} == {"effect": 1, "effect#2": 1}


async def test_a_pause_in_a_call_surfaces_with_its_path_and_its_answer_goes_back_there():
    refund, effects = asking()

    async def middle(input: Number, ctx: Context) -> str:
        return f"middle {await ctx.call(refund, input)}"

    outer = action(id="middle", name="Middle", description="Calls.", policy=IN_THE_CHANNEL)(middle)

    async def body(ctx: Context) -> list[str]:
        return [await ctx.call(outer, Number(number=each), name=f"order {each}") for each in (1, 2)]

    paused = await run(executing(body), {})
    assert (paused.call_path, paused.message, paused.shown) == ("order 1/refund", "Refund 1?", {"number": 1})
    paused = await paused.answer("approve")
    assert (paused.call_path, paused.message) == ("order 2/refund", "Refund 2?")
    ended = await paused.answer("approve")
    assert ended.output == ["middle refunded 1", "middle refunded 2"]
    assert effects == ["run:order 1/refund:1", "run:order 2/refund:1"]


async def test_a_called_action_keeps_its_own_settings_and_is_told_the_same_requester():
    seen: list[tuple[str, str]] = []

    @action(
        id="inner",
        name="Inner",
        description="Asks.",
        policy=FromInput(lambda given: Policy(deciders=Person(f"U0P{given.number}")), "number"),
        resume=FromInput(lambda given: Literal["a", "b"], "number"),
    )
    async def inner(input: Number, ctx: Context) -> Any:
        seen.append((ctx.requester, ctx.run_id))
        if ctx.resumption is None:
            raise ActionInterrupt("Inner?")
        return ctx.resumption.data

    async def body(ctx: Context) -> Any:
        return await ctx.call(inner, {"number": 7})

    paused = await run(executing(body), {}, requester="U0RITA")
    assert paused.request.policy.deciders == (Person("U0P7"),)
    assert (paused.choices, seen) == (("a", "b"), [("U0RITA", "run")])
    assert (await paused.answer("b")).output == "b"


async def test_a_declined_call_does_not_execute_again_and_its_caller_is_told():
    refund, effects = asking()

    async def body(ctx: Context) -> list[Any]:
        try:
            return [await ctx.call(refund, {"number": 1})]
        except Declined as no:
            return [no.reason, no.data, no.path, await ctx.ask("What then?", resume=str)]

    paused = await (await run(executing(body), {})).answer("reject", reason="Too dear")
    assert (paused.message, paused.calls["refund"].executions) == ("What then?", 1)
    ended = await paused.answer("answer", "nothing")
    assert ended.output == [None, {"reason": "Too dear"}, "refund", "nothing"]
    assert effects == []


async def test_a_question_declined_within_a_call_ends_that_call_unless_it_is_caught_there():
    async def inner(input: Number, ctx: Context) -> str:
        await ctx.ask("Inner?")
        return "inner done"

    called = action(id="inner", name="Inner", description="Asks.", policy=IN_THE_CHANNEL)(inner)

    async def body(ctx: Context) -> list[Any]:
        try:
            return [await ctx.call(called, {})]
        except Declined as no:
            again = await ctx.ask("Sure?", resume=bool)
            return [again, no.question, no.choice]

    paused = await (await run(executing(body), {})).answer("reject", reason="Never")
    assert paused.calls["inner"].status == "declined"
    assert (await paused.answer("yes")).output == [True, "Inner?", "reject"]


async def test_a_failed_call_fails_its_caller_the_same_on_every_pass():
    tries: list[int] = []

    @action(id="broken", name="Broken", description="Breaks.", policy=IN_THE_CHANNEL)
    async def broken(input: Number, ctx: Context) -> None:
        tries.append(1)
        raise LookupError("no such account")

    async def body(ctx: Context) -> str:
        try:
            await ctx.call(broken, {})
        except CallFailed as error:
            await ctx.ask("Go on without?")
            return f"{error.failure.kind}: {error}"
        return "never"

    ended = await (await run(executing(body), {})).answer("approve")
    assert (ended.output, tries) == ("LookupError: 'Broken' failed: no such account", [1])


async def test_a_failed_call_that_nobody_catches_fails_the_run_and_is_named():
    @action(id="broken", name="Broken", description="Breaks.", policy=IN_THE_CHANNEL)
    async def broken(input: Number, ctx: Context) -> None:
        raise LookupError("no such account")

    async def body(ctx: Context) -> None:
        await ctx.call(broken, {}, name="the books")

    failure = (await run(executing(body), {})).failure
    assert (failure.kind, failure.call) == ("call_failed", "the books")
    assert failure.message == "'Broken' failed: no such account"


async def test_an_input_that_does_not_fit_a_called_action_fails_the_call_before_it_executes():
    effect, effects = counted()

    async def body(ctx: Context) -> None:
        await ctx.call(effect, {"number": "many"})

    failure = (await run(executing(body), {})).failure
    assert failure.message.startswith("'Effect' failed: its input does not fit: number")
    assert effects == []


async def test_an_output_that_is_not_what_a_called_action_promised_fails_that_call():
    @action(id="wrong", name="Wrong", description="Returns it.", policy=IN_THE_CHANNEL)
    async def wrong(input: Number, ctx: Context) -> int:
        return "a text"  # type: ignore[return-value]

    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.call(wrong, {}))
        except CallFailed as error:
            return error.failure.kind

    assert (await run(executing(body), {})).output == "output"


async def test_a_call_returns_on_its_first_pass_what_it_returns_on_later_ones():
    class Made(BaseModel):
        number: int

    @action(id="make", name="Make", description="Makes.", policy=IN_THE_CHANNEL)
    async def make(input: Number, ctx: Context) -> Made:
        return Made(number=input.number)

    seen: list[Any] = []

    async def body(ctx: Context) -> None:
        seen.append(await ctx.call(make, {}))
        await ctx.ask("Go on?")

    await (await run(executing(body), {})).answer("approve")
    assert seen == [Made(number=1), Made(number=1)]


async def test_only_an_action_can_be_called():
    async def body(ctx: Context) -> None:
        await ctx.call(print, {})  # type: ignore[arg-type]

    assert "ctx.call takes an action" in (await run(executing(body), {})).failure.message


@pytest.mark.parametrize("name", ["", "a/b", "a#2", " a", "a\nb", "a" * 81])
async def test_a_place_has_a_name_that_can_stand_in_a_path(name: str):
    async def body(ctx: Context) -> None:
        await ctx.ask("What?", name=name)

    assert (await run(executing(body), {})).failure.kind == "PlaceError"


async def test_an_action_that_calls_itself_without_end_fails():
    async def deeper(input: Number, ctx: Context) -> None:
        await ctx.call(deep[0], {"number": input.number + 1})

    deep = [action(id="deep", name="Deep", description="Calls.", policy=IN_THE_CHANNEL)(deeper)]
    trial = await run(deep[0], {})
    assert trial.failure.kind == "too_many_calls"
    assert len(trial.calls) == 50


# Side by side


async def test_questions_side_by_side_are_asked_one_after_another_and_count_themselves():
    async def body(ctx: Context) -> list[int]:
        return list(await asyncio.gather(*(ctx.ask(f"{each}?", resume=int, name=each) for each in "abc")))

    paused = await run(executing(body), {})
    seen = []
    for value in (1, 2):
        seen.append((paused.message, paused.position))
        paused = await paused.answer("answer", value)
    assert [*seen, (paused.message, paused.position)] == [("a?", (1, 3)), ("b?", (2, 3)), ("c?", (3, 3))]
    assert (await paused.answer("answer", 3)).output == [1, 2, 3]


async def test_calls_that_pause_side_by_side_wait_for_their_turn_in_task_groups_within_each_other():
    refund, effects = asking()

    async def body(ctx: Context) -> list[str]:
        async def two(first: int) -> list[str]:
            async with asyncio.TaskGroup() as group:
                made = [group.create_task(ctx.call(refund, {"number": n}, name=f"n{n}")) for n in (first, first + 1)]
            return [each.result() for each in made]

        async with asyncio.TaskGroup() as group:
            pairs = [group.create_task(two(first)) for first in (1, 3)]
        return [each for pair in pairs for each in pair.result()]

    paused = await run(executing(body), {})
    positions = [paused.position]
    for _ in range(3):
        paused = await paused.answer("approve")
        positions.append(paused.position)
    ended = await paused.answer("approve")
    assert positions == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert ended.output == [f"refunded {n}" for n in (1, 2, 3, 4)]
    assert len(effects) == len(set(effects)) == 4


async def test_a_call_that_executes_when_another_pauses_comes_to_its_end_and_is_kept():
    ended: list[str] = []

    @action(id="slow", name="Slow", description="Takes its time.", policy=IN_THE_CHANNEL)
    async def slow(input: Number, ctx: Context) -> str:
        await asyncio.sleep(0.05)
        ended.append("slow")
        return "slow"

    async def body(ctx: Context) -> list[Any]:
        return list(await asyncio.gather(ctx.ask("Now?", resume=bool), ctx.call(slow, {})))

    paused = await run(executing(body), {})
    assert (paused.message, ended, paused.calls["slow"].status) == ("Now?", ["slow"], "finished")
    assert (await paused.answer("yes")).output == [True, "slow"]
    assert ended == ["slow"]


@pytest.mark.parametrize("how", ["raised", "failed"])
async def test_a_call_is_not_cut_by_what_its_caller_raises_beside_it(how: str):
    ended: list[str] = []

    @action(id="slow", name="Slow", description="Takes its time.", policy=IN_THE_CHANNEL)
    async def slow(input: Number, ctx: Context) -> str:
        await asyncio.sleep(0.05)
        ended.append("slow")
        return "slow"

    async def body(ctx: Context) -> None:
        async def beside() -> None:
            if how == "failed":
                raise LookupError("beside")
            if ctx.resumption is None:
                raise ActionInterrupt("Beside?")

        async with asyncio.TaskGroup() as group:
            group.create_task(ctx.call(slow, {}))
            group.create_task(beside())

    trial = await run(executing(body), {})
    assert ended == ["slow"]
    assert trial.calls["slow"].status == "finished"
    if how == "raised":
        assert (await trial.answer("approve")).status == "returned"
    assert ended == ["slow"]


async def test_what_an_answer_leads_to_is_asked_beside_what_waits_still():
    async def body(ctx: Context) -> list[Any]:
        async def two() -> list[int]:
            return [await ctx.ask("One?", resume=int, name="one"), await ctx.ask("Then?", resume=int, name="then")]

        return list(await asyncio.gather(two(), ctx.ask("Other?", resume=int, name="other")))

    paused = await run(executing(body), {})
    assert paused.position == (1, 2)
    paused = await paused.answer("answer", 1)
    assert (paused.message, paused.position) == ("Then?", (2, 3))
    paused = await paused.answer("answer", 2)
    assert (paused.message, paused.position) == ("Other?", (3, 3))
    assert (await paused.answer("answer", 3)).output == [[1, 2], 3]


async def test_everybody_who_gets_to_a_question_by_a_few_steps_is_counted():
    async def body(ctx: Context) -> list[int]:
        async def slowly(steps: int) -> int:
            for _ in range(steps):
                await asyncio.sleep(0)
            return int(await ctx.ask(f"After {steps}?", resume=int, name=f"after {steps}"))

        return list(await asyncio.gather(*(slowly(steps) for steps in (0, 1, 5, 40))))

    assert (await run(executing(body), {})).position == (1, 4)


async def test_a_task_that_never_rests_does_not_keep_a_question_from_being_asked():
    async def body(ctx: Context) -> None:
        async def spin() -> None:
            while True:  # noqa: ASYNC110 - the busy task that is tried
                await asyncio.sleep(0)

        await asyncio.gather(spin(), ctx.ask("Stop?"))

    assert (await run(executing(body), {})).message == "Stop?"


async def test_an_answer_no_to_one_of_several_ends_the_rest_unasked():
    async def grouped(ctx: Context) -> str:
        try:
            async with asyncio.TaskGroup() as group:
                for each in "abc":
                    group.create_task(ctx.ask(f"{each}?", name=each))
        except* Declined:
            pass
        else:
            return "all agreed"
        return "somebody did not"

    paused = await run(executing(grouped), {})
    assert (await paused.answer("reject", reason="Never")).output == "somebody did not"

    async def bare(ctx: Context) -> None:
        await asyncio.gather(*(ctx.ask(f"{each}?", name=each) for each in "abc"))

    paused = await run(executing(bare), {})
    assert (await paused.answer("reject", reason="Never")).status == "declined"


async def test_gathering_exceptions_does_not_swallow_what_waits():
    refund, _ = asking()

    async def body(ctx: Context) -> list[str]:
        found = await asyncio.gather(ctx.ask("First?"), ctx.call(refund, {}), ctx.ask("Last?"), return_exceptions=True)
        return [type(each).__name__ for each in found]

    paused = await (await run(executing(body), {})).answer("reject", reason="Never")
    paused = await paused.answer("reject", reason="Never")
    assert (await paused.answer("approve")).output == ["Declined", "Declined", "Approve"]


# Pauses that do not arrive


async def bare_except(ctx: Context) -> str:
    with contextlib.suppress(BaseException):
        await ctx.ask("Sure?")
    return "went on"


async def returning_in_finally(ctx: Context) -> str:
    try:
        await ctx.ask("Sure?")
    finally:
        return "went on"  # noqa: B012 - the fault that is tried


async def not_awaited(ctx: Context) -> str:
    task = asyncio.ensure_future(ctx.ask("Sure?"))
    await asyncio.sleep(0)
    return f"went on, {task.done()}"


async def timed_out(ctx: Context) -> str:
    try:
        async with asyncio.timeout(0):
            await ctx.ask("Sure?")
    except TimeoutError:
        return "went on"
    return "never"


async def in_a_task(ctx: Context) -> str:
    async def swallow() -> str:
        try:
            return str(await ctx.ask("Sure?"))
        except BaseException:  # noqa: BLE001 - the fault that is tried
            return "went on"

    return await asyncio.create_task(swallow())


@pytest.mark.parametrize("body", [bare_except, returning_in_finally, not_awaited, timed_out, in_a_task])
@pytest.mark.parametrize("nested", [False, True])
async def test_a_question_that_is_swallowed_fails_the_run(body: Callable[[Context], Any], nested: bool):
    tried = executing(body)
    if nested:
        inner = executing(body, id="inner")

        async def calls(ctx: Context) -> str:
            try:
                return str(await ctx.call(inner, {}))
            except Exception as error:  # noqa: BLE001 - nobody can catch it
                return f"caught {error}"

        tried = executing(calls, id="caller")
    trial = await run(tried, {})
    assert trial.failure.kind == "pause_swallowed"
    assert "'Sure?'" in trial.failure.message


async def test_a_call_that_waits_and_is_not_awaited_fails_the_run():
    refund, _ = asking()

    async def body(ctx: Context) -> str:
        task = asyncio.ensure_future(ctx.call(refund, {}))
        await asyncio.sleep(0)
        return f"went on, {task.done()}"

    failure = (await run(executing(body), {})).failure
    assert (failure.kind, "'Refund 1?'" in failure.message) == ("pause_swallowed", True)


async def test_a_pause_that_a_called_action_swallows_fails_the_run_and_no_caller_can_catch_it():
    @action(id="deaf", name="Deaf", description="Goes on.", policy=IN_THE_CHANNEL)
    async def deaf(input: Number, ctx: Context) -> str:
        with contextlib.suppress(BaseException):
            raise ActionInterrupt("Sure?")
        return "went on"

    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.call(deaf, {}))
        except Exception:  # noqa: BLE001 - as above
            return "caught"

    assert (await run(executing(body), {})).failure.kind == "pause_swallowed"


async def test_a_pause_inside_a_tidy_except_still_pauses_however_deep():
    refund, _ = asking()

    async def body(ctx: Context) -> str:
        try:
            return str(await ctx.call(refund, {}))
        except Exception:  # noqa: BLE001 - the tidy one
            return "swallowed"

    paused = await run(executing(body), {})
    assert (await paused.answer("approve")).output == "refunded 1"


# The same way on every pass


async def differing(ctx: Context, first: Any, then: Any) -> Any:
    """Does one thing on the first pass and another on the second, at the same place, and asks after it."""
    passes.append(1)
    made = await (first if len(passes) == 1 else then)()
    await ctx.ask("Go on?", name="go on")
    return made


passes: list[int] = []


@pytest.fixture(autouse=True)
def from_the_first_pass():
    passes.clear()


async def test_another_input_at_the_same_place_fails_the_run_with_both_sides():
    effect, effects = counted()

    async def body(ctx: Context) -> Any:
        return await differing(ctx, lambda: ctx.call(effect, {"number": 1}), lambda: ctx.call(effect, {"number": 2}))

    failure = (await (await run(executing(body), {})).answer("approve")).failure
    assert (failure.kind, effects) == ("diverged", [1])
    assert """it called 'Effect' with {"number":1} on an earlier pass""" in failure.message
    assert """now it calls it with {"number":2}""" in failure.message


async def test_another_action_at_the_same_place_fails_the_run_with_both_sides():
    effect, _ = counted()
    other, others = counted(id="other", name="Other")

    async def body(ctx: Context) -> Any:
        return await differing(ctx, lambda: ctx.call(effect, {}, name="it"), lambda: ctx.call(other, {}, name="it"))

    failure = (await (await run(executing(body), {})).answer("approve")).failure
    assert (failure.kind, others) == ("diverged", [])
    assert "At 'it' it called 'Effect' on an earlier pass, and now it calls 'Other'" in failure.message


async def test_another_question_at_the_same_place_fails_the_run_with_both_sides():
    async def body(ctx: Context) -> None:
        passes.append(1)
        await ctx.ask(f"Pay {len(passes)} EUR?")

    failure = (await (await run(executing(body), {})).answer("approve")).failure
    assert failure.kind == "diverged"
    assert "asked 'Pay 1 EUR?' on an earlier pass, and now it asks 'Pay 2 EUR?'" in failure.message


async def test_a_question_where_a_call_was_and_a_call_where_a_question_was_fail_the_run():
    effect, _ = counted()

    async def call_first(ctx: Context) -> Any:
        return await differing(ctx, lambda: ctx.call(effect, {}, name="it"), lambda: ctx.ask("It?", name="it"))

    failure = (await (await run(executing(call_first), {})).answer("approve")).failure
    assert "called 'Effect' on an earlier pass, and now it asks 'It?'" in failure.message
    passes.clear()

    async def ask_first(ctx: Context) -> Any:
        return await differing(ctx, lambda: ctx.ask("It?", name="it"), lambda: ctx.call(effect, {}, name="it"))

    failure = (await (await run(executing(ask_first), {})).answer("approve")).failure
    assert "asked 'It?' on an earlier pass, and now it calls 'Effect'" in failure.message


async def test_a_divergence_cannot_be_caught():
    effect, effects = counted()

    async def body(ctx: Context) -> str:
        passes.append(1)
        try:
            await ctx.call(effect, {"number": len(passes)})
        except Exception:  # noqa: BLE001 - the author's own tidiness
            return "caught"
        await ctx.ask("Go on?")
        return "done"

    assert (await (await run(executing(body), {})).answer("approve")).failure.kind == "diverged"
    assert effects == [1]


async def test_an_action_that_asks_and_calls_without_end_fails():
    effect, _ = counted()

    async def body(ctx: Context) -> None:
        while True:
            await ctx.call(effect, {})

    trial = await run(executing(body), {})
    assert (trial.failure.kind, len(trial.calls)) == ("too_many_calls", 1_000)


# Keys


async def test_the_key_of_a_step_is_the_same_on_every_pass_and_another_for_each_step():
    keys: dict[str, list[str]] = {}

    def note(where: str, ctx: Context) -> None:
        keys.setdefault(where, []).append(ctx.idempotency_key)

    effect, _ = counted()

    async def body(ctx: Context) -> None:
        note("start", ctx)
        await ctx.ask("One?")
        note("one", ctx)
        await ctx.call(effect, {})
        note("two", ctx)
        await ctx.ask("Three?")
        note("three", ctx)

    paused = await (await run(executing(body), {})).answer("approve")
    await paused.answer("approve")
    assert keys == {
        "start": ["run:0"] * 3,
        "one": ["run:1"] * 2,
        "two": ["run:2"] * 2,
        "three": ["run:3"],
    }


async def test_the_keys_of_steps_side_by_side_do_not_depend_on_who_comes_first():
    keys: dict[str, set[str]] = {}

    async def body(ctx: Context) -> None:
        async def branch(name: str) -> None:
            await ctx.ask(f"{name}?", name=name)
            keys.setdefault(name, set()).add(ctx.idempotency_key)
            await ctx.ask(f"{name} again?", name=f"{name} again")

        await asyncio.gather(branch("a"), branch("b"))
        keys.setdefault("after", set()).add(ctx.idempotency_key)

    trial = await run(executing(body), {})
    while trial.status == "paused":
        trial = await trial.answer("approve")
    assert trial.status == "returned"
    assert all(len(each) == 1 for each in keys.values())
    assert len(set.union(*keys.values())) == 3
