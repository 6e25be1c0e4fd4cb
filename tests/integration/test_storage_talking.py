"""Who has taken a question on, and what is said about it: once each, and whom it calls."""

from dataclasses import replace
from typing import Any

import pytest

from actions import Person, Policy, every
from actions.kit.policies.deciders import DirectMessage
from actions.kit.policies.remarks import RemarkKind
from actions.kit.policies.steps import StepKind
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import InterruptRecord
from blocks.comments import Comment
from bot.engine import comments
from bot.engine.comments import Comments
from bot.engine.tasks import OwnedTasks
from storage.results import (
    AlreadySettled,
    Answered,
    Claim,
    Edited,
    HeldByOther,
    NewEdit,
    NewRemark,
    NotHeld,
    NothingAsked,
    Remarked,
    Stale,
    Taken,
    TakenStep,
    TooManyRemarks,
)
from tests.integration.scenes import ANA, BEN, HOUR, ME, NOW, REQUESTER, Scene, question

DECIDERS = (Person(ANA), Person(BEN))
CLAIMED = Policy(deciders=DECIDERS, claim_for=HOUR, remind=every(hours=2))
PAUSING = Policy(deciders=DECIDERS, may_ask="pauses the clock")


async def claim(
    scene: Scene, interrupt: InterruptRecord, person: str, hours: float, *, lets_go: bool = False, source: str = ""
) -> object:
    source = source or f"click of {person} {hours}"
    asked = Claim(interrupt.id, interrupt.content_version, person, source, "slack", lets_go)
    return await scene.store.steps.claim(asked, now=NOW + hours * HOUR)


async def holder(scene: Scene, interrupt: InterruptRecord) -> tuple[str | None, float | None]:
    """Who holds it, and until how many hours after the beginning."""
    now = (await scene.card(interrupt.id)).interrupt
    return now.claimed_by, None if now.claimed_until is None else (now.claimed_until - NOW) / HOUR


async def say(
    scene: Scene, interrupt: InterruptRecord, kind: RemarkKind, said: str, *, hours: float = 0, **where: Any
) -> object:
    """`said` is who says what: "U0ANA: Why?"."""
    person, _, text = said.partition(": ")
    new = NewRemark(interrupt.id, kind, person, text, said, "slack", **where)
    return await scene.store.remark(new, now=NOW + hours * HOUR)


async def advance(scene: Scene, hours: float) -> list[StepKind]:
    now = NOW + hours * HOUR
    due = await scene.store.steps.due(now=now, limit=20)
    done = [each for each in due if await scene.store.steps.take(TakenStep(each.seq), each.card.interrupt.id, now=now)]
    return [each.kind for each in done]


async def test_one_takes_it_on_others_are_refused_and_it_lapses(scene: Scene):
    interrupt = await scene.posted(policy=CLAIMED, expires_in=9 * HOUR)
    taken = await claim(scene, interrupt, ANA, 0)
    assert isinstance(taken, Taken)
    assert (taken.card.interrupt.claimed_by, taken.card.interrupt.claimed_until) == (ANA, NOW + HOUR)
    assert isinstance(await claim(scene, interrupt, BEN, 0.5), HeldByOther)
    assert isinstance(await claim(scene, interrupt, BEN, 0.5, lets_go=True), NotHeld)
    assert await advance(scene, 1) == [StepKind.LAPSE]
    assert (await scene.card(interrupt.id)).interrupt.claimed_by is None
    assert isinstance(await claim(scene, interrupt, BEN, 1.1), Taken)


async def test_taking_it_again_makes_it_no_longer_and_letting_go_frees_it(scene: Scene):
    interrupt = await scene.posted(policy=CLAIMED, expires_in=9 * HOUR)
    await claim(scene, interrupt, ANA, 0)
    assert isinstance(await claim(scene, interrupt, ANA, 0.5), Taken)
    assert await holder(scene, interrupt) == (ANA, 1)
    assert (await scene.events(interrupt.run_id)).count("claimed") == 1
    for source in ("one", "two"):
        assert isinstance(await claim(scene, interrupt, ANA, 0.6, lets_go=True, source=source), Taken)
    assert await advance(scene, 1) == []
    assert isinstance(await claim(scene, interrupt, BEN, 1), Taken)
    assert await holder(scene, interrupt) == (BEN, 2)


async def test_a_click_that_is_delivered_again_neither_takes_it_again_nor_lets_it_go_again(scene: Scene):
    interrupt = await scene.posted(policy=CLAIMED, expires_in=9 * HOUR)
    await claim(scene, interrupt, ANA, 0, source="take")
    await claim(scene, interrupt, ANA, 0.1, lets_go=True, source="let go")
    assert isinstance(await claim(scene, interrupt, ANA, 0.2, source="take"), Taken)
    assert await holder(scene, interrupt) == (None, None)
    await claim(scene, interrupt, ANA, 0.3, source="take anew")
    assert isinstance(await claim(scene, interrupt, ANA, 0.4, lets_go=True, source="let go"), Taken)
    assert await holder(scene, interrupt) == (ANA, 1.3)


async def test_nobody_takes_on_or_asks_about_another_stage_than_they_saw(scene: Scene):
    interrupt = await scene.posted(policy=CLAIMED, expires_in=9 * HOUR)
    seen = replace(interrupt, content_version=interrupt.content_version + 1)
    assert isinstance(await claim(scene, seen, ANA, 0), Stale)
    asked = NewRemark(interrupt.id, RemarkKind.QUESTION, ANA, "Why?", "1", "slack", content_version=9)
    assert isinstance(await scene.store.remark(asked, now=NOW), Stale)


async def test_the_clock_control_brings_the_end_of_a_claim_and_of_a_pause_nearer(scene: Scene):
    policy = PAUSING.model_copy(update={"claim_for": HOUR})
    interrupt = await scene.posted(policy=policy, expires_in=2 * HOUR)
    await claim(scene, interrupt, ANA, 0)
    await say(scene, interrupt, RemarkKind.QUESTION, f"{ANA}: Why?")
    await scene.store.bring_deadlines_forward(HOUR, now=NOW)
    assert await advance(scene, 0) == [StepKind.LAPSE]
    assert await holder(scene, interrupt) == (None, None)
    await scene.store.bring_deadlines_forward(71 * HOUR, now=NOW)
    assert await advance(scene, 0) == [StepKind.RESUME]
    assert (await scene.card(interrupt.id)).interrupt.expires_at == NOW + 2 * HOUR


async def test_a_claim_is_no_authority_and_ends_with_the_question(scene: Scene):
    interrupt = await scene.posted(policy=CLAIMED, expires_in=9 * HOUR)
    await claim(scene, interrupt, ANA, 0)
    assert isinstance(await scene.vote(interrupt.id, BEN), Answered)
    assert isinstance(await claim(scene, interrupt, ANA, 0.1), AlreadySettled)
    assert await advance(scene, 8) == []


async def test_a_claim_before_the_clock_starts_keeps_its_reminders(scene: Scene):
    interrupt = await scene.asked(policy=CLAIMED, expires_in=9 * HOUR)
    await claim(scene, interrupt, ANA, 0)
    for copy in await scene.copies(interrupt.run_id, CopyKind.CARD):
        await scene.post(copy)
    assert await advance(scene, 2) == [StepKind.LAPSE, StepKind.REMIND]


async def test_a_question_pauses_the_clock_and_the_reply_lets_it_go_on(scene: Scene):
    interrupt = await scene.posted(policy=PAUSING, expires_in=2 * HOUR)
    assert isinstance(await say(scene, interrupt, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1), Remarked)
    assert (await scene.card(interrupt.id)).interrupt.paused_at == NOW + HOUR
    replied = await say(scene, interrupt, RemarkKind.REPLY, f"{REQUESTER}: Because.", hours=5)
    assert isinstance(replied, Remarked)
    now = (await scene.card(interrupt.id)).interrupt
    assert (now.paused_at, now.expires_at) == (None, NOW + 6 * HOUR)
    asked, told = await scene.copies(interrupt.run_id, CopyKind.REMARK)
    assert (asked.place, told.place) == (DirectMessage(Person(REQUESTER)), DirectMessage(Person(ANA)))
    assert isinstance(await say(scene, interrupt, RemarkKind.REPLY, f"{REQUESTER}: And also.", hours=5), NothingAsked)


async def test_a_clock_that_nobody_lets_go_on_goes_on_by_itself(scene: Scene):
    interrupt = await scene.posted(policy=PAUSING, expires_in=2 * HOUR)
    await say(scene, interrupt, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1)
    assert await advance(scene, 72) == []
    assert await advance(scene, 73) == [StepKind.RESUME]
    assert (await scene.card(interrupt.id)).interrupt.expires_at == NOW + 74 * HOUR


async def test_the_same_is_kept_once_and_only_so_many_questions_wait(scene: Scene):
    interrupt = await scene.posted(policy=Policy(deciders=DECIDERS, may_ask=True))
    for _ in range(2):
        assert isinstance(await say(scene, interrupt, RemarkKind.QUESTION, f"{ANA}: 1?"), Remarked)
    for text in ("2?", "3?"):
        await say(scene, interrupt, RemarkKind.QUESTION, f"{BEN}: {text}")
    assert isinstance(await say(scene, interrupt, RemarkKind.QUESTION, f"{BEN}: 4?"), TooManyRemarks)
    assert [each.text for each in (await scene.card(interrupt.id)).remarks] == ["1?", "2?", "3?"]


@pytest.mark.parametrize(("person", "kind"), [(REQUESTER, RemarkKind.REPLY), (BEN, RemarkKind.COMMENT)])
async def test_what_is_typed_in_the_thread_is_a_reply_of_who_is_asked_and_a_comment_of_anybody_else(
    scene: Scene, person: str, kind: RemarkKind
):
    interrupt = await scene.posted(policy=PAUSING, expires_in=2 * HOUR)
    await say(scene, interrupt, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1)
    await say(scene, interrupt, RemarkKind.COMMENT, f"{person}: Because", hours=1.5, channel="C0APP", thread="1.0")
    card = await scene.card(interrupt.id)
    assert card.remarks[-1].kind is kind
    assert (card.interrupt.paused_at is None) is (kind is RemarkKind.REPLY)


async def test_words_decide_nothing_and_the_bot_says_so_once(scene: Scene):
    interrupt = await scene.posted()
    for text in ("approved", "ok?", "approved"):
        await say(scene, interrupt, RemarkKind.COMMENT, f"{ANA}: {text}", channel="C0APP", thread="ts")
    assert (await scene.card(interrupt.id)).interrupt.settled_at is None
    [line] = [each for each in await scene.copies(interrupt.run_id, CopyKind.LINE) if each.thread_ts == "ts"]
    assert line.text is not None
    assert "decide nothing" in line.text
    await scene.vote(interrupt.id)
    assert isinstance(await say(scene, interrupt, RemarkKind.COMMENT, f"{BEN}: Thanks"), Remarked)
    assert isinstance(await say(scene, interrupt, RemarkKind.QUESTION, f"{BEN}: Why?"), AlreadySettled)


async def test_a_message_of_ours_is_found_by_where_it_stands(scene: Scene):
    interrupt = await scene.posted()
    [copy] = await scene.copies(interrupt.run_id, CopyKind.CARD)
    assert copy.channel is not None
    assert copy.ts is not None
    assert await scene.store.question_below(copy.channel, copy.ts) == interrupt.id
    assert await scene.store.question_below(copy.channel, "1.0") is None


async def edited(scene: Scene, interrupt: InterruptRecord, editor: str) -> InterruptRecord:
    """The question that is asked anew, ten hours after the beginning."""
    later, run = NOW + 10 * HOUR, await scene.run(interrupt.run_id)
    new = NewEdit(interrupt.id, 1, editor, run.input, '{"to": "ben"}', None, "edited", "edit", "slack")
    assert isinstance(await scene.store.edit(new, now=later), Edited)
    run = (await scene.claimed(later)).run
    request = question(policy=PAUSING, editable=("to",), expires_in=2 * HOUR)
    again = await scene.store.pause(run.id, run.epoch, owner=ME, request=request, copies=(), now=later)
    assert again is not None
    return again


@pytest.mark.parametrize("below", ["the old card", "the new card"])
async def test_a_question_that_waits_for_a_reply_goes_on_waiting_when_somebody_edits(scene: Scene, below: str):
    old = await scene.posted(policy=PAUSING, expires_in=2 * HOUR, editable=("to",))
    await say(scene, old, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1)
    new = await edited(scene, old, BEN)
    card = await scene.card(new.id)
    assert [each.text for each in card.unanswered] == ["Why?"]
    assert card.interrupt.paused_at == NOW + 10 * HOUR
    [told] = await scene.copies(new.run_id, CopyKind.REMARK)
    assert (told.interrupt_id, told.text) == (new.id, card.unanswered[0].model_dump_json())
    asked = {"the old card": old, "the new card": new}[below]
    await say(scene, asked, RemarkKind.COMMENT, f"{REQUESTER}: Because.", hours=11, channel="C0APP", thread="1.0")
    card = await scene.card(new.id)
    assert (card.unanswered, card.remarks[-1].kind, card.interrupt.paused_at) == ((), RemarkKind.REPLY, None)


async def test_a_clock_that_stands_since_before_an_edit_goes_on_three_days_after_the_question(scene: Scene):
    old = await scene.posted(policy=PAUSING, expires_in=2 * HOUR, editable=("to",))
    await say(scene, old, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1)
    await edited(scene, old, BEN)
    assert await advance(scene, 72) == []
    assert await advance(scene, 73) == [StepKind.RESUME]


async def test_whoever_edits_waits_for_no_reply_any_more(scene: Scene):
    old = await scene.posted(policy=PAUSING, expires_in=2 * HOUR, editable=("to",))
    await say(scene, old, RemarkKind.QUESTION, f"{ANA}: Why?", hours=1)
    new = (await scene.card((await edited(scene, old, ANA)).id)).interrupt
    assert (await scene.card(new.id)).unanswered == ()
    assert new.paused_at is None
    replied = await say(scene, old, RemarkKind.REPLY, f"{REQUESTER}: Because.", hours=11)
    assert isinstance(replied, NothingAsked)


async def test_what_is_typed_before_it_is_known_where_a_card_stands_is_kept(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(comments, "LOOKS_AGAIN", [0.01] * 500)
    tasks, ts = OwnedTasks(), f"{NOW.timestamp():.6f}"
    heard = Comments(store=scene.store, tasks=tasks, now=lambda: NOW + HOUR / 60).heard
    early = Comment(BEN, "C0APP", ts, "2.0", "Wait")
    interrupt = await scene.asked()
    await heard(replace(early, text="Nothing is posted yet"))
    [copy] = await scene.take()
    await heard(replace(early, text="This is old", thread="1.0"))
    await heard(early)
    assert await scene.store.is_posting()
    await scene.post(copy, ts=ts)
    await tasks.drain(5)
    assert [each.text for each in (await scene.card(interrupt.id)).remarks] == ["Wait"]
    assert not await scene.store.is_posting()
