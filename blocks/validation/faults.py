"""What the validator reports: one fault per broken rule, told as Slack's own `blocks.validate` tells it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Surface = Literal["message", "modal", "home"]
Code = Literal["failed_constraint", "house_rule"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One broken rule at one place.

    Slack refuses a `failed_constraint`. A `house_rule` is ours alone: Slack would accept it, and people would suffer.
    `pointer` is a JSON pointer into what was validated, `constraint` names the rule: `{"type": …, "expected": …}`.
    """

    code: Code
    message: str
    pointer: str
    constraint: Mapping[str, Any]

    def __str__(self) -> str:
        """As Slack words it in `response_metadata.messages`, without its "[ERROR] "."""
        return f"{self.message} [json-pointer:{self.pointer}]"

    def as_json(self) -> dict[str, Any]:
        """As `blocks.validate` answers it."""
        return {
            "code": self.code,
            "message": self.message,
            "pointer": self.pointer,
            "constraint": dict(self.constraint),
        }


@dataclass(slots=True)
class Findings:
    """What one validation has found so far, and what only the whole surface can tell."""

    surface: Surface
    faults: list[Fault] = field(default_factory=list)
    block_ids: set[str] = field(default_factory=set)
    focused: list[str] = field(default_factory=list)
    has_inputs: bool = False

    def fail(self, at: str, message: str, kind: str, expected: Any = None) -> None:
        """Slack refuses what is at `at`."""
        self.faults.append(Fault("failed_constraint", message, at, {"type": kind, "expected": expected}))

    def warn(self, at: str, message: str, kind: str, expected: Any = None) -> None:
        """We refuse what is at `at`."""
        self.faults.append(Fault("house_rule", message, at, {"type": kind, "expected": expected}))


def below(at: str, key: str | int) -> str:
    """The JSON pointer of `key` in what is at `at` (RFC 6901)."""
    return f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
