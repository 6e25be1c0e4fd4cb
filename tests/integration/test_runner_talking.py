"""Ask for more, and the reply: who may, what is refused, and that a form which is delivered again is told again."""

from pathlib import Path
from typing import Any

import pytest

from actions import ActionInterrupt, Context, Person, Policy
from actions.kit.records.interrupts import Card
from blocks.acts import ActVerb
from blocks.clicks import ActTarget, Submission
from bot.engine.results import ActDone, FieldErrors
from tests.authors import declare
from tests.integration.engine_room import ANN, EVE, RITA, engine_room, refused


async def ask(input: dict[str, Any], ctx: Context) -> str:
    """Asks once."""
    if ctx.resumption is None:
        raise ActionInterrupt("Go ahead?")
    return "Done."


ASKED = declare(ask, policy=Policy(deciders=Person(ANN), may_ask=True))


def sent(card: Card, verb: ActVerb, person: str, text: str, *, source: str = "view:1") -> Submission:
    target = ActTarget(verb, card.interrupt.id, card.interrupt.content_version)
    values: dict[str, Any] = {"field:/text": {"value": {"type": "plain_text_input", "value": text}}}
    return Submission(target, values, person, "V1", "t", source)


async def test_questions_and_replies_that_are_delivered_again_are_told_again_and_kept_once(tmp_path: Path):
    async with engine_room(tmp_path, ASKED) as room:
        card = await room.post(await room.paused(ASKED))
        said: list[tuple[ActVerb, str]] = [("ask", ANN), ("reply", RITA)]
        for verb, person in said:
            for _ in range(2):
                done = await room.runner.submit_act(sent(card, verb, person, "Words", source=f"view:{verb}"))
                assert isinstance(done, ActDone)
        assert [each.person for each in (await room.asked(card.run)).remarks] == [ANN, RITA]
        refused(await room.runner.submit_act(sent(card, "reply", RITA, "More")))


@pytest.mark.parametrize("text", ["", " \n "])
async def test_nothing_but_spaces_is_no_question(tmp_path: Path, text: str):
    async with engine_room(tmp_path, ASKED) as room:
        card = await room.post(await room.paused(ASKED))
        assert isinstance(await room.runner.submit_act(sent(card, "ask", ANN, text)), FieldErrors)
        assert (await room.asked(card.run)).remarks == ()


async def test_those_who_decide_ask_and_those_who_asked_for_it_reply(tmp_path: Path):
    async with engine_room(tmp_path, ASKED) as room:
        card = await room.post(await room.paused(ASKED))
        for person in (RITA, EVE):
            refused(await room.runner.submit_act(sent(card, "ask", person, "Why?")))
        assert isinstance(await room.runner.submit_act(sent(card, "ask", ANN, "Why?", source="view:2")), ActDone)
        for person in (ANN, EVE):
            refused(await room.runner.submit_act(sent(card, "reply", person, "So.")))
