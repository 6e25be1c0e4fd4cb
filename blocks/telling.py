"""A single JSON value as people read it: by what its author said of it, otherwise by what it surely is, otherwise as it is.

What is guessed from a value alone is guessed carefully, since a wrong guess misleads whoever decides: dates, moments,
links, lengths of time in entries that are called so, ids of people and channels.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from actions.kit import slack_ids
from blocks.described import NOTHING_KNOWN, Described
from blocks.live import ChannelId, Link, Live, PersonId, moment_of
from blocks.moments import day_of, day_words, moment_in, moment_words
from blocks.quantities import (
    CURRENCIES,
    LASTING,
    amount_of,
    duration_in_words,
    in_unit,
    is_number,
    percentage,
    seconds_words,
)
from blocks.text import clip, is_safe_url, one_line

LINE = 150
"""Characters up to which a text is one fact; what is longer or has several lines stands in a block of its own."""
NOTHING = "—"

SURELY_A_PERSON = re.compile(r"[UW]0[A-Z0-9]{7,13}", re.ASCII)
SURELY_A_CHANNEL = re.compile(r"C0[A-Z0-9]{7,13}", re.ASCII)
MAILBOX = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+", re.ASCII)


class Number(str):
    """A JSON number as it was written, so that digits are shown as they were stored."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A value in words, and what of it is more than words."""

    words: str
    live: Live | None = None
    is_money: bool = False


def told(
    value: Any, about: Described = NOTHING_KNOWN, *, name: str = "", beside: Mapping[str, Any] | None = None
) -> Told:
    """Words for a value that is neither a list nor an object. `name` is what its entry is called, `beside` its neighbours."""
    match value:
        case None | "":
            return Told(NOTHING)
        case bool():
            return Told("Yes" if value else "No")
        case str():
            return (
                _offered(value, about)
                or _measured(value, about, beside or {})
                or _said(value, about)
                or _guessed(value, about, name)
            )
    return Told(str(value))


def _offered(value: str, about: Described) -> Told | None:
    """One of several constants, in the words in which its author offers it."""
    options = about.schema.get("oneOf", about.schema.get("anyOf"))
    for each in options if isinstance(options, list) else ():
        constant = each.get("const") if isinstance(each, Mapping) else None
        is_same = str(constant) == value and isinstance(constant, str) is not isinstance(value, Number)
        if is_same and isinstance(each.get("title"), str):
            return Told(clip(one_line(each["title"]), LINE))
    return None


def _measured(value: str, about: Described, beside: Mapping[str, Any]) -> Told | None:
    """A number of which the author said what it counts."""
    number = _number(value) if isinstance(value, Number) else value
    if not is_number(number):
        return None
    currency = beside.get(about.currency, about.currency) or (about.unit if about.unit in CURRENCIES else "")
    if sum_of := amount_of(number, currency):
        return Told(sum_of, is_money=True)
    if about.format == "fraction":
        return Told(percentage(number))
    if about.format == "time-delta" and (words := seconds_words(number)):
        return Told(words)
    return Told(in_unit(number, about.unit)) if about.unit else None


def _said(value: str, about: Described) -> Told | None:
    """A text of which the author said what kind it is, if it is of that kind."""
    match about.format:
        case "duration" if words := duration_in_words(value):
            return Told(words)
        case "email" if MAILBOX.fullmatch(value) and is_safe_url(f"mailto:{value}"):
            return Told(value, Link(f"mailto:{value}"))
        case "slack-user" if re.fullmatch(slack_ids.USER, value):
            return _person(value, about)
        case "slack-channel" | "slack-conversation" if re.fullmatch(slack_ids.CONVERSATION, value):
            return Told(value, ChannelId(value))
        case "slack-group" if re.fullmatch(slack_ids.GROUP, value):
            return Told(f"user group {value}")
    return None


def _guessed(value: str, about: Described, name: str) -> Told:
    if isinstance(value, Number):
        return Told(_number(value))
    if timed := _timed(value):
        return timed
    if is_safe_url(value):
        return Told(value, Link(value))
    if LASTING.search(name.lower()) and (words := duration_in_words(value)):
        return Told(words)
    if SURELY_A_PERSON.fullmatch(value):
        return _person(value, about)
    return Told(value, ChannelId(value) if SURELY_A_CHANNEL.fullmatch(value) else None)


def _timed(value: str) -> Told | None:
    """A day stays a day wherever it is read; a moment that says its zone is told in the reader's own."""
    if day := day_of(value):
        return Told(day_words(day))
    if moment := moment_in(value):
        return Told(moment_words(moment), moment_of(moment) if moment.tzinfo else None)
    return None


def _person(value: str, about: Described) -> Told:
    known = about.people.get(value)
    return Told(f"@{known}" if known else value, PersonId(value))


def _number(text: str) -> str:
    """Digits as they were written; a long exponent is written out, where that stays readable."""
    try:
        spelled = format(Decimal(text), "f") if "e" in text.lower() else text
    except InvalidOperation:
        return str(text)
    return spelled if len(spelled) <= LINE else str(text)
