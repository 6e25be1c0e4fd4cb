"""Makes a message fit into the room that another one takes: what is worth least shrinks first, until the rest fits."""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

Block = dict[str, Any]

_COMPACT, _SPACED = (
    json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=each).encode
    for each in ((",", ":"), (", ", ": "))
)


class Size(NamedTuple):
    """How large a message is: its blocks, and the bytes of its JSON in UTF-8, without and with a space after `,` and `:`."""

    blocks: int
    compact: int
    spaced: int

    def within(self, room: Self) -> bool:
        return self.blocks <= room.blocks and self.compact <= room.compact and self.spaced <= room.spaced


def size_of(text: str, blocks: Iterable[Block]) -> Size:
    """The size of a message, apart from the few bytes that every message has."""
    return _sum([_size(text), *map(_block_size, blocks)])


def _block_size(block: Block) -> Size:
    size = _size(block)
    return Size(1, size.compact + len(","), size.spaced + len(", "))


def _size(value: Any) -> Size:
    return Size(0, *(len(written(value).encode("utf-8", "surrogatepass")) for written in (_COMPACT, _SPACED)))


def _sum(sizes: Iterable[Size]) -> Size:
    return Size(*map(sum, zip(*sizes, strict=True)))


class Slot:
    """A place in a message: what stands there, in versions from the largest to the smallest; the last may be nothing."""

    def __init__(self, *versions: list[Block], counted: dict[int, list[Size]] | None = None) -> None:
        self._versions = list(versions)
        self._counted = {} if counted is None else counted

    def again(self) -> Self:
        """The same place with all of its versions from the one that it shows now on; what was counted stays so."""
        return type(self)(*self._versions, counted=self._counted)

    @property
    def blocks(self) -> list[Block]:
        return self._versions[0]

    @property
    def sizes(self) -> list[Size]:
        left = len(self._versions)
        if left not in self._counted:
            self._counted[left] = [_block_size(block) for block in self.blocks]
        return self._counted[left]

    def shrink(self) -> None:
        """Takes the next smaller version, if there is one."""
        if len(self._versions) > 1:
            del self._versions[0]


def fit(slots: list[Slot], order: Iterable[Slot], *, text: str, room: Size) -> list[Block]:
    """What stands in `slots` once as many of them as necessary have shrunk, one step each time that `order` names one.

    Everything is drawn once, and only counted again. What does not fit in its smallest version either stays too large.
    """
    said = _size(text)
    for slot in order:
        if _sum([said, *(size for each in slots for size in each.sizes)]).within(room):
            break
        slot.shrink()
    return [block for slot in slots for block in slot.blocks]
