"""An edit ends the open question with its answers and queues the run with the new input, once, and only while that is right."""

import asyncio
import json
from typing import Any

import pytest

from actions.kit.policies.deciders import DirectMessage, Person
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Asker, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallEnding, CallStatus
from storage.results import (
    AlreadySettled,
    Answered,
    Edited,
    Late,
    NewEdit,
    NotEditable,
    OwnRequest,
    Stale,
    Unknown,
    Voted,
)
from tests.integration.scenes import (
    ANA,
    BEN,
    CAI,
    HOUR,
    ME,
    NOW,
    REQUESTER,
    SECOND,
    YES,
    Scene,
    new_run,
    question,
    two_of,
    vote,
)

BEFORE, AFTER = '{"to": "ana"}', '{"to": "ben"}'
LATER = NOW + SECOND


def edit_of(interrupt: InterruptRecord, person: str = ANA, **values: Any) -> NewEdit:
    return NewEdit(
        **{
            "interrupt_id": interrupt.id,
            "content_version": 1,
            "person": person,
            "before": BEFORE,
            "input": AFTER,
            "described": None,
            "said": "edited To ana → ben",
            "source": f"edit of {person}",
            "via": "slack",
            **values,
        }
    )


async def editable(scene: Scene, **values: Any) -> InterruptRecord:
    return await scene.posted(editable=("to",), **values)


async def test_an_edit_ends_the_question_and_queues_the_run_from_the_top(scene: Scene):
    interrupt = await editable(scene)
    before = await scene.run(interrupt.run_id)
    assert isinstance(await scene.store.edit(edit_of(interrupt), now=LATER), Edited)
    run = await scene.run(interrupt.run_id)
    assert (run.status, run.input, run.answered, run.epoch) == (RunStatus.QUEUED, AFTER, False, before.epoch + 1)
    assert run.request == before.request
    card = await scene.card(interrupt.id)
    assert card.interrupt.status is InterruptStatus.SUPERSEDED
    assert card.edited_away is not None
    assert (card.edited_away.person, card.edited_away.before) == (ANA, BEFORE)
    claimed = await scene.claimed(LATER)
    assert claimed.resumptions == ()
    [entry] = [each for each in await scene.store.trail(run.id) if each.event == "edited"]
    assert entry.person == ANA
    assert entry.details["fields"] == [{"field": "to", "before": "ana", "after": "ben"}]


async def test_the_next_question_has_no_votes_its_own_clock_and_can_be_edited_again(scene: Scene):
    interrupt = await editable(scene, policy=two_of(ANA, BEN))
    assert isinstance(await scene.vote(interrupt.id, BEN), Voted)
    await scene.store.edit(edit_of(interrupt), now=LATER)
    run = (await scene.claimed(LATER)).run
    again = await scene.store.pause(
        run.id, run.epoch, owner=ME, request=question(editable=("to",), policy=two_of(ANA, BEN)), copies=(), now=LATER
    )
    assert again is not None
    card = await scene.card(again.id)
    assert (card.decisions, again.expires_at, again.editable) == ((), None, ("to",))
    assert len(card.edits) == 1
    assert isinstance(await scene.vote(again.id, BEN, source="again"), Voted)
    back = edit_of(again, before=AFTER, input=BEFORE, source="back")
    assert isinstance(await scene.store.edit(back, now=LATER), Edited)
    assert [edit.before for edit in (await scene.run(run.id)).edits] == [BEFORE, AFTER]


async def test_those_who_ask_and_those_who_had_answered_are_told_and_the_editor_is_not(scene: Scene):
    run = await scene.running(join_key="same")
    await scene.store.start(new_run(join_key="same", requester=CAI), lease=None, now=NOW)
    interrupt = await scene.asked(run, editable=("to",), policy=two_of(ANA, BEN))
    await scene.vote(interrupt.id, BEN)
    await scene.store.edit(edit_of(interrupt), now=LATER)
    told = [copy.place for copy in await scene.copies(run.id, CopyKind.EDITED)]
    assert told == [DirectMessage(person=Person(id=person)) for person in (REQUESTER, CAI, BEN)]
    lines = await scene.copies(run.id, CopyKind.LINE)
    assert ("edited To ana → ben", ANA) in [(line.text, line.person) for line in lines]


async def test_nobody_joins_what_nobody_asked_for(scene: Scene):
    run = await scene.running(join_key="same")
    await scene.store.edit(edit_of(await scene.asked(run, editable=("to",))), now=LATER)
    assert await scene.store.joinable("same", CAI) is None


async def test_an_edit_that_is_delivered_again_is_done_once(scene: Scene):
    interrupt = await editable(scene)
    for moment in (LATER, LATER + SECOND):
        assert isinstance(await scene.store.edit(edit_of(interrupt), now=moment), Edited)
    assert len((await scene.run(interrupt.run_id)).edits) == 1
    other = edit_of(interrupt, source="another")
    assert isinstance(await scene.store.edit(other, now=LATER), AlreadySettled)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"content_version": 2}, Stale),
        ({"before": AFTER}, Stale),
        ({"person": REQUESTER}, OwnRequest),
        ({"standing_for": REQUESTER}, OwnRequest),
        ({"interrupt_id": "000000000000000000.1"}, Unknown),
    ],
)
async def test_an_edit_that_may_not_be_changes_nothing(scene: Scene, values: dict[str, Any], expected: type):
    interrupt = await editable(scene)
    assert isinstance(await scene.store.edit(edit_of(interrupt, **values), now=LATER), expected)
    run = await scene.run(interrupt.run_id)
    assert (run.status, run.input, run.edits) == (RunStatus.WAITING, BEFORE, ())


async def test_an_edit_that_comes_too_late_finds_the_question_expired(scene: Scene):
    interrupt = await editable(scene)
    result = await scene.store.edit(edit_of(interrupt), now=NOW + HOUR)
    assert isinstance(result, Late)
    assert result.card.interrupt.status is InterruptStatus.EXPIRED


async def test_what_was_asked_after_an_answer_or_a_call_is_not_editable(scene: Scene):
    plain = await scene.posted()
    assert isinstance(await scene.store.edit(edit_of(plain), now=LATER), NotEditable)
    answered = (await scene.answered()).run
    second = await scene.asked(answered, editable=("to",))
    assert second.editable == ()
    caller = await scene.running()
    asker, about = Asker(action_id="other", action_name="Other", input="{}"), (caller.id, caller.epoch)
    assert await scene.store.calls.begin(*about, owner=ME, path="other", asker=asker, idempotent=False, now=NOW)
    ended = CallEnding(CallStatus.FINISHED, "1")
    assert await scene.store.calls.end(*about, owner=ME, path="other", ending=ended, now=NOW)
    assert (await scene.asked(caller, editable=("to",))).editable == ()


async def test_what_is_asked_again_after_a_call_is_not_editable_though_its_answer_went(scene: Scene):
    interrupt = await editable(scene)
    await scene.vote(interrupt.id)
    run = (await scene.claimed()).run
    asker = Asker(action_id="other", action_name="Other", input="{}")
    assert await scene.store.calls.begin(run.id, run.epoch, owner=ME, path="other", asker=asker, now=NOW)
    again = await scene.store.supersede(
        interrupt.id, request=question(editable=("to",)), because="it changed", copies=(), owner=ME, now=LATER
    )
    assert again is not None
    assert again.editable == ()


async def test_of_an_edit_and_a_deciding_vote_at_once_one_wins(scene: Scene):
    for number in range(5):
        interrupt = await editable(scene)
        edited, voted = await asyncio.gather(
            scene.store.edit(edit_of(interrupt, BEN), now=LATER),
            scene.store.answer(vote(interrupt.id, ANA, YES, source=str(number)), now=LATER),
        )
        run = await scene.run(interrupt.run_id)
        if isinstance(voted, Answered):
            assert isinstance(edited, AlreadySettled)
            assert (run.answered, run.input) == (True, BEFORE)
        else:
            assert isinstance(edited, Edited)
            assert isinstance(voted, AlreadySettled)
            assert (run.answered, json.loads(run.input)) == (False, {"to": "ben"})
