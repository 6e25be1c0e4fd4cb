"""Copies: what Slack shall show, who posts it, how fast, and what happens when Slack says no."""

from typing import Any

from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.records.copies import CopyKind, CopyRecord, NewCopy
from actions.kit.records.interrupts import InterruptRecord
from actions.kit.records.runs import Failure, Origin, RunStatus
from storage.results import NotUndeliverable, Ordered, Redelivering, Unknown
from tests.integration.scenes import ANA, APPROVALS, BEN, HOUR, ME, NO, NOW, REQUESTER, SECOND, Scene, lease, two_of

TO_ANA = DirectMessage(person=Person(id=ANA))
TO_BEN = DirectMessage(person=Person(id=BEN))
TO_REQUESTER = DirectMessage(person=Person(id=REQUESTER))
FAULT = Failure(kind="ValueError", message="no such host")


async def bring_up_to_date(scene: Scene, now=NOW) -> list[CopyRecord]:
    """Publishes all that is due by now, as fast as it may."""
    done: list[CopyRecord] = []
    while taken := await scene.take(now):
        for copy in taken:
            if copy.ts is None:
                await scene.post(copy, now - SECOND)
            else:
                await scene.store.copy_updated(copy.id, owner=ME, version=copy.wanted_version, now=now)
        done.extend(taken)
    return done


async def refuse(scene: Scene, copy: CopyRecord, error: str = "not_in_channel", *fallbacks: NewCopy) -> bool:
    return await scene.store.copy_refused(copy.id, owner=ME, error=error, fallbacks=fallbacks, now=NOW)


async def test_a_card_is_taken_by_one_publisher(scene: Scene):
    await scene.asked()
    first, second = await scene.take(owner="a"), await scene.take(owner="b")
    assert (len(first), len(second)) == (1, 0)


async def test_a_burst_to_one_channel_goes_one_at_a_time_in_order_and_a_second_apart(scene: Scene):
    interrupts = [await scene.asked() for _ in range(4)]
    seen = []
    for number in range(4):
        now = NOW + number * SECOND
        [copy] = [copy for copy in await scene.take(now) if copy.ts is None]
        assert await scene.take(now) == () or number
        await scene.post(copy, now)
        assert [copy for copy in await scene.take(now + SECOND / 2, "other") if copy.ts is None] == []
        seen.append(copy.interrupt_id)
    assert seen == [interrupt.id for interrupt in interrupts]


async def test_places_do_not_wait_for_each_other(scene: Scene):
    await scene.asked(places=[APPROVALS, TO_ANA, TO_BEN])
    assert len(await scene.take()) == 3


async def test_an_edit_does_not_queue_behind_new_cards(scene: Scene):
    shown = await scene.posted()
    await bring_up_to_date(scene)
    for _ in range(5):
        await scene.asked()
    await scene.vote(shown.id)
    taken = await scene.take()
    assert taken[0].interrupt_id == shown.id
    assert taken[0].ts is not None


async def test_a_card_does_not_queue_behind_the_lines_of_a_talkative_run(scene: Scene):
    shown = await scene.posted()
    await bring_up_to_date(scene)
    for number in range(5):
        await scene.store.report(shown.run_id, f"step {number}", now=NOW)
    card = await scene.asked()
    [first] = await scene.take(NOW + SECOND)
    assert first.interrupt_id == card.id
    await scene.post(first, NOW)
    lines = [copy for copy in await scene.take(NOW + SECOND) if copy.ts is None]
    assert [copy.text for copy in lines] == ["step 0"]


async def test_a_copy_is_due_until_it_shows_what_the_rows_say(scene: Scene):
    interrupt = await scene.posted()
    await bring_up_to_date(scene)
    assert await scene.take() == ()
    await scene.vote(interrupt.id)
    [copy] = [copy for copy in await scene.take() if copy.kind is CopyKind.CARD]
    await scene.store.cancel(interrupt.run_id, person=BEN, via="slack", now=NOW)
    await scene.store.copy_updated(copy.id, owner=ME, version=copy.wanted_version, now=NOW)
    [again] = [copy for copy in await scene.take() if copy.kind is CopyKind.CARD]
    assert again.shown_version == copy.wanted_version < again.wanted_version


async def test_a_post_that_starts_the_clock_needs_no_edit_to_show_the_deadline(scene: Scene):
    interrupt = await scene.posted()
    assert interrupt.expires_at == NOW + HOUR
    assert await scene.take() == ()


async def behind(scene: Scene, **places: Any) -> InterruptRecord:
    """A posted card that shows less than its rows."""
    interrupt = await scene.posted(**places)
    await scene.store.bring_deadlines_forward(SECOND, now=NOW)
    return interrupt


async def test_running_is_shown_only_when_it_lasts(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id)
    await bring_up_to_date(scene, NOW + 2 * SECOND)
    claimed = await scene.store.claim(scene.wakes[-1], lease=lease(NOW + 2 * SECOND), now=NOW + 2 * SECOND)
    assert claimed
    assert await scene.take(NOW + 3 * SECOND) == ()
    assert [copy.kind for copy in await scene.take(NOW + 4 * SECOND)] == [CopyKind.CARD]


async def test_a_publisher_that_died_in_a_post_leaves_a_copy_to_be_looked_for(scene: Scene):
    interrupt = await scene.asked()
    [first] = await scene.take(owner="dead")
    assert not first.maybe_posted
    assert await scene.take(NOW + 29 * SECOND) == ()
    [second] = await scene.take(NOW + 30 * SECOND)
    assert (second.id, second.maybe_posted, second.attempts) == (first.id, True, 2)
    found = await scene.store.copy_posted(second.id, owner=ME, channel="C0APP", ts="7.7", version=0, at=NOW)
    assert found
    assert (await scene.card(interrupt.id)).interrupt.expires_at == NOW + HOUR


async def test_a_message_that_stands_is_recorded_whoever_reports_it_and_once(scene: Scene):
    await scene.asked()
    [copy] = await scene.take(owner="slow")
    await scene.take(NOW + 31 * SECOND, owner="next")
    assert await scene.post(copy, owner="slow", ts="1.1")
    assert await scene.post(copy, owner="slow", ts="1.1")
    assert not await scene.post(copy, owner="next", ts="2.2")
    [standing] = await scene.copies(copy.run_id, CopyKind.CARD)
    assert standing.ts == "1.1"


async def test_an_update_by_somebody_who_lost_the_lease_is_not_believed(scene: Scene):
    await behind(scene)
    [copy] = await scene.take(owner="slow")
    await scene.take(NOW + 31 * SECOND, owner="next")
    assert not await scene.store.copy_updated(copy.id, owner="slow", version=9, now=NOW)
    assert not await scene.store.copy_retry(copy.id, owner="slow", error="x", next_at=NOW)
    assert await scene.store.copy_updated(copy.id, owner="next", version=copy.wanted_version, now=NOW)


async def test_a_passing_error_puts_off_one_copy_and_retry_after_its_whole_lane(scene: Scene):
    one, two = await scene.asked(), await scene.asked()
    [first] = await scene.take()
    await scene.store.copy_retry(first.id, owner=ME, error="timeout", next_at=NOW + 5 * SECOND)
    [second] = await scene.take()
    assert (first.interrupt_id, second.interrupt_id) == (one.id, two.id)
    until = NOW + 30 * SECOND
    await scene.store.copy_retry(second.id, owner=ME, error="ratelimited", next_at=until, lane_until=until)
    assert await scene.take(NOW + 29 * SECOND) == ()
    assert [copy.interrupt_id for copy in await scene.take(until)] == [one.id]


async def test_a_post_that_keeps_failing_does_not_use_up_the_deadline(scene: Scene):
    interrupt = await scene.asked()
    for number in range(3):
        [copy] = await scene.take(NOW + number * HOUR)
        assert copy.attempts == number + 1
        await scene.store.copy_retry(copy.id, owner=ME, error="timeout", next_at=NOW + (number + 1) * HOUR)
    assert (await scene.card(interrupt.id)).interrupt.expires_at is None


async def test_an_unclear_post_is_remembered_as_such(scene: Scene):
    await scene.asked()
    [copy] = await scene.take()
    await scene.store.copy_retry(copy.id, owner=ME, error="reset", next_at=NOW, maybe_posted=True)
    [again] = await scene.take()
    assert again.maybe_posted


async def test_a_card_that_nobody_saw_is_not_posted_once_it_is_settled(scene: Scene):
    interrupt = await scene.asked()
    await scene.vote(interrupt.id, choice=NO)
    assert [copy.status for copy in await scene.copies(interrupt.run_id, CopyKind.CARD)] == ["gone"]
    assert [copy.kind for copy in await scene.take()] == [CopyKind.OUTCOME]


async def test_a_card_whose_post_failed_is_not_tried_again_once_it_is_settled(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await scene.vote(interrupt.id, choice=NO)
    await scene.store.copy_retry(copy.id, owner=ME, error="timeout", next_at=NOW)
    assert [copy.status for copy in await scene.copies(interrupt.run_id, CopyKind.CARD)] == ["gone"]


async def test_a_refused_card_is_flagged_its_clock_runs_and_the_requester_is_told(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    assert await refuse(scene, copy)
    flagged = (await scene.card(interrupt.id)).interrupt
    assert (flagged.undeliverable, flagged.expires_at, flagged.posted_at) == ("not_in_channel", NOW + HOUR, None)
    [notice] = await scene.take()
    assert (notice.kind, notice.interrupt_id) == (CopyKind.UNDELIVERABLE, interrupt.id)
    assert (await scene.vote(interrupt.id)).card.run.status is RunStatus.QUEUED  # type: ignore[union-attr]


async def test_a_refused_card_falls_back_to_direct_messages_that_were_not_tried(scene: Scene):
    interrupt = await scene.asked(places=[APPROVALS, TO_ANA])
    card, direct = await scene.take()
    await scene.post(direct)
    fallbacks = [NewCopy(CopyKind.CARD, TO_ANA), NewCopy(CopyKind.CARD, TO_BEN)]
    assert not await refuse(scene, card, "is_archived", *fallbacks)
    places = [copy.place for copy in await scene.copies(interrupt.run_id, CopyKind.CARD) if copy.status != "failed"]
    assert places == [TO_ANA, TO_BEN]
    assert (await scene.card(interrupt.id)).interrupt.undeliverable is None


async def test_a_card_that_reaches_somebody_after_all_is_not_undeliverable_any_more(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await refuse(scene, copy)
    result = await scene.store.deliver_again(
        interrupt.id, copies=[NewCopy(CopyKind.CARD, TO_BEN)], person=ANA, via="slack", now=NOW
    )
    assert isinstance(result, Redelivering)
    assert result.card.interrupt.undeliverable is None
    again = await scene.store.deliver_again(interrupt.id, copies=(), person=ANA, via="slack", now=NOW)
    assert isinstance(again, NotUndeliverable)
    assert await scene.store.deliver_again("x.1", copies=(), person=ANA, via="slack", now=NOW) == Unknown()
    [card] = [copy for copy in await scene.take() if copy.kind is CopyKind.CARD]
    await scene.post(card, NOW + SECOND)
    delivered = (await scene.card(interrupt.id)).interrupt
    assert (delivered.posted_at, delivered.expires_at) == (NOW + SECOND, NOW + HOUR)


async def test_a_settled_card_is_not_delivered_again(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await refuse(scene, copy)
    await scene.vote(interrupt.id)
    result = await scene.store.deliver_again(interrupt.id, copies=(), person=ANA, via="slack", now=NOW)
    assert isinstance(result, NotUndeliverable)


async def test_a_deleted_card_is_reposted_while_pending_and_flagged_when_nothing_is_left(scene: Scene):
    interrupt = await behind(scene)
    [copy] = await scene.take()
    repost = [NewCopy(CopyKind.CARD, APPROVALS)]
    assert not await scene.store.copy_gone(copy.id, owner=ME, repost=repost, now=NOW)
    [again] = await scene.take(NOW + SECOND)
    assert (again.place, again.reposted, again.ts) == (APPROVALS, True, None)
    await scene.post(again, NOW + SECOND)
    await scene.store.bring_deadlines_forward(SECOND, now=NOW)
    [again] = await scene.take(NOW + SECOND)
    assert await scene.store.copy_gone(again.id, owner=ME, repost=(), now=NOW)
    assert (await scene.card(interrupt.id)).interrupt.undeliverable == "message_deleted"


async def test_a_deleted_card_of_a_settled_interrupt_stays_gone(scene: Scene):
    interrupt = await scene.posted()
    await scene.vote(interrupt.id, choice=NO)
    [copy] = [copy for copy in await scene.take() if copy.kind is CopyKind.CARD]
    assert not await scene.store.copy_gone(copy.id, owner=ME, repost=[NewCopy(CopyKind.CARD, APPROVALS)], now=NOW)
    assert [copy.status for copy in await scene.copies(interrupt.run_id, CopyKind.CARD)] == ["gone"]


async def test_a_line_waits_for_a_thread_and_goes_to_the_newest_card(scene: Scene):
    run = await scene.running()
    await scene.store.report(run.id, "half way", now=NOW)
    await scene.asked(run, places=[TO_ANA, APPROVALS])
    assert [copy.kind for copy in await scene.take()] == [CopyKind.CARD] * 2
    direct, card = await scene.copies(run.id, CopyKind.CARD)
    await scene.post(direct, ts="1.1")
    [line] = [copy for copy in await scene.take(NOW + SECOND) if copy.kind is CopyKind.LINE]
    assert (line.channel, line.thread_ts, line.text) == ("C0APP", "1.1", "half way")
    await scene.post(card, ts="2.2")
    await scene.store.report(run.id, "done", now=NOW)
    *_, second = await scene.copies(run.id, CopyKind.LINE)
    assert second.thread_ts == "2.2"


async def test_a_line_whose_card_was_deleted_goes_to_another(scene: Scene):
    interrupt = await behind(scene, places=[TO_ANA, APPROVALS])
    [deleted] = await scene.take()
    [other] = [copy for copy in await scene.copies(interrupt.run_id, CopyKind.CARD) if copy.id != deleted.id]
    await scene.store.report(interrupt.run_id, "half way", now=NOW)
    await scene.store.copy_gone(deleted.id, owner=ME, repost=(), now=NOW)
    [line] = await scene.copies(interrupt.run_id, CopyKind.LINE)
    assert line.thread_ts == other.ts


async def test_a_report_of_an_unknown_run_is_nothing(scene: Scene):
    await scene.store.report("nothing", "hello", now=NOW)
    assert await scene.store.copies("nothing") == ()


async def test_votes_decisions_cancellations_and_orders_leave_a_line_in_the_thread(scene: Scene):
    interrupt = await scene.posted(policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id, ANA)
    await scene.vote(interrupt.id, BEN)
    run = (await scene.claimed()).run
    await scene.store.cancel(run.id, person=ANA, via="slack", now=NOW)
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.STALLED, failure=FAULT, now=NOW)
    ordered = await scene.store.order(run.id, run.epoch, "run_again", person=BEN, via="slack", now=NOW)
    assert isinstance(ordered, Ordered)
    await scene.store.cancel(run.id, person=ANA, via="slack", now=NOW)
    lines = [(copy.person, copy.text) for copy in await scene.copies(run.id, CopyKind.LINE)]
    assert lines == [
        (ANA, "voted “Approve”"),
        (BEN, "decided “Approve”"),
        (ANA, "asked to cancel the run"),
        (BEN, "ordered to run it again"),
        (ANA, "cancelled the run"),
    ]


async def test_the_message_about_an_end_is_redrawn_when_the_run_moves_on(scene: Scene):
    run = await scene.running()
    await scene.store.finish(run.id, 1, owner=ME, status=RunStatus.FAILED, failure=FAULT, now=NOW)
    await bring_up_to_date(scene)
    await scene.store.order(run.id, 1, "run_again", person=ANA, via="slack", now=NOW)
    [outcome] = await scene.take()
    assert (outcome.kind, outcome.shown_version, outcome.wanted_version) == (CopyKind.OUTCOME, 1, 2)


async def test_earlier_cards_are_redrawn_when_their_run_asks_again_or_ends(scene: Scene):
    run = (await scene.answered()).run
    await bring_up_to_date(scene, NOW + 3 * SECOND)
    await scene.asked(run, occurrence=2, places=[TO_ANA])
    assert sorted(copy.interrupt_id or "" for copy in await scene.take(NOW + 9 * SECOND)) == [
        f"{run.id}.1",
        f"{run.id}.2",
    ]


async def test_the_next_moment_of_work_is_known(scene: Scene):
    assert await scene.store.next_copy(NOW) is None
    await scene.asked()
    assert await scene.store.next_copy(NOW - HOUR) == NOW
    [copy] = await scene.take()
    assert await scene.store.next_copy(NOW) == NOW + 30 * SECOND
    await scene.store.copy_retry(copy.id, owner=ME, error="x", next_at=NOW + SECOND, lane_until=NOW + 3 * SECOND)
    assert await scene.store.next_copy(NOW) == NOW + 3 * SECOND
    assert await scene.store.next_copy(NOW + HOUR) == NOW + HOUR
    await scene.take(NOW + 3 * SECOND)
    await scene.post(copy, NOW + 3 * SECOND)
    await bring_up_to_date(scene, NOW + 3 * SECOND)
    assert await scene.store.next_copy(NOW) is None


async def block(scene: Scene, copy: CopyRecord, now=NOW) -> bool:
    error, next_at = "token_revoked", now + SECOND
    return await scene.store.copy_blocked(copy.id, owner=ME, error=error, next_at=next_at, now=now)


async def test_a_card_that_the_bot_may_not_post_is_flagged_and_stays_wanted(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    assert await block(scene, copy)
    flagged = (await scene.card(interrupt.id)).interrupt
    assert (flagged.undeliverable, flagged.expires_at) == ("token_revoked", NOW + HOUR)
    card, notice = await scene.take(NOW + SECOND)
    assert (card.id, card.ts, notice.kind) == (copy.id, None, CopyKind.UNDELIVERABLE)
    assert not await block(scene, card), "it is flagged already"
    assert [each.kind for each in await scene.copies(interrupt.run_id, CopyKind.UNDELIVERABLE)] == [notice.kind]


async def test_a_card_that_was_blocked_and_gets_through_takes_the_flag_and_the_unsent_notice_away(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await block(scene, copy)
    card, notice = await scene.take(NOW + SECOND)
    await block(scene, notice, NOW + SECOND)
    await scene.post(card, NOW + SECOND)
    delivered = (await scene.card(interrupt.id)).interrupt
    assert (delivered.undeliverable, delivered.posted_at) == (None, NOW + SECOND)
    assert [each.status for each in await scene.copies(interrupt.run_id, CopyKind.UNDELIVERABLE)] == ["gone"]


async def test_a_card_that_somebody_sees_is_not_flagged_for_another_copy_that_is_blocked(scene: Scene):
    interrupt = await scene.asked(places=[TO_ANA, TO_BEN])
    ana, ben = await scene.take()
    await scene.post(ana)
    assert not await block(scene, ben)
    assert (await scene.card(interrupt.id)).interrupt.undeliverable is None


async def test_delivering_again_wants_no_second_copy_of_what_is_still_wanted(scene: Scene):
    interrupt = await scene.asked()
    [copy] = await scene.take()
    await block(scene, copy)
    again = [NewCopy(CopyKind.CARD, APPROVALS), NewCopy(CopyKind.CARD, TO_BEN)]
    await scene.store.deliver_again(interrupt.id, copies=again, person=ANA, via="slack", now=NOW)
    assert [each.place for each in await scene.copies(interrupt.run_id, CopyKind.CARD)] == [APPROVALS, TO_BEN]
    assert copy.id in [each.id for each in await scene.take()], "an order tries it at once"


async def test_what_was_asked_for_in_a_conversation_is_told_below_that_in_its_order_and_else_directly(scene: Scene):
    asked_in = Origin(channel="C0GENERAL", thread="9.9")
    run = await scene.running(origin=asked_in)
    await scene.store.report(run.id, "step 1", now=NOW)
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output="{}", now=NOW)
    told = []
    for number in range(2):
        [copy] = await scene.take(NOW + number * SECOND)
        assert (copy.channel, copy.thread_ts) == ("C0GENERAL", "9.9")
        told.append(copy.kind)
        if copy.kind is CopyKind.LINE:
            await scene.post(copy, NOW)
    assert told == [CopyKind.LINE, CopyKind.OUTCOME]
    await refuse(scene, copy, "is_archived")
    [again] = await scene.take(NOW + 2 * SECOND)
    assert (again.kind, again.channel, again.thread_ts, again.place) == (CopyKind.OUTCOME, None, None, TO_REQUESTER)
    assert again.ts is None
