"""Names as they are compared: in small letters, without accents, their words parted by one space."""

import re
import unicodedata

_BETWEEN = re.compile(r"[^\w\x1f]+|_+")
_AROUND = re.compile(r" ?\x1f ?")
_LETTERS = {"æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "đ": "d", "þ": "th", "ł": "l", "ħ": "h", "\u0131": "i", "ŧ": "t"}
"""Letters that Unicode does not take apart into a plain one and its accent."""


class _Plain(dict[int, str | int | None]):
    """By code point: the plain letters of a letter, nothing for an accent."""

    def __missing__(self, code: int) -> int | None:
        self[code] = kept = None if unicodedata.combining(chr(code)) else code
        return kept


_PLAIN = _Plain({ord(letter): plain for letter, plain in _LETTERS.items()})


def folded(text: str) -> str:
    """The same for São Paulo and SAO-PAULO. U+001F stands for itself, so that several names can be folded at once."""
    small = text.casefold()
    if not small.isascii():
        small = unicodedata.normalize("NFKD", small).translate(_PLAIN)
    parted = _BETWEEN.sub(" ", small).strip()
    return _AROUND.sub("\x1f", parted) if "\x1f" in parted else parted
