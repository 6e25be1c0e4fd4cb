"""What comes from our forms, parsed: a submission, a click inside one, a question for options. Nothing here raises.

What a form carries must be exactly what we put there, and even then is no authority: the draft has to belong to the
person, the interrupt or the action is looked up again, and what is asked comes from the store.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from pydantic import ValidationError

from actions.kit.records.interrupts import Draft
from blocks.acts import ActVerb
from blocks.junk import Other, is_view_of, other, unreadable, why
from blocks.payloads import (
    ActingForm,
    AnswerForm,
    BlockActions,
    BlockSuggestion,
    Opened,
    Pressed,
    StartForm,
    ViewSubmission,
    strict_json,
)

OUR_VIEWS = ("answer", "start", "act")
"""The `callback_id`s of our forms."""

MARK = re.compile(r"([0-9a-f]{1,64}):([0-9]{1,3})")
TYPED = 200
"""So much of what is typed into a searchable select is looked at."""

Values = Mapping[str, Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class AnswerTarget:
    """The modal answers this choice of this interrupt; with an empty `choice_key` it asked which choice."""

    interrupt_id: str
    content_version: int
    choice_key: str


@dataclass(frozen=True, slots=True)
class StartTarget:
    """The modal is the input of a new run. `nonce` is new for each opened form, so that one form starts one run."""

    action_id: str
    channel: str | None
    nonce: str


@dataclass(frozen=True, slots=True)
class ActTarget:
    """The modal is what an act on this interrupt asks for before it is done."""

    verb: ActVerb
    interrupt_id: str
    content_version: int


Target = AnswerTarget | StartTarget | ActTarget


@dataclass(frozen=True, slots=True)
class Mark:
    """Which draft a view shows, and which step of it: what a redrawn form carries. The draft itself may be further by now."""

    draft_id: str
    step: int

    @classmethod
    def of(cls, draft_id: str, draft: Draft) -> Self:
        return cls(draft_id, draft.step)

    @classmethod
    def parse(cls, text: str | None) -> Self | None:
        """Raises ValueError where `text` is no mark."""
        if text is None:
            return None
        if (found := MARK.fullmatch(text)) is None:
            raise ValueError("no mark of a draft")
        return cls(found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.draft_id}:{self.step}"


@dataclass(frozen=True, slots=True)
class Submission:
    """A person submitted a modal. `values` is Slack's `state.values`: by block id, then by action id.

    `source` stays the same for the same content of the same view, so that a redelivery is told from a corrected form.
    """

    target: Target
    values: Values
    person: str
    view_id: str
    trigger_id: str
    source: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class FormClick:
    """A person pressed or chose something that redraws their form. `values` is what stood in the form at that moment.

    `source` stays the same when Slack delivers this very click again, and differs for the next one.
    """

    target: Target
    mark: Mark
    action_id: str
    value: str | None
    values: Values
    person: str
    view_id: str
    view_hash: str
    source: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A person types into a searchable select of a form and waits for options."""

    target: Target
    block_id: str
    typed: str
    person: str


def parse_submission(payload: Any) -> Submission | Other:
    """A `view_submission` payload of one of our forms."""
    try:
        sent = ViewSubmission.model_validate(payload)
    except ValidationError as error:
        return unreadable(payload, error, ours=is_view_of(payload, OUR_VIEWS))
    view = sent.view
    if view.callback_id not in OUR_VIEWS:
        return other(sent, "not a view of ours", ours=False)
    try:
        target, mark = _carried(view)
        source = f"view:{view.id}:{view.hash}:{_digest(view.values)}"
    except (ValueError, RecursionError) as error:
        return other(sent, f"a view that carries nonsense: {why(error)}", ours=True)
    return Submission(target, view.values, sent.user.id, view.id, sent.trigger_id, source, mark)


def form_click(sent: BlockActions, pressed: Pressed) -> FormClick:
    """What was pressed in a form. Raises ValueError where it is not in one, or the form has no draft."""
    view = sent.view
    if view is None or view.hash is None or view.callback_id not in OUR_VIEWS:
        raise ValueError("outside of a form")
    target, mark = _carried(view)
    if mark is None:
        raise ValueError("a form without a draft")
    return FormClick(
        target=target,
        mark=mark,
        action_id=pressed.action_id,
        value=pressed.chosen,
        values=view.values,
        person=sent.user.id,
        view_id=view.id,
        view_hash=view.hash,
        source=f"click:{pressed.action_ts}:{sent.user.id}",
    )


def parse_suggestion(payload: Any) -> Suggestion | Other:
    """A `block_suggestion` payload from one of our forms (docs.slack.dev, block_suggestion payload)."""
    try:
        sent = BlockSuggestion.model_validate(payload)
    except ValidationError as error:
        return unreadable(payload, error, ours=is_view_of(payload, OUR_VIEWS))
    view = sent.view
    if view is None or view.callback_id not in OUR_VIEWS:
        return other(sent, "not a select of ours", ours=False)
    try:
        target, _ = _carried(view)
    except (ValueError, RecursionError) as error:
        return other(sent, f"a select in a view that carries nonsense: {why(error)}", ours=True)
    return Suggestion(target, sent.block_id, sent.value[:TYPED], sent.user.id)


def _carried(view: Opened) -> tuple[Target, Mark | None]:
    """What we put into a form. Raises ValueError or RecursionError for anything else."""
    carried = strict_json(view.private_metadata)
    if view.callback_id == "start":
        start = StartForm.model_validate(carried)
        return StartTarget(start.action, start.channel, start.nonce), Mark.parse(start.draft)
    if view.callback_id == "act":
        act = ActingForm.model_validate(carried)
        return ActTarget(act.act, act.interrupt, act.version), Mark.parse(act.draft)
    answer = AnswerForm.model_validate(carried)
    return AnswerTarget(answer.interrupt, answer.version, answer.choice), Mark.parse(answer.draft)


def _digest(values: Values) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]
