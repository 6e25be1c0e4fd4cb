"""Words for numbers that mean something: money, percentages, what is counted in a unit, lengths of time. Always exact."""

import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from actions.kit.counting import counted

CURRENCY = re.compile(r"[A-Z]{3}")
AMOUNT = re.compile(r"-?\d{1,30}(\.\d{1,30})?")
DURATION = re.compile(
    r"(?P<sign>[-+]?)P(?=[\dT])(?:(?P<year>\d{1,9})Y)?(?:(?P<month>\d{1,9})M)?(?:(?P<week>\d{1,9})W)?(?:(?P<day>\d{1,9})D)?"
    r"(?:T(?=\d)(?:(?P<hour>\d{1,9})H)?(?:(?P<minute>\d{1,9})M)?(?:(?P<second>\d{1,9}(?:\.\d{1,9})?)S)?)?",
    re.ASCII,
)
LASTING = re.compile(
    r"(?:^|_)(?:age|delay|duration|every|expires_in|interval|lasts|length|period|timeout|ttl|wait|within)$"
)
"""Names of entries that hold a length of time, so that a text such as `P1D` is surely one."""
DAY, HOUR, MINUTE = 86_400, 3_600, 60

CURRENCIES = frozenset(
    [
        "AED",
        "AFN",
        "ALL",
        "AMD",
        "ANG",
        "AOA",
        "ARS",
        "AUD",
        "AWG",
        "AZN",
        "BAM",
        "BBD",
        "BDT",
        "BGN",
        "BHD",
        "BIF",
        "BMD",
        "BND",
        "BOB",
        "BRL",
        "BSD",
        "BTN",
        "BWP",
        "BYN",
        "BZD",
        "CAD",
        "CDF",
        "CHF",
        "CLP",
        "CNY",
        "COP",
        "CRC",
        "CUP",
        "CVE",
        "CZK",
        "DJF",
        "DKK",
        "DOP",
        "DZD",
        "EGP",
        "ERN",
        "ETB",
        "EUR",
        "FJD",
        "FKP",
        "GBP",
        "GEL",
        "GHS",
        "GIP",
        "GMD",
        "GNF",
        "GTQ",
        "GYD",
        "HKD",
        "HNL",
        "HTG",
        "HUF",
        "IDR",
        "ILS",
        "INR",
        "IQD",
        "IRR",
        "ISK",
        "JMD",
        "JOD",
        "JPY",
        "KES",
        "KGS",
        "KHR",
        "KMF",
        "KPW",
        "KRW",
        "KWD",
        "KYD",
        "KZT",
        "LAK",
        "LBP",
        "LKR",
        "LRD",
        "LSL",
        "LYD",
        "MAD",
        "MDL",
        "MGA",
        "MKD",
        "MMK",
        "MNT",
        "MOP",
        "MRU",
        "MUR",
        "MVR",
        "MWK",
        "MXN",
        "MYR",
        "MZN",
        "NAD",
        "NGN",
        "NIO",
        "NOK",
        "NPR",
        "NZD",
        "OMR",
        "PAB",
        "PEN",
        "PGK",
        "PHP",
        "PKR",
        "PLN",
        "PYG",
        "QAR",
        "RON",
        "RSD",
        "RUB",
        "RWF",
        "SAR",
        "SBD",
        "SCR",
        "SDG",
        "SEK",
        "SGD",
        "SHP",
        "SLE",
        "SOS",
        "SRD",
        "SSP",
        "STN",
        "SVC",
        "SYP",
        "SZL",
        "THB",
        "TJS",
        "TMT",
        "TND",
        "TOP",
        "TRY",
        "TTD",
        "TWD",
        "TZS",
        "UAH",
        "UGX",
        "USD",
        "UYU",
        "UZS",
        "VES",
        "VND",
        "VUV",
        "WST",
        "XAF",
        "XCD",
        "XOF",
        "XPF",
        "YER",
        "ZAR",
        "ZMW",
        "ZWG",
    ]
)
"""ISO 4217: a unit that is one of these means money, and "RPM" does not."""


def money(value: Mapping[str, Any]) -> str | None:
    """The sum of an object that is nothing but an amount and its currency."""
    if value.keys() != {"amount", "currency"}:
        return None
    return amount_of(value["amount"], value["currency"])


def amount_of(amount: Any, currency: Any) -> str | None:
    """Words such as "1,250.00 EUR" for an amount (number or decimal text) beside a three-letter currency, else `None`."""
    if not (isinstance(currency, str) and CURRENCY.fullmatch(currency)):
        return None
    if not is_number(amount):
        return None
    whole, _, cents = amount.partition(".")
    return f"{_grouped(whole)}{'.' + cents.ljust(2, '0') if cents else ''} {currency}"


def is_number(value: Any) -> bool:
    """A number as it is written, or a decimal as text, without an exponent."""
    return isinstance(value, str) and AMOUNT.fullmatch(value) is not None


def in_unit(number: str, unit: str) -> str:
    """Words such as "1,250 ms" or "12.5%"."""
    whole, dot, rest = number.partition(".")
    return f"{_grouped(whole)}{dot}{rest}{'' if unit == '%' else ' '}{unit}"


def percentage(fraction: str) -> str:
    """A part of one in percent: `0.125` is "12.5%"."""
    hundredfold = Decimal(fraction).scaleb(2)
    return in_unit(f"{hundredfold.normalize():f}", "%")


def _grouped(whole: str) -> str:
    sign = "-" if whole.startswith("-") else ""
    return f"{sign}{int(whole.lstrip('-')):,}"


def seconds_words(number: str) -> str | None:
    """Words for a length of time that is counted in seconds."""
    try:
        return _span("-" if number.startswith("-") else "", {}, abs(Decimal(number))) if is_number(number) else None
    except InvalidOperation:
        return None


def duration_in_words(text: str) -> str | None:
    """Words such as "1 day 6 hours 30 minutes" for an ISO 8601 duration; `None` for anything else."""
    found = DURATION.fullmatch(text)
    if found is None:
        return None
    parts = {unit: Decimal(found[unit] or 0) for unit in ("year", "month", "week", "day", "hour", "minute", "second")}
    seconds = parts["day"] * DAY + parts["hour"] * HOUR + parts["minute"] * MINUTE + parts["second"]
    dated = {unit: int(parts[unit]) for unit in ("year", "month", "week") if parts[unit]}
    return _span("-" if found["sign"] == "-" else "", dated, seconds)


def _span(sign: str, dated: Mapping[str, int], seconds: Decimal) -> str:
    """Months and years stay what they are: how long they last depends on when."""
    whole = int(seconds)
    rest = seconds - whole
    words = [counted(number, unit) for unit, number in dated.items()]
    for unit, size in (("day", DAY), ("hour", HOUR), ("minute", MINUTE)):
        number, whole = divmod(whole, size)
        words += [counted(number, unit)] if number else []
    if rest:
        words.append(f"{(whole + rest).normalize():f} seconds")
    elif whole or not words:
        words.append(counted(whole, "second"))
    return ("minus " if sign else "") + " ".join(words)
