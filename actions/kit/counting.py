"""Numbers with what they count, in words for people."""

import re


def counted(number: int, noun: str) -> str:
    """`1 character`, `3 characters`; `entry` → `entries`, `day` → `days`."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1] + 'ies' if re.search('[^aeiou]y$', noun) else noun + 's'}"
