"""A run with everything that belongs to it, as it is told to people: what they need to find out why it stands where it does."""

from dataclasses import dataclass

from actions.kit.records.audit import ANSWER_REFUSED, BESIDE_THE_RUN, AuditRecord
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallRecord


@dataclass(frozen=True, slots=True)
class Missing:
    """What a waiting question needs, and the code at hand does not have (any more).

    `action` is the id of an action that is not there, `answer` says that the action is there and has no such question.
    `ui` is a kind of card that nobody registered, `similar` a registered one that is spelt nearly so.
    """

    action: str | None = None
    answer: bool = False
    ui: str | None = None
    similar: str | None = None


NOTHING = Missing()


@dataclass(frozen=True, slots=True)
class Life:
    """Questions, calls and messages in the order in which they came; `same` are equal requests that wait beside it."""

    run: RunRecord
    cards: tuple[Card, ...] = ()
    trail: tuple[AuditRecord, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    copies: tuple[CopyRecord, ...] = ()
    same: tuple[RunRecord, ...] = ()
    missing: Missing = NOTHING

    @property
    def pending(self) -> Card | None:
        """The question that people are asked now."""
        waits = self.run.status is RunStatus.WAITING
        open_ones = (card for card in self.cards if card.interrupt.status is InterruptStatus.PENDING)
        return next(open_ones, None) if waits else None

    @property
    def last(self) -> AuditRecord | None:
        """What happened to it last; that somebody tried to answer, or that a message was posted, is nothing that happened."""
        return next((entry for entry in reversed(self.trail) if entry.event not in BESIDE_THE_RUN), None)

    def cards_in_slack(self, interrupt: InterruptRecord) -> tuple[CopyRecord, ...]:
        """The messages that show a question, or were to show it."""
        return tuple(copy for copy in self.copies if copy.interrupt_id == interrupt.id and copy.kind is CopyKind.CARD)

    def refused(self, interrupt: InterruptRecord) -> tuple[AuditRecord, ...]:
        """The answers to a question that did not count, as far as they were noted."""
        found = (entry for entry in self.trail if entry.event == ANSWER_REFUSED)
        return tuple(entry for entry in found if entry.interrupt_id == interrupt.id)
