"""The test kit: it answers as people would, and says how an action stands where a test expected something else."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from actions import ActionInterrupt, Answer, BreakGlass, Cause, Context, Decline, Group, Policy, Reject
from actions.testing import AnswerError, run
from tests.authors import executing


async def asking(ctx: Context) -> Any:
    if ctx.resumption is None:
        raise ActionInterrupt("Which?", data={"a": 1}, state={"step": 1})
    return [ctx.resumption.choice, ctx.resumption.cause, ctx.resumption.state, ctx.idempotency_key]


async def returning(ctx: Context) -> str:
    return "done"


async def failing(ctx: Context) -> None:
    raise LookupError("no such account")


async def test_an_action_that_does_not_pause_is_told_by_what_it_did_instead():
    trial = await run(executing(returning), {})
    with pytest.raises(AssertionError, match="the action 'tried' is not paused: it returned \"done\""):
        _ = trial.message
    trial = await run(executing(failing), {})
    with pytest.raises(AssertionError, match="is not paused: it failed with LookupError: no such account") as caught:
        await trial.answer("approve")
    assert isinstance(caught.value.__cause__, LookupError)


async def test_an_action_that_broke_a_rule_is_told_with_what_to_do():
    async def forgetful(ctx: Context) -> None:
        ActionInterrupt("Go on?")

    trial = await run(executing(forgetful), {})
    with pytest.raises(AssertionError, match=r"never raised: 'Go on\?'. Write `raise ActionInterrupt"):
        _ = trial.output


async def test_an_action_that_pauses_where_an_output_was_expected_is_told_by_its_question():
    trial = await run(executing(asking), {})
    with pytest.raises(AssertionError, match="did not return: it pauses with 'Which\\?'"):
        _ = trial.output
    with pytest.raises(AssertionError, match="did not fail: it pauses"):
        _ = trial.failure
    with pytest.raises(AssertionError, match="was not declined: it pauses"):
        _ = trial.declined


async def test_a_failure_can_be_looked_at():
    assert (await run(executing(failing), {})).failure.kind == "LookupError"


async def test_an_answer_that_does_not_fit_leaves_the_trial_as_it_was():
    trial = await run(executing(asking, resume=int), {})
    for choice, value in [("answer", "many"), ("answre", 3), ("", 3), ("answer", None)]:
        with pytest.raises(AnswerError):
            await trial.answer(choice, value)
    with pytest.raises(AnswerError):
        await trial.answer("answer")
    assert trial.executions == 1
    assert (await trial.answer("answer", 0)).output == ["answer", "human", {"step": 1}, "run:1"]


class Pick(BaseModel):
    amount: Decimal
    due: date


async def test_a_form_is_filled_in_by_its_fields_or_with_a_model():
    async def body(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("Which?")
        return ctx.resumption.data

    trial = await run(executing(body, resume=Pick), {})
    by_fields = await trial.answer("answer", amount="12.10", due="2026-11-30")
    by_model = await trial.answer("answer", Pick(amount=Decimal("12.10"), due=date(2026, 11, 30)))
    assert by_fields.output == by_model.output == {"amount": "12.10", "due": "2026-11-30"}


async def test_several_pauses_are_answered_one_after_the_other():
    async def body(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("First?", state=[])
        answers = [*ctx.resumption.state, ctx.resumption.data]
        if len(answers) < 3:
            raise ActionInterrupt(f"And after {answers}?", state=answers)
        return [*answers, ctx.idempotency_key]

    trial = await run(executing(body, resume=int), {})
    for number in (0, 1, 2):
        trial = await trial.answer("answer", number)
    assert trial.output == [0, 1, 2, "run:3"]
    assert trial.executions == 4


async def test_a_deadline_does_what_on_expiry_says():
    expired = await (await run(executing(asking), {})).expire()
    assert expired.status == "expired"
    declined = await (await run(executing(asking, on_expiry=Decline()), {})).expire()
    assert (declined.status, declined.declined) == ("declined", None)
    answered = await (await run(executing(asking, resume=bool, on_expiry=Answer(choice="no")), {})).expire()
    assert answered.output == ["no", Cause.EXPIRED, {"step": 1}, "run:1"]


async def test_a_default_answer_that_declines_executes_nothing_more():
    late = Answer(choice="reject", value={"reason": "Nobody answered"})
    trial = await (await run(executing(asking, on_expiry=late), {})).expire()
    assert (trial.status, trial.executions) == ("declined", 1)
    assert trial.declined == Reject(reason="Nobody answered")


async def test_an_input_that_does_not_fit_never_executes():
    with pytest.raises(AnswerError):
        await run(executing(returning), {"unknown": 1})


async def test_somebody_breaks_the_glass_where_the_policy_allows_it():
    async def telling(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("Pay?")
        return [ctx.resumption.cause, ctx.resumption.broken_by, ctx.resumption.reason, len(ctx.resumption.decisions)]

    glass = BreakGlass(Group("leads"), review=Group("security"))
    allowing = executing(telling, policy=Policy(deciders=Group("finance"), break_glass=glass))
    trial = await (await run(allowing, {})).break_glass(reason="Nobody is awake.", by="U0EVE")
    assert trial.output == ["break_glass", "U0EVE", "Nobody is awake.", 0]
    with pytest.raises(AssertionError, match="cannot be approved by breaking the glass: it pauses with 'Pay"):
        await (await run(executing(telling), {})).break_glass()
