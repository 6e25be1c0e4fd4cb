"""The policies that the stories are about, each as it is edited from version to version, and as an author writes them."""

from datetime import timedelta
from typing import Any

from actions import Grants, Needs, Person, Policy, Stage, Warn, after, field
from actions.kit.policies.deciders import Decider
from actions.kit.records.interrupts import Answer, Decline, Expire, OnExpiry
from tests.integration.deciding.rules import LIMIT, End, Later, Need, Offer, Rules, Step, Term, Warned
from tests.integration.deciding.town import DAN, EVERYBODY, LOOKUPS
from tests.integration.engine_room import ANN, BEN, EVE, GUS


def step(*of: Term, count: int = 1, **more: Any) -> Step:
    return Step((Need(count, of),), **more)


SOON, THEN_LEADS = Warned(0.4, 30), Later(20, ("@leads",))
VERSIONS: dict[str, tuple[Rules, ...]] = {
    "one": (
        Rules((step("@finance"),), later=(THEN_LEADS, Later(45, (ANN,))), claim_for=30, may_ask=True),
        Rules((step(ANN, GUS),), later=(THEN_LEADS,), warned=SOON),
        Rules((step("@finance", "rota"),), later=(Later(45, ("rota", BEN)), THEN_LEADS), may_ask=True),
        Rules((step("@finance", exclude=(BEN, "rota")),), stand_ins=False, claim_for=30),
    ),
    "two": (
        Rules((step("@finance", "rota", count=2, declines_at=2),), warned=Warned(0.4, 30, 2), offer=Offer(90, 3)),
        Rules((step("@finance", count=2),), may_ask=True, offer=Offer(45, 2)),
        Rules((step(*EVERYBODY),), offer=Offer(90, 1, by_amount=False)),
        Rules((step("@finance", "rota", count=2, declines_at=2),), may_ask=True, claim_for=30, offer=Offer(90, 3)),
    ),
    "staged": (
        Rules(
            (step("manager", ANN), step("@finance", DAN, exclude=(EVE,), above_limit=True)),
            later=(THEN_LEADS,),
            offer=Offer(90, 2),
        ),
        Rules(
            (step("manager", ANN), step("@leads", "@finance", exclude=("rota",), above_limit=True)),
            warned=SOON,
            offer=Offer(90, 4),
        ),
        Rules((step("manager", ANN), step("@leads", ANN, BEN)), may_ask=True, offer=Offer(90, 2)),
    ),
    "apart": (
        Rules((step("@leads"), step("@leads", "@finance", separate=True)), may_ask=True, offer=Offer(90, 2)),
        Rules((step("@leads", count=2, declines_at=2), step("@leads", "@finance", count=2)), warned=SOON, claim_for=30),
        Rules(
            (step("@leads"), step("@leads", DAN, exclude=(EVE, BEN))), later=(Later(20, (GUS,)),), offer=Offer(90, 2)
        ),
    ),
    "needs": (
        Rules((Step((Need(1, ("@finance",)), Need(2, ("@leads", DAN)))),), warned=SOON, claim_for=30),
        Rules(
            (Step((Need(1, ("@leads",)), Need(2, ("@finance", DAN))), exclude=("rota",)),),
            later=(Later(20, ("rota", EVE)),),
            may_ask=True,
        ),
    ),
}
ON_EXPIRY: dict[str, tuple[OnExpiry, End]] = {
    "one": (Expire(), "expired"),
    "two": (Decline(), "declined"),
    "staged": (Expire(), "expired"),
    "apart": (Answer(choice="approve"), "approved"),
    "needs": (Expire(), "expired"),
}


def policy_of(rules: Rules) -> Policy:
    """The same as an author would write it."""
    stages = tuple(map(_stage_of, rules.steps))
    if len(stages) > 1:
        return Policy(stages=stages, **_beside(rules))
    names = ("deciders", "quorum", "declines_at", "exclude")
    return Policy(**{name: getattr(stages[0], name) for name in names}, **_beside(rules))


def _stage_of(each: Step) -> Stage:
    mixed = len(each.needs) > 1
    return Stage(
        deciders=tuple(Needs(need.count, *map(_decider, need.of)) for need in each.needs)
        if mixed
        else tuple(map(_decider, each.deciders)),
        quorum=1 if mixed else each.needs[0].count,
        declines_at=each.declines_at,
        exclude=tuple(map(_decider, each.exclude)),
        when=field("amount") > LIMIT if each.above_limit else None,
        separate=each.separate,
    )


def _beside(rules: Rules) -> dict[str, Any]:
    warned, offer, claim_for = rules.warned, rules.offer, rules.claim_for
    extend_by = timedelta(minutes=warned.more) if warned else None
    fields = ("amount",) if offer and offer.by_amount else ()
    return {
        "stand_ins": rules.stand_ins,
        "escalate": tuple(after(minutes=each.wait, to=tuple(map(_decider, each.to))) for each in rules.later),
        "warn": Warn(at=warned.at, extend_by=extend_by, at_most=warned.at_most) if warned else None,
        "claim_for": None if claim_for is None else timedelta(minutes=claim_for),
        "may_ask": "pauses the clock" if rules.may_ask else False,
        "grants": Grants(lasts=timedelta(minutes=offer.lasts), times=offer.times, fields=fields) if offer else None,
    }


def _decider(term: Term) -> Decider:
    return LOOKUPS.get(term) or Person(term)
