"""The kinds of cards, one module each, found by the name that an action gives as `ui`.

A module of this package that is called like a `ui` has its `CardKind` as `KIND`. It is imported when it is first asked
for. How such a card looks, where the generic one does not do, is in `blocks/cards/`.
"""

import pkgutil
from importlib import import_module

from actions.kit.cards.kind import CardKind
from actions.kit.shapes.answers import Resume

__all__ = ["OF_KIND", "CardKind", "answers_by_name", "kind_of", "kinds"]

OF_KIND = "ui:"
"""Begins the name under which the answers of a kind are stored with a pause."""


def kind_of(ui: str | None) -> CardKind | None:
    """The kind of a `ui`; `None` where nobody made one, so that the generic card is drawn."""
    return _in_module(ui) if ui is not None and ui in _modules() else None


def kinds() -> tuple[CardKind, ...]:
    """All of them, by their `ui`."""
    found = (_in_module(name) for name in sorted(_modules()))
    return tuple(kind for kind in found if kind is not None)


def answers_by_name(name: str) -> Resume | None:
    """The answers that are stored as `ui:<ui>`; `None` for any other name, and for a kind that is not there any more."""
    kind = kind_of(name.removeprefix(OF_KIND)) if name.startswith(OF_KIND) else None
    return None if kind is None or kind.answer is None else kind.resume


def _modules() -> set[str]:
    return {found.name for found in pkgutil.iter_modules(__path__)}


def _in_module(name: str) -> CardKind | None:
    kind = getattr(import_module(f"{__name__}.{name}"), "KIND", None)
    return kind if isinstance(kind, CardKind) else None
