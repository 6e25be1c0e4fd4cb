"""The small rules that all tables are written with: each looks at one value and says what is wrong with it.

Messages are worded like Slack's ("must be less than 76 characters"), so that what the local Slack says reads like the
real one.
"""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from blocks import limits
from blocks.text import is_safe_url
from blocks.validation.faults import Findings, below

Rule = Callable[[Any, str, Findings], None]


def anything(_value: Any, _at: str, _findings: Findings) -> None:
    """For what Slack does not document further."""


def flag(value: Any, at: str, findings: Findings) -> None:
    if not isinstance(value, bool):
        findings.fail(at, "must be a boolean", "type", "boolean")


def string(limit: int, least: int = 1) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, str):
            findings.fail(at, "must be a string", "type", "string")
        elif len(value) > limit:
            findings.fail(at, f"must be less than {limit + 1} characters", "max_length", limit)
        elif len(value) < least:
            findings.fail(at, f"must be more than {least - 1} characters", "min_length", least)

    return rule


def matching(pattern: str, words: str) -> Rule:
    compiled = re.compile(pattern, re.ASCII)

    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, str) or not compiled.fullmatch(value):
            findings.fail(at, f"must be {words}", "pattern", pattern)

    return rule


def iso_date(value: Any, at: str, findings: Findings) -> None:
    try:
        if len(value) == len("2026-11-30"):
            date.fromisoformat(value)
            return
    except (TypeError, ValueError):
        pass
    findings.fail(at, "must be a valid date (YYYY-MM-DD)", "format", "date")


def integer(least: int, most: int | None = None) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, int) or isinstance(value, bool):
            findings.fail(at, "must be an integer", "type", "integer")
        elif value < least:
            findings.fail(at, f"must be no less than {least}", "minimum", least)
        elif most is not None and value > most:
            findings.fail(at, f"must be no more than {most}", "maximum", most)

    return rule


def one_of(*values: str) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if value not in values:
            findings.fail(at, "must be a valid enum value", "enum", list(values))

    return rule


def url(limit: int = limits.URL, *schemes: str) -> Rule:
    """A link that may be shown. Slack checks little more than the length; the rest is our rule."""
    length = string(limit)

    def rule(value: Any, at: str, findings: Findings) -> None:
        length(value, at, findings)
        if not isinstance(value, str) or not 0 < len(value) <= limit:
            return
        if not is_safe_url(value) or (schemes and not value.startswith(tuple(f"{scheme}:" for scheme in schemes))):
            findings.warn(at, "must be a safe URL", "url", list(schemes or ("http", "https", "mailto")))

    return rule


def listing(item: Rule, most: int | None = None, least: int = 1) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, list):
            findings.fail(at, "must be an array", "type", "array")
            return
        if most is not None and len(value) > most:
            findings.fail(at, f"no more than {most} items allowed", "max_items", most)
        if len(value) < least:
            findings.fail(at, f"no fewer than {least} items allowed", "min_items", least)
        for index, entry in enumerate(value):
            item(entry, below(at, index), findings)

    return rule


def record(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Rule) -> Rule:
    """An object with these fields and no others. `also` rules see it whole, once its fields are known to be sound."""
    known = {"type": anything, **required, **(optional or {})}

    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, dict):
            findings.fail(at, "must be an object", "type", "object")
            return
        before = len(findings.faults)
        for name in (name for name in required if name not in value):
            findings.fail(at, f"missing required field: {name}", "required", name)
        for name, entry in value.items():
            if name in known:
                known[name](entry, below(at, name), findings)
            else:
                findings.fail(
                    below(at, name), f"invalid additional property: {name}", "additional_property", sorted(known)
                )
        if len(findings.faults) == before:
            for whole in also:
                whole(value, at, findings)

    return rule


def tagged(table: Mapping[str, Rule]) -> Rule:
    """An object whose `type` says which rule of `table` it follows."""

    def rule(value: Any, at: str, findings: Findings) -> None:
        if not isinstance(value, dict):
            findings.fail(at, "must be an object", "type", "object")
            return
        kind = value.get("type")
        if isinstance(kind, str) and kind in table:
            table[kind](value, at, findings)
        elif "type" not in value:
            findings.fail(at, "missing required field: type", "required", "type")
        else:
            findings.fail(below(at, "type"), f"unsupported type: {kind}", "enum", sorted(table))

    return rule


def exactly_one(*names: str) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if sum(name in value for name in names) != 1:
            findings.fail(at, f"must have exactly one of: {', '.join(names)}", "one_of", list(names))

    return rule


def at_most_one(*names: str) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if sum(name in value for name in names) > 1:
            findings.fail(at, f"must have at most one of: {', '.join(names)}", "one_of", list(names))

    return rule


def at_least_one(*names: str) -> Rule:
    def rule(value: Any, at: str, findings: Findings) -> None:
        if not any(value.get(name) for name in names):
            findings.fail(at, f"must have at least one of: {', '.join(names)}", "required", list(names))

    return rule


def unique(items: str, key: str) -> Rule:
    """No two entries of the list `items` have the same `key`."""

    def rule(value: Any, at: str, findings: Findings) -> None:
        seen: set[str] = set()
        for index, entry in enumerate(value.get(items, ())):
            name = entry.get(key)
            if name in seen:
                findings.fail(
                    below(below(below(at, items), index), key), f"{key} must be unique: {name}", "unique", key
                )
            elif name is not None:
                seen.add(name)

    return rule
