"""Turns a pause as an action raised it into what is stored, by the settings of its action."""

from datetime import timedelta

from actions.kit.action import Action
from actions.kit.context import Context
from actions.kit.declaration import default_answer
from actions.kit.errors import AnswerError
from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.json_text import NotJson
from actions.kit.policy import Policy, check
from actions.kit.records import Answer, OnExpiry, PauseRequest, Shape


def pause_request(action: Action, pause: ActionInterrupt, input_text: str, context: Context) -> PauseRequest:
    """What to store. Raises `InterruptError` where what the pause overrides does not fit."""
    name = _resume_name(action, pause)
    resume = action.resume(name)
    return PauseRequest(
        message=pause.message,
        data=pause.data_json,
        shown=input_text if pause.data_json is None else pause.data_json,
        shown_schema=action.shown_input if pause.data_json is None else pause.data_schema,
        state=pause.state_json,
        ui=action.ui if pause.ui is None else pause.ui,
        resume=name,
        shape=resume.shape,
        fingerprint=action.fingerprint(name),
        policy=_policy(action, pause, resume.shape),
        expires_in=_expires_in(action, pause),
        on_expiry=_on_expiry(action, pause, name),
        call_path=context.call_path,
        occurrence=context.occurrence,
    )


def _resume_name(action: Action, pause: ActionInterrupt) -> str:
    name = action.resume_name(pause.resume)
    if name is None:
        known = ", ".join(repr(each) for each in action.resume_names if each) or "none"
        mistake = f"resume={pause.resume!r} is not declared, so it could not be found again after a restart"
        raise InterruptError([f"{mistake}; add it to the action's resumes={{...}} (declared there: {known})"])
    return name


def _policy(action: Action, pause: ActionInterrupt, shape: Shape) -> Policy:
    policy = action.policy if pause.policy is None else pause.policy
    mistakes = check(policy, approval=shape.is_approval)
    if mistakes:
        raise InterruptError([f"policy: {mistake}" for mistake in mistakes])
    return policy


def _expires_in(action: Action, pause: ActionInterrupt) -> timedelta | None:
    if pause.expires_in is None:
        return action.expires_in
    return None if isinstance(pause.expires_in, type) else pause.expires_in


def _on_expiry(action: Action, pause: ActionInterrupt, name: str) -> OnExpiry:
    chosen = action.on_expiry if pause.on_expiry is None else pause.on_expiry
    if not isinstance(chosen, Answer):
        return chosen
    try:
        return default_answer(chosen, action.resume(name))
    except (AnswerError, NotJson) as error:
        mistake = f"on_expiry=Answer({chosen.choice!r}, ...) does not fit what can be answered: {error}"
    raise InterruptError([mistake])
