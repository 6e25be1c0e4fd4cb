"""Whose a question is, and what becomes of it when its action was changed while it waited: it stays, or is asked again."""

from actions.kit.action import Action
from actions.kit.errors import AnswerError
from actions.kit.policies.stages import entered, expires_in_of
from actions.kit.records.interrupts import Answer, Choice, Expire, InterruptRecord, OnExpiry, Shape
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import RunRecord
from actions.kit.registry import Registry
from actions.kit.request import OPEN_TYPE, resume_of
from actions.kit.shapes.answers import Resume

CHANGED = "the question changed"


def asker_of(registry: Registry, run: RunRecord, interrupt: InterruptRecord) -> Action | None:
    """The action that asked, the started one or one that it called; `None` where this code does not know it."""
    return registry.executed(interrupt.asker.action_id if interrupt.asker else run.action_id)


def bound_to(action: Action, run: RunRecord, interrupt: InterruptRecord) -> Action:
    """The action as its input completes it; as it is declared where it does not take that input any more."""
    try:
        return action.bound(_input(run, interrupt))
    except AnswerError:
        return action


def still_fits(action: Action, run: RunRecord, interrupt: InterruptRecord) -> bool:
    """Whether the card may stay as it is: the input is still taken, and every answer that it offers means the same.

    What only `ctx.ask` knows the type of shows on the next pass.
    """
    if interrupt.resume == OPEN_TYPE:
        return True
    today = _answers_of_today(action, interrupt)
    if today is None:
        return False
    if action.fingerprint(interrupt.resume, today.shape) == interrupt.fingerprint:
        return True
    return takes_input(action, _input(run, interrupt)) and _meanings(interrupt.shape) == _meanings(today.shape)


def asked_again(action: Action, interrupt: InterruptRecord) -> PauseRequest | None:
    """The stored message and data under the shape of today; `None` where the action has no such question any more."""
    today = _answers_of_today(action, interrupt)
    if today is None:
        return None
    policy = entered(interrupt.policy, 1) if interrupt.policy.stages else interrupt.policy
    return PauseRequest(
        message=interrupt.message,
        data=interrupt.data,
        shown=interrupt.shown,
        shown_schema=interrupt.shown_schema,
        state=interrupt.state,
        ui=interrupt.ui,
        resume=interrupt.resume,
        shape=today.shape,
        fingerprint=action.fingerprint(interrupt.resume, today.shape),
        policy=policy,
        expires_in=expires_in_of(policy, interrupt.expires_in),
        on_expiry=_on_expiry(today, interrupt),
        call_path=interrupt.call_path,
        occurrence=interrupt.occurrence,
        asker=interrupt.asker,
        editable=tuple(name for name in interrupt.editable if name in action.editable),
    )


def _answers_of_today(action: Action, interrupt: InterruptRecord) -> Resume | None:
    """What may be answered today; `None` where no declaration says so (any more)."""
    try:
        return None if interrupt.resume == OPEN_TYPE else resume_of(action, interrupt)
    except KeyError:
        return None


def may_ask_again(action: Action, run: RunRecord, interrupt: InterruptRecord) -> bool:
    return takes_input(action, _input(run, interrupt))


def takes_input(action: Action, text: str) -> bool:
    try:
        action.restore_input(text)
    except AnswerError:
        return False
    return True


def _input(run: RunRecord, interrupt: InterruptRecord) -> str:
    return interrupt.asker.input if interrupt.asker else run.input


def _meanings(shape: Shape) -> dict[str, tuple[object, ...]]:
    return {choice.key: _meaning(choice) for choice in shape.choices}


def _meaning(choice: Choice) -> tuple[object, ...]:
    return choice.json_schema, choice.has_form, choice.value, choice.declines


def _on_expiry(today: Resume, interrupt: InterruptRecord) -> OnExpiry:
    """A default answer that would not be taken any more must not become one: then the question just expires."""
    default = interrupt.on_expiry
    if not isinstance(default, Answer):
        return default
    try:
        today.validate(default.choice, default.value)
    except AnswerError:
        return Expire()
    return default
