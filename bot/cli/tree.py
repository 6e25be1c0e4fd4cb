"""Draws what a run called and asked as a tree: where each stands, when, and what the run waits for or stalled at."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from actions.kit.calls import CallRecord, CallStatus
from actions.kit.records import Card, InterruptStatus, RunRecord, RunStatus
from blocks.states import RUN_STATES, interrupt_state
from bot.cli.show import moment, safe

SIGNS = {
    CallStatus.EXECUTING: "⏳",
    CallStatus.PAUSED: "🕐",
    CallStatus.AGAIN: "🔁",
    CallStatus.FINISHED: "✅",
    CallStatus.FAILED: "⚠️",
    CallStatus.DECLINED: "🚫",
    CallStatus.EXPIRED: "⌛",
}
WORDS = {
    CallStatus.PAUSED: "waits for an answer",
    CallStatus.AGAIN: "is executed again when the run goes on",
}


@dataclass(slots=True)
class Branch:
    """A place in a run, with what stands below it, in the order in which it came."""

    line: str
    below: dict[str, "Branch"] = field(default_factory=dict)
    questions: list[str] = field(default_factory=list)


def tree_lines(run: RunRecord, calls: Sequence[CallRecord], cards: Sequence[Card]) -> Iterator[str]:
    """None where the run called nothing and asked nothing but by itself."""
    if not calls and not any(card.interrupt.call_path for card in cards):
        return
    root = Branch(f"{safe(run.action_name)}  {RUN_STATES[run.status].emoji} {run.status}")
    for call in calls:
        _place(root, call.path).line = _call_line(call, run)
    called = {call.path for call in calls}
    for card in cards:
        path = card.interrupt.call_path
        if path and path not in called:
            _place(root, path).line = f"{safe(path.rpartition('/')[2])}  {_asked(card)}"
        else:
            _place(root, path).questions.append(_asked(card))
    yield root.line
    yield from _below(root, "")
    yield from _why(run, calls, cards)


def _place(root: Branch, path: str) -> Branch:
    """The branch of a path; a place in between that left no row stands there by its name."""
    here = root
    for part in path.split("/") if path else ():
        here = here.below.setdefault(part, Branch(safe(part)))
    return here


def _below(branch: Branch, indent: str) -> Iterator[str]:
    own = [Branch(line) for line in branch.questions]
    rest = [*own, *branch.below.values()]
    for number, each in enumerate(rest, start=1):
        is_last = number == len(rest)
        yield f"{indent}{'└─' if is_last else '├─'} {each.line}"
        yield from _below(each, f"{indent}{'   ' if is_last else '│  '}")


def _call_line(call: CallRecord, run: RunRecord) -> str:
    name = call.path.rpartition("/")[2]
    title = safe(name) if name == call.action_id else f"{safe(name)} ({safe(call.action_id)})"
    times = f", executed {call.executions} times" if call.executions > 1 else ""
    return f"{title}  {SIGNS[call.status]} {_call_words(call, run)}{times}"


def _call_words(call: CallRecord, run: RunRecord) -> str:
    if call.status is CallStatus.EXECUTING:
        doubt = ", and nobody knows whether it happened" if run.status is RunStatus.STALLED else ""
        return f"executing since {moment(call.began_at)}{doubt}"
    if call.status in WORDS:
        return WORDS[call.status]
    marked = f", marked by {safe(call.marked_by)}" if call.marked_by else ""
    why = f": {safe(call.failure.message)}" if call.failure and call.status is CallStatus.FAILED else ""
    return f"{call.status}, {moment(call.began_at)} to {moment(call.ended_at)}{marked}{why}"


def _asked(card: Card) -> str:
    interrupt = card.interrupt
    turn = f" ({interrupt.position} of {interrupt.total})" if interrupt.total > 1 else ""
    by = ", ".join(decision.person for decision in card.decisions if decision.choice == interrupt.choice)
    who = f" by {safe(by)}" if by else ""
    when = moment(interrupt.settled_at or interrupt.posted_at or interrupt.created_at)
    return f"“{safe(interrupt.message)}”{turn}  {safe(str(interrupt_state(card)))}{who}, {when}"


def _why(run: RunRecord, calls: Sequence[CallRecord], cards: Sequence[Card]) -> Iterator[str]:
    """Where the run stands, in a sentence."""
    waiting = [card for card in cards if card.interrupt.status is InterruptStatus.PENDING]
    executing = [call for call in calls if call.status is CallStatus.EXECUTING]
    if run.status is RunStatus.WAITING and waiting:
        interrupt = waiting[0].interrupt
        asker = interrupt.asker.action_name if interrupt.asker else run.action_name
        behind = interrupt.total - interrupt.position
        rest = f"; {behind} more wait for their turn" if behind else ""
        yield f"It waits for the answer to “{safe(interrupt.message)}”, asked by {safe(asker)}{rest}."
    elif run.status is RunStatus.STALLED:
        at = run.failure.call if run.failure else None
        where = f"the call {safe(at)}" if at else "the action itself, after an answer"
        yield f"It stalled at {where}. What ended before is replayed, and not done again."
    elif run.failure is not None and run.failure.call:
        yield f"It failed by the call {safe(run.failure.call)}. Run again, only that is tried anew."
    elif run.status is RunStatus.RUNNING and executing:
        yield f"It executes {', '.join(safe(call.path) for call in executing)}."
