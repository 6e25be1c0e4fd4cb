"""What can be wrong with a declared shape and with what people fill in."""

from collections.abc import Sequence
from dataclasses import dataclass


def spell_path(path: Sequence[str | int], *, root: str = "") -> str:
    """A path as people write it: `data.lines[3].amount`."""
    spelt = root
    for key in path:
        if isinstance(key, int):
            spelt += f"[{key}]"
        elif key.isidentifier():
            spelt += f".{key}" if spelt else key
        else:
            spelt += f"[{key!r}]"
    return spelt


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an answer or an input, in words for people, at the path of the value that caused it."""

    path: tuple[str | int, ...]
    message: str


class ShapeError(Exception):
    """A declared type that cannot be shown as choices and a form. `path` names the field, `reason` says why."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}" if path else reason)
        self.path = path
        self.reason = reason


class AnswerError(Exception):
    """An answer or input that does not fit. Each problem is in words for people, at the path of its value."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(f"{spell_path(problem.path)} {problem.message}".strip() for problem in problems))
        self.problems = tuple(problems)
