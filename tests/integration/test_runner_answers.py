"""From a start to an answer to an end: what a click or a form does, and what it is told when it does nothing."""

import asyncio
import json
import sqlite3
import threading
from contextlib import closing
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, model_validator

from actions import (
    Action,
    ActionInterrupt,
    Approve,
    ChannelMembers,
    Context,
    Person,
    Policy,
    Reject,
    Requester,
)
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Cause, InterruptStatus
from actions.kit.records.runs import RunStatus
from bot.engine import facts, offloop
from bot.engine.results import Checking, Counted, FieldErrors, OpenChooser, OpenForm, Refusal, Settled
from tests.authors import declare, executing
from tests.integration.engine_room import ANN, BEN, BOT, EVE, GUS, RITA, click, engine_room, form, refused


def asking(passes: list[Any], **options: Any) -> Action:
    """An action that asks once and returns its answer; each pass is written down."""

    async def body(ctx: Context) -> Any:
        passes.append(ctx.resumption and ctx.resumption.data)
        if ctx.resumption is None:
            raise ActionInterrupt("Shall I?", data={"amount": 5}, state={"draft": 1})
        return None

    return executing(body, **options)


async def test_an_approved_action_runs_once_more_with_the_answer_and_ends(tmp_path: Path):
    seen: list[Context] = []

    async def body(ctx: Context) -> str:
        seen.append(ctx)
        if ctx.resumption is None:
            raise ActionInterrupt("Shall I?", data={"amount": 5}, state={"draft": [1, 2]})
        return "sent"

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert card.run.status is RunStatus.WAITING
        settled = await room.runner.click(click(card, "approve"))
        assert isinstance(settled, Settled)
        assert settled.card.run.status is RunStatus.QUEUED
        run = await room.ended(card.run)
    assert (run.status, run.output) == (RunStatus.SUCCEEDED, '"sent"')
    first, second = seen
    assert first.resumption is None
    assert second.resumption is not None
    assert second.resumption.data == Approve()
    assert second.resumption.state == {"draft": [1, 2]}
    assert second.resumption.shown == {"amount": 5}
    assert second.resumption.cause is Cause.HUMAN
    assert [decision.who for decision in second.resumption.decisions] == [ANN]


async def test_declining_opens_a_form_keeps_the_reason_and_never_executes(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        opened = await room.runner.click(click(card, "reject"))
        assert isinstance(opened, OpenForm)
        assert opened.choice.title == "Reject"
        settled = await room.runner.submit_answer(form(card, "reject", {"/reason": "too much"}))
        assert isinstance(settled, Settled)
        assert settled.card.decisions[0].note == "too much"
        run = await room.ended(card.run)
    assert run.status is RunStatus.DECLINED
    assert passes == [None]


async def test_an_answer_that_does_not_fit_becomes_field_errors_and_repeats_nothing(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        for _ in range(3):
            errors = await room.runner.submit_answer(form(card, "reject", {"/reason": "no"}))
            assert isinstance(errors, FieldErrors)
            assert [problem.path for problem in errors.problems] == [("reason",)]
        still = await room.asked(card.run)
        assert (still.interrupt.status, still.decisions) == (InterruptStatus.PENDING, ())
        assert isinstance(await room.runner.submit_answer(form(card, "reject", {"/reason": "not now"})), Settled)
    assert passes == [None]


async def test_an_actions_own_rule_is_checked_before_any_decision_exists(tmp_path: Path):
    class Within(BaseModel):
        amount: int

        @model_validator(mode="after")
        def _within_budget(self) -> "Within":
            if self.amount > 100:
                raise ValueError("more than the budget of 100")
            return self

    passes: list[Any] = []
    action = asking(passes, resume=Within)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        key = card.interrupt.shape.choices[0].key
        errors = await room.runner.submit_answer(form(card, key, {"/amount": "101"}))
        assert isinstance(errors, FieldErrors)
        assert "budget of 100" in errors.problems[0].message
        assert (await room.asked(card.run)).decisions == ()
        assert isinstance(await room.runner.submit_answer(form(card, key, {"/amount": "100"})), Settled)
        await room.ended(card.run)
    assert passes == [None, Within(amount=100)]


class Off(Enum):
    NOTHING = ""
    ZERO = 0


@pytest.mark.parametrize(
    ("resume", "choice", "texts", "expected"),
    [
        (bool, "no", None, False),
        (Off, 0, None, Off.NOTHING),
        (Off, 1, None, Off.ZERO),
        (int, 0, {"": "0"}, 0),
        (list[str], 0, {"": ""}, []),
        (Decimal, 0, {"": "0.00"}, Decimal("0.00")),
        (date | None, 0, {}, None),
    ],
)
async def test_a_falsy_answer_counts_and_arrives_unchanged(tmp_path: Path, resume, choice, texts, expected):
    passes: list[Any] = []

    async def body(ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt("Well?")
        passes.append(ctx.resumption.data)

    action = executing(body, resume=resume)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        key = choice if isinstance(choice, str) else card.interrupt.shape.choices[choice].key
        if card.interrupt.shape.choice(key).has_form:  # type: ignore[union-attr]
            result: object = await room.runner.submit_answer(form(card, key, texts or {}))
        else:
            result = await room.runner.click(click(card, key))
        assert isinstance(result, Settled), result
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
    assert passes == [expected]
    assert type(passes[0]) is type(expected)


async def test_parallel_runs_of_one_action_never_cross_answers(tmp_path: Path):
    class Which(BaseModel):
        number: int

    async def pick(input: Which, ctx: Context) -> list[int]:
        if ctx.resumption is None:
            raise ActionInterrupt("Which?", data={"number": input.number})
        return [input.number, ctx.resumption.data]

    action = declare(pick, resume=int)
    async with engine_room(tmp_path, action) as room:
        cards = await asyncio.gather(*(room.paused(action, {"number": number}) for number in range(12)))
        for number, card in reversed(list(enumerate(cards))):
            key = card.interrupt.shape.choices[0].key
            await room.runner.submit_answer(form(card, key, {"": str(number)}))
        runs = await asyncio.gather(*(room.ended(card.run) for card in cards))
    assert [json.loads(run.output or "") for run in runs] == [[number, number] for number in range(12)]


async def test_of_many_clicks_at_once_one_wins_and_each_loser_hears_who_was_first(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, resume=Literal["a", "b"])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        clicks = [click(card, "ab"[number % 2], (ANN, BEN)[number % 2]) for number in range(10)]
        results = await asyncio.gather(*map(room.runner.click, clicks))
        winners = [result for result in results if isinstance(result, Settled)]
        losers = [refused(result) for result in results if not isinstance(result, Settled)]
        assert len(winners) == 1
        decided = winners[0].card.decisions[0]
        assert len(losers) == 9
        assert all(f"<@{decided.person}>" in text and text.startswith("Already") for text in losers)
        await room.ended(card.run)
    assert len(passes) == 2


async def test_a_redelivered_click_says_again_what_it_did_and_does_nothing_twice(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        once = await room.runner.click(click(card, "approve", source="click:same"))
        again = await room.runner.click(click(card, "approve", source="click:same"))
        assert isinstance(once, Settled)
        assert isinstance(again, Settled)
        await room.ended(card.run)
        assert isinstance(await room.runner.click(click(card, "approve", source="click:same")), Settled)
    assert len(passes) == 2


async def test_answering_a_finished_run_tells_the_first_decision_and_runs_nothing(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve", ANN))
        await room.ended(card.run)
        text = refused(await room.runner.click(click(card, "approve", BEN)))
        assert text.startswith(f"Already approved by <@{ANN}> <!date^")
        assert isinstance(await room.runner.submit_answer(form(card, "reject", {"/reason": "too late"}, BEN)), Refusal)
    assert len(passes) == 2


async def test_a_click_before_the_card_stands_in_slack_counts(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert card.interrupt.posted_at is None
        assert isinstance(await room.runner.click(click(card, "approve")), Settled)


@pytest.mark.parametrize(
    ("person", "words"),
    [
        (RITA, "nobody approves their own request"),
        (EVE, "not one of those who may answer"),
        (GUS, "Guests cannot answer"),
        (BOT, "Only people can answer"),
        ("U0NOBODY", "knows nobody by this id"),
    ],
)
async def test_who_may_not_answer_is_told_exactly_why_by_button_and_by_form(tmp_path: Path, person, words):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert words in refused(await room.runner.click(click(card, "approve", person)))
        assert words in refused(await room.runner.click(click(card, "reject", person)))
        assert words in refused(await room.runner.submit_answer(form(card, "reject", {"/reason": "why not"}, person)))
        assert (await room.asked(card.run)).decisions == ()
    assert passes == [None]


async def test_the_requester_may_answer_a_question_about_themselves(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, resume=Literal["tea", "coffee"], policy=Policy(deciders=Requester()))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.click(click(card, "tea", RITA)), Settled)
        await room.ended(card.run)
    assert passes == [None, "tea"]


async def test_a_directory_that_does_not_answer_lets_nobody_pass(tmp_path: Path):
    action = asking([])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        room.people.is_away = True
        assert "did not tell in time" in refused(await room.runner.click(click(card, "approve")))
        room.people.is_away = False
        assert isinstance(await room.runner.click(click(card, "approve")), Settled)


async def test_a_slow_directory_is_given_up_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(facts.Budget.__init__, "__defaults__", (0.05,))
    action = asking([])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)

        async def never(channel: str, person: str) -> bool:
            await asyncio.sleep(60)
            return True

        monkeypatch.setattr(room.people, "is_member", never)
        assert "did not tell in time" in refused(await room.runner.click(click(card, "approve")))


async def test_someone_named_is_not_kept_by_a_channel_that_cannot_be_looked_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    policy = Policy(deciders=(Person("ann@example.com"), ChannelMembers("#approvals")))
    action = asking([], policy=policy)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert card.interrupt.policy.deciders[0] == Person(id=ANN, email="ann@example.com")
        monkeypatch.setattr(room.people, "is_member", None)
        assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)


async def test_a_decider_who_already_voted_is_told_so(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, policy=Policy(deciders=(Person(ANN), Person(BEN)), quorum=2))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.click(click(card, "approve", ANN, source="first")), Counted)
        assert isinstance(await room.runner.click(click(card, "approve", ANN, source="first")), Counted)
        text = refused(await room.runner.click(click(card, "approve", ANN)))
        assert "You have already answered with “Approve”" in text
        assert isinstance(await room.runner.click(click(card, "approve", BEN)), Settled)
        await room.ended(card.run)
    assert len(passes) == 2


async def test_a_click_on_an_older_content_is_refused(tmp_path: Path):
    action = asking([])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert "redrawn" in refused(await room.runner.click(click(card, "approve", version=99)))


async def test_what_nobody_knows_is_refused_by_name(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert "not one of the answers" in refused(await room.runner.click(click(card, "aprove")))
        assert "not one of the answers" in refused(await room.runner.submit_answer(form(card, "aprove", {})))
        assert "not one of the answers" in refused(await room.runner.submit_answer(form(card, "", {})))
        other = click(card, "approve")
        unknown = await room.runner.click(
            type(other)(**{name: getattr(other, name) for name in other.__slots__} | {"interrupt_id": "nothing.1"})
        )
        assert "not known here" in refused(unknown)
    assert passes == [None]


async def test_more_choices_than_buttons_are_answered_through_a_select(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, resume=Literal["a", "b", "c", "d", "e", "f", "g"])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.click(click(card, "")), OpenChooser)
        submission = form(card, "", {})
        selected = {"choice": {"value": {"type": "static_select", "selected_option": {"value": "6"}}}}
        chosen = type(submission)(submission.target, selected, ANN, "V1", "t", "view:select")
        assert isinstance(await room.runner.submit_answer(chosen), Settled)
        await room.ended(card.run)
    assert passes == [None, "g"]


async def test_a_late_click_performs_the_expiry_and_is_told(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, expires_in=timedelta(minutes=5))
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        room.clock.ahead = timedelta(minutes=6)
        assert "Too late" in refused(await room.runner.click(click(card, "approve")))
        run = await room.ended(card.run)
        assert "Too late" in refused(await room.runner.click(click(card, "reject")))
    assert run.status is RunStatus.EXPIRED
    assert passes == [None]


async def test_of_a_click_and_an_expiry_at_the_same_instant_one_wins(tmp_path: Path):
    passes: list[Any] = []
    action = asking(passes, expires_in=timedelta(minutes=5))
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        clicking = asyncio.create_task(room.runner.click(click(card, "approve")))
        await asyncio.sleep(0)
        room.clock.ahead = timedelta(minutes=6)
        result, expired = await asyncio.gather(clicking, room.runner.expire())
        run = await room.ended(card.run)
        if isinstance(result, Settled):
            assert (run.status, expired) == (RunStatus.SUCCEEDED, 0)
        else:
            assert "Too late" in refused(result)
            assert run.status is RunStatus.EXPIRED
        assert await room.runner.expire() == 0


async def test_a_slow_check_is_answered_in_time_and_its_result_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(facts.Budget.__init__, "__defaults__", (0.1,))
    gate = threading.Event()

    class Slow(BaseModel):
        text: str = Field(min_length=3)

        @model_validator(mode="after")
        def _asks_somebody(self) -> "Slow":
            gate.wait(10)
            return self

    passes: list[Any] = []
    action = asking(passes, resume=Slow | Reject)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        key = card.interrupt.shape.choices[0].key
        submission = form(card, key, {"/text": "fine"})
        checking = await room.runner.submit_answer(submission)
        assert isinstance(checking, Checking)
        assert isinstance(await room.runner.click(click(card, "reject")), OpenForm)
        gate.set()
        assert isinstance(await checking.later, Settled)
        assert isinstance(await room.runner.submit_answer(submission), Settled)
        await room.ended(card.run)
    assert passes == [None, Slow(text="fine")]


async def test_a_click_is_not_told_as_taken_before_it_is_on_disk_however_slow_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(facts.Budget.__init__, "__defaults__", (0.1,))
    action = asking([])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        with closing(sqlite3.connect(tmp_path / "signoff.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            clicking = asyncio.create_task(room.runner.click(click(card, "approve")))
            await asyncio.sleep(0.5)
            assert not clicking.done()
            other.execute("ROLLBACK")
        assert isinstance(await clicking, Settled)
        await room.ended(card.run)


async def test_a_check_that_never_ends_leaves_the_question_open_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(offloop, "AT_MOST", 0.1)
    gate = threading.Event()

    class Stuck(BaseModel):
        text: str

        @model_validator(mode="after")
        def _asks_somebody(self) -> "Stuck":
            gate.wait(20)
            return self

    action = asking([], resume=Stuck)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        key = card.interrupt.shape.choices[0].key
        errors = await room.runner.submit_answer(form(card, key, {"/text": "fine"}))
        assert isinstance(errors, FieldErrors)
        assert "took too long" in errors.problems[0].message
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING
        gate.set()


@pytest.mark.parametrize("error", [SystemExit(3), TypeError("the author's own")])
async def test_a_check_that_breaks_off_leaves_the_question_open(tmp_path: Path, error: BaseException):
    class Broken(BaseModel):
        text: str

        @model_validator(mode="after")
        def _fails(self) -> "Broken":
            raise error

    action = asking([], resume=Broken)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        key = card.interrupt.shape.choices[0].key
        result = await room.runner.submit_answer(form(card, key, {"/text": "fine"}))
        assert isinstance(result, Refusal | FieldErrors)
        assert (await room.asked(card.run)).interrupt.status is InterruptStatus.PENDING


async def test_a_pause_that_was_swallowed_fails_the_run_by_name(tmp_path: Path):
    async def body(ctx: Context) -> str:
        try:
            raise ActionInterrupt("Shall I?")  # noqa: TRY301 - the fault under test
        except BaseException:  # noqa: BLE001 - likewise
            return "done without asking"

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        run = await room.ended(await room.begin(action))
        assert await room.store.latest_card(run.id) is None
    assert run.status is RunStatus.FAILED
    assert run.failure is not None
    assert run.failure.kind == "pause_swallowed"
    assert "'Shall I?'" in run.failure.message


async def test_an_action_asks_again_and_again_and_each_answer_is_of_its_own_question(tmp_path: Path):
    async def body(ctx: Context) -> list[int]:
        given = ctx.resumption.state if ctx.resumption else []
        if ctx.resumption is not None:
            given = [*given, ctx.resumption.data]
        if len(given) < 3:
            raise ActionInterrupt(f"Number {len(given) + 1}?", state=given)
        return given

    action = executing(body, resume=int)
    async with engine_room(tmp_path, action) as room:
        run = await room.begin(action)
        for number in (1, 2, 3):
            card = await room.asked(run, number)
            assert card.interrupt.message == f"Number {number}?"
            key = card.interrupt.shape.choices[0].key
            await room.runner.submit_answer(form(card, key, {"": str(number * 10)}))
        ended = await room.ended(run)
    assert ended.output == "[10,20,30]"


async def test_reports_are_kept_for_the_cards_thread(tmp_path: Path):
    async def body(ctx: Context) -> None:
        if ctx.resumption is None:
            ctx.report("drafting")
            await asyncio.to_thread(ctx.report, "from a thread")
            raise ActionInterrupt("Shall I?")

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        copies = await room.store.copies(card.run.id)
    assert [copy.text for copy in copies if copy.text] == ["drafting", "from a thread"]


async def test_a_flood_of_reports_is_cut_with_a_count_and_holds_nobody_up(tmp_path: Path):
    async def floods(ctx: Context) -> None:
        for number in range(20_000):
            ctx.report(f"step {number}")

    action = executing(floods)
    async with engine_room(tmp_path, action) as room:
        run = await room.ended(await room.begin(action))
        lines = [copy.text for copy in await room.store.copies(run.id) if copy.kind is CopyKind.LINE]
    assert lines == [*(f"step {number}" for number in range(1_000)), "… and 19,000 more lines"]
