"""A question goes from stage to stage: with the vote that completes one, the next has its people, places and deadline."""

import asyncio
from datetime import timedelta

from actions import Channel, Group, Person, Policy, Stage, field
from actions.kit.policies.policy import DirectMessage
from actions.kit.policies.stages import begun
from actions.kit.records.copies import CopyKind, NewCopy
from actions.kit.records.interrupts import InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from storage.results import AlreadyVoted, Answered, Duplicate, Following, Stale, Voted
from tests.integration.scenes import ANA, APPROVALS, BEN, CAI, HOUR, ME, NO, NOW, SECOND, Scene

FINANCE = Channel("#finance")
DAN = "U0DAN"
CHAIN = Policy(
    stages=(
        Stage(deciders=Person(ANA), expires_in=HOUR),
        Stage(deciders=(Person(ANA), Person(BEN), Person(CAI)), quorum=2, expires_in=2 * HOUR, show=FINANCE),
        Stage(deciders=Person(DAN), when=field("amount") > 5_000),
    )
)
BOTH, SECOND_ALONE = ((0,), (0,)), ((), (0,))
NEXT = {2: Following((NewCopy(CopyKind.CARD, FINANCE),))}


async def _asked(scene: Scene, policy: Policy = CHAIN) -> InterruptRecord:
    return await scene.posted(policy=begun(policy, {"amount": 1}, None))


async def _agree_to_the_first(scene: Scene, interrupt: InterruptRecord) -> None:
    voted = await scene.vote(interrupt.id, ANA, fits=BOTH, following=NEXT)
    assert isinstance(voted, Voted)


async def test_a_completed_stage_is_one_transaction_with_what_the_next_one_wants(scene: Scene):
    interrupt = await _asked(scene)
    before = scene.database.commits
    await _agree_to_the_first(scene, interrupt)
    assert scene.database.commits == before + 1
    card = await scene.card(interrupt.id)
    assert (card.interrupt.policy.stage, card.interrupt.policy.quorum) == (2, 2)
    assert (card.interrupt.content_version, card.interrupt.status) == (2, InterruptStatus.PENDING)
    assert (card.interrupt.posted_at, card.interrupt.expires_at) == (None, None)
    assert [copy.place for copy in await scene.copies(interrupt.run_id, CopyKind.CARD)] == [APPROVALS, FINANCE]
    first = (await scene.copies(interrupt.run_id, CopyKind.CARD))[0]
    assert first.wanted_version > first.shown_version
    assert "stage entered" in await scene.events(interrupt.run_id)
    assert card.run.status is RunStatus.WAITING


async def test_each_stage_has_its_own_deadline_from_when_it_is_posted(scene: Scene):
    interrupt = await _asked(scene)
    assert interrupt.expires_at == NOW + HOUR
    await _agree_to_the_first(scene, interrupt)
    later = NOW + timedelta(minutes=5)
    for copy in await scene.take(later):
        if copy.place == FINANCE:
            await scene.post(copy, later)
    assert (await scene.card(interrupt.id)).interrupt.expires_at == later + 2 * HOUR


async def test_a_stage_that_is_asked_where_the_card_stands_begins_at_once(scene: Scene):
    interrupt = await _asked(scene)
    here = {2: Following((NewCopy(CopyKind.CARD, APPROVALS),))}
    await scene.vote(interrupt.id, ANA, fits=BOTH, following=here, now=NOW + SECOND)
    card = await scene.card(interrupt.id)
    assert card.interrupt.expires_at == NOW + SECOND + 2 * HOUR
    assert len(await scene.copies(interrupt.run_id, CopyKind.CARD)) == 1


async def test_a_stage_that_nobody_can_settle_is_told_at_once(scene: Scene):
    interrupt = await _asked(scene)
    await scene.vote(interrupt.id, ANA, fits=BOTH, following={2: Following((), "nobody_decides")})
    assert (await scene.card(interrupt.id)).interrupt.undeliverable == "nobody_decides"
    [notice] = await scene.copies(interrupt.run_id, CopyKind.UNDELIVERABLE)
    assert isinstance(notice.place, DirectMessage)


async def test_who_agreed_before_counts_and_is_not_asked_again(scene: Scene):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    again = await scene.vote(interrupt.id, ANA, content_version=2, source="again", fits=BOTH)
    assert isinstance(again, AlreadyVoted)
    settled = await scene.vote(interrupt.id, BEN, content_version=2, fits=SECOND_ALONE)
    assert isinstance(settled, Answered)
    assert [(each.person, each.stage, each.fits) for each in settled.card.decisions] == [
        (ANA, 1, BOTH),
        (BEN, 2, SECOND_ALONE),
    ]
    assert await scene.card(interrupt.id) == settled.card


async def test_who_was_no_decider_of_the_next_stage_then_and_is_now_may_decide_it_too(scene: Scene):
    interrupt = await _asked(scene)
    await scene.vote(interrupt.id, ANA, fits=((0,), ()), following=NEXT)
    assert isinstance(await scene.vote(interrupt.id, ANA, content_version=2, source="2", fits=BOTH), Voted)
    assert isinstance(await scene.vote(interrupt.id, BEN, content_version=2, fits=SECOND_ALONE), Answered)


async def test_a_click_on_a_card_of_the_stage_before_does_not_count(scene: Scene):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    assert isinstance(await scene.vote(interrupt.id, BEN, content_version=1, fits=SECOND_ALONE), Stale)
    repeated = await scene.vote(interrupt.id, ANA, fits=BOTH)
    assert isinstance(repeated, Duplicate)
    assert isinstance(repeated.first, Voted)


async def test_of_many_who_agree_at_once_each_stage_is_entered_once(scene: Scene):
    policy = Policy(stages=(Stage(deciders=Group("all")), Stage(deciders=Group("all"), separate=True)))
    interrupt = await _asked(scene, policy)
    people = [f"U0P{number:02}" for number in range(10)]
    votes = (scene.vote(interrupt.id, person, fits=BOTH, following=NEXT) for person in people)
    results = await asyncio.gather(*votes)
    assert sum(isinstance(each, Voted) for each in results) == 1
    assert sum(isinstance(each, Stale) for each in results) == 9
    assert (await scene.events(interrupt.run_id)).count("stage entered") == 1


async def test_a_decline_in_a_later_stage_ends_it(scene: Scene):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    result = await scene.vote(interrupt.id, CAI, NO, content_version=2, fits=SECOND_ALONE)
    assert isinstance(result, Answered)
    assert result.card.run.status is RunStatus.DECLINED


async def test_a_stage_whose_people_agreed_already_is_passed_with_the_vote_before(scene: Scene):
    policy = Policy(stages=(Stage(deciders=Person(ANA)), Stage(deciders=(Person(ANA), Person(BEN)))))
    interrupt = await _asked(scene, policy)
    result = await scene.vote(interrupt.id, ANA, fits=BOTH, following=NEXT)
    assert isinstance(result, Answered)
    assert result.card.interrupt.choice == "yes"


async def test_what_expires_in_a_later_stage_expires(scene: Scene):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    for copy in await scene.take():
        if copy.place == FINANCE:
            await scene.post(copy)
    assert await scene.store.expire_due(now=NOW + 3 * HOUR) == 1
    assert (await scene.run(interrupt.run_id)).status is RunStatus.EXPIRED


async def _refused_everywhere_new(scene: Scene, interrupt: InterruptRecord) -> None:
    for copy in await scene.take():
        if copy.place == FINANCE:
            await scene.store.copy_refused(copy.id, owner=ME, error="not_in_channel", fallbacks=(), now=NOW)


async def test_a_stage_that_cannot_stand_where_it_is_asked_is_told_though_the_card_of_the_stage_before_stands(
    scene: Scene,
):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    await _refused_everywhere_new(scene, interrupt)
    flagged = (await scene.card(interrupt.id)).interrupt
    assert (flagged.undeliverable, flagged.expires_at) == ("not_in_channel", NOW + 2 * HOUR)
    assert len(await scene.copies(interrupt.run_id, CopyKind.UNDELIVERABLE)) == 1


async def test_a_stage_whose_card_is_held_up_by_a_mistake_of_the_bots_own_is_told_too(scene: Scene):
    interrupt = await _asked(scene)
    await _agree_to_the_first(scene, interrupt)
    (copy,) = [each for each in await scene.take() if each.place == FINANCE]
    await scene.store.copy_blocked(
        copy.id, owner=ME, error="missing_scope", next_at=NOW + HOUR, maybe_posted=False, now=NOW
    )
    assert (await scene.card(interrupt.id)).interrupt.undeliverable == "missing_scope"
