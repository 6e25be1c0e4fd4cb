"""The mistakes of reminders, warnings, escalations and business hours, each with its fix."""

from collections.abc import Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

from actions.kit.policies.deciders import Policy, Requester
from actions.kit.policies.hours import Hours
from actions.kit.policies.pace import LONGEST, SHORTEST


def pace_mistakes(policy: Policy) -> Iterator[str]:
    """What is wrong whatever the deadline is."""
    if policy.hours is not None:
        yield from _hours(policy.hours)
    lengths = {
        "remind": policy.remind.interval if policy.remind else None,
        "claim_for": policy.claim_for,
        "warn: extend_by": policy.warn.extend_by if policy.warn else None,
        **{f"escalate: after(...) number {n}": each.wait for n, each in enumerate(policy.escalate, 1)},
    }
    for what, length in lengths.items():
        if length is not None and not SHORTEST <= length <= LONGEST:
            yield f"{what}: {length} is not a time from a minute to {LONGEST.days} days; give another"
    if any(isinstance(each, Requester) for one in policy.escalate for each in one.to):
        yield "escalate: Requester() cannot be added to those who decide; name somebody else"


def deadline_mistakes(policy: Policy, expires_in: timedelta | None) -> Iterator[str]:
    """What never comes before the deadline, or needs one. `expires_in` is that of stages without one of their own."""
    for number, stage in enumerate(policy.stages or (None,), 1):
        where = f"stage {number}: " if stage else ""
        yield from (f"{where}{each}" for each in _of_deadline(policy, (stage and stage.expires_in) or expires_in))


def _of_deadline(policy: Policy, expires_in: timedelta | None) -> Iterator[str]:
    if expires_in is None:
        if policy.warn is not None:
            yield "warn needs a deadline, and this never expires; set expires_in, or leave warn out"
        return
    if policy.remind is not None and policy.remind.interval >= expires_in:
        yield f"remind: the first reminder comes after {policy.remind.interval}, {_too_late(expires_in)}"
    for each in policy.escalate:
        if each.wait >= expires_in:
            yield f"escalate: after(...) comes after {each.wait}, {_too_late(expires_in)}"


def _too_late(expires_in: timedelta) -> str:
    return f"when the time of {expires_in} is over; make it shorter, or expires_in longer"


def _hours(hours: Hours) -> Iterator[str]:
    if not _is_zone(hours.zone):
        yield f"hours: there is no zone {hours.zone!r}; name one such as 'Europe/Berlin' or 'UTC'"
    if hours.closes <= hours.opens:
        yield (
            f"hours: it closes at {hours.closes}, not after it opens at {hours.opens}; name a later time, at most '24:00'"
        )
    if hours.holidays is not None and (wrong := _unknown_holidays(hours.holidays)):
        yield f"hours: {wrong}"


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        return False
    return True


def _unknown_holidays(of: str) -> str | None:
    from holidays import country_holidays  # noqa: PLC0415 - it takes half a second, and few policies need it

    country, _, part = of.partition("-")
    try:
        parts = country_holidays(country).subdivisions
    except NotImplementedError:
        return f"no holidays are known of {country!r}; name a country by its two letters, such as 'DE' or 'US'"
    if not part or part in parts:
        return None
    known = f"; there are {', '.join(f'{country}-{each}' for each in parts)}" if parts else ""
    return f"no holidays are known of {of!r}; name the country alone, {country!r}, or a part of it{known}"
