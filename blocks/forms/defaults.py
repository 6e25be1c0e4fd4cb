"""Defaults as what Slack would hold for them, so that an input starts from its default and a redrawn one from what was typed.

A default that an input would change or cut is not put into it: then leaving the input empty stands for the default.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import Any

from pydantic_core import to_json

from blocks import limits
from blocks.forms.lines import written
from blocks.forms.numbers import decimal_of, spelled
from blocks.forms.plans import ABSENT, Input, Kind
from blocks.forms.schemas import same
from blocks.text import clean, is_channel_id, is_person_id, width

TEN_DIGITS = 10

Raw = str | int | list[str] | None
"""What Slack holds for an input: a text, the number of an option, ids, a date, Unix seconds; `None` for nothing."""


def raw_default(plan: Input) -> Raw:
    """What the input starts with; `None` where it starts empty."""
    default = plan.place.default
    if default is ABSENT or (default is None and plan.kind is not Kind.ONE_OF):
        return None
    return _READERS[plan.kind](plan, default)


def showable(text: str | None) -> str | None:
    """A text that Slack neither refuses nor changes."""
    if not text or width(text) > limits.PLAIN_TEXT_INPUT_LENGTH or clean(text) != text:
        return None
    return text


def is_simple_line(default: Any) -> bool:
    """Whether a default list can stand one entry a line and be read back as it was."""
    if not isinstance(default, list):
        return True
    return all(not isinstance(each, str) or (each == each.strip() and len(each.splitlines()) == 1) for each in default)


def _text(_: Input, default: Any) -> Raw:
    return showable(default) if isinstance(default, str) else None


def _lines(_: Input, default: Any) -> Raw:
    return showable("\n".join(str(each) for each in default)) if isinstance(default, list) else None


def _entries(plan: Input, default: Any) -> Raw:
    return showable(written(plan, default)) if isinstance(default, list) else None


def _json(_: Input, default: Any) -> Raw:
    return showable(to_json(default, indent=2).decode())


def _number(plan: Input, default: Any) -> Raw:
    number = decimal_of(default)
    if number is None or (plan.kind is Kind.INTEGER and number != number.to_integral_value()):
        return None
    return spelled(default)


def _option(plan: Input, default: Any) -> Raw:
    return next((str(number) for number, each in enumerate(plan.options) if same(each.value, default)), None)


def _options(plan: Input, default: Any) -> Raw:
    given = default if isinstance(default, list) else []
    return [str(number) for number, each in enumerate(plan.options) if any(same(each.value, one) for one in given)]


def _day(_: Input, default: Any) -> Raw:
    try:
        return date.fromisoformat(default).isoformat()
    except (TypeError, ValueError):
        return None


def _clock(_: Input, default: Any) -> Raw:
    try:
        moment = time.fromisoformat(default)
    except (TypeError, ValueError):
        return None
    return f"{moment:%H:%M}" if moment == time(moment.hour, moment.minute) else None


def _seconds(_: Input, default: Any) -> Raw:
    """Unix seconds of a moment; one without a zone is taken as UTC. Slack takes ten digits."""
    try:
        moment = datetime.fromisoformat(default)
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return int(seconds) if seconds == int(seconds) and len(str(int(seconds))) == TEN_DIGITS else None


def _picked(_: Input, default: Any) -> Raw:
    return default if isinstance(default, str) and (is_person_id(default) or is_channel_id(default)) else None


def _all_picked(plan: Input, default: Any) -> Raw:
    given = default if isinstance(default, list) else []
    return given if all(_picked(plan, each) for each in given) else None


_READERS: dict[Kind, Callable[[Input, Any], Raw]] = {
    Kind.TEXT: _text,
    Kind.EMAIL: _text,
    Kind.LINK: _text,
    Kind.LINES: _lines,
    Kind.ENTRIES: _entries,
    Kind.JSON: _json,
    Kind.INTEGER: _number,
    Kind.NUMBER: _number,
    Kind.DECIMAL: _number,
    Kind.ONE_OF: _option,
    Kind.SEVERAL: _options,
    Kind.DATE: _day,
    Kind.TIME: _clock,
    Kind.MOMENT: _seconds,
    Kind.PICKED: _picked,
    Kind.PICKED_SEVERAL: _all_picked,
}
