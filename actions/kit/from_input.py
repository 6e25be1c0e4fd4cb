"""What an action leaves to its input: which answers it takes, and who decides. Each run then brings its own."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from actions.kit.declaration import Answers, Declared, settle_expiry
from actions.kit.errors import AnswerError, Problem, ShapeError
from actions.kit.policies.emergencies import way_mistakes
from actions.kit.policies.grant_checks import ELSEWHERE
from actions.kit.policies.policy import Policy
from actions.kit.policies.policy_checks import check
from actions.kit.records.interrupts import OnExpiry
from actions.kit.shapes.answers import Resume


@dataclass(frozen=True)
class FromInput:
    """Written in place of a resume type or a policy: `resume=FromInput(lambda input: input.answer, "answer")`.

    `read` gets the typed input. It is asked anew, of the stored input, whenever the run goes on, so it must depend on
    nothing else. `field` is the field of the input about which a mistake is told, before the run starts.
    """

    read: Callable[[Any], Any]
    field: str


@dataclass(frozen=True)
class Left:
    """What one action leaves to its input."""

    resume: FromInput | None = None
    policy: FromInput | None = None

    @classmethod
    def of(cls, resume: Any, policy: Any) -> "Left":
        """The declared two, as far as they are left to the input."""
        given = [each if isinstance(each, FromInput) else None for each in (resume, policy)]
        return cls(*given)

    @property
    def nothing(self) -> bool:
        return self.resume is None and self.policy is None


NOTHING = Left()
OPEN = Policy(deciders=())
"""The policy of an action that leaves it to its input, before there is one: anybody may ask, and nobody decides."""


@dataclass(frozen=True)
class Completed:
    """What an input made of it."""

    answers: Answers
    policy: Policy
    on_expiry: OnExpiry


def complete(left: Left, given: Any, answers: Answers, policy: Policy, on_expiry: OnExpiry) -> Completed:
    """The answers, the policy and the default answer with what the typed input `given` brings.

    Raises:
        AnswerError: It brings what cannot be used, at the field that brings it.
    """
    if left.resume is not None:
        answers = {"": _declared(left.resume, given), **answers}
    if left.policy is not None:
        policy = _policy(left.policy, given)
    source = left.policy or left.resume
    field = source.field if source else ""
    settled, mistakes = settle_expiry(on_expiry, answers[""])
    elsewhere = [ELSEWHERE] if left.policy is not None and policy.grants else []
    shape = answers[""].resume.shape
    mistakes = [*check(policy, approval=shape.is_approval), *way_mistakes(policy, shape), *elsewhere, *mistakes]
    if mistakes:
        raise AnswerError([Problem((field,), mistake) for mistake in mistakes])
    return Completed(answers, policy, settled)


def _policy(source: FromInput, given: Any) -> Policy:
    policy = _read(source, given)
    if not isinstance(policy, Policy):
        raise AnswerError([Problem((source.field,), f"says who decides, and is no Policy but {type(policy).__name__}")])
    return policy


def _declared(source: FromInput, given: Any) -> Declared:
    declared = _read(source, given)
    try:
        return Declared(declared, Resume.of(declared))
    except ShapeError as error:
        raise AnswerError([Problem((source.field,), f"cannot be asked for: {error}")]) from error


def _read(source: FromInput, given: Any) -> Any:
    """What the author's function makes of the input; its own faults are told as mistakes of that input."""
    try:
        return source.read(given)
    except Exception as error:
        message = f"could not be read: {type(error).__name__} in the action's own code"
        raise AnswerError([Problem((source.field,), message)]) from error
