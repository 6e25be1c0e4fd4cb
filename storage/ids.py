"""Makes ids that sort by time and tell which run they belong to, so that work on one run always sorts together."""

import secrets
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
TIME_DIGITS = 9
RANDOM_DIGITS = 9


def new_run_id(now: datetime) -> str:
    """Eighteen characters: milliseconds since 1970 to the base 32, then 45 random bits."""
    return _digits(int(now.timestamp() * 1000), TIME_DIGITS) + _digits(secrets.randbits(45), RANDOM_DIGITS)


def first_of(moment: datetime) -> str:
    """What is smaller than the id of every run that was made at `moment` or later, and greater than those before it."""
    return _digits(int(moment.timestamp() * 1000), TIME_DIGITS)


def interrupt_id(run_id: str, number: int) -> str:
    return f"{run_id}.{number}"


def new_copy_id(run_id: str) -> str:
    return f"{run_id}.c{secrets.token_hex(6)}"


def new_delivery_id(run_id: str) -> str:
    return f"{run_id}.d{secrets.token_hex(6)}"


def new_hook_id() -> str:
    return f"hook_{_digits(secrets.randbits(60), 12)}"


def run_of(any_id: str) -> str:
    """The run that the id of an interrupt, a copy or a delivery belongs to."""
    return any_id.partition(".")[0]


def _digits(number: int, count: int) -> str:
    return "".join(ALPHABET[(number >> (5 * place)) & 31] for place in reversed(range(count)))
