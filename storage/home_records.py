"""What the store is asked and answers about Home tabs: frozen values."""

from dataclasses import dataclass
from datetime import datetime

from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord


@dataclass(frozen=True, slots=True)
class HomeRecord:
    """A Home tab that is due. `view` is JSON text; `shown_digest` and `shown_hash` are of what was published last."""

    person: str
    view: str
    wanted_version: int
    attempts: int
    shown_digest: str | None = None
    shown_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """As much of an interrupt as is needed to say whom it concerns. `approval`: its requester may not decide it.

    `is_answered`: the person in question answered it, or somebody in their place, among others perhaps.
    """

    interrupt_id: str
    action_id: str
    action_name: str
    requester: str
    policy: Policy
    approval: bool
    is_answered: bool = False


@dataclass(frozen=True, slots=True)
class Concern:
    """Questions that may concern a person: open ones, the soonest deadline first, and recent ones, the latest first.

    Recent are those that were settled, and those that the person answered, also where a later stage asks them again.
    `is_cut`: more are open than were looked at.
    """

    open: tuple[Question, ...]
    recent: tuple[Question, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A run that a person asked for, the question that it asked last, and when those who must act on it were nudged."""

    run: RunRecord
    card: Card | None
    nudged_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What a Home tab shows, in full: the cards that were asked for in their order, and the runs of its person."""

    cards: tuple[Card, ...]
    asked: tuple[Asked, ...]
    asked_open: int
