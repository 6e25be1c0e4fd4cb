"""Turns a pause as an action made it into what is stored, by the settings of its action."""

import json
from datetime import timedelta
from typing import Any, Protocol

from actions.kit.action import Action
from actions.kit.cards import OF_KIND, kind_of
from actions.kit.cards.kind import CardKind
from actions.kit.declaration import default_answer
from actions.kit.errors import AnswerError, ShapeError
from actions.kit.interrupt import ActionInterrupt, InterruptError
from actions.kit.policies.emergencies import way_mistakes
from actions.kit.policies.grant_checks import ELSEWHERE
from actions.kit.policies.pace_checks import deadline_mistakes
from actions.kit.policies.policy import Policy
from actions.kit.policies.policy_checks import check
from actions.kit.policies.stages import begun, expires_in_of
from actions.kit.records.interrupts import Answer, Asker, OnExpiry, Shape
from actions.kit.records.outcomes import PauseRequest
from actions.kit.shapes.answers import Resume
from actions.kit.shapes.json_text import NotJson
from actions.kit.shapes.shown import merged_schemas

OPEN_TYPE = "?"
"""Stands for the name of a type that only `ctx.ask` knows: answers are held against the stored shape until it does."""


class Asked(Protocol):
    """A pause that is stored, or about to be."""

    @property
    def resume(self) -> str: ...

    @property
    def shape(self) -> Shape: ...

    @property
    def shown(self) -> str: ...


def pause_request(
    action: Action, pause: ActionInterrupt, input_text: str, *, path: str, occurrence: int, asker: Asker | None
) -> PauseRequest:
    """What to store of a raised pause. Raises `InterruptError` where what the pause overrides does not fit."""
    name = _resume_name(action, pause)
    if name is None:
        raise InterruptError([_not_declared(action, pause)])
    return _request(action, pause, input_text, name, action.resume(name), path, occurrence, asker)[0]


def ask_request(
    action: Action, pause: ActionInterrupt, input_text: str, *, path: str, asker: Asker | None
) -> tuple[PauseRequest, Resume]:
    """What to store of a question of `ctx.ask`, whose type need not be declared, and that type. Raises `InterruptError`."""
    name = _resume_name(action, pause)
    resume = _open_type(pause.resume) if name is None else action.resume(name)
    return _request(action, pause, input_text, OPEN_TYPE if name is None else name, resume, path, 1, asker)


def resume_of(action: Action, asked: Asked) -> Resume:
    """What can be answered to a stored question, with what it takes from what is shown.

    Raises `KeyError` where the action has no such type any more, or none that what is shown fits.
    """
    if asked.resume == OPEN_TYPE:
        return Resume.of_shape(asked.shape)
    try:
        return action.resume(asked.resume).as_shown(asked.shown)
    except ShapeError as error:
        raise KeyError(asked.resume) from error


def knows(action: Action, asked: Asked) -> bool:
    """Whether the action can take answers to a stored question."""
    return asked.resume == OPEN_TYPE or action.knows(asked.resume)


def _request(  # noqa: PLR0917 - each of them is something else, and both callers have them all
    action: Action,
    pause: ActionInterrupt,
    input_text: str,
    name: str,
    declared: Resume,
    path: str,
    occurrence: int,
    asker: Asker | None,
) -> tuple[PauseRequest, Resume]:
    ui = action.ui if pause.ui is None else pause.ui
    shown, kind = input_text if pause.data_json is None else pause.data_json, kind_of(ui)
    resume, expires_in = _as_shown(declared, shown, kind), _expires_in(action, pause)
    policy = begun(_policy(action, pause, resume.shape, expires_in), json.loads(input_text), expires_in)
    request = PauseRequest(
        message=pause.message,
        data=pause.data_json,
        shown=shown,
        shown_schema=_shown_schema(action, pause, kind),
        state=pause.state_json,
        ui=ui,
        resume=name,
        shape=resume.shape,
        fingerprint=action.fingerprint(name, resume.shape),
        policy=policy,
        expires_in=expires_in_of(policy, expires_in),
        on_expiry=_on_expiry(action, pause, resume),
        call_path=path,
        occurrence=occurrence,
        asker=asker,
        editable=action.editable if asker is None and resume.shape.is_approval else (),
    )
    return request, resume


def _as_shown(declared: Resume, shown: str, kind: CardKind | None) -> Resume:
    """The answers with what they take from what is shown, which must be what the kind of card shows."""
    try:
        if kind is not None:
            kind.check(shown)
        return declared.as_shown(shown)
    except AnswerError as error:
        mistake = f"ui={kind.ui if kind else None!r} cannot show this data: {error}"
    except ShapeError as error:
        mistake = f"what can be answered does not fit what is shown: {error}"
    raise InterruptError([mistake])


def _shown_schema(action: Action, pause: ActionInterrupt, kind: CardKind | None) -> str | None:
    """What is known of what is shown: what its author said, and of what they did not describe, what the kind does."""
    own = action.shown_input if pause.data_json is None else pause.data_schema
    known = None if kind is None else kind.data_schema
    return known if own is None else own if known is None else merged_schemas(known, own)


def _resume_name(action: Action, pause: ActionInterrupt) -> str | None:
    """The name that finds the answers again; `None` where the pause brings a type that nobody declared."""
    kind = kind_of(pause.ui) if pause.resume is None else None
    if kind is not None and kind.answer is not None:
        return f"{OF_KIND}{kind.ui}"
    return action.resume_name(pause.resume)


def _not_declared(action: Action, pause: ActionInterrupt) -> str:
    known = ", ".join(repr(each) for each in action.resume_names if each) or "none"
    mistake = f"resume={pause.resume!r} is not declared, so it could not be found again after a restart"
    return f"{mistake}; add it to the action's resumes={{...}} (declared there: {known})"


def _open_type(declared: Any) -> Resume:
    if isinstance(declared, str):
        raise InterruptError([f"resume={declared!r} is not the name of a type in the action's resumes={{...}}"])
    try:
        return Resume.of(declared)
    except ShapeError as error:
        mistake = f"resume={declared!r}: Slack cannot ask for it: {error}"
    raise InterruptError([mistake])


def _policy(action: Action, pause: ActionInterrupt, shape: Shape, expires_in: timedelta | None) -> Policy:
    policy = action.policy if pause.policy is None else pause.policy
    mistakes = [
        *check(policy, approval=shape.is_approval, schema=action.input_schema),
        *deadline_mistakes(policy, expires_in),
        *([ELSEWHERE] if pause.policy is not None and policy.grants else []),
        *(way_mistakes(policy, shape) if pause.policy is not None else ()),
    ]
    if mistakes:
        raise InterruptError([f"policy: {mistake}" for mistake in mistakes])
    return policy.model_copy(update={"follows": pause.policy is None and action.policy_from is None})


def _expires_in(action: Action, pause: ActionInterrupt) -> timedelta | None:
    if pause.expires_in is None:
        return action.expires_in
    return None if isinstance(pause.expires_in, type) else pause.expires_in


def _on_expiry(action: Action, pause: ActionInterrupt, resume: Resume) -> OnExpiry:
    chosen = action.on_expiry if pause.on_expiry is None else pause.on_expiry
    if not isinstance(chosen, Answer):
        return chosen
    try:
        return default_answer(chosen, resume)
    except (AnswerError, NotJson) as error:
        mistake = f"on_expiry=Answer({chosen.choice!r}, ...) does not fit what can be answered: {error}"
    raise InterruptError([mistake])
