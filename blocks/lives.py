"""What `/signoff mine`, `pending`, `show` and `help` answer: private messages of words, without a button that could grow stale."""

from collections.abc import Sequence
from itertools import islice
from typing import Any

from actions.kit.records import AuditRecord, Card, Cause, RunRecord
from blocks import limits
from blocks.card import Message
from blocks.home import Home
from blocks.home_items import OwnRun, standing_words, told_block
from blocks.people import deadline_words
from blocks.settled import decision_words
from blocks.states import RUN_STATES
from blocks.summary import summarise
from blocks.text import clip, date_token, escape, mention, mrkdwn, one_line, plain
from blocks.votes import votes_blocks

QUESTION, NAME, TOLD = 150, 60, 200
CARDS, ENTRIES = 3, 12
PASSAGE = 400
DETAILS = ("choice", "was", "reason", "error", "message", "because")
"""What of an entry of the trail says something to people, in this order."""

WORDS = (
    ("", "what can be started here"),
    ("NAME", "start it: the form of that action"),
    ("mine", "what you asked for, and where it stands"),
    ("pending", "what waits for your answer"),
    ("show ID", "one run: its questions, its state, and what happened"),
    ("cancel ID", "cancel a run of yours"),
    ("help", "this"),
)
UNSURE = "⚠️ Slack did not tell everything in time, so some questions may be missing."
MORE = "The rest is in the *Home* tab of this app."
ANSWER = "You can answer in the *Home* tab of this app, or on the cards."
STUCK = ("stuck", "what does not go on by itself, for operators")


def help_message(command: str, *, operator: bool) -> Message:
    known = [*WORDS, STUCK] if operator else WORDS
    lines = [f"• `{f'{command} {word}'.strip()}` {said}" for word, said in known]
    lines.append("The same is in the *Home* tab of this app, where you can answer too. An ID may be shortened.")
    return _words(lines)


def mine_message(command: str, home: Home) -> Message:
    """The runs that somebody asked for."""
    if not home.asked:
        return _words([f"You have not asked for anything yet. `{command}` lists what can be started."])
    head = f"What you asked for ({home.asked_open:,} open):"
    entries = [(_question_of(own), f"{_name(own.run)} · {standing_words(own)} · `{own.run.id}`") for own in home.asked]
    return _listed(head, entries, [MORE] if home.more_asked else [])


def pending_message(home: Home) -> Message:
    """The questions that wait for somebody, the soonest deadline first."""
    unsure = [UNSURE] if home.unsure != () else []
    if not home.waiting:
        return _words(["✅ Nothing waits for your answer.", *unsure])
    head = f"What waits for your answer ({home.waiting_total:,}):"
    more = MORE if home.waiting_total > len(home.waiting) else ANSWER
    return _listed(head, [(card.interrupt.message, _waits(card)) for card in home.waiting], [more, *unsure])


def life_message(run: RunRecord, cards: Sequence[Card], trail: Sequence[AuditRecord]) -> Message:
    """One run with its latest questions, where it stands, and the latest of what happened."""
    state = f"{RUN_STATES[run.status]}"
    head = f"*{_name(run)}* · {state} · asked by {mention(run.requester)} · {date_token(run.created_at)}\n`{run.id}`"
    failure = [{"type": "section", "text": plain(run.failure.message, TOLD)}] if run.failure else []
    earlier = len(cards) - CARDS
    skipped = [_context(f"{earlier:,} earlier questions are not shown")] if earlier > 0 else []
    questions = [block for card in cards[-CARDS:] for block in _question(card)]
    text = f"{escape(clip(one_line(run.action_name), NAME))}: {state}"
    return Message(text, [_section(head), *failure, *skipped, *questions, {"type": "divider"}, *_trail(trail)])


def _question(card: Card) -> list[dict[str, Any]]:
    is_open = card.interrupt.settled_at is None
    line = f"🕐 {deadline_words(card)}" if is_open else decision_words(card)
    summary = summarise(card.interrupt.message, card.interrupt.shown, passage=PASSAGE)
    return [*summary.blocks, *(votes_blocks(card) if is_open else []), _context(line)]


def _trail(trail: Sequence[AuditRecord]) -> list[dict[str, Any]]:
    """Literally, but for people and times: what was written into it may come from anywhere."""
    earlier = len(trail) - ENTRIES
    blocks = [_context(f"{earlier:,} earlier entries are not shown")] if earlier > 0 else []
    for entry in trail[-ENTRIES:]:
        by = f" by {mention(entry.person)}" if entry.person else ""
        operator = " as operator" if entry.details.get("cause") == Cause.ADMIN else ""
        told = islice((str(entry.details[name]) for name in DETAILS if name in entry.details), 2)
        more = plain("; ".join(clip(one_line(each), TOLD) for each in told))
        line = mrkdwn(f"{date_token(entry.at)} · {escape(entry.event)}{by}{operator}")
        blocks.append({"type": "context", "elements": [line, *([more] if _says(entry) else [])]})
    return blocks


def _says(entry: AuditRecord) -> bool:
    return any(name in entry.details for name in DETAILS)


def _question_of(own: OwnRun) -> str:
    return own.card.interrupt.message if own.card else own.run.action_name


def _waits(card: Card) -> str:
    return f"{_name(card.run)} · asked by {mention(card.run.requester)} · {deadline_words(card)} · `{card.run.id}`"


def _listed(head: str, entries: Sequence[tuple[str, str]], foot: Sequence[str]) -> Message:
    """Questions, literally, each over a line of mrkdwn about it."""
    lines = [f"• {escape(clip(one_line(question), QUESTION))}\n  {about}" for question, about in entries]
    blocks = [block for question, about in entries for block in (told_block(question), _context(about))]
    tail = [_context("\n".join(foot))] if foot else []
    return Message(clip("\n".join([head, *lines, *foot]), limits.MESSAGE_TEXT), [_section(head), *blocks, *tail])


def _name(run: RunRecord) -> str:
    return escape(clip(one_line(run.action_name), NAME))


def _words(lines: Sequence[str]) -> Message:
    text = clip("\n".join(lines), limits.MESSAGE_TEXT)
    return Message(text, [_section(line) for line in lines])


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": mrkdwn(text)}


def _context(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn(text)]}
