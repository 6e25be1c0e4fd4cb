"""Standing grants through the runner: what one allows is not asked, and everything else is."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from actions import ActionInterrupt, Context, Grants, Person, Policy, Stage, field
from actions.kit.action import Action
from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.standing_grant import STANDING_GRANT
from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Card, Cause, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from bot.engine.results import FieldErrors, Settled
from storage.results import Started
from tests.authors import declare
from tests.integration.engine_room import ANN, BEN, EVE, RITA, VIA, Room, click, engine_room, refused

OFFER = Grants(lasts=timedelta(hours=8), times=10, fields=("service", "team.name"))


class Team(BaseModel):
    name: str


class Restart(BaseModel):
    service: str
    team: Team | None = None


async def _restart(input: Restart, ctx: Context) -> str:
    if ctx.resumption is None:
        raise ActionInterrupt(f"Restart {input.service}?")
    return f"{ctx.resumption.cause} {ctx.resumption.choice} {' '.join(ctx.resumption.granted_by)}"


def restarting(policy: Policy, name: str = "restart", **options: Any) -> Action:
    return declare(_restart, id=name, policy=policy, **options)


ONE = restarting(Policy(deciders=(Person(ANN), Person(RITA)), grants=OFFER))
TWO = restarting(
    Policy(
        stages=(Stage(deciders=Person(ANN)), Stage(deciders=Person(BEN), when=field("service") == "db")),
        grants=OFFER,
    ),
    "staged",
)
EVES = restarting(Policy(deciders=Person(ANN), starters=Person(EVE), grants=OFFER), "eves")


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    async with engine_room(tmp_path, ONE, TWO, EVES) as opened:
        yield opened


def what(action: str = "restart", service: str | None = "web-*", times: int = 2, **more: Any) -> dict[str, Any]:
    meant = {"action": action, "hours": 4, "times": times, "where_service": service, **more}
    return {"what": meant, "reason": "An incident"}


async def proposed(room: Room, raw: dict[str, Any]) -> Card:
    started = await room.runner.start(STANDING_GRANT, raw, requester=RITA, origin=VIA)
    assert isinstance(started, Started), started
    return await room.post(await room.asked(started.run))


async def granted(room: Room, raw: dict[str, Any] | None = None, *approvers: str) -> GrantRecord:
    card = await proposed(room, raw or what())
    for person in approvers or (ANN,):
        card = await room.asked(card.run)
        await room.runner.click(click(card, "approve", person))
    assert (await room.ended(card.run)).status is RunStatus.SUCCEEDED
    grant = await room.store.grants.get(card.run.id)
    assert grant is not None
    return grant


async def restarted(room: Room, action: Action = ONE, **asked: Any) -> RunRecord:
    """The run, ended where nobody was asked, waiting where somebody was."""
    run = await room.begin(action, {"service": "web-1", **asked})

    async def there() -> RunRecord | None:
        now = await room.store.run(run.id)
        return now if now and (now.status.ended or now.status is RunStatus.WAITING) else None

    return await room.eventually(there)


async def test_what_is_granted_is_done_so_many_times_and_then_asked_again(room: Room):
    grant = await granted(room)
    assert (grant.holder, grant.approved_by, grant.terms.where) == (RITA, (ANN,), {"service": "web-*"})
    for used in (1, 2):
        run = await restarted(room)
        assert (run.status, run.output) == (RunStatus.SUCCEEDED, f'"policy approve {ANN}"')
        card = await room.asked(run)
        assert (card.interrupt.status, card.interrupt.cause) == (InterruptStatus.ANSWERED, Cause.POLICY)
        assert card.interrupt.granted is not None
        assert (card.interrupt.granted.grant_id, card.interrupt.granted.used) == (grant.id, used)
        assert not card.decisions
        assert [each.kind for each in await room.store.copies(run.id)] == [
            *([CopyKind.LINE] if used == grant.terms.times else []),
            CopyKind.CARD,
            CopyKind.CARD,
            CopyKind.OUTCOME,
        ]
        assert "grant used" in [each.event for each in await room.store.trail(run.id)]
    assert (await restarted(room)).status is RunStatus.WAITING


@pytest.mark.parametrize("asked", [{"service": "db"}, {"service": "Web-1"}])
async def test_what_is_not_meant_is_asked(room: Room, asked: dict[str, Any]):
    await granted(room)
    assert (await restarted(room, **asked)).status is RunStatus.WAITING


async def test_a_grant_is_of_its_holder_alone(room: Room):
    await granted(room)
    started = await room.runner.start("restart", {"service": "web-1"}, requester=EVE, origin=VIA)
    assert isinstance(started, Started)
    await room.reaches(started.run, RunStatus.WAITING)


async def test_nobody_approves_a_grant_for_themselves(room: Room):
    card = await proposed(room, what())
    assert "nobody approves their own" in refused(await room.runner.click(click(card, "approve", RITA)))
    assert isinstance(await room.runner.click(click(card, "approve", ANN)), Settled)


async def test_every_stage_that_may_ever_be_asked_decides_about_a_grant(room: Room):
    await granted(room, what("staged"), ANN, BEN)
    assert (await restarted(room, TWO)).status is RunStatus.SUCCEEDED


async def test_nobody_asks_in_advance_for_what_they_may_not_start(room: Room):
    found = await room.runner.start(STANDING_GRANT, what("eves"), requester=RITA, origin=VIA)
    assert isinstance(found, FieldErrors)
    assert "not yours to start" in found.problems[0].message


@pytest.mark.parametrize(
    ("times", "hours", "where"), [(11, 4, {}), (0, 4, {}), (1, 9, {}), (1, 0.1, {}), (1, 4, {"where_reason": "x"})]
)
async def test_no_more_is_asked_for_than_the_policy_offers(room: Room, times: int, hours: float, where: dict[str, str]):
    asked = {"what": {"action": "restart", "hours": hours, "times": times, **where}, "reason": "An incident"}
    assert isinstance(await room.runner.start(STANDING_GRANT, asked, requester=RITA, origin=VIA), FieldErrors)


async def test_after_its_time_it_is_asked_again_and_its_holder_is_told_once_over_restarts(tmp_path: Path):
    async with engine_room(tmp_path, ONE) as room:
        grant = await granted(room)
    for ended in (1, 0):
        async with engine_room(tmp_path, ONE) as room:
            room.clock.ahead = grant.until - room.clock.now() + timedelta(seconds=1)
            assert await room.runner.end_grants() == ended
            assert (await restarted(room)).status is RunStatus.WAITING
            told = [each.text for each in await room.store.copies(grant.id) if each.kind is CopyKind.LINE]
            assert [text for text in told if text and "its time has passed" in text] == told[-1:]


@pytest.mark.parametrize(
    ("today", "is_asked"),
    [
        (Policy(deciders=Person(ANN), grants=OFFER), False),
        (Policy(deciders=Person(BEN), grants=OFFER), True),
        (Policy(deciders=(Person(ANN), Person(BEN)), quorum=2, grants=OFFER), True),
        (Policy(deciders=(Person(ANN), Person(BEN)), exclude=Person(ANN), grants=OFFER), True),
        (Policy(deciders=(Person(ANN), Person(RITA))), True),
        (Policy(deciders=(Person(ANN), Person(RITA)), grants=Grants(lasts=OFFER.lasts, times=10)), True),
        (Policy(stages=(Stage(deciders=Person(ANN)), Stage(deciders=Person(BEN))), grants=OFFER), True),
    ],
)
async def test_a_policy_that_changes_later_only_narrows(tmp_path: Path, today: Policy, is_asked: bool):
    async with engine_room(tmp_path, ONE) as room:
        await granted(room)
    async with engine_room(tmp_path, restarting(today)) as room:
        status = (await restarted(room)).status
        assert status is (RunStatus.WAITING if is_asked else RunStatus.SUCCEEDED)


async def test_what_became_destructive_is_asked(tmp_path: Path):
    async with engine_room(tmp_path, ONE) as room:
        await granted(room)
    bare = ONE.policy.model_copy(update={"grants": None})
    async with engine_room(tmp_path, restarting(bare, destructive=True)) as room:
        assert (await restarted(room)).status is RunStatus.WAITING


async def test_an_action_that_another_calls_is_asked(tmp_path: Path):
    async def calling(input: Restart, ctx: Context) -> Any:
        return await ctx.call("restart", input)

    caller = declare(calling, id="caller", policy=Policy(deciders=Person(EVE)))
    async with engine_room(tmp_path, ONE, caller) as room:
        await granted(room)
        assert (await restarted(room, caller)).status is RunStatus.WAITING


def test_the_action_that_asks_is_there_only_where_something_is_offered():
    assert Registry([ONE]).get(STANDING_GRANT) is not None
    assert Registry([restarting(Policy(deciders=Person(ANN)))]).get(STANDING_GRANT) is None
