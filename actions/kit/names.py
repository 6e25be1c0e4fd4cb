"""Names that machines keep and names that people read, made from the names in the code."""

import re
from collections.abc import Iterable

MAX_KEY = 60
"""The most characters of a choice's key, which travels inside buttons."""

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W_A-Z]+|[A-Z]+")
_CODE_WORD = re.compile(r"[a-z][a-z0-9_]*")


def humanise(name: str) -> str:
    """`receipt_link` and `ReceiptLink` → `Receipt link`; abbreviations stay: `HTTPMethod` → `HTTP method`."""
    words = [word if word.isupper() and len(word) > 1 else word.lower() for word in _WORD.findall(name)]
    return _capitalised(" ".join(words)) or name


def humanise_value(text: str) -> str:
    """A value as people read it: `needs_work` → `Needs work`; what is written with care already stays as it is."""
    return _capitalised(text.replace("_", " ").strip()) if _CODE_WORD.fullmatch(text) else text


def snake_case(name: str) -> str:
    """`ShipIt`, `Ship it` → `ship_it`."""
    return "_".join(word.lower() for word in _WORD.findall(name)) or name


def distinct(keys: Iterable[str]) -> list[str]:
    """The keys, never empty and never too long; of two that are alike the later one gets a number."""
    taken: dict[str, None] = {}
    for key in keys:
        short = key[:MAX_KEY] or "empty"
        numbered = (f"{short}-{number}" for number in range(2, len(taken) + 3))
        taken[next(free for free in (short, *numbered) if free not in taken)] = None
    return list(taken)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
