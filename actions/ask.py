"""Put a question to people for a program in any language: the question, who decides and what they may answer are its input.

What to look at: nothing about the answer is known when this file is written. `FromInput` takes both the shape of the
answer and the policy from the input, so they are checked before the run starts, and found again after a restart.
"""

from datetime import timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    Field,
    JsonValue,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)

from actions import (
    ActionInterrupt,
    Channel,
    ChannelMembers,
    Context,
    DirectMessage,
    FromInput,
    Person,
    Policy,
    Requester,
    action,
)
from actions.kit.cards import kind_of
from actions.kit.errors import AnswerError, ShapeError
from actions.kit.shapes.json_text import to_json_text
from actions.kit.shapes.outside import refuse_hostile

REQUESTER = "requester"
LONGEST = timedelta(days=365)
OWN_ANSWERS = "must be left out: a kind of card has its own answers"


def decider_of(who: str) -> Person | Requester | ChannelMembers:
    """A decider as the input names them. Raises `ValueError` for what names nobody."""
    if who == REQUESTER:
        return Requester()
    return ChannelMembers(who) if _is_channel(who) else Person(who)


def place_of(where: str) -> Channel | DirectMessage:
    """A place as the input names it. Raises `ValueError` for what names none."""
    return Channel(where) if _is_channel(where) else DirectMessage(Person(where))


def _is_channel(text: str) -> bool:
    return text.startswith(("#", "C", "G")) and "@" not in text


def _named(what: str, text: str) -> str:
    """The text, if it names a decider or a place; else what it should have been."""
    try:
        decider_of(text) if what == "decider" else place_of(text)
    except ValueError:
        raise ValueError(EXPECTED[what]) from None
    return text


NAMES = "a person (a Slack id such as U012ABCDEF, or an e-mail) or a channel such as #approvals"
EXPECTED = {"decider": f"must be {NAMES}, or {REQUESTER!r}", "place": f"must be {NAMES}"}
DeciderName = Annotated[str, AfterValidator(lambda text: _named("decider", text))]
PlaceName = Annotated[str, AfterValidator(lambda text: _named("place", text))]
Wait = Annotated[
    timedelta,
    Field(gt=timedelta(), le=LONGEST),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "title": "Seconds", "exclusiveMinimum": 0},
                {"type": "string", "title": "Duration", "format": "duration"},
            ]
        }
    ),
]


class Ask(BaseModel):
    """A question, and everything about it."""

    message: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1, max_length=3000, description="The question"
    )
    ui: str | None = Field(
        default=None, max_length=64, description="The kind of card, with whose answers it is answered; else any card"
    )
    data: JsonValue = Field(
        default=None,
        validate_default=True,
        description="What those who decide must see: any JSON, or what the kind shows",
    )
    answer: dict[str, JsonValue] | None = Field(
        default=None, description="The JSON Schema of the answer; without it: approve, or reject with a reason"
    )
    deciders: list[DeciderName] = Field(
        min_length=1, max_length=50, description="People (Slack ids, e-mails), channels (#name), or 'requester'"
    )
    show: list[PlaceName] = Field(
        default=[], max_length=20, description="Where it is shown: channels or people; else where the deciders are"
    )
    quorum: int = Field(default=1, ge=1, description="How many must agree")
    expires_in: Wait = Field(
        default=timedelta(days=1), description="Seconds, or an ISO 8601 duration such as PT4H, from when it is shown"
    )

    @field_validator("data")
    @classmethod
    def _is_of_its_kind(cls, data: JsonValue, known: ValidationInfo) -> JsonValue:
        kind, shown = kind_of(known.data.get("ui")), to_json_text({} if data is None else data, what="data")
        try:
            if kind is not None:
                kind.check(shown)
                kind.resume.as_shown(shown)
        except (AnswerError, ShapeError) as error:
            raise ValueError(f"cannot be shown on a card of this kind: {error}") from None
        return data

    @field_validator("answer")
    @classmethod
    def _is_quick_to_check(cls, schema: dict[str, Any] | None, known: ValidationInfo) -> dict[str, Any] | None:
        refuse_hostile(schema)
        if schema is not None and kind_of(known.data.get("ui")) is not None:
            raise ValueError(OWN_ANSWERS)
        return schema

    @property
    def answers(self) -> Any:
        """The type of the answer: that of the kind of card, else as it was given."""
        kind = kind_of(self.ui)
        return self.answer if kind is None else kind.answer

    @property
    def policy(self) -> Policy:
        """Nobody answers their own question, unless it says so; then never where the answer is an approval."""
        return Policy(
            deciders=tuple(map(decider_of, self.deciders)),
            show=tuple(map(place_of, self.show)),
            quorum=self.quorum,
            requester_excluded=REQUESTER not in self.deciders,
        )


class Answered(BaseModel):
    """The validated answer: the key of the choice, its value, and the Slack ids of those who gave it."""

    choice: str
    value: JsonValue
    decided_by: list[str]


@action(
    id="ask",
    name="Ask",
    description="Puts a question to people, and hands their answer to whoever asked.",
    resume=FromInput(lambda asked: asked.answers, "answer"),
    policy=FromInput(lambda asked: asked.policy, "deciders"),
    idempotent=True,
)
async def ask(input: Ask, ctx: Context) -> Answered:
    if ctx.resumption is None:
        shown = {} if input.data is None else input.data
        raise ActionInterrupt(input.message, data=shown, ui=input.ui, expires_in=input.expires_in)

    answer = ctx.resumption
    agreed = [decision.who for decision in answer.decisions if decision.what == answer.choice]
    value = answer.data.model_dump(mode="json") if isinstance(answer.data, BaseModel) else answer.data
    return Answered(choice=answer.choice or "", value=value, decided_by=agreed)
