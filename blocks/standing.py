"""Where a run stands and why, in a sentence, with what to do where somebody has to."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import assert_never

from actions.kit.policies.quorum import needed
from actions.kit.records.interrupts import Card, Cause, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.running.calls import CallStatus
from blocks.deciding import policy_said
from blocks.life import Life
from blocks.said import Who, Words, joined, said
from blocks.script_lines import line_words
from blocks.settled import advice_for
from blocks.staged import stage_said, votes_so_far
from blocks.voices import agreed, voice_said

PATIENCE = timedelta(minutes=1)
"""How long a wanted card may take before somebody should look."""
TAKEN_UP_WITHIN = timedelta(seconds=10)
SERVE = "See that signoff serve runs with this database, and its log."


@dataclass(frozen=True, slots=True)
class Standing:
    """`why` says where it stands; `fix` what somebody has to do, where it does not go on by itself."""

    why: Words
    fix: Words = ()


def standing(life: Life, now: datetime) -> Standing:
    """Where a run stands at a moment."""
    run = life.run
    hindered = hindrance(life, now)
    match run.status:
        case RunStatus.QUEUED:
            return hindered or Standing(said("It is about to be executed."))
        case RunStatus.RUNNING:
            return hindered or Standing(said(_executes(life)))
        case RunStatus.WAITING:
            return Standing(_waits(life))
        case RunStatus.STALLED | RunStatus.HELD | RunStatus.FAILED:
            return Standing(_stopped(run), said(advice_for(run.status, run.failure)))
        case RunStatus.SUCCEEDED | RunStatus.DECLINED | RunStatus.EXPIRED | RunStatus.CANCELLED:
            return Standing(said(*_ended(life), *((", ", run.ended_at) if run.ended_at else ()), "."))
    assert_never(run.status)


def hindrance(life: Life, now: datetime) -> Standing | None:
    """What keeps a run that is queued or executes from going on; an action that blocks is named with its place."""
    run, last = life.run, life.last
    if run.status is RunStatus.QUEUED:
        late = last is not None and now - last.at > TAKEN_UP_WITHIN
        return Standing(said("No bot has taken it up since ", last.at, "."), said(SERVE)) if late and last else None
    if run.status is not RunStatus.RUNNING:
        return None
    if run.lease_until and run.lease_until < now:
        gone = said(
            "Whoever executed it gave no sign of life since ", run.lease_until, "; a running bot takes it over."
        )
        return Standing(gone, said(SERVE))
    if run.cancel_requested_by:
        return Standing(said(Who(run.cancel_requested_by), " asked to stop it."))
    if last is not None and last.event == "blocked":
        where = str(last.details.get("where", "a place that is not known"))
        return Standing(
            said(run.action_id, " blocks its thread since ", last.at, ", at ", where, "."),
            said("Wait for its time limit, or cancel it."),
        )
    return None


def _executes(life: Life) -> str:
    executing = ", ".join(call.path for call in life.calls if call.status is CallStatus.EXECUTING)
    return f"It executes {executing}." if executing else "It executes."


def _waits(life: Life) -> Words:
    card = life.pending
    if card is None:
        return said("It waits.")
    interrupt = card.interrupt
    behind = interrupt.total - interrupt.position
    rest = f"; {behind} more wait for their turn" if behind else ""
    votes = f"; {len(votes_so_far(card))} of {needed(interrupt.policy)} answers so far" if _is_partly(card) else ""
    stage = f", in {stage_said(interrupt.policy).lower()}" if len(interrupt.policy.stages) > 1 else ""
    at = line_words(interrupt.call_path)
    asks = said("It waits for the answer to “", interrupt.message, "”, asked by ", card.asker_name, at)
    return said(asks, ", from ", policy_said(interrupt.policy, life.run.requester), stage, votes, rest, ".")


def _is_partly(card: Card) -> bool:
    return needed(card.interrupt.policy) > 1


def _stopped(run: RunRecord) -> Words:
    failure, ended = run.failure, said(" at ", run.ended_at) if run.ended_at else ()
    at = failure.call if failure else None
    if run.status is RunStatus.STALLED:
        where = f"the call {at}" if at else "the action itself, after an answer"
        return said("It stalled", ended, f" at {where}. What ended before is replayed, and not done again.")
    if run.status is RunStatus.HELD:
        return said("It is held", f": {failure.message}" if failure else ".")
    why = f": {failure.kind}: {failure.message}" if failure else "."
    by = f" by the call {at}, which alone is tried anew when it is run again" if at else ""
    return said("It failed", ended, by, why)


def _ended(life: Life) -> Words:
    run = life.run
    match run.status:
        case RunStatus.SUCCEEDED:
            marked = said(", as ", Who(run.marked_by), " says") if run.marked_by else ()
            return said("It is done", marked)
        case RunStatus.CANCELLED:
            return said("It was cancelled", *((" by ", Who(run.ended_by)) if run.ended_by else ()))
        case RunStatus.EXPIRED:
            return said("Nobody answered in time", _about(life, InterruptStatus.EXPIRED))
        case _:
            return said(_decliner(life), _about(life, InterruptStatus.DECLINED))


def _about(life: Life, status: InterruptStatus) -> str:
    asked = [card.interrupt.message for card in life.cards if card.interrupt.status is status]
    return f": “{asked[-1]}”" if asked else ""


def _decliner(life: Life) -> Words:
    declined = [card for card in life.cards if card.interrupt.status is InterruptStatus.DECLINED]
    if declined and declined[-1].interrupt.cause is Cause.EXPIRED:
        return said("It counts as declined, as nobody answered in time")
    by = joined(map(voice_said, agreed(declined[-1]))) if declined else ()
    people = by or said(life.run.ended_by and Who(life.run.ended_by))
    return said("It was declined", *((" by ", people) if people else ()))
