"""What becomes of a question whose action was changed while it waited: it stays, or it is asked again."""

from actions.kit.action import Action
from actions.kit.errors import AnswerError
from actions.kit.records import Answer, Choice, Expire, InterruptRecord, OnExpiry, PauseRequest, RunRecord, Shape

CHANGED = "the question changed"


def bound_to(action: Action, run: RunRecord) -> Action:
    """The action as the run's input completes it; as it is declared where it does not take that input any more."""
    try:
        return action.bound(run.input)
    except AnswerError:
        return action


def still_fits(action: Action, run: RunRecord, interrupt: InterruptRecord) -> bool:
    """Whether the card may stay as it is: the input is still taken, and every answer that it offers means the same."""
    if interrupt.resume not in action.resume_names:
        return False
    if action.fingerprint(interrupt.resume) == interrupt.fingerprint:
        return True
    today = action.resume(interrupt.resume).shape
    return takes_input(action, run) and _meanings(interrupt.shape) == _meanings(today)


def asked_again(action: Action, interrupt: InterruptRecord) -> PauseRequest | None:
    """The stored message and data under the shape of today; `None` where the action has no such question any more."""
    if interrupt.resume not in action.resume_names:
        return None
    shape = action.resume(interrupt.resume).shape
    return PauseRequest(
        message=interrupt.message,
        data=interrupt.data,
        shown=interrupt.shown,
        shown_schema=interrupt.shown_schema,
        state=interrupt.state,
        ui=interrupt.ui,
        resume=interrupt.resume,
        shape=shape,
        fingerprint=action.fingerprint(interrupt.resume),
        policy=interrupt.policy,
        expires_in=interrupt.expires_in,
        on_expiry=_on_expiry(action, interrupt),
        call_path=interrupt.call_path,
        occurrence=interrupt.occurrence,
    )


def takes_input(action: Action, run: RunRecord) -> bool:
    try:
        action.restore_input(run.input)
    except AnswerError:
        return False
    return True


def _meanings(shape: Shape) -> dict[str, tuple[object, ...]]:
    return {choice.key: _meaning(choice) for choice in shape.choices}


def _meaning(choice: Choice) -> tuple[object, ...]:
    return choice.json_schema, choice.has_form, choice.value, choice.declines


def _on_expiry(action: Action, interrupt: InterruptRecord) -> OnExpiry:
    """A default answer that would not be taken any more must not become one: then the question just expires."""
    default = interrupt.on_expiry
    if not isinstance(default, Answer):
        return default
    try:
        action.resume(interrupt.resume).validate(default.choice, default.value)
    except AnswerError:
        return Expire()
    return default
