"""What somebody tried in Slack that did not count is in the trail of its run, and of its life."""

from pathlib import Path

from actions.kit.records.audit import ANSWER_REFUSED
from bot.engine.results import FieldErrors, Refusal
from tests.integration.engine_room import ANN, EVE, RITA, click, engine_room, form
from tests.integration.test_runner_answers import asking
from tests.waiting import until


async def test_a_click_that_may_not_and_a_form_that_does_not_fit_are_noted_and_told_as_part_of_the_life(tmp_path: Path):
    action = asking([])
    async with engine_room(tmp_path, action) as room:
        card = await room.paused(action)
        assert isinstance(await room.runner.click(click(card, "approve", EVE)), Refusal)
        assert isinstance(await room.runner.click(click(card, "approve", RITA)), Refusal)
        assert isinstance(await room.runner.submit_answer(form(card, "reject", {"/reason": "no"})), FieldErrors)

        async def noted() -> bool:
            return [each.event for each in await room.store.trail(card.run.id)].count(ANSWER_REFUSED) == 3

        await until(noted, "three notes")
        life = await room.runner.life(card.run.id, RITA)
        assert not isinstance(life, Refusal)
        refused = life.refused(card.interrupt)
        assert {(each.person, each.via, each.details["why"]) for each in refused} == {
            (EVE, "slack", "not_allowed"),
            (RITA, "slack", "not_allowed"),
            (ANN, "slack", "invalid"),
        }
        assert [each.details["places"] for each in refused if each.person == ANN] == [["/reason"]]
        assert life.missing.action is None
