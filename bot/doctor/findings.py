"""What a check found."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Health(StrEnum):
    """`fail`: something does not work. `warn`: it works, and somebody should look."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: what was seen, and how to mend it where it is not well. In words, without secrets."""

    check: str
    health: Health
    seen: str
    fix: str | None = None


def ok(check: str, seen: str) -> Finding:
    return Finding(check, Health.OK, seen)


def warn(check: str, seen: str, fix: str) -> Finding:
    return Finding(check, Health.WARN, seen, fix)


def fail(check: str, seen: str, fix: str) -> Finding:
    return Finding(check, Health.FAIL, seen, fix)


def worst(findings: Iterable[Finding]) -> Health:
    found = {finding.health for finding in findings}
    return next((health for health in (Health.FAIL, Health.WARN) if health in found), Health.OK)
