"""What `/signoff mine`, `pending`, `show` and `help` answer: private messages of words, without a button that could grow stale."""

from collections.abc import Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Card, Cause
from actions.kit.records.runs import RunRecord
from blocks import limits
from blocks.card import Message
from blocks.diagnosis import faults_of
from blocks.edits import EDITS, edit_said, made_of
from blocks.home import Home
from blocks.home_items import OwnRun, standing_words, told_block
from blocks.life import Life
from blocks.life_blocks import standing_block, tree_blocks
from blocks.people import deadline_words
from blocks.remarks import remark_said
from blocks.room import as_many_as_fit
from blocks.said import in_mrkdwn
from blocks.settled import decision_words
from blocks.standing import standing
from blocks.states import RUN_STATES
from blocks.summary import summarise
from blocks.text import clip, date_token, escape, mention, mrkdwn, one_line, plain
from blocks.tree import tree_of
from blocks.validate import all_text
from blocks.votes import votes_blocks

QUESTION, NAME, TOLD = 150, 60, 100
CARDS, ENTRIES, SAID = 3, 10, 2
PASSAGE = 400
QUESTIONS_TEXT, QUESTIONS_BLOCKS = 6_500, 28
"""What there is room for up to the latest questions: where a run stands, its tree, and they."""
DETAILS = ("call", "choice", "why", "was", "reason", "error", "message", "because")
"""What of an entry of the trail says something to people, in this order."""

WORDS = (
    ("", "what can be started here"),
    ("NAME", "start it: the form of that action"),
    ("mine", "what you asked for, and where it stands"),
    ("pending", "what waits for your answer"),
    ("show ID", "one run: its questions, its state, and what happened"),
    ("cancel ID", "cancel a run of yours"),
    ("grants", "the standing grants that concern you, to revoke them"),
    ("away until friday, ask @colleague", "while you are away, somebody else decides in your place"),
    ("back", "you are back"),
    ("digest on|off", "a message in the morning with what waits for you, or none"),
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


def life_message(life: Life, now: datetime) -> Message:
    """One run: where it stands and why, its tree, its latest questions, and the latest of what happened."""
    run = life.run
    state = f"{RUN_STATES[run.status]}"
    head = f"*{_name(run)}* · {state} · asked by {mention(run.requester)} · {date_token(run.created_at)}\n`{run.id}`"
    text = f"{escape(clip(one_line(run.action_name), NAME))}: {state}"
    stands = standing_block(standing(life, now), faults_of(life, now))
    edited = [_context(in_mrkdwn(edit_said(each))) for each in made_of(run)[-EDITS:]]
    said = [_context(in_mrkdwn(remark_said(each))) for each in run.remarks[-SAID:]]
    stands_where = [_section(head), *edited, *said, stands, *_tree(life)]
    questions = _questions(life.cards, QUESTIONS_TEXT - all_text(stands_where))
    return Message(text, [*stands_where, *questions, {"type": "divider"}, *_trail(life.trail)])


def _tree(life: Life) -> list[dict[str, Any]]:
    blocks, left_out = tree_blocks(tree_of(life, values=False))
    return [*([_context(_earlier(left_out, "place", "places"))] if left_out else []), *blocks]


def _questions(cards: Sequence[Card], room: int) -> list[dict[str, Any]]:
    """The latest ones, as far as there is room; the very last one in few words where it alone is too long."""
    latest = as_many_as_fit(map(_question, reversed(cards[-CARDS:])), text=room, blocks=QUESTIONS_BLOCKS)
    if cards and not latest:
        latest = [[told_block(cards[-1].interrupt.message), _context(_standing(cards[-1]))]]
    earlier = len(cards) - len(latest)
    skipped = [_context(_earlier(earlier, "question", "questions"))] if earlier else []
    return [*skipped, *(block for entry in reversed(latest) for block in entry)]


def _earlier(count: int, one: str, many: str) -> str:
    return f"1 earlier {one} is not shown" if count == 1 else f"{count:,} earlier {many} are not shown"


def _standing(card: Card) -> str:
    return f"🕐 {deadline_words(card)}" if card.interrupt.settled_at is None else decision_words(card)


def _question(card: Card) -> list[dict[str, Any]]:
    summary = summarise(card, passage=PASSAGE)
    votes = votes_blocks(card) if card.interrupt.settled_at is None else []
    return [*summary.blocks, *votes, _context(_standing(card))]


def _trail(trail: Sequence[AuditRecord]) -> list[dict[str, Any]]:
    """What was written into it may come from anywhere, so it stands in plain text."""
    earlier = len(trail) - ENTRIES
    blocks = [_context(_earlier(earlier, "entry", "entries"))] if earlier > 0 else []
    for entry in trail[-ENTRIES:]:
        by = f" by {mention(entry.person)}" if entry.person else ""
        place = f" for {mention(str(entry.details['for']))}" if "for" in entry.details else ""
        operator = " as operator" if entry.details.get("cause") == Cause.ADMIN else ""
        told = islice((str(entry.details[name]) for name in DETAILS if name in entry.details), 2)
        more = plain("; ".join(clip(one_line(each), TOLD) for each in told))
        line = mrkdwn(f"{date_token(entry.at)} · {escape(entry.event)}{by}{place}{operator}")
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
    shown = as_many_as_fit([told_block(question), _context(about)] for question, about in entries)
    foot = [MORE, *foot] if len(shown) < len(entries) and MORE not in foot else foot
    blocks = [_section(head), *(block for entry in shown for block in entry)]
    tail = [_context("\n".join(foot))] if foot else []
    return Message(clip("\n".join([head, *lines, *foot]), limits.MESSAGE_TEXT), [*blocks, *tail])


def _name(run: RunRecord) -> str:
    return escape(clip(one_line(run.action_name), NAME))


def _words(lines: Sequence[str]) -> Message:
    text = clip("\n".join(lines), limits.MESSAGE_TEXT)
    return Message(text, [_section(line) for line in lines])


def _section(text: str) -> dict[str, Any]:
    return {"type": "section", "text": mrkdwn(text)}


def _context(text: str) -> dict[str, Any]:
    return {"type": "context", "elements": [mrkdwn(text)]}
