"""How a kind of card looks, where the generic card does not do: one module for each, called like its `ui`.

It has one pure function, `facts(data, about, room)`, from the data that is shown to what stands on the card, and nothing
else about it: question, state, buttons and what gives way where there is no room are the same on all cards. `None` from it
means that the data is not what it expects, and the generic card is drawn.
"""

import pkgutil
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from blocks.described import Described
from blocks.facts import Facts, Room

__all__ = ["facts_of_kind"]

Draw = Callable[[Any, Described, Room], Facts | None]


def facts_of_kind(ui: str | None, data: Any, about: Described, room: Room) -> Facts | None:
    """What a card of this kind shows; `None` where it is drawn as any other."""
    draw = None if ui is None else _drawing(ui)
    return None if draw is None else draw(data, about, room)


@lru_cache(maxsize=256)
def _drawing(ui: str) -> Draw | None:
    if ui not in {found.name for found in pkgutil.iter_modules(__path__)}:
        return None
    draw: Draw = import_module(f"{__name__}.{ui}").facts
    return draw
