"""Draws what a run called and asked in lines of a terminal: a tree, what is told of each place, and what is wrong."""

from collections.abc import Iterator, Sequence

from rich.markup import escape

from blocks.faults import Fault
from blocks.said import Words, in_plain
from blocks.standing import Standing
from blocks.tree import Branch
from bot.cli.show import moment


def tree_lines(root: Branch | None) -> Iterator[str]:
    """None where the run called nothing and asked nothing."""
    if root is not None:
        yield spelt(root.words)
        yield from _told(root, "")
        yield from _below(root, "")


def standing_lines(found: Standing, faults: Sequence[Fault]) -> Iterator[str]:
    """Where it stands, and each thing that people may take for broken, with what to do about it."""
    yield spelt(found.why)
    if found.fix:
        yield f"[bold]→[/] {spelt(found.fix)}"
    for fault in faults:
        yield f"[yellow]! {fault.title}:[/] {spelt(fault.seen)}"
        yield f"  [bold]→[/] {spelt(fault.fix)}"


def spelt(words: Words) -> str:
    """On one line: it can neither move the cursor nor be taken for our markup."""
    return escape(plainly(words))


def plainly(words: Words) -> str:
    """The same for what prints no markup."""
    return in_plain(words, moment)


def _below(branch: Branch, indent: str) -> Iterator[str]:
    for number, each in enumerate(branch.below, start=1):
        is_last = number == len(branch.below)
        deeper = f"{indent}{'   ' if is_last else '│  '}"
        yield f"{indent}{'└─' if is_last else '├─'} {spelt(each.words)}"
        yield from _told(each, deeper)
        yield from _below(each, deeper)


def _told(branch: Branch, indent: str) -> Iterator[str]:
    """What is told of a place, beside the line that leads to what stands below it."""
    beside = "│ " if branch.below else "  "
    yield from (f"{indent}{beside}{spelt(words)}" for words in branch.told)
