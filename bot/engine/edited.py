"""An edit leads to a new question, never past it: a run that was edited and asked nobody since is for people to look at."""

from collections.abc import Iterable

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.records.runs import Failure

UNASKED = Failure(
    kind="edited_unasked",
    message="It was edited while it waited for an approval, and then it returned without asking for one.",
    advice="Look at what it did, then say whether it happened. An action with editable fields has to ask whatever they say.",
)


def is_approved(cards: Iterable[Card]) -> bool:
    """Whether somebody, or a stated default, approved what the last edit made of a run. `cards` are all its questions."""
    return any(
        card.interrupt.asker is None
        and card.interrupt.shape.is_approval
        and card.interrupt.status is InterruptStatus.ANSWERED
        for card in cards
        if len(card.edits) == len(card.run.edits)
    )
