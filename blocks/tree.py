"""What a run called and asked, as a tree: where each stands, when, for whom it waits and how it was answered."""

import json
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from actions.kit.policies.policy import Channel, DirectMessage
from actions.kit.policies.quorum import needed
from actions.kit.records.copies import CopyRecord
from actions.kit.records.interrupts import Card, DecisionRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from actions.kit.running.calls import CallRecord, CallStatus
from actions.kit.running.places import is_within
from blocks.deciding import policy_said
from blocks.expected import expected_words
from blocks.life import Life
from blocks.model_turns import turn_of, turn_told
from blocks.people import deadline_said
from blocks.refused import refused_said
from blocks.said import Where, Who, Words, joined, said
from blocks.script_lines import line_text
from blocks.states import RUN_STATES, chosen_choice, interrupt_state
from blocks.text import clip, one_line
from blocks.undelivered import undelivered_words
from blocks.voices import agreed, voice_said

VALUE = 200
"""Characters of an answer or a result that a line has room for."""

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
    """A place in a run: its line, what is told of it beneath, and what stands below it, in the order in which it came."""

    words: Words
    told: list[Words] = field(default_factory=list)
    places: dict[str, "Branch"] = field(default_factory=dict)
    questions: list["Branch"] = field(default_factory=list)

    @property
    def below(self) -> list["Branch"]:
        return [*self.questions, *self.places.values()]


def tree_of(life: Life, *, values: bool) -> Branch | None:
    """`None` where the run called nothing and asked nothing.

    `values`: with what calls returned and what people answered, which not everybody who may see a run was shown.
    """
    if not life.calls and not life.cards:
        return None
    root = Branch(said(one_line(life.run.action_name), "  ", _run_words(life)))
    for path in _in_order(life):
        _place(root, path)
    for call in life.calls:
        here = _place(root, call.path)
        here.words, here.told = _call_words(call, life), list(_call_told(call, life, values=values))
    by_path = defaultdict[str, list[Card]](list)
    for card in life.cards:
        by_path[card.interrupt.call_path].append(card)
    alone = set(by_path) - {"", *(call.path for call in life.calls)}
    for path, cards in by_path.items():
        told = [(_question_words(card), list(_question_told(card, life, values=values))) for card in cards]
        _put(_place(root, path), told, name=path.rpartition("/")[2] if path in alone and len(cards) == 1 else None)
    return root


def _in_order(life: Life) -> Iterator[str]:
    """The places as they came. A call that was executed again tells when it last was; what it asked first came before."""
    asked = deque((card.interrupt.created_at, card.interrupt.call_path) for card in life.cards)
    for call in life.calls:
        while asked and asked[0][0] < _known_since(call, life):
            yield asked.popleft()[1]
        yield call.path
    yield from (path for _, path in asked)


def _known_since(call: CallRecord, life: Life) -> datetime:
    own = (card.interrupt for card in life.cards if f"{card.interrupt.call_path}/".startswith(f"{call.path}/"))
    return min((call.began_at, *(each.created_at for each in own)))


def _put(here: Branch, questions: Sequence[tuple[Words, list[Words]]], *, name: str | None) -> None:
    """Questions stand below the place that asks; one that is nothing but a question, by its `name`, is that place."""
    if name is not None:
        here.words, here.told = said(name, "  ", questions[0][0]), questions[0][1]
    else:
        here.questions += [Branch(words, told) for words, told in questions]


def _run_words(life: Life) -> Words:
    return said(f"{RUN_STATES[life.run.status].emoji} {life.run.status}")


def _place(root: Branch, path: str) -> Branch:
    """The branch of a path; a place in between that left no row stands there by its name."""
    here = root
    for part in path.split("/") if path else ():
        here = here.places.setdefault(part, Branch(said(part)))
    return here


def _call_words(call: CallRecord, life: Life) -> Words:
    name = call.path.rpartition("/")[2]
    title = name if name == call.action_id else f"{name} ({call.action_id})"
    passes = f", in {call.executions} passes" if call.executions > 1 else ""
    return said(title, f"  {SIGNS[call.status]} ", _call_state(call, life), passes)


def _call_state(call: CallRecord, life: Life) -> Words:
    if call.status is CallStatus.EXECUTING:
        doubt = ", and nobody knows whether it happened" if life.run.status is RunStatus.STALLED else ""
        return said("executing since ", call.began_at, doubt)
    if call.status is CallStatus.PAUSED and _is_behind(call, life):
        return said("waits for its turn")
    if call.status in WORDS:
        return said(WORDS[call.status])
    marked = said(", marked by ", Who(call.marked_by)) if call.marked_by else ()
    ended = said(" to ", call.ended_at) if call.ended_at else ()
    return said(call.status.value, ", ", call.began_at, ended, marked)


def _is_behind(call: CallRecord, life: Life) -> bool:
    """Whether people are asked something else first."""
    asked = life.pending.interrupt.call_path if life.pending else call.path
    return not is_within(asked, call.path)


def _call_told(call: CallRecord, life: Life, *, values: bool) -> Iterator[Words]:
    if values and (line := line_text(call, life)):
        yield said("in: ", clip(line, VALUE))
    if turn := turn_of(call):
        yield from turn_told(turn, values=values)
    elif values and call.status is CallStatus.FINISHED and call.output not in {None, "null"}:
        yield said("returned ", _brief(call.output or ""))
    if call.failure and call.status is CallStatus.FAILED:
        yield said(f"{call.failure.kind}: {call.failure.message}")
        if call.failure.advice:
            yield said("→ ", call.failure.advice)


def _question_words(card: Card) -> Words:
    interrupt = card.interrupt
    turn = f" ({interrupt.position} of {interrupt.total})" if interrupt.total > 1 else ""
    by = joined(map(voice_said, agreed(card))) or said(interrupt.settled_by and Who(interrupt.settled_by))
    when = interrupt.settled_at or interrupt.posted_at or interrupt.created_at
    who = said(" by ", by) if by else ()
    return said("“", interrupt.message, "”", turn, "  ", str(interrupt_state(card)), who, ", ", when)


def _question_told(card: Card, life: Life, *, values: bool) -> Iterator[Words]:
    interrupt = card.interrupt
    deciders = policy_said(interrupt.policy, card.run.requester)
    if [each.interrupt.message for each in life.cards].count(interrupt.message) > 1:
        yield said("about ", _brief(interrupt.shown))
    if interrupt.status is InterruptStatus.PENDING:
        yield said("waits for ", deciders, ", ", deadline_said(card))
        yield said("expects ", expected_words(interrupt.shape))
        kind = f" of the kind {interrupt.ui}" if interrupt.ui else ""
        yield from (said(f"card{kind} ", _copy_words(copy)) for copy in life.cards_in_slack(interrupt))
    else:
        yield said("asked of ", deciders, ", ", interrupt.posted_at or interrupt.created_at)
        yield from _answer(card, values=values)
    yield from (_vote(each, values=values) for each in card.decisions if each.note or not _settles_alone(card))
    yield from map(refused_said, life.refused(interrupt))
    if interrupt.asked_again_because:
        yield said("asked again: ", interrupt.asked_again_because)


def _answer(card: Card, *, values: bool) -> Iterator[Words]:
    """The choice and its value, where that says more than the choice."""
    choice, value = chosen_choice(card), card.interrupt.answer
    if values and choice is not None and value is not None and choice.has_form:
        yield said(f"answered “{choice.key}” with ", _brief(value))
    elif choice is not None:
        yield said(f"answered “{choice.key}”")


def _settles_alone(card: Card) -> bool:
    policy = card.interrupt.policy
    is_one = needed(policy) == 1 and len(policy.stages) <= 1
    return is_one and card.interrupt.status is not InterruptStatus.PENDING


def _vote(decision: DecisionRecord, *, values: bool) -> Words:
    note = f", who says: {one_line(decision.note)}" if decision.note and values else ""
    return said(decision.choice, ", by ", voice_said(decision), note, ", ", decision.at)


def _copy_words(copy: CopyRecord) -> Words:
    at = _place_words(copy)
    instead = " directly, as it could not stand where it belongs" if copy.fallback else ""
    match copy.status:
        case "posted":
            behind = "" if copy.shown_version >= copy.wanted_version else ", and is being redrawn"
            return said("stands ", at, instead, behind)
        case "wanted":
            tried = f": {undelivered_words(copy.error)}" if copy.error else ""
            return said("is to be posted ", at, instead, tried)
        case "gone":
            return said("was deleted ", at)
        case "failed":
            return said("could not be posted ", at, f": {undelivered_words(copy.error or '')}")


def _place_words(copy: CopyRecord) -> Words:
    match copy.place:
        case Channel(channel=channel):
            return said("in ", Where(channel))
        case DirectMessage(person=person) if person:
            return said("with ", Who(person.id or person.email or "somebody"))
        case _:
            return said("with the deciders")


def _brief(text: str) -> str:
    """JSON text in a line."""
    return clip(one_line(json.dumps(json.loads(text), ensure_ascii=False)), VALUE)
