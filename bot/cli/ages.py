"""How old: `90d`, `12w`, `36h`, `30m`."""

import re
from datetime import timedelta

from bot.cli.show import fail

UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}
AGE = re.compile(r"(\d{1,5})([wdhm])", re.ASCII)


def age(option: str, given: str) -> timedelta:
    found = AGE.fullmatch(given.strip().lower())
    if found is None or int(found[1]) == 0:
        fail(f"{option} takes an age such as 90d (also w, h and m), not {given!r}.")
    return timedelta(**{UNITS[found[2]]: int(found[1])})
