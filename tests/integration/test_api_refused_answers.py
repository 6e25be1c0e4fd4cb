"""An answer that does nothing explains itself: to the program that gave it, and in the trail."""

from pathlib import Path

from actions.ask import ask
from actions.kit.records.audit import ANSWER_REFUSED
from tests.integration.api_room import ANN, api_room
from tests.integration.engine_room import EVE
from tests.waiting import until

QUESTION = {"message": "Ship it?", "deciders": ["#approvals"]}


async def test_what_was_expected_is_told_and_what_was_given_is_noted_by_its_shape_alone(tmp_path: Path):
    async with api_room(tmp_path, ask) as api:
        asked = await api.asked(await api.client(), "ask", QUESTION)
        ann, eve = await api.client(ANN), await api.client(EVE)
        misspelt = await ann.answer(asked, choice="reject", value={"reson": "hunter2"})
        unknown = await ann.answer(asked, choice="aprove")
        other = await ann.post(f"/v1/interrupts/{asked}/answer", {"resume": {"approved": "hunter2"}, "\0hunter2": 1})
        assert [each.status for each in (misspelt, unknown, other)] == [422] * 3
        for each in (misspelt, unknown, other):
            assert list(each.body["expected"]) == ["approve", "reject"]
            assert each.body["expected"]["reject"]["required"] == ["reason"]
        assert "expected" not in (await eve.post(f"/v1/interrupts/{asked}/answer", {"resume": 1})).body

        async def noted() -> list[tuple[str | None, str, object, object]]:
            trail = await api.room.store.trail(asked.partition(".")[0])
            found = [each for each in trail if each.event == ANSWER_REFUSED]
            assert "hunter2" not in str(found)
            about = [each.details for each in found]
            return [(each.get("choice"), each["why"], each.get("shape"), each.get("places")) for each in about]

        async def all_three() -> bool:
            return len(await noted()) == 3

        await until(all_three, "three notes")
        assert sorted(await noted(), key=str) == [
            ("aprove", "no_such_choice", None, None),
            ("reject", "invalid", {"reson": "text"}, ["/reason", "/reson"]),
            (None, "malformed", None, ["/choice", "/resume", "/(8 characters)"]),
        ]
