"""Draws in Slack where a run stands, what people may take for broken in it, and its tree: literally, and in little room."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from blocks import limits
from blocks.faults import Fault
from blocks.room import as_many_as_fit
from blocks.said import Words, in_elements, said
from blocks.standing import Standing
from blocks.summary import bold, literal
from blocks.tree import Branch

FAULTS_TEXT, TREE_TEXT = 1_600, 2_000
PLACES, TOLD = 30, 6
"""Places of a tree, and lines about each of them, that are shown."""

Line = tuple[int, Branch]


def standing_block(found: Standing, faults: Sequence[Fault]) -> dict[str, Any]:
    """Where it stands, and each fault with what to do about it, as far as there is room."""
    sections = [_section([*in_elements(found.why), *_fix(found.fix)])]
    entries = as_many_as_fit(([_rich(_fault(fault))] for fault in faults), text=FAULTS_TEXT, blocks=len(faults))
    return _rich(*sections, *(element for [block] in entries for element in block["elements"]))


def tree_blocks(root: Branch | None) -> tuple[list[dict[str, Any]], int]:
    """The places of a run as an indented list, and how many earlier ones there was no room for."""
    lines = list(_lines(root, 0)) if root else []
    latest = as_many_as_fit(([_rich(_list([line]))] for line in reversed(lines)), text=TREE_TEXT, blocks=PLACES)
    shown = lines[len(lines) - len(latest) :]
    by_depth = [_list(list(together)) for _, together in groupby(shown, key=lambda line: line[0])]
    return ([_rich(*by_depth)] if shown else []), len(lines) - len(shown)


def _lines(branch: Branch, depth: int) -> Iterator[Line]:
    for each in branch.below:
        yield depth, each
        yield from _lines(each, depth + 1)


def _list(lines: Sequence[Line]) -> dict[str, Any]:
    """Lines of one depth; Slack indents only so far."""
    entries = [_section(_place(branch)) for _, branch in lines]
    indent = min(lines[0][0], limits.RICH_TEXT_LIST_INDENT)
    return {"type": "rich_text_list", "style": "bullet", "indent": indent, "elements": entries}


def _place(branch: Branch) -> list[dict[str, Any]]:
    return [*in_elements(branch.words), *_beneath(branch.told[:TOLD])]


def _fault(fault: Fault) -> dict[str, Any]:
    return _section([literal("⚠️ "), bold(fault.title), *in_elements(said(": ", fault.seen)), *_fix(fault.fix)])


def _fix(fix: Words) -> list[dict[str, Any]]:
    return list(_beneath([said("→ ", fix)])) if fix else []


def _beneath(lines: Iterable[Words]) -> Iterator[dict[str, Any]]:
    for words in lines:
        yield literal("\n")
        yield from in_elements(words)


def _section(elements: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": elements}


def _rich(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": list(elements)}
