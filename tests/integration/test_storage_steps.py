"""What happens by itself while a question waits: a row each, done once, whoever sweeps and however often."""

import asyncio

from actions import Person, Policy, Stage, Warn, after, every
from actions.kit.policies.deciders import DirectMessage
from actions.kit.policies.stages import begun
from actions.kit.policies.steps import StepKind
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import InterruptRecord
from storage.database import Database
from storage.results import AlreadySettled, Extended, Extension, Following, NoMoreTime, Purge, Stale, TakenStep
from storage.store import Store
from storage.tables import CopyStatus
from storage.transitions.deadlines import pause_clock, resume_clock
from storage.transitions.pacing import plan
from tests.integration.scenes import ANA, BEN, CAI, HOUR, NO, NOW, REQUESTER, Scene

REMINDED = Policy(deciders=Person(ANA), remind=every(hours=2, backoff=2, at_most=2))
WARNED = Policy(deciders=Person(ANA), warn=Warn(at=0.5, extend_by=4 * HOUR))
ESCALATED = Policy(deciders=Person(ANA), escalate=after(hours=2, to=Person(BEN)))


async def advance(
    scene: Scene, hours: float, *, copies: tuple[NewCopy, ...] = (), person: str = ANA
) -> list[tuple[StepKind, int]]:
    """Does what is due so many hours after the beginning, as a sweep does."""
    now, done = NOW + hours * HOUR, list[tuple[StepKind, int]]()
    for step in await scene.store.steps.due(now=now, limit=20):
        taken = TakenStep(step.seq, people=(person,), copies=copies)
        if await scene.store.steps.take(taken, step.card.interrupt.id, now=now):
            done.append((step.kind, step.number))
    return done


def extension(interrupt: InterruptRecord, source: str = "click 1") -> Extension:
    return Extension(interrupt.id, interrupt.content_version, ANA, source, "slack")


async def test_reminders_come_one_after_the_other_and_then_no_more(scene: Scene):
    interrupt = await scene.posted(policy=REMINDED, expires_in=30 * HOUR)
    assert await advance(scene, 1.9) == []
    assert await advance(scene, 2) == [(StepKind.REMIND, 1)]
    assert await advance(scene, 5.9) == []
    assert await advance(scene, 6) == [(StepKind.REMIND, 2)]
    assert await advance(scene, 29) == []
    (first, _) = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert first.thread_ts is not None
    assert first.text is not None
    assert ANA in first.text
    assert (await scene.events(interrupt.run_id)).count("reminded") == 2


async def test_a_step_that_two_processes_find_is_done_once(scene: Scene, database_url: str):
    interrupt = await scene.posted(policy=REMINDED, expires_in=30 * HOUR)
    (step,) = await scene.store.steps.due(now=NOW + 2 * HOUR, limit=20)
    async with Database(database_url) as other:
        stores = (scene.store, Store(other))
        taken = [stores[n % 2].steps.take(TakenStep(step.seq), interrupt.id, now=NOW + 2 * HOUR) for n in range(8)]
        done = await asyncio.gather(*taken)
    assert sum(each is not None for each in done) == 1
    assert len(await scene.copies(interrupt.run_id, CopyKind.NUDGE)) == 1


async def test_nothing_more_happens_once_it_is_settled(scene: Scene):
    interrupt = await scene.posted(policy=REMINDED, expires_in=30 * HOUR)
    (step,) = await scene.store.steps.due(now=NOW + 2 * HOUR, limit=20)
    await scene.vote(interrupt.id, now=NOW + HOUR)
    assert await scene.store.steps.take(TakenStep(step.seq), interrupt.id, now=NOW + 2 * HOUR) is None
    assert await advance(scene, 9) == []


async def test_a_warning_is_told_to_who_must_act_and_to_who_asked(scene: Scene):
    interrupt = await scene.posted(policy=WARNED, expires_in=10 * HOUR)
    assert (await scene.card(interrupt.id)).interrupt.warned_at is None
    assert await advance(scene, 5) == [(StepKind.WARN, 1)]
    assert (await scene.card(interrupt.id)).interrupt.warned_at == NOW + 5 * HOUR
    below, directly = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert below.thread_ts is not None
    assert (directly.place, directly.thread_ts) == (DirectMessage(Person(REQUESTER)), None)


async def test_whoever_must_act_on_what_they_asked_for_is_warned_once(scene: Scene):
    interrupt = await scene.posted(policy=WARNED, expires_in=10 * HOUR)
    await advance(scene, 5, person=REQUESTER)
    [below] = await scene.copies(interrupt.run_id, CopyKind.NUDGE)
    assert below.thread_ts is not None


async def test_more_time_is_given_once_after_a_warning_and_warned_of_again(scene: Scene):
    interrupt = await scene.posted(policy=WARNED, expires_in=10 * HOUR)
    assert isinstance(await scene.store.steps.extend(extension(interrupt), now=NOW), NoMoreTime)
    await advance(scene, 5)
    for _ in range(2):
        assert isinstance(await scene.store.steps.extend(extension(interrupt), now=NOW + 6 * HOUR), Extended)
    again = await scene.store.steps.extend(extension(interrupt, "click 2"), now=NOW + 6 * HOUR)
    assert isinstance(again, NoMoreTime)
    assert again.card.interrupt.expires_at == NOW + 14 * HOUR
    assert await scene.store.expire_due(now=NOW + 13 * HOUR) == 0
    assert await advance(scene, 10) == [(StepKind.WARN, 2)]
    late = await scene.store.steps.extend(extension(interrupt), now=NOW + 11 * HOUR)
    assert isinstance(late, Extended)
    assert late.card.interrupt.extended == 1
    assert isinstance(await scene.store.steps.extend(extension(interrupt, "click 3"), now=NOW + 11 * HOUR), NoMoreTime)
    assert isinstance(
        await scene.store.steps.extend(extension(interrupt, "click 4"), now=NOW + 15 * HOUR), AlreadySettled
    )


async def test_an_escalation_lets_others_decide_as_well_and_whoever_saw_the_card_before_still_may(scene: Scene):
    interrupt = await scene.posted(policy=ESCALATED, expires_in=10 * HOUR)
    card = NewCopy(CopyKind.CARD, DirectMessage(Person(BEN)))
    assert await advance(scene, 2, copies=(card,)) == [(StepKind.ESCALATE, 1)]
    now = (await scene.card(interrupt.id)).interrupt
    assert now.policy.deciders == (Person(ANA), Person(BEN))
    assert now.content_version == interrupt.content_version
    assert card.place in [each.place for each in await scene.copies(interrupt.run_id, CopyKind.CARD)]
    assert "escalated" in await scene.events(interrupt.run_id)


async def test_a_stage_begins_with_steps_of_its_own(scene: Scene):
    policy = Policy(
        stages=(Stage(deciders=Person(ANA)), Stage(deciders=Person(CAI))),
        remind=every(hours=2),
    )
    interrupt = await scene.posted(policy=begun(policy, {}, 30 * HOUR), expires_in=30 * HOUR)
    await scene.vote(interrupt.id, now=NOW + HOUR, fits=((0,), ()), following={2: Following()})
    assert await advance(scene, 2.9) == []
    assert await advance(scene, 3) == [(StepKind.REMIND, 1)]


async def test_while_the_clock_is_paused_nothing_happens_by_itself_and_then_as_much_later(scene: Scene):
    interrupt = await scene.posted(policy=REMINDED, expires_in=30 * HOUR)
    card = await scene.card(interrupt.id)
    await scene.database.write(card.run.id, lambda writing: pause_clock(writing, card, NOW + HOUR, via="slack"))
    assert await advance(scene, 9) == []
    card = await scene.card(interrupt.id)
    await scene.database.write(card.run.id, lambda writing: resume_clock(writing, card, NOW + 9 * HOUR, via="slack"))
    assert await advance(scene, 9.9) == []
    assert await advance(scene, 10) == [(StepKind.REMIND, 1)]


async def test_what_cannot_be_done_is_put_off(scene: Scene):
    await scene.posted(policy=ESCALATED, expires_in=10 * HOUR)
    (step,) = await scene.store.steps.due(now=NOW + 2 * HOUR, limit=20)
    await scene.store.steps.put_off(step, until=NOW + 3 * HOUR)
    assert await scene.store.steps.due(now=NOW + 2.5 * HOUR, limit=20) == ()
    (again,) = await scene.store.steps.due(now=NOW + 3 * HOUR, limit=20)
    assert (again.seq, again.tries) == (step.seq, 1)


async def test_nobody_gives_more_time_to_another_stage_than_they_saw(scene: Scene):
    policy = Policy(stages=(Stage(deciders=Person(ANA)), Stage(deciders=Person(CAI))), warn=WARNED.warn)
    interrupt = await scene.posted(policy=begun(policy, {}, 10 * HOUR), expires_in=10 * HOUR)
    await scene.vote(interrupt.id, now=NOW, fits=((0,), ()), following={2: Following()})
    assert await advance(scene, 5) == [(StepKind.WARN, 1)]
    assert isinstance(await scene.store.steps.extend(extension(interrupt), now=NOW + 5 * HOUR), Stale)


async def test_a_call_that_is_not_posted_yet_is_not_posted_to_the_next_stage(scene: Scene):
    policy = Policy(stages=(Stage(deciders=Person(ANA)), Stage(deciders=Person(CAI))), remind=every(hours=2))
    interrupt = await scene.posted(policy=begun(policy, {}, 30 * HOUR), expires_in=30 * HOUR)
    await advance(scene, 2)
    await scene.vote(interrupt.id, now=NOW + 2 * HOUR, fits=((0,), ()), following={2: Following()})
    assert [each.status for each in await scene.copies(interrupt.run_id, CopyKind.NUDGE)] == [CopyStatus.GONE]
    assert await advance(scene, 4) == [(StepKind.REMIND, 1)]


async def test_nobody_is_called_where_an_earlier_stage_was_answered(scene: Scene):
    policy = Policy(stages=(Stage(deciders=Person(ANA)), Stage(deciders=Person(CAI))), remind=every(hours=2))
    places = (DirectMessage(Person(ANA)),)
    interrupt = await scene.posted(policy=begun(policy, {}, 30 * HOUR), expires_in=30 * HOUR, places=places)
    await scene.vote(interrupt.id, now=NOW, fits=((0,), ()), following={2: Following()})
    assert await advance(scene, 2) == [(StepKind.REMIND, 1)]
    assert await scene.copies(interrupt.run_id, CopyKind.NUDGE) == []


async def test_the_clock_control_moves_what_is_to_come(scene: Scene):
    await scene.posted(policy=REMINDED, expires_in=None)
    await scene.store.bring_deadlines_forward(2 * HOUR, now=NOW)
    assert await advance(scene, 0) == [(StepKind.REMIND, 1)]


async def test_the_steps_of_a_run_are_purged_with_it(scene: Scene):
    interrupt = await scene.asked(policy=REMINDED, expires_in=30 * HOUR, places=())
    await scene.database.write(interrupt.run_id, lambda writing: plan(writing, interrupt, NOW, NOW + 30 * HOUR))
    await advance(scene, 2)
    await scene.vote(interrupt.id, choice=NO)
    for copy in await scene.take(NOW + 3 * HOUR):
        await scene.post(copy, NOW + 3 * HOUR)
    purged = await scene.store.purge(Purge("p", NOW + 400 * HOUR, "test"), now=NOW + 500 * HOUR)
    assert purged is not None
    assert purged.runs == 1
