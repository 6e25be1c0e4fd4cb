"""What happens around an execution: time limits, cancelling, leases, orders of people, and code that changed meanwhile."""

import asyncio
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel
from structlog.testing import capture_logs

from actions import Action, ActionInterrupt, Answer, Context, Decline, Group, Person, Policy, Reject, action
from actions.kit.policies.deciders import Lookup
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Cause, InterruptStatus
from actions.kit.records.runs import RunStatus, Wake
from bot.engine import executor, host
from bot.engine.people import UnknownName
from bot.engine.results import CancelDone, Details, Settled
from bot.logs import where
from storage.results import Lease, Ordered, Redelivering
from tests.authors import IN_THE_CHANNEL, executing
from tests.integration.engine_room import ANN, BEN, BOT, EVE, RITA, People, click, engine_room, form, order, refused


def approving(after: Any, **options: Any) -> Action:
    """An action that asks once and then does what `after` does."""

    async def body(ctx: Context) -> Any:
        if ctx.resumption is None:
            raise ActionInterrupt("Shall I?")
        return await after(ctx)

    return executing(body, **options)


async def sleeps(ctx: Context) -> None:
    await asyncio.sleep(60)


async def fails(ctx: Context) -> None:
    raise ValueError("no route to the mail server")


async def test_where_an_action_failed_is_in_the_log(tmp_path: Path):
    with capture_logs() as logs:
        async with engine_room(tmp_path, executing(fails)) as room:
            run = await room.ended(await room.begin(executing(fails)))
    (told,) = [entry for entry in logs if entry["event"] == "action_failed"]
    assert (told["run"], told["kind"]) == (run.id, "ValueError")
    assert where(told["exc_info"])[-1].startswith("test_runner_executions.py:")


async def test_a_time_limit_before_an_answer_fails_the_run(tmp_path: Path):
    action = executing(sleeps, time_limit=timedelta(seconds=0.05))
    async with engine_room(tmp_path, action) as room:
        run = await room.ended(await room.begin(action))
    assert run.status is RunStatus.FAILED
    assert run.failure is not None
    assert run.failure.kind == "time_limit"


async def test_a_time_limit_after_an_answer_leaves_the_run_stalled(tmp_path: Path):
    action = approving(sleeps, time_limit=timedelta(seconds=0.05))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve"))
        run = await room.ended(card.run)
    assert run.status is RunStatus.STALLED


async def test_an_action_that_spins_for_ever_is_named_and_others_and_clicks_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, seconds in {"WATCH_EVERY": 0.02, "BLOCKED_AFTER": 0.15, "MOVE_ON_AFTER": 0.3}.items():
        monkeypatch.setattr(host, name, seconds)

    async def spins(ctx: Context) -> None:
        while True:
            pass

    async def quick(ctx: Context) -> str:
        return "done"

    spinner = executing(spins, id="spinner", time_limit=timedelta(seconds=2))
    asker = approving(quick, id="asker")
    async with engine_room(tmp_path, spinner, asker) as room:
        run = await room.begin(spinner)

        async def named() -> str | None:
            return room.runner.blocked()

        assert await room.eventually(named) == "spinner"
        card = await room.paused(asker)
        assert isinstance(await room.runner.click(click(card, "approve")), Settled)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
        ended = await room.ended(run)
        (told,) = [copy.text for copy in await room.store.copies(run.id) if copy.kind is CopyKind.LINE]
        (noted,) = [entry for entry in await room.store.trail(run.id) if entry.event == "blocked"]
    assert noted.details["where"].startswith("authors.py, line ")
    assert told is not None
    assert "It blocks its thread (authors.py, line " in told
    assert ended.status is RunStatus.FAILED
    assert ended.failure is not None
    assert "blocked its thread (authors.py, line " in ended.failure.message


async def test_an_exit_in_a_child_task_fails_its_run_and_nothing_else(tmp_path: Path):
    async def exits(ctx: Context) -> None:
        async def leave() -> None:
            sys.exit(3)

        await asyncio.wait({asyncio.create_task(leave())})

    async def quick(ctx: Context) -> str:
        return "done"

    bad, good = executing(exits, id="bad"), executing(quick, id="good")
    async with engine_room(tmp_path, bad, good) as room:
        failed = await room.ended(await room.begin(bad))
        assert (await room.ended(await room.begin(good))).status is RunStatus.SUCCEEDED
    assert failed.status is RunStatus.FAILED
    assert failed.failure is not None
    assert failed.failure.kind == "SystemExit"


@pytest.mark.parametrize(
    "policy",
    [
        Policy(deciders=(Person(RITA), Person(ANN)), quorum=2),
        Policy(deciders=Person("rita@example.com")),
        Policy(deciders=(Person(ANN), Person("ann@example.com")), quorum=2),
        Policy(deciders=(Person(ANN), Person(BOT)), quorum=2),
    ],
    ids=["the requester by id", "the requester by e-mail", "one person named twice", "a bot"],
)
async def test_a_quorum_that_nobody_can_reach_is_told_at_once(tmp_path: Path, policy: Policy):
    action = approving(sleeps, policy=policy)
    async with engine_room(tmp_path, action) as room:
        run = await room.ended(await room.begin(action))
        told = await room.store.copies(run.id)
    assert run.status is RunStatus.FAILED
    assert run.failure is not None
    assert (run.failure.kind, f"needs {policy.quorum}" in run.failure.message) == ("unreachable", True)
    assert [copy.kind for copy in told] == [CopyKind.OUTCOME]


class WithoutGroups(People):
    """A workspace in which there is no group at all."""

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        raise UnknownName(f"there is no group in which {requester} could look for {lookup.kind}", "Make it in Slack.")


async def test_a_group_that_nobody_knows_is_told_at_once_with_what_to_do(tmp_path: Path):
    action = approving(sleeps, policy=Policy(deciders=(Person(ANN), Group("finance"))))
    async with engine_room(tmp_path, action, people=WithoutGroups()) as room:
        run = await room.ended(await room.begin(action))
    assert run.failure is not None
    assert (run.failure.kind, "there is no group" in run.failure.message) == ("unreachable", True)
    assert run.failure.advice == "Make it in Slack."


async def test_a_decider_who_cannot_decide_does_no_harm_while_others_can(tmp_path: Path):
    action = approving(sleeps, policy=Policy(deciders=(Person(ANN), Person(BEN), Person(BOT)), quorum=2))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
    assert card.interrupt.status is InterruptStatus.PENDING


async def test_whom_the_directory_cannot_tell_about_may_decide_later(tmp_path: Path):
    people = People()

    async def goes_away(ctx: Context) -> None:
        people.is_away = True
        raise ActionInterrupt("Shall I?")

    action = executing(goes_away, policy=Policy(deciders=(Person(ANN), Person(BOT)), quorum=2))
    async with engine_room(tmp_path, action, people=people) as room:
        card = await room.paused(action)
    assert card.interrupt.status is InterruptStatus.PENDING


async def test_cancelling_what_waits_is_done_at_once(tmp_path: Path):
    action = approving(sleeps)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        done = await room.runner.cancel(card.run.id, RITA)
        assert isinstance(done, CancelDone)
        assert done.run.status is RunStatus.CANCELLED
        text = refused(await room.runner.click(click(card, "approve")))
        assert f"cancelled by <@{RITA}>" in text
        assert "no longer open" in refused(await room.runner.cancel(card.run.id, RITA))


async def test_cancelling_what_executes_stops_it(tmp_path: Path):
    begun = threading.Event()

    async def body(ctx: Context) -> None:
        begun.set()
        await asyncio.sleep(60)

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        run = await room.begin(action)
        await asyncio.to_thread(begun.wait, 10)
        done = await room.runner.cancel(run.id, RITA)
        assert isinstance(done, CancelDone)
        assert done.asked
        ended = await room.ended(run)
    assert (ended.status, ended.ended_by) == (RunStatus.CANCELLED, RITA)


async def test_cancelling_what_executes_after_an_answer_leaves_it_stalled(tmp_path: Path):
    action = approving(sleeps)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve"))
        await room.reaches(card.run, RunStatus.RUNNING)
        await room.runner.cancel(card.run.id, RITA)
        ended = await room.ended(card.run)
    assert ended.status is RunStatus.STALLED
    assert ended.failure is not None
    assert ended.failure.kind == "cancelled"


async def test_a_cancel_asked_of_another_process_is_found_with_the_next_renewal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(executor, "RENEW_EVERY", 0.05)
    action = executing(sleeps)
    async with engine_room(tmp_path, action) as room:
        run = await room.begin(action)
        await room.store.cancel(run.id, person=RITA, via="command line", now=room.clock.now())
        assert (await room.ended(run)).status is RunStatus.CANCELLED


async def test_an_execution_whose_lease_was_lost_is_stopped_and_fenced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(executor, "RENEW_EVERY", 0.1)
    stopped = threading.Event()
    passes: list[int] = []

    async def body(ctx: Context) -> int:
        passes.append(len(passes) + 1)
        if len(passes) > 1:
            return 2
        try:
            await asyncio.sleep(60)
        finally:
            stopped.set()
        return 1

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        run = await room.begin(action)

        async def begun() -> bool | None:
            return bool(passes) or None

        await room.eventually(begun)
        room.clock.ahead = timedelta(minutes=1)
        recovered = await room.runner.recover()
        assert recovered.requeued == (run.id,)
        ended = await room.ended(run)
        assert await asyncio.to_thread(stopped.wait, 10)
    assert (ended.output, ended.epoch) == ("2", run.epoch + 1)


async def test_a_lease_that_is_renewed_is_not_taken_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(executor, "RENEW_EVERY", 0.05)
    release = threading.Event()

    async def body(ctx: Context) -> str:
        await asyncio.to_thread(release.wait, 10)
        return "done"

    action = executing(body)
    async with engine_room(tmp_path, action) as room:
        run = await room.begin(action)
        lease = (await room.store.run(run.id)).lease_until  # type: ignore[union-attr]
        room.clock.ahead = executor.LEASE * 2 / 3

        async def renewed() -> bool | None:
            now = await room.store.run(run.id)
            assert now is not None
            assert now.lease_until is not None
            assert lease is not None
            return now.lease_until > lease + executor.LEASE / 2 or None

        await room.eventually(renewed)
        room.clock.ahead = executor.LEASE * 4 / 3
        assert (await room.runner.recover()).count == 0
        release.set()
        assert (await room.ended(run)).epoch == run.epoch


async def test_only_entitled_people_run_a_failed_run_again(tmp_path: Path):
    results = iter([ValueError("no route"), None])

    async def flaky(ctx: Context) -> str:
        error = next(results)
        if error:
            raise error
        return "sent"

    action = approving(flaky)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve", ANN))
        failed = await room.ended(card.run)
        assert failed.status is RunStatus.FAILED
        assert "Only the requester, those who decided" in refused(
            await room.runner.order(order(failed, "run_again", BEN))
        )
        assert isinstance(await room.runner.order(order(failed, "run_again", ANN)), Ordered)
        assert "no longer open" in refused(await room.runner.order(order(failed, "run_again", RITA)))
        again = await room.ended(failed, epoch=failed.epoch + 1)
    assert (again.status, again.output) == (RunStatus.SUCCEEDED, '"sent"')


@pytest.mark.parametrize(("verb", "status"), [("it_happened", RunStatus.SUCCEEDED), ("it_did_not", RunStatus.FAILED)])
async def test_a_stalled_run_is_settled_by_those_who_decided_not_by_its_requester(tmp_path: Path, verb, status):
    action = approving(sleeps, time_limit=timedelta(seconds=0.05))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve", ANN))
        stalled = await room.ended(card.run)
        assert "Only those who decided" in refused(await room.runner.order(order(stalled, verb, RITA)))
        done = await room.runner.order(order(stalled, verb, ANN))
        assert isinstance(done, Ordered)
    assert (done.run.status, done.run.marked_by) == (status, ANN)


async def test_a_stalled_run_that_needed_nobody_else_is_settled_by_its_requester(tmp_path: Path):
    async def body(ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt("Which?")
        await asyncio.sleep(60)

    action = executing(
        body,
        resume=Literal["a", "b"],
        policy=Policy(deciders=Person(RITA)),
        time_limit=timedelta(seconds=0.05),
    )
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "a", RITA))
        stalled = await room.ended(card.run)
        assert isinstance(await room.runner.order(order(stalled, "it_happened", RITA)), Ordered)


async def test_operators_may_cancel_and_order_what_others_may_not(tmp_path: Path):
    action = approving(fails)
    async with engine_room(tmp_path, action, operators={EVE}) as room:
        card = await room.paused(action)
        assert "Only the requester and the operators" in refused(await room.runner.cancel(card.run.id, ANN))
        await room.runner.click(click(card, "approve", ANN))
        failed = await room.ended(card.run)
        assert isinstance(await room.runner.order(order(failed, "run_again", EVE)), Ordered)
        other = await room.paused(action)
        assert isinstance(await room.runner.cancel(other.run.id, EVE), CancelDone)


async def test_what_an_operator_orders_without_another_right_is_noted_as_an_operators_doing(tmp_path: Path):
    action = approving(fails)
    async with engine_room(tmp_path, action, operators={EVE, RITA}) as room:
        causes = {}
        for person in (EVE, RITA, ANN):
            card = await room.paused(action)
            await room.runner.click(click(card, "approve", ANN))
            failed = await room.ended(card.run)
            assert isinstance(await room.runner.order(order(failed, "run_again", person)), Ordered)
            trail = await room.store.trail(card.run.id)
            (causes[person],) = [entry.details["cause"] for entry in trail if entry.event == "run again"]
        assert causes == {EVE: "admin", RITA: "human", ANN: "human"}


async def test_an_undeliverable_card_is_delivered_again_for_its_requester(tmp_path: Path):
    action = approving(sleeps)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        again = order(card.run, "deliver_again", RITA, interrupt=card.interrupt.id)
        assert "nothing to deliver again" in refused(await room.runner.order(again))
        now = room.clock.now()
        copies = await room.store.take_copies(owner="p", now=now, lease_until=now + timedelta(minutes=1))
        for copy in copies:
            await room.store.copy_refused(copy.id, owner="p", error="not_in_channel", fallbacks=(), now=now)
        assert (await room.asked(card.run)).interrupt.undeliverable == "not_in_channel"
        stranger = order(card.run, "deliver_again", BEN, interrupt=card.interrupt.id)
        assert "Only the requester" in refused(await room.runner.order(stranger))
        assert isinstance(await room.runner.order(again), Redelivering)
        assert (await room.asked(card.run)).interrupt.undeliverable is None


async def test_everything_that_a_card_cuts_can_be_asked_for(tmp_path: Path):
    action = approving(sleeps)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        shown = await room.runner.order(order(card.run, "show_all", BEN, interrupt=card.interrupt.id))
        assert isinstance(shown, Details)
        other = await room.paused(action)
        assert "not known" in refused(
            await room.runner.order(order(other.run, "show_all", BEN, interrupt=card.interrupt.id))
        )


async def test_a_default_answer_arrives_with_its_cause(tmp_path: Path):
    seen: list[Any] = []

    async def tells(ctx: Context) -> None:
        assert ctx.resumption is not None
        seen.append((ctx.resumption.data, ctx.resumption.cause, ctx.resumption.decisions))

    action = approving(
        tells, resume=Literal["wait", "go"], expires_in=timedelta(minutes=5), on_expiry=Answer(choice="go")
    )
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        room.clock.ahead = timedelta(minutes=6)
        assert await room.runner.expire() == 1
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
    assert seen == [("go", Cause.EXPIRED, ())]


async def test_a_deadline_that_declines_never_executes(tmp_path: Path):
    calls: list[object] = []

    async def asks(ctx: Context) -> None:
        calls.append(ctx.resumption)
        raise ActionInterrupt("Shall I?")

    action = executing(asks, on_expiry=Decline(), expires_in=timedelta(minutes=1))
    async with engine_room(tmp_path, action) as room:
        card = await room.post(await room.paused(action))
        room.clock.ahead = timedelta(minutes=2)
        await room.runner.expire()
        run = await room.ended(card.run)
    assert (run.status, calls) == (RunStatus.DECLINED, [None])


async def test_a_policy_that_was_widened_meanwhile_lets_nobody_new_decide(tmp_path: Path):
    action = approving(sleeps, policy=Policy(deciders=Person(ANN)))
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
    wider = approving(sleeps, policy=Policy(deciders=(Person(ANN), Person(EVE))))
    async with engine_room(tmp_path, wider) as room:
        told = refused(await room.runner.click(click(card, "approve", EVE)))
        settled = await room.runner.click(click(card, "approve", ANN))
    assert "not one of those who may answer" in told
    assert isinstance(settled, Settled)


async def test_a_run_whose_action_is_gone_is_held_and_goes_on_when_it_is_back(tmp_path: Path):
    async def quick(ctx: Context) -> str:
        return "done"

    action, other = executing(quick), executing(quick, id="other")
    async with engine_room(tmp_path, action) as room:
        room.runner._engine.wake = lambda wake: None  # type: ignore[method-assign]
        room.engine._free = 0
        run = await room.begin(action)
        room.engine._free = 32
    async with engine_room(tmp_path, other) as room:
        room.clock.ahead = timedelta(seconds=10)
        assert (await room.runner.recover()).woken == (run.id,)
        held = await room.reaches(run, RunStatus.HELD)
        assert held.failure is not None
        assert "'tried'" in held.failure.message
    async with engine_room(tmp_path, action) as room:
        assert (await room.ended(run)).status is RunStatus.SUCCEEDED


async def test_a_card_whose_action_is_gone_refuses_and_waits(tmp_path: Path):
    async def quick(ctx: Context) -> str:
        return "done"

    action = approving(quick)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
    async with engine_room(tmp_path) as room:
        assert "on hold" in refused(await room.runner.click(click(card, "approve")))
        assert "on hold" in refused(await room.runner.click(click(card, "reject")))
    async with engine_room(tmp_path, action) as room:
        assert isinstance(await room.runner.click(click(card, "approve")), Settled)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED


class Approve1(BaseModel, title="Approve"):
    pass


class Approve2(BaseModel, title="Approve"):
    cost_centre: str


def versioned(resume: Any, version: str = "1") -> Action:
    async def quick(ctx: Context) -> str:
        return "done"

    return approving(quick, resume=resume, version=version)


async def test_code_that_changed_but_fits_keeps_its_question(tmp_path: Path):
    async with engine_room(tmp_path, versioned(Approve1 | Reject)) as room:
        card = await room.paused(versioned(Approve1 | Reject))
    async with engine_room(tmp_path, versioned(Approve1 | Reject, version="2")) as room:
        assert isinstance(await room.runner.click(click(card, card.interrupt.shape.choices[0].key)), Settled)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED


async def test_a_question_whose_shape_changed_is_asked_again_and_says_why(tmp_path: Path):
    async with engine_room(tmp_path, versioned(Approve1 | Reject)) as room:
        card = await room.paused(versioned(Approve1 | Reject))
    changed = versioned(Approve2 | Reject)
    async with engine_room(tmp_path, changed) as room:
        again = await room.asked(card.run, 2)
        assert again.interrupt.asked_again_because == "the question changed"
        assert (again.interrupt.message, again.interrupt.shown) == (card.interrupt.message, card.interrupt.shown)
        assert (await room.asked(card.run, 1)).interrupt.status is InterruptStatus.SUPERSEDED
        assert "asked again" in refused(await room.runner.click(click(card, card.interrupt.shape.choices[0].key)))
        key = again.interrupt.shape.choices[0].key
        assert isinstance(await room.runner.submit_answer(form(again, key, {"/cost_centre": "4711"})), Settled)
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED


async def test_an_answer_that_no_longer_fits_is_asked_for_again_before_anything_executes(tmp_path: Path):
    before, after = versioned(Approve1 | Reject), versioned(Approve2 | Reject)
    async with engine_room(tmp_path, before) as room:
        card = await room.paused(before)
        room.engine._free = 0
        await room.runner.click(click(card, card.interrupt.shape.choices[0].key))
        room.engine._free = 32
        room.engine._waiting.clear()
    async with engine_room(tmp_path, after) as room:
        room.clock.ahead = timedelta(seconds=10)
        await room.runner.recover()
        again = await room.asked(card.run, 2)
        assert again.run.status is RunStatus.WAITING
        assert "does not fit any more" in (again.interrupt.asked_again_because or "")


async def test_an_input_that_no_longer_fits_holds_the_run(tmp_path: Path):
    class Before(BaseModel):
        amount: int

    class After(BaseModel):
        amount: int
        currency: str

    def declared(input_type: type[BaseModel]) -> Action:
        async def place(input: Any, ctx: Context) -> None:
            if ctx.resumption is None:
                raise ActionInterrupt("Shall I?")

        place.__annotations__["input"] = input_type
        return action(id="tried", name="Tried", description="Tried.", policy=IN_THE_CHANNEL)(place)

    async with engine_room(tmp_path, declared(Before)) as room:
        card = await room.paused(declared(Before), {"amount": 5})
    async with engine_room(tmp_path, declared(After)) as room:
        await room.runner.click(click(card, "approve"))
        held = await room.reaches(card.run, RunStatus.HELD)
        assert held.failure is not None
        assert "currency" in held.failure.message
    async with engine_room(tmp_path, declared(Before)) as room:
        assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED


async def test_a_late_original_settles_the_stalled_run_that_it_left(tmp_path: Path):
    release = threading.Event()

    async def slow(ctx: Context) -> str:
        await asyncio.to_thread(release.wait, 10)
        return "sent after all"

    action = approving(slow)
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        await room.runner.click(click(card, "approve"))
        await room.reaches(card.run, RunStatus.RUNNING)
        room.clock.ahead = timedelta(minutes=1)
        assert (await room.runner.recover()).stalled == (card.run.id,)
        release.set()
        ended = await room.reaches(card.run, RunStatus.SUCCEEDED)
    assert ended.output == '"sent after all"'


async def test_a_second_claim_of_one_epoch_finds_nothing(tmp_path: Path):
    async def quick(ctx: Context) -> str:
        return "done"

    action = executing(quick)
    async with engine_room(tmp_path, action) as room:
        run = await room.ended(await room.begin(action))
        lease = Lease("somebody", room.clock.now() + timedelta(minutes=1))
        assert await room.store.claim(Wake(run.id, run.epoch), lease=lease, now=room.clock.now()) is None
