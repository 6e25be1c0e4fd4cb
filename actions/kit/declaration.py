"""Checks what an author declared, part by part: each mistake is a sentence that says what to change."""

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from actions.kit.cards import kind_of, kinds
from actions.kit.errors import AnswerError, ShapeError
from actions.kit.policies.emergencies import way_mistakes
from actions.kit.policies.pace_checks import deadline_mistakes
from actions.kit.policies.policy import Policy, depends_on_requester
from actions.kit.policies.policy_checks import check
from actions.kit.records.interrupts import Answer, OnExpiry
from actions.kit.shapes.answers import DEFAULT_RESUME, MISSING, Resume, Typed, typed
from actions.kit.shapes.filling import takes_from_shown
from actions.kit.shapes.json_text import NotJson, to_json_text

ID = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""Of actions and of the names in `resumes`."""

RESERVED = frozenset({"away", "back", "cancel", "digest", "grants", "help", "list", "mine", "pending", "show", "stuck"})
"""Words that mean something else where an action is started by its id."""
NOT_TOGETHER = (
    "policy: low_risk=True, but each choice has fields or something to confirm, so that none can be made for several at once; "
    "give resume a choice without, or leave low_risk out"
)


@dataclass(frozen=True, slots=True)
class Declared:
    """A resume type as it was declared, and prepared."""

    declared: Any
    resume: Resume


Answers = Mapping[str, Declared]
"""The resume types of an action by name; its own has an empty one."""


def name_mistakes(id_: Any, name: Any, description: Any, version: Any) -> list[str]:
    found = []
    if not isinstance(id_, str) or not ID.fullmatch(id_):
        found.append(f"the id must be small letters, digits and _, a letter first, 64 at most (send_message): {id_!r}")
    elif id_ in RESERVED:
        found.append(f"the id {id_!r} is a word of the command that starts actions; give it another")
    for what, text in (("name", name), ("description", description), ("version", version)):
        if not isinstance(text, str) or not text.strip():
            found.append(f"{what} must be a text that is not empty; it is {text!r}")
    return found


def truth_mistakes(**values: Any) -> list[str]:
    """A text such as "no" would count as yes."""
    return [
        f"{name} must be True or False; it is {value!r}"
        for name, value in values.items()
        if not isinstance(value, bool)
    ]


def time_limit_mistakes(time_limit: Any) -> list[str]:
    if isinstance(time_limit, timedelta) and time_limit > timedelta():
        return []
    return [f"time_limit must be a timedelta of more than nothing; it is {time_limit!r}"]


def joining_mistakes(joins: Any, policy: Any) -> list[str]:
    """Requests that share a run share who decides it, so that must not depend on who asks."""
    if not isinstance(joins, bool):
        return [f"joins must be True or False; it is {joins!r}"]
    if joins and isinstance(policy, Policy) and depends_on_requester(policy):
        return ["joins=True, but who decides depends on who asks (Requester()); leave joins out, or name the deciders"]
    return []


def ui_mistakes(ui: str | None) -> list[str]:
    """A kind of card that an action names must be there; one that comes up later is drawn as the generic card."""
    if ui is None or kind_of(ui) is not None:
        return []
    known = ", ".join(kind.ui for kind in kinds())
    return [f"ui={ui!r} is no kind of card; there are: {known}. A kind of your own is a file in actions/kit/cards/"]


def expiry_mistakes(expires_in: Any) -> list[str]:
    """A pause inherits with `None`; an action has nobody to inherit from, and never expires by accident."""
    return ["expires_in must be a timedelta, or Never for no end; leave it out for a day"] if expires_in is None else []


def prepare_type(type_: Any, what: str) -> tuple[Typed | None, list[str]]:
    """The input or output type made ready, or what is wrong with it; neither where the signature does not name it."""
    if type_ is None:
        return None, []
    try:
        return typed(type_), []
    except ShapeError as error:
        return None, [f"its {what} type {_spelt(type_)} cannot be used: {error}"]


def prepare_answers(
    resume: Any, resumes: Mapping[str, Any], declines: Collection[str], *, own: bool = True
) -> tuple[dict[str, Declared], list[str]]:
    """Every resume type that can be prepared, and what is wrong with the others. Without `own` the input brings that."""
    mistakes = [f"resumes: {name!r} must be small letters, digits and _" for name in resumes if not _is_name(name)]
    prepared: dict[str, Declared] = {}
    by_itself = {"": DEFAULT_RESUME if resume is None else resume} if own else {}
    for name, declared in {**by_itself, **resumes}.items():
        try:
            prepared[name] = Declared(declared, _prepared(declared, declines))
        except ShapeError as error:
            where = f"resumes[{name!r}]" if name else "resume"
            mistakes.append(f"{where}: Slack cannot ask for it: {error}")
    return prepared, [*mistakes, *_unknown_declines(prepared, declines)]


def policy_mistakes(
    policy: Any, answers: Answers, schema: Mapping[str, Any] | None, expires_in: timedelta | None
) -> list[str]:
    """What is wrong with who decides what the action asks by itself; a further type may come with its own policy."""
    if policy is None:
        return ['nobody decides; say who: policy=Policy(deciders=ChannelMembers("#approvals")), or Person("an id")']
    shape = answers[""].resume.shape if "" in answers else None
    found = [
        *check(policy, approval=shape is not None and shape.is_approval, schema=schema),
        *deadline_mistakes(policy, expires_in),
        *(way_mistakes(policy, shape) if shape else ()),
    ]
    return [f"policy: {mistake}" for mistake in found]


def together_mistakes(policy: Any, answers: Answers, *, destructive: bool) -> list[str]:
    """What is answered together with others is of low risk, and takes one press."""
    if not isinstance(policy, Policy) or not policy.low_risk:
        return []
    if destructive:
        return ["policy: low_risk=True, but the action is destructive=True; leave one of them out"]
    return [NOT_TOGETHER] if "" in answers and not answers[""].resume.shape.bare else []


def settle_expiry(on_expiry: OnExpiry, answer: Declared | None) -> tuple[OnExpiry, list[str]]:
    """What happens on expiry, a default answer as it will be stored; or why that answer does not fit."""
    if not isinstance(on_expiry, Answer) or answer is None or _is_filled_later(on_expiry, answer.resume):
        return on_expiry, []
    try:
        return default_answer(on_expiry, answer.resume), []
    except (AnswerError, NotJson) as error:
        return on_expiry, [f"on_expiry=Answer({on_expiry.choice!r}, ...) does not fit what can be answered: {error}"]


def default_answer(answer: Answer, resume: Resume) -> Answer:
    """The answer of a deadline with its value validated, as JSON. Raises `AnswerError` or `NotJson`."""
    given = "value" in answer.model_fields_set
    value = json.loads(to_json_text(answer.value, what="value")) if given else MISSING
    return Answer(choice=answer.choice, value=json.loads(resume.validate(answer.choice, value)))


def _is_filled_later(answer: Answer, resume: Resume) -> bool:
    """Whether a default answer takes a part of its value from what is shown, so that it can only be checked then."""
    choice = resume.shape.choice(answer.choice)
    return choice is not None and takes_from_shown(choice.json_schema)


def _prepared(declared: Any, declines: Collection[str]) -> Resume:
    keys = {choice.key for choice in Resume.of(declared).shape.choices}
    return Resume.of(declared, declines=frozenset(declines) & keys)


def _unknown_declines(prepared: Answers, declines: Collection[str]) -> list[str]:
    keys = [choice.key for each in prepared.values() for choice in each.resume.shape.choices]
    unknown = sorted(set(declines) - set(keys))
    return [f"declines: there is no choice {key!r}; the choices are {', '.join(map(repr, keys))}" for key in unknown]


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and ID.fullmatch(name) is not None


def _spelt(type_: Any) -> str:
    return getattr(type_, "__name__", None) or str(type_)
