"""What goes over the wire. `/openapi.json` is made from these, so that it cannot say anything else."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints

from actions.kit.policies.granted import GrantStatus
from actions.kit.policies.remarks import RemarkKind
from actions.kit.records.interrupts import Cause, InterruptStatus
from actions.kit.records.runs import RunStatus
from bot.api.limits import LONGEST_WAIT, PAGE

RUN_ID = r"^[0-9a-z]{18}$"
INTERRUPT_ID = r"^[0-9a-z]{18}\.[0-9]{1,6}$"
RunId = Annotated[str, StringConstraints(pattern=RUN_ID)]
GrantId = RunId
InterruptId = Annotated[str, StringConstraints(pattern=INTERRUPT_ID)]
ActionId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
PersonId = Annotated[str, StringConstraints(pattern=r"^[UW][A-Z0-9]{2,30}$")]


def _without_default(schema: dict[str, Any]) -> None:
    """Left out is not the same as null."""
    schema.pop("default", None)


class Given(BaseModel):
    """What a caller sends: unknown keys are refused by name, and a text is not taken for a number."""

    model_config = ConfigDict(extra="forbid")


class WebhookRequest(Given):
    """Where the events of one run are told."""

    url: str = Field(description="It begins with https://", examples=["https://ci.example.com/signoff"])
    secret: str | None = Field(
        None,
        min_length=16,
        max_length=200,
        pattern=r"^[!-~]*$",
        repr=False,
        description="What signs the deliveries. Left out: one is made, and shown once",
    )


class RunRequest(Given):
    """Asks for a run of an action."""

    action: str = Field(description="The action's id", examples=["ask"])
    input: JsonValue = Field(description="Its input, which fits the action's `input_schema`")
    webhook: WebhookRequest | None = Field(None, description="Is told of this run alone")


class AnswerRequest(Given):
    """An answer: always a choice, and a value where the choice asks for one."""

    choice: str = Field(description="The key of one of the choices", examples=["approve"])
    value: JsonValue = Field(
        None,
        description="The value, which fits the choice's `schema`. A choice without a form has one value, which may be left out",
        json_schema_extra=_without_default,
    )
    content_version: int | None = Field(
        None, strict=True, description="Refuse if the question is not the one that was seen"
    )


class RunQuery(Given):
    wait: int = Field(0, ge=0, le=LONGEST_WAIT, description="Seconds to wait for a change of a run that has not ended")


class RunsQuery(Given):
    status: list[RunStatus] = Field([], description="Only runs in this state; may be given several times")
    action: ActionId | None = Field(None, description="Only runs of this action")
    requester: PersonId | None = Field(
        None, description="Only runs of this person; operators alone see those of others"
    )
    limit: int = Field(20, ge=1, le=PAGE)
    cursor: RunId | None = Field(None, description="The `next` of the page before")


class InterruptsQuery(Given):
    action: ActionId | None = Field(None, description="Only questions of this action")
    limit: int = Field(20, ge=1, le=PAGE)
    cursor: InterruptId | None = Field(None, description="The `next` of the page before")


class GrantsQuery(Given):
    action: ActionId | None = Field(None, description="Only grants for this action")
    limit: int = Field(20, ge=1, le=PAGE)
    cursor: GrantId | None = Field(None, description="The `next` of the page before")


class Shown(BaseModel):
    """What a caller gets."""

    model_config = ConfigDict(serialize_by_alias=True)


class ChoiceShown(Shown):
    key: str
    title: str
    description: str | None
    json_schema: dict[str, JsonValue] = Field(serialization_alias="schema", description="The JSON Schema of its value")
    has_form: bool = Field(description="Whether it needs a value")
    value: JsonValue = Field(description="Its only value, where it has no form")
    declines: bool = Field(description="Whether choosing it ends what asked as declined: the run, or a call in it")


class DecisionShown(Shown):
    """An answer. `standing_for` is who was away, where it was given in somebody's place."""

    person: str
    standing_for: str | None
    choice: str
    value: JsonValue
    note: str | None
    at: datetime


class BrokenGlassShown(Shown):
    """Somebody approved it alone in an emergency; `review` is the run in which others look at that afterwards."""

    by: str | None
    reason: str
    review: str


class InterruptShown(Shown):
    """A question. The action's own state is never part of it."""

    id: str
    run: str
    action: str
    asked_by: str = Field(description="The action that asks: the run's own, or one that it called")
    call_path: str = Field(description="Where in the run it is asked; empty where its own action paused")
    position: int = Field(description="Which of `total` questions it is, that wait for their turn")
    total: int
    message: str
    ui: str | None = Field(description="The kind of card, where it has one; `signoff cards --json` lists them")
    data: JsonValue = Field(description="What those who decide see")
    choices: list[ChoiceShown]
    deciders: list[str] = Field(
        description="People (Slack ids, e-mails), channels, `@groups`, `on call: ROTA`, `manager of …`, or `requester`"
    )
    quorum: int = Field(description="How many must agree in the stage that is asked")
    stage: int = Field(description="The stage that is asked, from 1")
    stages: int = Field(description="How many stages apply")
    policy_words: str = Field(description="Who decides the stage that is asked, in words")
    status: InterruptStatus
    content_version: int
    created_at: datetime
    posted_at: datetime | None
    expires_at: datetime | None
    clock_paused_at: datetime | None = Field(description="Since when its time stands still; it then expires later")
    undeliverable: str | None = Field(description="Slack's reason, where nobody could be shown it")
    settled_at: datetime | None
    settled_by: str | None
    cause: Cause | None
    grant: str | None = Field(description="The standing grant that settled it, by the id of the run that asked for it")
    broken_glass: BrokenGlassShown | None = Field(description="Who approved it alone, where somebody broke the glass")
    choice: str | None
    answer: JsonValue
    decisions: list[DecisionShown]


class PendingShown(InterruptShown):
    may_answer: bool = Field(description="Whether the token's person may answer it now")


class FailureShown(Shown):
    kind: str
    message: str
    advice: str | None
    call: str | None = Field(description="The path of the called action that it comes from, if so")


class EditShown(Shown):
    """A field of the input that a decider changed before it was approved; null where it was not there."""

    field: str
    before: JsonValue
    after: JsonValue
    person: str
    standing_for: str | None = Field(description="In whose place, where that person was away")
    at: datetime


class RemarkShown(Shown):
    """Something that was said about a run, in Slack: a decider's question, a requester's reply, a comment. It decides nothing."""

    kind: RemarkKind
    person: str
    text: str
    at: datetime


class RunSummary(Shown):
    id: str
    action: str
    action_name: str
    status: RunStatus
    requester: str
    joined_by: list[str] = Field(description="Who asked for the same while it was open, and shares it")
    withdrawn_by: list[str] = Field(description="Who took back that they asked, while others still do")
    via: str
    input: JsonValue
    edits: list[EditShown] = Field(description="What deciders changed in `input`, in its order")
    remarks: list[RemarkShown] = Field(description="What people said about it, in its order")
    output: JsonValue
    failure: FailureShown | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    ended_by: str | None
    marked_by: str | None
    cancel_requested_by: str | None


class RunShown(RunSummary):
    """A run with its questions, in the order in which they were asked."""

    interrupts: list[InterruptShown]


class RunStarted(RunShown):
    """A run that this very request started."""

    webhook_secret: str | None = Field(
        repr=False, description="What signs the webhook's deliveries, where it was made here; never shown again"
    )


class RunFound(RunStarted):
    """A run that an earlier request with this key had started, or joined; or that an equal request had, which is shared now."""

    joined: bool = Field(description="Whether this request shares a run that an equal one had started")


class RunsShown(Shown):
    runs: list[RunSummary]
    next: str | None = Field(description="The `cursor` of the next page; null on the last")


class InterruptsShown(Shown):
    interrupts: list[PendingShown]
    next: str | None = Field(description="The `cursor` of the next page; null on the last")


class GrantShown(Shown):
    """A standing grant. Its id is that of the run that asked for it."""

    id: str
    action: str = Field(description="What it allows, by the action's id")
    action_name: str
    where: dict[str, str] = Field(description="The pattern that each of these fields of the input must fit")
    status: GrantStatus
    holder: str
    approved_by: list[str]
    times: int
    used: int
    granted_at: datetime
    until: datetime
    revoked_at: datetime | None
    revoked_by: str | None


class GrantsShown(Shown):
    grants: list[GrantShown]
    next: str | None = Field(description="The `cursor` of the next page; null on the last")


class ActionShown(Shown):
    """`answers` holds the choices by the name of the resume type; the action's own has an empty name."""

    id: str
    name: str
    description: str
    input_schema: dict[str, JsonValue]
    answers: dict[str, list[ChoiceShown]]
    answers_from: str | None = Field(description="The field of the input that says what can be answered, if so")
    deciders: list[str]
    deciders_from: str | None = Field(description="The field of the input that says who decides, if so")
    quorum: int
    policy_words: str | None = Field(description="Who decides, stage by stage, in words")
    expires_in_seconds: float | None = Field(description="null: never")


class ActionsShown(Shown):
    actions: list[ActionShown]
