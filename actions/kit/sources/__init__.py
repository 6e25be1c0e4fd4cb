"""Where a form's options come from that are too many to be listed: sources by name, one module each, found when asked for.

A schema names one with the keyword `options_from`. What somebody then chooses comes back as the key of an option, which
is read back through the source: an option's value is never trusted, and its text never used.
"""

import pkgutil
from functools import cache
from importlib import import_module

from actions.kit.sources.source import Found, OptionSource

__all__ = ["KEYWORD", "Found", "OptionSource", "source_names", "source_of"]

KEYWORD = "options_from"
"""In a JSON Schema, of any type: the value is chosen from the source of this name, and searched for as one types."""
_MODEL = "source"


@cache
def source_names() -> tuple[str, ...]:
    """The names of all sources, which are those of the modules of this package that have a `SOURCE`."""
    found = (each.name for each in pkgutil.iter_modules(__path__) if each.name != _MODEL)
    return tuple(sorted(name for name in found if not name.startswith("_")))


def source_of(name: object) -> OptionSource | None:
    """The source of a name, as a schema gives it; `None` where there is none. It loads nothing yet."""
    return _source(name) if isinstance(name, str) and name in source_names() else None


@cache
def _source(name: str) -> OptionSource:
    source: OptionSource = import_module(f"{__name__}.{name}").SOURCE
    return source
