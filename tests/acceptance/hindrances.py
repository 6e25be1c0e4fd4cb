"""What can stand in the way of an answer, by the names that the table of routes has for it, and how it comes about."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from actions import ActionInterrupt, Channel, Context, Grants, Group, Person, Policy, Stage, action
from actions.kit.action import Action
from actions.kit.policies.absences import Absence
from actions.kit.records.interrupts import Card, DecisionRecord
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from actions.kit.shapes.answers import MISSING
from actions.ledger import Ledger, open_ledger
from bot import clock
from bot.engine.answers import Given
from bot.engine.results import Counted, Settled
from bot.workbench.people import Person as Someone
from tests.acceptance.office import Office
from tests.waiting import until

ANN, BEN, DANA, OMAR, RITA = "U0ANN", "U0BEN", "U0DANA", "U0OMAR", "U0RITA"
PIA, SAM = "U0PIA", "U0SAM"
STANDS_FOR = {OMAR: DANA, SAM: PIA}
"""Who is away, by who decides in their place."""


class Voice(StrEnum):
    """Whose voice it is: their own, that of somebody who is away, or that of somebody who speaks for another."""

    THEMSELVES = "themselves"
    WHO_IS_AWAY = "who is away"
    STAND_IN = "the stand-in"


SPEAKER = {Voice.THEMSELVES: BEN, Voice.WHO_IS_AWAY: OMAR, Voice.STAND_IN: SAM}
"""Who answers."""
MEANT = {Voice.THEMSELVES: BEN, Voice.WHO_IS_AWAY: DANA, Voice.STAND_IN: SAM}
"""Whom it is about what stands in the way."""


THE_BED = "the bed"
"""What is to be watered."""


class Plot(BaseModel):
    """What is to be watered."""

    plot: str


def doing(what: str, policy: Policy, *, joins: bool = False) -> Action:
    """An action that asks, and has an effect once it was answered."""

    @action(id=what, name=what, description=what, policy=policy, joins=joins, expires_in=timedelta(hours=4))
    async def do(input: Plot, ctx: Context) -> None:
        if ctx.resumption is None:
            raise ActionInterrupt(f"{what} {input.plot}?")
        await ctx.resource(Ledger).record(what, ctx.idempotency_key, {"plot": input.plot})

    return do


def asking(show: str = "#approvals", **terms: Any) -> Policy:
    """Finance decides where these terms do not say who; in #approvals."""
    grants = Grants(lasts=timedelta(hours=8), times=10, fields="plot")
    deciders = {} if "stages" in terms else {"deciders": Group("finance")}
    return Policy(**{"show": Channel(show), "low_risk": True, "grants": grants, **deciders, **terms})


FINANCE = asking()
EDITED = asking(deciders=(Group("finance"), Person(ANN)))
"""The same people in other words: what was granted under the former is judged anew, and nobody's rights are less."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How far a run is."""

    status: RunStatus
    claims: int
    answered: bool
    decisions: tuple[DecisionRecord, ...]


BESIDES = doing("weed", asking("#general"))
"""What waits too, so that there is something to be answered together with."""


class Garden:
    """The office with the bot whose action waters; `asked` are the runs in which each voice answers."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.asked: dict[Voice, RunRecord] = {}
        self.besides: RunRecord | None = None

    async def open(self, policy: Policy | None, *, joins: bool = False) -> None:
        """`None`: the bot knows another action only."""
        known = [doing("water", policy, joins=joins)] if policy else []
        await self.office.open(Registry([*known, BESIDES], [open_ledger]))

    async def close(self) -> None:
        """The bot goes once it has heard everything that Slack told it: one that is cut off keeps its connection."""
        workbench = self.office.workbench
        heard = workbench.workspace.changes.until(lambda: len(workbench.acks) >= len(workbench.deliveries), timeout=5)
        assert await heard
        await self.office.close()

    async def send_away(self) -> None:
        """Dana and Pia are away from now on."""
        now = clock.now()
        for stand_in, person in STANDS_FOR.items():
            absence = Absence(person, stand_in, now, now + timedelta(days=9), "slack", now)
            assert await self.office.store.absences.set(absence) == absence

    def speaker(self, voice: Voice) -> Someone:
        """Whoever answers, as the workbench knows them."""
        return self.office.workbench.workspace.people[SPEAKER[voice]]

    async def ask(self, plot: str, by: str = RITA) -> RunRecord:
        return await self.office.start("water", {"plot": plot}, by=by)

    async def ask_all(self, voices: Iterable[Voice], *, by_those_meant: bool = False) -> None:
        """One question for all voices, from Rita; or one for each, from whoever it is about. And one besides."""
        if by_those_meant:
            self.asked = {voice: await self.ask(f"the bed of {MEANT[voice]}", by=MEANT[voice]) for voice in voices}
        else:
            self.asked = dict.fromkeys(voices, await self.ask(THE_BED))
        if self.besides is None:
            self.besides = await self.office.start(BESIDES, {"plot": THE_BED})

    @property
    def runs(self) -> list[RunRecord]:
        return list({run.id: run for run in self.asked.values()}.values())

    async def question(self, run: RunRecord) -> Card:
        """What it asks, whether or not it stands in Slack by now."""
        return await until(lambda: self.office.store.latest_card(run.id), "a question")

    async def today(self, run: RunRecord) -> Stand:
        """How a run stands, with all that was decided."""
        found = await self.office.store.run(run.id)
        assert found
        return Stand(found.status, found.claims, found.answered, tuple(await self.office.decisions(run.id)))

    async def approves(self, person: str, run: RunRecord) -> None:
        """They approve what is asked now, by whatever route."""
        interrupt = (await self.question(run)).interrupt
        given = Given(interrupt.id, "approve", MISSING, person, f"{person} {interrupt.id} {interrupt.content_version}")
        assert isinstance(await self.office.bot.runner.answer(given), Settled | Counted)

    async def grant(self, voice: Voice) -> None:
        """Rita may water this voice's plot once without being asked, as the voice approved."""
        what = {"action": "water", "hours": 4, "times": 1, "where_plot": voice.value}
        run = await self.office.start("standing_grant", {"what": what, "reason": "It is hot"}, by=RITA)
        await self.approves(SPEAKER[voice], run)
        await self.office.ends(run, RunStatus.SUCCEEDED)

    def change(self, **traits: bool) -> None:
        """Those whom it is about become what they were not."""
        for person in MEANT.values():
            for name, value in traits.items():
                setattr(self.office.workbench.workspace.people[person], name, value)

    def fail(self, method: str, argument: str, *values: str) -> None:
        """Slack does not tell of these any more."""
        self.office.faults.fail(method, "fatal_error", times=1000, where=lambda given: given.get(argument) in values)


Step = Callable[[Garden], Awaitable[None]]


async def _nothing(garden: Garden) -> None:
    """It is there already, or comes with the bot's own change."""


@dataclass(frozen=True, slots=True)
class Hindrance:
    """How it comes about: by the policy that is asked, before Ann looks, while the bot is away, or once it is back.

    `today` is the policy of the bot that is back; `None`: it does not know the action. `is_theirs`: those whom it is
    about have asked. `misspelt`: what is sent has a choice that there is not.
    """

    policy: Policy = FINANCE
    today: Policy | None = EDITED
    joins: bool = False
    is_theirs: bool = False
    misspelt: bool = False
    before: Step = _nothing
    meanwhile: Callable[[Garden], None] = lambda _: None
    after: Step = _nothing


def terms(before: Step = _nothing, after: Step = _nothing, *, joins: bool = False, **given: Any) -> Hindrance:
    """It is asked with these terms of a policy, which still hold."""
    policy = asking(**given)
    return Hindrance(policy, policy, joins=joins, before=before, after=after)


async def _they_join(garden: Garden) -> None:
    for person in MEANT.values():
        assert (await garden.ask(THE_BED, by=person)).id == garden.runs[0].id


async def _they_approve(garden: Garden) -> None:
    for person in MEANT.values():
        await garden.approves(person, garden.runs[0])


async def _ann_approves(garden: Garden) -> None:
    await garden.approves(ANN, garden.runs[0])


async def _ann_settles_it(garden: Garden) -> None:
    await _ann_approves(garden)
    await garden.office.ends(garden.runs[0], RunStatus.SUCCEEDED)


async def _time_passes(garden: Garden) -> None:
    await garden.office.workbench.move_clock(timedelta(hours=5))


def _they_leave_finance(garden: Garden) -> None:
    finance = garden.office.workbench.workspace.groups["S0FINANCE"]
    finance.members = [each for each in finance.members if each not in MEANT.values()]


def _finance_is_not_told(garden: Garden) -> None:
    garden.fail("usergroups.users.list", "usergroup", "S0FINANCE")


def _they_are_not_told_of(garden: Garden) -> None:
    garden.fail("users.info", "user", *MEANT.values())


EXCLUDED = tuple(map(Person, MEANT.values()))
IN_STAGES = {
    "apart": (Stage(deciders=Group("finance"), quorum=3), Stage(deciders=Group("finance"), separate=True)),
    "after Ann": (Stage(deciders=Group("finance")), Stage(deciders=Group("finance"), quorum=2)),
}

HINDRANCES: Mapping[str, Hindrance] = {
    "nothing": terms(quorum=4, declines_at=4),
    "they asked for it": Hindrance(is_theirs=True),
    "they joined it": terms(grants=None, joins=True, before=_they_join),
    "does not decide": terms(deciders=Person(ANN)),
    "is excluded by name": terms(exclude=EXCLUDED),
    "decided an earlier, separate stage": terms(stages=IN_STAGES["apart"], before=_they_approve),
    "is no decider by today's policy": Hindrance(today=asking(deciders=Person(ANN))),
    "has left the group": Hindrance(meanwhile=_they_leave_finance),
    "became a guest": Hindrance(meanwhile=lambda garden: garden.change(is_guest=True)),
    "is a bot": Hindrance(meanwhile=lambda garden: garden.change(is_bot=True)),
    "is deactivated": Hindrance(meanwhile=lambda garden: garden.change(deactivated=True)),
    "the group cannot be looked up": Hindrance(meanwhile=_finance_is_not_told),
    "the person cannot be looked up": Hindrance(meanwhile=_they_are_not_told_of),
    "must decide in person": terms(stand_ins=False),
    "has answered": terms(quorum=4, before=_they_approve),
    "somebody else settled it": Hindrance(after=_ann_settles_it),
    "it expired": Hindrance(after=_time_passes),
    "the card was redrawn": terms(stages=IN_STAGES["after Ann"], after=_ann_approves),
    "the action is on hold": Hindrance(today=None),
    "there is no such choice": Hindrance(misspelt=True),
}
