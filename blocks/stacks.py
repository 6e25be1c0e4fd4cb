"""Cards that stack up: the same call or question twice in a run at once, or the same request beside another."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from actions.kit.counting import counted
from actions.kit.records.interrupts import InterruptRecord
from actions.kit.running.calls import CallRecord, CallStatus
from actions.kit.running.places import is_within
from blocks.faults import Fault, Trouble
from blocks.life import Life
from blocks.said import Who, joined, said

NAMED = 5
"""Runs that are named."""
ONCE = (
    "Cancel what was meant once: signoff cancel RUN, or /signoff cancel ID. A program that repeats itself gives an "
    "Idempotency-Key."
)


def stacks_up(life: Life) -> Iterator[Fault]:
    """Each with the places or runs that are alike."""
    doubled = list(_same_calls(life))
    for calls in doubled:
        paths = joined((said(call.path) for call in calls), by=" and ")
        seen = said(f"{calls[0].action_id} was called again with the same input while it had not ended: ", paths, ".")
        fix = "Call it once and use its result twice, or give each an input of its own. Each call asks by itself."
        yield Fault(Trouble.SAME_CALL, seen, said(fix))
    under = [call.path for calls in doubled for call in calls]
    yield from _same_questions(life, under)
    if life.same:
        yield _same_requests(life)


def _same_calls(life: Life) -> Iterator[Sequence[CallRecord]]:
    """Calls that ask, of one action with one input, of which a later one began before an earlier one ended."""
    alike: dict[tuple[str, str], list[CallRecord]] = defaultdict(list)
    for call in life.calls:
        if _asks(call, life):
            alike[call.action_id, call.input].append(call)
    for calls in alike.values():
        if any(before.ended_at is None or after.began_at < before.ended_at for before, after in pairwise(calls)):
            yield calls


def _asks(call: CallRecord, life: Life) -> bool:
    if call.status is CallStatus.PAUSED:
        return True
    return any(is_within(card.interrupt.call_path, call.path) for card in life.cards)


def _same_questions(life: Life, told: Iterable[str]) -> Iterator[Fault]:
    """Questions of equal words about equal data, that waited for their turn at the same time."""
    told, alike = tuple(told), dict[tuple[str, str, str], list[InterruptRecord]]()
    for card in life.cards:
        interrupt = card.interrupt
        if interrupt.total > 1 and not any(is_within(interrupt.call_path, path) for path in told):
            alike.setdefault((interrupt.message, interrupt.shown, card.asker_id), []).append(interrupt)
    for found in alike.values():
        if len(found) > 1 and any(each.position > 1 for each in found[1:]):
            seen = said(f"“{found[0].message}” is asked {len(found)} times about the same, side by side.")
            yield Fault(Trouble.SAME_QUESTION, seen, said("Ask once, and use the answer in both places."), found[-1].id)


def _same_requests(life: Life) -> Fault:
    others, left = joined(said(run.id) for run in life.same[:NAMED]), len(life.same) - NAMED
    count = counted(len(life.same), "more request")
    waits = "waits" if len(life.same) == 1 else "wait"
    more = f" and {left} more" if left > 0 else ""
    seen = said(f"{count} of ", Who(life.run.requester), f" with the same input {waits} beside it: ", others, more, ".")
    return Fault(Trouble.SAME_REQUEST, seen, said(ONCE))
