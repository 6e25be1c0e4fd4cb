"""Stages over HTTP: each in its turn, in the name of whom a token is bound to, through the same refusals as a click."""

from pathlib import Path

from actions import ActionInterrupt, Context, Group, Needs, Person, Policy, Stage
from actions.kit.policies.deciders import Lookup
from tests.authors import executing
from tests.integration.api_room import ANN, RITA, api_room
from tests.integration.engine_room import BEN, EVE, People

FINANCE = Group("finance")
CHAIN = Policy(
    stages=(
        Stage(deciders=Person(ANN)),
        Stage(deciders=(Needs(1, FINANCE), Needs(1, Person(EVE)))),
    )
)


async def tried(ctx: Context) -> None:
    if ctx.resumption is None:
        raise ActionInterrupt("Spend it?")


async def test_a_program_answers_each_stage_in_its_turn_and_is_refused_out_of_turn(tmp_path: Path):
    known: dict[Lookup, set[str]] = {FINANCE: {BEN, RITA}}
    action = executing(tried, policy=CHAIN)
    async with api_room(tmp_path, action, people=People(stand_for=known)) as api:
        rita, ann, ben, eve = [await api.client(person) for person in (RITA, ANN, BEN, EVE)]
        question = await api.asked(rita, "tried", {})
        assert (await ben.answer(question, choice="approve")).status == 403
        first = await ann.answer(question, choice="approve")
        assert (first.status, first.body["status"]) == (200, "pending")
        assert (first.body["stage"], first.body["stages"], first.body["quorum"]) == (2, 2, 2)
        assert first.body["policy_words"] == "1 of members of @finance and 1 of U0EVE"
        assert (await ann.answer(question, choice="approve")).status == 403
        assert (await rita.answer(question, choice="approve")).status == 403
        assert (await eve.answer(question, choice="approve")).body["status"] == "pending"
        assert (await eve.answer(question, choice="approve")).status == 409
        settled = await ben.answer(question, choice="approve")
        assert (settled.status, settled.body["status"]) == (200, "answered")
