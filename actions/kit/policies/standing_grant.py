"""The action by which people ask for a standing grant. It is there as soon as another one offers grants.

A request like any other: those who decide about the action that is meant decide about its grant, all of them in their
stages, and never whoever asks.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial, reduce
from operator import or_
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, create_model

from actions.kit.action import Action, action
from actions.kit.context import Context
from actions.kit.from_input import FromInput
from actions.kit.interrupt import ActionInterrupt
from actions.kit.names import humanise
from actions.kit.policies.condition_checks import values_in
from actions.kit.policies.granted import GrantRecord, GrantTerms
from actions.kit.policies.grants import (
    WIDEST,
    asking,
    field_key,
    fingerprint,
    is_possible,
    terms_words,
    text_of,
    what_words,
)
from actions.kit.policies.policy import Policy
from actions.kit.resources import Lent

STANDING_GRANT = "standing_grant"
AN_HOUR = timedelta(hours=1)
A_QUARTER = 0.25
"""Hours that one lasts at least."""
PATTERN = Annotated[str | None, StringConstraints(strip_whitespace=True, max_length=WIDEST, pattern=r"^[^\x00-\x1f]*$")]


class Granting(Lent, ABC):
    """The door to the grants, which the bot lends to this action."""

    @abstractmethod
    async def give(self, run_id: str, epoch: int, terms: GrantTerms) -> GrantRecord:
        """The grant of an approved run: given now, or as it was given before.

        Raises `LookupError` where nobody approved the run, or it is executed by somebody else by now.
        """


class Proposed(BaseModel):
    """What the card shows."""

    allowed: str = Field(title="Allowed without asking")
    reason: str


class Given(BaseModel):
    """It is allowed from now on."""

    grant: str
    allowed: str
    uses: int
    until: datetime


def offers_grants(offered: Action) -> bool:
    return offered.policy.grants is not None


def standing_grant(offered: Sequence[Action]) -> Action:
    """The action that asks for grants of these, each of which offers some."""
    by_id = {each.id: each for each in offered}
    whats = [_what(each) for each in offered]
    what: Any = whats[0] if len(whats) == 1 else Annotated[reduce(or_, whats), Field(discriminator="action")]
    asked: Any = create_model(
        "StandingGrant",
        __doc__="What is to be allowed without asking each time, and why.",
        what=(what, Field(title="Action")),
        reason=(
            Annotated[str, StringConstraints(strip_whitespace=True)],
            Field(
                min_length=3, max_length=500, description="Why you will need it, so that it may be decided in advance"
            ),
        ),
    )

    def terms_of(given: Any) -> GrantTerms:
        return _terms(by_id[given.what.action], given.what)

    def proposed(given: Any, terms: GrantTerms) -> Proposed:
        return Proposed(allowed=terms_words(terms), reason=given.reason)

    def policy_of(given: Any) -> Policy:
        return asking(by_id[given.what.action].policy)

    @action(
        id=STANDING_GRANT,
        name="Ask for a standing grant",
        description="Asks to do something several times for a while, without asking each time.",
        policy=FromInput(policy_of, "what"),
        idempotent=True,
    )
    async def ask_for_grant(input: asked, ctx: Context) -> Given:
        if ctx.call_path:
            raise ValueError("a standing grant is asked for by a person: start it by itself, instead of calling it")
        terms = terms_of(input)
        if ctx.resumption is None:
            decided_by = fingerprint(by_id[terms.action_id].policy)
            raise ActionInterrupt(
                f"Allow “{terms.action_name}” in advance?", data=proposed(input, terms), state=decided_by
            )

        approved = terms.model_copy(update={"policy": ctx.resumption.state})
        grant = await ctx.resource(Granting).give(ctx.run_id, ctx.epoch, approved)  # type: ignore[type-abstract]  # one is lent
        allowed = what_words(terms.action_name, terms.where)
        return Given(grant=grant.id, allowed=allowed, uses=terms.times, until=grant.until)

    return ask_for_grant


def _what(offered: Action) -> Any:
    """What can be asked for of one action, as a model: how long, how often, and a pattern for each field that may narrow it."""
    grants = offered.policy.grants
    if grants is None:
        raise ValueError(f"{offered.id!r} offers no grants")
    narrowing: dict[str, Any] = {
        field_key(name): (
            Annotated[PATTERN, AfterValidator(partial(_possible, values_in(offered.input_schema, name)))],
            Field(
                default=None,
                title=f"Only where {humanise(name.rpartition('.')[2])} is",
                description="A text, or a pattern such as web-*; empty: anything",
            ),
        )
        for name in grants.fields
    }
    most, is_it = grants.lasts / AN_HOUR, cast("Any", Literal[offered.id])
    return create_model(
        f"GrantOf_{offered.id}",
        __config__=ConfigDict(title=offered.name),
        action=(is_it, Field()),
        hours=(
            float,
            Field(ge=A_QUARTER, le=most, title="Hours", description="For how long, from when it is approved"),
        ),
        times=(int, Field(ge=1, le=grants.times, title="Times", description="How often it may be used")),
        **narrowing,
    )


def _possible(values: Sequence[Any] | None, pattern: str | None) -> str | None:
    """The pattern. Raises `ValueError` where none of the only values that its field may have is one of it."""
    if pattern and not is_possible(pattern, values):
        there = ", ".join(text for each in values or () if (text := text_of(each)) is not None)
        raise ValueError(f"would never allow anything: the only values are {there}")
    return pattern


def _terms(offered: Action, what: Any) -> GrantTerms:
    fields = offered.policy.grants.fields if offered.policy.grants else ()
    patterns = {name: getattr(what, field_key(name)) for name in fields}
    return GrantTerms(
        action_id=offered.id,
        action_name=offered.name,
        where={name: pattern for name, pattern in patterns.items() if pattern},
        lasts=timedelta(hours=what.hours),
        times=what.times,
    )
