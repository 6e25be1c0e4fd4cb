"""An order's card says in one line what is bought or sold, at which price, what it comes to, and how old the quote is."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from blocks.data import facts_besides
from blocks.described import Described
from blocks.facts import Fact, Facts, Room
from blocks.live import Moment, moment_of
from blocks.moments import moment_in, moment_words
from blocks.quantities import amount_of, in_unit, is_number

DRAWN = frozenset({"side", "pair", "amount", "price", "total", "quoted_at"})
SIDES = {"buy": "Buy", "sell": "Sell"}
AGE = "{time_secs} ({ago})"
"""Slack tells the age itself, and keeps it right: https://docs.slack.dev/messaging/formatting-message-text."""


def facts(data: Any, about: Described, room: Room) -> Facts | None:
    rest = facts_besides(DRAWN, data, room, about)
    order = _order(data) if isinstance(data, Mapping) else None
    if rest is None or order is None:
        return None
    found = (*order, *rest.facts)
    return replace(rest, facts=found[: room.facts], left_out=rest.left_out + len(found[room.facts :]))


def _order(data: Mapping[str, Any]) -> tuple[Fact, ...] | None:
    """What is said of the order itself; `None` where anything is not as it should be, or missing."""
    side, pair, quoted = (str(data.get(name) or "") for name in ("side", "pair", "quoted_at"))
    numbers = [data.get(name) for name in ("amount", "price", "total")]
    asset, dash, currency = pair.partition("-")
    if side not in SIDES or not dash or not all(map(is_number, numbers)):
        return None
    amount, price, total = map(str, numbers)
    return (
        Fact("Total", _paid(total, currency), money=True),
        Fact("Order", f"{SIDES[side]} {in_unit(amount, asset)}"),
        Fact("Price", f"{_paid(price, currency)} for 1 {asset}"),
        *_quote(quoted),
    )


def _paid(number: str, currency: str) -> str:
    return amount_of(number, currency) or in_unit(number, currency)


def _quote(text: str) -> tuple[Fact, ...]:
    at = moment_in(text)
    live = moment_of(at) if at is not None and at.tzinfo else None
    if at is None or live is None:
        return (Fact("Quote", text),) if text else ()
    return (Fact("Quote", moment_words(at), live=Moment(live.at, AGE)),)
