"""Makes an action of an async function, and finds every mistake in its declaration while the program starts."""

import hashlib
import json
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import wraps
from typing import Any, Final, NoReturn, ParamSpec

from actions.kit.cards import answers_by_name, kind_of
from actions.kit.context import Context
from actions.kit.declaration import (
    Answers,
    expiry_mistakes,
    joining_mistakes,
    name_mistakes,
    policy_mistakes,
    prepare_answers,
    prepare_type,
    settle_expiry,
    time_limit_mistakes,
    together_mistakes,
    truth_mistakes,
    ui_mistakes,
)
from actions.kit.edits import editable_mistakes, edited_text, form_of
from actions.kit.equal import equal_by
from actions.kit.from_input import NOTHING, OPEN, FromInput, Left, complete
from actions.kit.policies.grant_checks import grant_mistakes
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import Expire, OnExpiry, Shape
from actions.kit.shapes.answers import Resume, Typed
from actions.kit.shapes.shown import schema_of_input
from actions.kit.signature import read_signature
from actions.kit.terms import Never, term_mistakes

A_DAY: Final = timedelta(hours=24)
A_QUARTER_OF_AN_HOUR: Final = timedelta(minutes=15)

Function = Callable[[Any, Context], Coroutine[Any, Any, Any]]


class ActionError(Exception):
    """An action that cannot work as it is declared. `mistakes` are sentences that say what to change."""

    def __init__(self, action_id: str, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"action {action_id!r}: {mistake}" for mistake in mistakes))
        self.action_id = action_id
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True, eq=False)
class Action:
    """A unit of work that a team wrote: what it takes and returns, who decides, and the terms of its pauses.

    It can still be called like the function that it was made of. `expires_in` is `None` where it never expires.
    """

    id: str
    name: str
    description: str
    function: Function = field(repr=False)
    input_type: Any = field(repr=False)
    output_type: Any = field(repr=False)
    policy: Policy = field(repr=False)
    expires_in: timedelta | None = field(repr=False)
    on_expiry: OnExpiry = field(repr=False)
    time_limit: timedelta = field(repr=False)
    idempotent: bool = field(repr=False)
    version: str = field(repr=False)
    ui: str | None = field(repr=False)
    joins: bool = field(repr=False)
    editable: tuple[str, ...] = field(repr=False)
    destructive: bool = field(repr=False)
    _input: Typed = field(repr=False)
    _output: Typed = field(repr=False)
    _answers: Answers = field(repr=False)
    _left: Left = field(default=NOTHING, repr=False)

    def __call__(self, input: Any, ctx: Context) -> Coroutine[Any, Any, Any]:
        return self.function(input, ctx)

    def bound(self, input_text: str) -> "Action":
        """The action as a run's input completes it; the action itself where it leaves nothing to its input.

        Raises `AnswerError` where a stored input no longer fits, or brings what cannot be used.
        """
        if self._left.nothing:
            return self
        given = self.restore_input(input_text)
        made = complete(self._left, given, self._answers, self.policy, self.on_expiry)
        return replace(self, policy=made.policy, on_expiry=made.on_expiry, _answers=made.answers, _left=NOTHING)

    @property
    def answers_from(self) -> str | None:
        """The field of the input that says what can be answered, where the action leaves that to its input."""
        return self._left.resume.field if self._left.resume else None

    @property
    def policy_from(self) -> str | None:
        """The field of the input that says who decides, where the action leaves that to its input."""
        return self._left.policy.field if self._left.policy else None

    def knows(self, resume_name: str) -> bool:
        """Whether it has a resume type of this name, even if only an input says which, or a kind of card."""
        if resume_name in self._answers or (not resume_name and self._left.resume is not None):
            return True
        return answers_by_name(resume_name) is not None

    def resume(self, name: str = "") -> Resume:
        """The prepared resume type of a name, the action's own without one; `ui:<ui>` is that of a kind of card.

        Raises `KeyError` for an unknown name, and for its own where only its input says which: that is of `bound`.
        """
        return answers_by_name(name) or self._answers[name].resume

    def resume_name(self, declared: Any) -> str | None:
        """The name of a resume type as a raise gives it: a type or a name; `None` where the action declares no such."""
        if declared is None:
            return ""
        if isinstance(declared, str):
            return declared if declared in self._answers else None
        return next((name for name, answer in self._answers.items() if answer.declared == declared), None)

    @property
    def resume_names(self) -> tuple[str, ...]:
        """The names of the resume types, the action's own (an empty one) first."""
        return tuple(self._answers)

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the input."""
        return self._input.json_schema

    @property
    def shown_input(self) -> str | None:
        """What a card needs to know of the input to show it: see `shown`."""
        return schema_of_input(self.input_type)

    def validate_input(self, raw: Any) -> str:
        """The input as JSON text. Raises `AnswerError`, also where it brings what cannot be asked or who cannot decide."""
        text = self._input.validate(raw)
        self.bound(text)
        return text

    def restore_input(self, text: str) -> Any:
        """The typed input. Raises `AnswerError` where a stored one no longer fits."""
        return self._input.restore(text)

    def edit_schema(self, names: Collection[str]) -> dict[str, Any]:
        """The JSON Schema of the form in which these fields of an input are edited."""
        return form_of(self.input_schema, names)

    def edit_input(self, text: str, names: Collection[str], given: Mapping[str, Any]) -> str:
        """A stored input with these fields as they are given, and the others as they are; the same text if nothing changed.

        Raises `AnswerError` where the whole of it does not fit.
        """
        edited = edited_text(text, names, given, restore=self._input.restore, store=self._input.store)
        self.bound(edited)
        return edited

    def join_key(self, input_text: str) -> str | None:
        """The same for equal requests, which share a run while it is open; `None` where each has a run of its own."""
        return equal_by(self.id, input_text) if self.joins else None

    def output_text(self, value: Any) -> str:
        """What the function returned, as JSON text. Raises `AnswerError` where it does not fit the output type."""
        return self._output.store(value)

    def restore_output(self, text: str) -> Any:
        """A stored output as its type. Raises `AnswerError` where it no longer fits."""
        return self._output.restore(text)

    def fingerprint(self, resume_name: str = "", shape: Shape | None = None) -> str:
        """Changes whenever a stored input or answer may no longer fit: the schemas and the author's `version`.

        `shape` is that of an answer whose type is not among the declared ones.
        """
        choices = (shape or self.resume(resume_name).shape).choices
        answers = [[choice.key, choice.json_schema, choice.declines] for choice in choices]
        told = json.dumps([self.version, self.input_schema, answers], sort_keys=True, default=str)
        return hashlib.sha256(told.encode()).hexdigest()[:32]


P = ParamSpec("P")
REQUIRED = ("id", "name", "description")
WRITE_IT = "write @action(id=..., name=..., description=..., policy=...) above it"


def _told_what_is_missing(
    make: Callable[P, Callable[[Function], Action]],
) -> Callable[P, Callable[[Function], Action]]:
    """`make`, which tells an author who gave it too little what is missing, and of which function."""

    @wraps(make)
    def told(*args: P.args, **options: P.kwargs) -> Callable[[Function], Action]:
        missing = [name for name in REQUIRED if name not in options]
        if not missing:
            return make(*args, **options)

        def refuse(function: Any) -> NoReturn:
            name = getattr(function, "__name__", str(function))
            raise ActionError(str(options.get("id", name)), [f"{name}() has no {' and no '.join(missing)}: {WRITE_IT}"])

        if args and callable(args[0]):
            refuse(args[0])
        return refuse

    return told


@_told_what_is_missing
def action(
    *,
    id: str,
    name: str,
    description: str,
    policy: Policy | FromInput | None = None,
    resume: Any = None,
    resumes: Mapping[str, Any] | None = None,
    declines: Collection[str] = (),
    expires_in: timedelta | type[Never] = A_DAY,
    on_expiry: OnExpiry | None = None,
    time_limit: timedelta = A_QUARTER_OF_AN_HOUR,
    idempotent: bool = False,
    version: str = "1",
    ui: str | None = None,
    joins: bool = False,
    editable: Sequence[str] = (),
    destructive: bool = False,
) -> Callable[[Function], Action]:
    """Make an action of `async def NAME(input: Input, ctx: Context) -> Output`.

    Args:
        id: How it is started and stored: small letters, digits and `_`, for ever the same.
        name: How people see it.
        description: What it does, in a sentence.
        policy: Who decides, where it is shown, who may start it. There is no default: nobody decides by accident.
            With `FromInput` each input says it.
        resume: What an answer is: a `Literal`, an enum, `bool`, a model, a union of models, any type that pydantic
            validates, or a JSON Schema as a dict. Unless given, what the kind of card `ui` takes, else
            `Approve | Reject`. With `FromInput` each input says it.
        resumes: More such types by name, for a pause that asks something else (`ActionInterrupt(resume=...)`).
        declines: The keys of choices that decline, where the type itself cannot say so.
        expires_in: How long a pause may wait from when it is posted; `Never` for ever.
        on_expiry: What happens then: `Expire()` (default), `Decline()` or `Answer(choice, value)`.
        time_limit: How long one execution may take.
        idempotent: Running it twice on one answer does no harm, so a crash may repeat it without asking.
        version: Change it when a stored state of the old code must not meet the new code.
        ui: The kind of card, one of those in `actions/kit/cards/`.
        joins: Whoever asks for the same (an equal input) while it is open joins that run, instead of starting another.
            Only for what is wanted once, whoever asks: the run has the first requester.
        editable: The names of fields of the input that a decider may change before it is approved. The action then runs
            again from the top with what they made of it, and asks again; `ctx.edits` says what was changed by whom.
        destructive: What it does cannot be undone: no standing grant allows it, people are asked each time.

    Raises:
        ActionError: With every mistake, each with what to change.
    """
    kind = kind_of(ui) if isinstance(ui, str) else None
    if resume is None and kind is not None:
        resume = kind.answer
    left = Left.of(resume, policy)
    known_policy = OPEN if isinstance(policy, FromInput) else policy
    waits = None if isinstance(expires_in, type) else expires_in

    def make(function: Function) -> Action:
        signature = read_signature(function)
        taken, input_mistakes = prepare_type(signature.input_type, "input")
        returned, output_mistakes = prepare_type(signature.output_type, "output")
        answers, answer_mistakes = prepare_answers(resume, resumes or {}, declines, own=left.resume is None)
        terms = term_mistakes(policy=known_policy, expires_in=expires_in, on_expiry=on_expiry, ui=ui)
        mistakes = [
            *name_mistakes(id, name, description, version),
            *signature.mistakes,
            *input_mistakes,
            *output_mistakes,
            *answer_mistakes,
            *terms,
            *(() if terms else ui_mistakes(ui)),
            *expiry_mistakes(expires_in),
            *(
                ()
                if terms or left.policy
                else policy_mistakes(known_policy, answers, taken.json_schema if taken else None, waits)
            ),
            *time_limit_mistakes(time_limit),
            *truth_mistakes(idempotent=idempotent, destructive=destructive),
            *joining_mistakes(joins, known_policy),
            *together_mistakes(known_policy, answers, destructive=destructive),
            *editable_mistakes(
                editable,
                taken.json_schema if taken else None,
                schema_of_input(signature.input_type),
                approval=left.nothing and "" in answers and answers[""].resume.shape.is_approval,
            ),
            *grant_mistakes(
                known_policy,
                answers[""].resume.shape if "" in answers else None,
                taken.json_schema if taken else None,
                destructive=destructive,
            ),
        ]
        settled, default_mistakes = settle_expiry(on_expiry or Expire(), answers.get(""))
        if mistakes or default_mistakes or taken is None or returned is None or known_policy is None:
            raise ActionError(str(id), [*mistakes, *default_mistakes])
        return Action(
            id=id,
            name=name,
            description=description,
            function=function,
            input_type=signature.input_type,
            output_type=signature.output_type,
            policy=known_policy,
            expires_in=waits,
            on_expiry=settled,
            time_limit=time_limit,
            idempotent=idempotent,
            version=version,
            ui=ui,
            joins=joins,
            editable=tuple(editable),
            destructive=destructive,
            _input=taken,
            _output=returned,
            _answers=answers,
            _left=left,
        )

    return make
