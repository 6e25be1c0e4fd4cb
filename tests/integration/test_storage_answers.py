"""Votes: one decides, the others are told by whom; late ones expire, doubled ones repeat their result."""

import asyncio

import pytest

from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import Answer, Cause, Decline, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from storage.results import AlreadySettled, AlreadyVoted, Answered, Duplicate, Late, Stale, Unknown, Voted
from tests.integration.scenes import (
    ANA,
    APPROVALS,
    BEN,
    CAI,
    HOUR,
    LATER,
    ME,
    NO,
    NOW,
    SECOND,
    YES,
    Scene,
    question,
    two_of,
)


async def test_an_answer_and_the_wish_to_resume_are_one_transaction(scene: Scene):
    interrupt = await scene.posted()
    before = scene.database.commits
    result = await scene.vote(interrupt.id, value='{"draft": 1}', note="fine")
    assert scene.database.commits == before + 1
    assert isinstance(result, Answered)
    card = result.card
    assert (card.run.status, card.run.answered, card.run.epoch) == (RunStatus.QUEUED, True, 2)
    assert (card.interrupt.status, card.interrupt.cause) == (InterruptStatus.ANSWERED, Cause.HUMAN)
    assert (card.interrupt.settled_by, card.interrupt.settled_at) == (ANA, NOW)
    assert (card.interrupt.choice, card.interrupt.answer) == ("yes", '{"draft": 1}')
    assert [decision.note for decision in card.decisions] == ["fine"]
    assert card == await scene.card(interrupt.id)
    assert [(wake.run_id, wake.epoch) for wake in scene.wakes] == [(interrupt.run_id, 2)]


async def test_of_many_people_who_click_at_once_one_decides_and_all_others_learn_who(scene: Scene):
    interrupt = await scene.posted()
    people = [f"U0P{number:02}" for number in range(20)]
    results = await asyncio.gather(*(scene.vote(interrupt.id, person) for person in people))
    [winner] = [result for result in results if isinstance(result, Answered)]
    losers = [result for result in results if isinstance(result, AlreadySettled)]
    assert len(losers) == 19
    assert {loser.card.interrupt.settled_by for loser in losers} == {winner.card.interrupt.settled_by}
    assert len((await scene.card(interrupt.id)).decisions) == 1
    assert len(scene.wakes) == 1


async def test_an_impatient_person_decides_once(scene: Scene):
    interrupt = await scene.posted()
    results = await asyncio.gather(*(scene.vote(interrupt.id, source=f"click {number}") for number in range(10)))
    assert sum(isinstance(result, Answered) for result in results) == 1
    assert sum(isinstance(result, AlreadySettled) for result in results) == 9


async def test_two_parallel_runs_of_one_action_never_cross_answers(scene: Scene):
    one, two = await scene.posted(), await scene.posted()
    await asyncio.gather(scene.vote(one.id, value='"one"'), scene.vote(two.id, BEN, value='"two"'))
    for interrupt, answer in ((one, '"one"'), (two, '"two"')):
        claimed = next(wake for wake in scene.wakes if wake.run_id == interrupt.run_id)
        assert claimed.epoch == 2
        assert (await scene.card(interrupt.id)).interrupt.answer == answer


async def test_a_decline_ends_the_run_without_another_execution(scene: Scene):
    interrupt = await scene.posted()
    result = await scene.vote(interrupt.id, choice=NO, value='{"reason": "no"}')
    assert isinstance(result, Answered)
    assert (result.card.run.status, result.card.run.ended_by) == (RunStatus.DECLINED, ANA)
    assert result.card.interrupt.status is InterruptStatus.DECLINED
    assert scene.wakes == []
    assert len(await scene.copies(interrupt.run_id, CopyKind.OUTCOME)) == 1


async def test_what_was_ended_stays_ended(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, choice=NO)
    ended = await scene.card(interrupt.id)
    late = await scene.vote(interrupt.id, BEN)
    assert isinstance(late, AlreadySettled)
    assert late.card == ended == await scene.card(interrupt.id)


async def test_a_quorum_of_named_people_decides_together(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN, CAI))
    first = await scene.vote(interrupt.id, ANA)
    assert isinstance(first, Voted)
    assert (first.card.run.status, len(first.card.decisions)) == (RunStatus.WAITING, 1)
    assert isinstance(await scene.vote(interrupt.id, ANA, source="another click"), AlreadyVoted)
    second = await scene.vote(interrupt.id, BEN, value='{"seen": true}')
    assert isinstance(second, Answered)
    assert (second.card.interrupt.settled_by, second.card.interrupt.answer) == (BEN, '{"seen": true}')
    assert [decision.person for decision in second.card.decisions] == [ANA, BEN]
    assert isinstance(await scene.vote(interrupt.id, CAI), AlreadySettled)


async def test_one_decline_settles_whatever_the_quorum(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN, CAI))
    await scene.vote(interrupt.id, ANA)
    assert isinstance(await scene.vote(interrupt.id, BEN, NO), Answered)
    assert (await scene.run(interrupt.run_id)).status is RunStatus.DECLINED


async def test_votes_for_different_choices_do_not_add_up(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN, CAI))
    results = [await scene.vote(interrupt.id, ANA), await scene.vote(interrupt.id, BEN, LATER)]
    assert {type(result) for result in results} == {Voted}
    assert isinstance(await scene.vote(interrupt.id, CAI, LATER), Answered)


async def test_racing_votes_of_a_quorum_are_all_counted(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN).model_copy(update={"quorum": 8}))
    results = await asyncio.gather(*(scene.vote(interrupt.id, f"U0P{number}") for number in range(8)))
    assert sorted(type(result).__name__ for result in results) == ["Answered"] + ["Voted"] * 7
    assert len((await scene.card(interrupt.id)).decisions) == 8


@pytest.mark.parametrize("settled", [False, True])
async def test_a_redelivered_click_repeats_its_first_result_and_does_nothing(scene: Scene, settled):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    first = await scene.vote(interrupt.id, ANA)
    if settled:
        await scene.vote(interrupt.id, BEN)
    before = await scene.events(interrupt.run_id)
    again = await scene.vote(interrupt.id, ANA)
    assert isinstance(again, Duplicate)
    assert type(again.first) is type(first) is Voted
    assert await scene.events(interrupt.run_id) == before


async def test_a_redelivery_of_the_deciding_click_says_that_it_decided(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id)
    await scene.claimed()
    again = await scene.vote(interrupt.id)
    assert isinstance(again, Duplicate)
    assert isinstance(again.first, Answered)
    assert again.card.run.status is RunStatus.RUNNING
    assert len(scene.wakes) == 1


async def test_answering_a_finished_run_returns_the_first_decision_and_runs_nothing(scene: Scene):
    run = (await scene.answered()).run
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="1", now=NOW)
    late = await scene.vote(f"{run.id}.1", BEN)
    assert isinstance(late, AlreadySettled)
    assert (late.card.interrupt.settled_by, late.card.run.status) == (ANA, RunStatus.SUCCEEDED)
    assert len(scene.wakes) == 1


async def test_a_click_on_nothing_says_so(scene: Scene):
    assert await scene.vote("nothing.1") == Unknown()


async def test_a_click_on_an_older_content_is_refused_with_todays_card(scene: Scene):
    interrupt = await scene.posted()
    stale = await scene.vote(interrupt.id, content_version=0)
    assert isinstance(stale, Stale)
    assert stale.card.interrupt.status is InterruptStatus.PENDING
    assert isinstance(await scene.vote(interrupt.id, content_version=None), Answered)


async def test_a_choice_that_the_stored_card_does_not_have_is_refused(scene: Scene):
    interrupt = await scene.posted()
    invented = YES.model_copy(update={"key": "all of it"})
    assert isinstance(await scene.vote(interrupt.id, choice=invented), Stale)
    assert (await scene.card(interrupt.id)).decisions == ()


async def test_what_declines_is_read_from_the_stored_card(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, choice=NO.model_copy(update={"declines": False}))
    assert (await scene.run(interrupt.run_id)).status is RunStatus.DECLINED


async def test_a_click_that_arrives_before_the_post_is_recorded_counts(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    assert isinstance(await scene.vote(interrupt.id), Answered)
    assert await scene.post(copy)
    [standing] = await scene.copies(interrupt.run_id, CopyKind.CARD)
    assert (standing.status, standing.shown_version < standing.wanted_version) == ("posted", True)
    assert (await scene.card(interrupt.id)).interrupt.expires_at is None


async def test_a_click_at_the_deadline_expires_the_interrupt_and_is_told(scene: Scene):
    interrupt = await scene.posted()
    late = await scene.vote(interrupt.id, now=NOW + HOUR)
    assert isinstance(late, Late)
    assert (late.card.interrupt.status, late.card.run.status) == (InterruptStatus.EXPIRED, RunStatus.EXPIRED)
    assert late.card.interrupt.cause is Cause.EXPIRED
    assert late.card.decisions == ()
    assert len(await scene.copies(interrupt.run_id, CopyKind.OUTCOME)) == 1
    assert isinstance(await scene.vote(interrupt.id, BEN, now=NOW + HOUR), AlreadySettled)


async def test_a_click_just_before_the_deadline_counts(scene: Scene):
    interrupt = await scene.posted()
    assert isinstance(await scene.vote(interrupt.id, now=NOW + HOUR - SECOND / 1_000_000), Answered)


async def test_a_late_timer_never_changes_what_is_decided(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id)
    decided = await scene.card(interrupt.id)
    assert await scene.store.expire_due(now=NOW + 2 * HOUR) == 0
    assert await scene.card(interrupt.id) == decided


async def test_a_click_and_an_expiry_in_one_instant_have_one_winner_and_the_loser_says_so(scene: Scene):
    interrupts = [await scene.posted() for _ in range(10)]
    deadline = NOW + HOUR
    clicks = (
        scene.vote(interrupt.id, now=deadline - SECOND * (number % 2)) for number, interrupt in enumerate(interrupts)
    )
    sweep = asyncio.ensure_future(scene.store.expire_due(now=deadline))
    results = await asyncio.gather(*clicks)
    expired = await sweep
    answered = sum(isinstance(result, Answered) for result in results)
    assert expired + answered + sum(isinstance(result, Late) for result in results) == 10
    for interrupt, result in zip(interrupts, results, strict=True):
        card = await scene.card(interrupt.id)
        assert isinstance(result, Answered) == (card.interrupt.status is InterruptStatus.ANSWERED)
        assert len(await scene.copies(interrupt.run_id, CopyKind.OUTCOME)) == (card.run.status is RunStatus.EXPIRED)


async def test_what_is_due_expires_in_portions_and_only_once(scene: Scene):
    for _ in range(5):
        await scene.posted()
    await scene.asked()
    counts = [await scene.store.expire_due(now=NOW + HOUR, limit=3) for _ in range(3)]
    assert counts == [3, 2, 0]
    assert len(await scene.store.pending()) == 1


async def test_on_expiry_may_decline(scene: Scene):
    interrupt = await scene.posted(on_expiry=Decline())
    await scene.store.expire_due(now=NOW + HOUR)
    card = await scene.card(interrupt.id)
    assert (card.interrupt.status, card.interrupt.cause) == (InterruptStatus.DECLINED, Cause.EXPIRED)
    assert card.run.status is RunStatus.DECLINED


@pytest.mark.parametrize("value", [False, 0, "", [], {}, None, {"b": 1, "a": -0.0, "n": 10**30}])
async def test_on_expiry_may_answer_with_any_value(scene: Scene, value):
    interrupt = await scene.posted(on_expiry=Answer(choice="yes", value=value))
    await scene.store.expire_due(now=NOW + HOUR)
    card = await scene.card(interrupt.id)
    assert (card.interrupt.status, card.interrupt.cause) == (InterruptStatus.ANSWERED, Cause.EXPIRED)
    assert card.interrupt.answer is not None
    [(resumed, decisions)] = (await scene.claimed()).resumptions
    assert (resumed.answer, decisions) == (card.interrupt.answer, ())
    assert card.run.answered


async def test_on_expiry_may_answer_with_a_choice_that_declines(scene: Scene):
    interrupt = await scene.posted(on_expiry=Answer(choice="no", value={"reason": "nobody answered"}))
    await scene.store.expire_due(now=NOW + HOUR)
    card = await scene.card(interrupt.id)
    assert (card.run.status, card.interrupt.answer) == (RunStatus.DECLINED, '{"reason": "nobody answered"}')


async def test_the_clock_runs_from_the_first_post_whatever_came_before_and_after(scene: Scene):
    interrupt = await scene.asked(places=[APPROVALS, APPROVALS])
    assert await scene.store.expire_due(now=NOW + 5 * HOUR) == 0
    posted_at = NOW + 5 * HOUR
    for later, copy in enumerate(await scene.copies(interrupt.run_id, CopyKind.CARD)):
        await scene.post(copy, posted_at + later * SECOND)
    started = (await scene.card(interrupt.id)).interrupt
    assert (started.posted_at, started.expires_at) == (posted_at, posted_at + HOUR)


async def test_what_never_expires_has_no_deadline(scene: Scene):
    interrupt = await scene.posted(expires_in=None)
    assert interrupt.expires_at is None
    assert await scene.store.expire_due(now=NOW + 9000 * HOUR) == 0


async def test_the_clock_control_moves_what_is_pending_and_nothing_else(scene: Scene):
    pending, decided = await scene.posted(), await scene.posted()
    unposted = await scene.asked()
    await scene.vote(decided.id)
    assert await scene.store.bring_deadlines_forward(HOUR / 2, now=NOW) == 1
    assert (await scene.card(pending.id)).interrupt.expires_at == NOW + HOUR / 2
    assert (await scene.card(decided.id)).interrupt.expires_at == NOW + HOUR
    assert (await scene.card(unposted.id)).interrupt.expires_at is None


async def test_one_interrupt_is_open_at_a_time(scene: Scene):
    run = await scene.running()
    first = await scene.asked(run)
    assert await scene.asked(run) == first
    assert len(await scene.store.pending()) == 1


async def test_a_pending_question_is_asked_again_under_a_new_shape(scene: Scene):
    old = await scene.posted()
    new = await scene.store.supersede(
        old.id,
        request=question(fingerprint="f2"),
        because="The form has changed.",
        copies=[NewCopy(CopyKind.CARD, APPROVALS)],
        now=NOW,
    )
    assert new is not None
    assert (new.number, new.fingerprint, new.asked_again_because) == (2, "f2", "The form has changed.")
    assert (await scene.card(old.id)).interrupt.status is InterruptStatus.SUPERSEDED
    assert isinstance(await scene.vote(old.id), AlreadySettled)
    assert isinstance(await scene.vote(new.id), Answered)


async def test_an_answer_that_no_longer_fits_is_asked_again_by_whoever_holds_the_run(scene: Scene):
    claimed = await scene.answered()
    old = claimed.resumptions[0].interrupt

    async def ask_again(owner: str | None) -> InterruptRecord | None:
        request, because = question(), "The form has changed."
        return await scene.store.supersede(old.id, request=request, because=because, copies=(), now=NOW, owner=owner)

    assert await ask_again(None) is None
    assert await ask_again("somebody else") is None
    new = await ask_again(ME)
    assert new is not None
    run = await scene.run(old.run_id)
    assert (run.status, run.answered) == (RunStatus.WAITING, False)
    await scene.vote(new.id, BEN)
    assert [interrupt.id for interrupt, _ in (await scene.claimed()).resumptions] == [new.id]


async def test_a_settled_question_is_not_asked_again(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, choice=NO)
    again = await scene.store.supersede(interrupt.id, request=question(), because="", copies=(), now=NOW)
    assert again is None
