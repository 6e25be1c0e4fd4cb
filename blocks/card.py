"""A card: everything that one interrupt shows in Slack, drawn from its records alone, in every state.

Whatever it leaves out or cuts stands behind its button "Show all". A settled card is never larger than the open one was.
"""

from dataclasses import dataclass, replace
from typing import Any

from actions.kit.counting import counted
from actions.kit.policies.policy import those
from actions.kit.records.interrupts import Card, InterruptRecord, InterruptStatus
from actions.kit.records.runs import RunStatus
from blocks import limits
from blocks.acts import acts_block
from blocks.choices import WHAT_CAN_BE_DONE, actions_block, are_titles_cut, choice_buttons, show_all_button
from blocks.edits import edit_blocks
from blocks.facts import IMAGES, Facts, Room
from blocks.fitting import Size, Slot, fit, size_of
from blocks.outcome import has_orders, is_outcome_cut, outcome_versions
from blocks.people import NAMED, deadline_words, deciders_words
from blocks.remarks import are_remarks_cut, claim_lines, remark_blocks
from blocks.script_lines import line_words
from blocks.settled import NOTE, NOTES, noted, notes_blocks, order_buttons, run_blocks
from blocks.shown import facts_shown
from blocks.staged import stage_said, staged_lines
from blocks.states import INTERRUPT_STATES, UNDELIVERABLE, brief_card_state, card_state, chosen_choice
from blocks.summary import PASSAGE_SETTLED, are_cut, facts_blocks, is_question_cut, question_blocks, summary_of
from blocks.text import clean, clip, escape, mention, mrkdwn, one_line, plain, width
from blocks.undelivered import why_undelivered
from blocks.votes import answer_facts, are_votes_cut, votes_blocks

QUESTION_IN_TEXT = 300
BRIEFLY = 120
ASKER = 75
BECAUSE = 300
ON_CARD, WITHOUT_IMAGES = Room(images=IMAGES), Room()


@dataclass(frozen=True, slots=True)
class Message:
    """A Slack message: `text` for notifications and screen readers, never empty, and the blocks that people see."""

    text: str
    blocks: list[dict[str, Any]]


def render_card(card: Card, *, images: bool = True) -> Message:
    """The whole card as it stands: open with its buttons, or settled with what was decided and what became of it.

    Without `images` they are links: Slack refuses a message of which it cannot fetch an image.
    """
    found = facts_shown(card, ON_CARD if images else WITHOUT_IMAGES)
    if card.interrupt.status is InterruptStatus.PENDING:
        return _open(card, found)
    opened = _open(_as_it_was_asked(card), found)
    return _settled(card, found, size_of(opened.text, opened.blocks))


def fallback(card: Card) -> str:
    """Question, amount and state in one line, escaped, for notifications and screen readers."""
    return one_line_of(card.interrupt.message, facts_shown(card, WITHOUT_IMAGES), card_state(card))


def one_line_of(question: str, found: Facts, *states: str) -> str:
    """A question, the amount unless the question says it, and states, escaped, in one line."""
    asked = clip(one_line(question), QUESTION_IN_TEXT)
    amount = found.sum or ""
    parts = [asked, "" if amount in asked else amount, *states]
    return clip(escape(" · ".join(part for part in parts if part)), limits.MESSAGE_TEXT)


def _open(card: Card, found: Facts) -> Message:
    interrupt = card.interrupt
    summary = summary_of(interrupt.message, found)
    more = [show_all_button(interrupt)] if summary.is_cut or _is_open_cut(card) else []
    blocks = [
        *summary.blocks,
        *_asked_again(card),
        *edit_blocks(card),
        {"type": "context", "elements": [mrkdwn(line) for line in _open_lines(card)]},
        *votes_blocks(card),
        *remark_blocks(card),
        *(run_blocks(card.run) if card.run.status is RunStatus.HELD else []),
        *actions_block(f"choices:{interrupt.id}:{interrupt.content_version}", choice_buttons(card) + more),
        *acts_block(card),
    ]
    return Message(one_line_of(interrupt.message, found, card_state(card)), blocks)


def _is_open_cut(card: Card) -> bool:
    interrupt = card.interrupt
    return (
        width(clean(interrupt.asked_again_because or "")) > BECAUSE
        or len(those(interrupt.policy.deciders)) > NAMED
        or are_titles_cut(interrupt.shape)
        or are_votes_cut(card)
        or are_remarks_cut(card.remarks)
        or is_outcome_cut(card)
    )


def _open_lines(card: Card) -> list[str]:
    """State and deadline; who asks and who may decide; how far they are; that it reached nobody."""
    run, interrupt = card.run, card.interrupt
    waiting = f"{INTERRUPT_STATES[InterruptStatus.PENDING]} {deadline_words(card)}"
    asked = f"Asked by {mention(run.requester)}{_turn(interrupt)}"
    stage = stage_said(interrupt.policy)
    decides = f"{f'{stage} · ' if stage else ''}May decide: {deciders_words(interrupt.policy, run.requester)}"
    reason = interrupt.undeliverable
    lost = f"{UNDELIVERABLE}: {why_undelivered(reason)}" if reason else None
    far = "\n".join([*staged_lines(card), *claim_lines(card)])
    return [line for line in (f"{waiting}\n{asked} · {decides}", far, lost) if line]


def _turn(interrupt: InterruptRecord) -> str:
    """Which called action asks, where one does, from which line of a script, and which of several questions this is."""
    name = escape(clip(one_line(interrupt.asker.action_name), ASKER)) if interrupt.asker else ""
    through = f" through {name}{line_words(interrupt.call_path)}" if interrupt.asker else ""
    return f"{through}, {interrupt.position} of {interrupt.total}" if interrupt.total > 1 else through


def _asked_again(card: Card) -> list[dict[str, Any]]:
    because = card.interrupt.asked_again_because
    if not because:
        return []
    state = INTERRUPT_STATES[InterruptStatus.SUPERSEDED]
    return [{"type": "section", "text": plain(f"{state} because {clip(clean(because), BECAUSE)}")}]


def _as_it_was_asked(card: Card) -> Card:
    """The card as it stood before anybody answered: the smallest that an open one ever was."""
    interrupt = card.interrupt
    asked = replace(interrupt, status=InterruptStatus.PENDING, undeliverable=None, warned_at=None, claimed_until=None)
    return Card(replace(card.run, status=RunStatus.WAITING, epoch=0, remarks=()), asked, names=card.names)


def _settled(card: Card, found: Facts, room: Size) -> Message:
    """Question, facts, outcome, the answer's own fields and the notes: all of it, or as much as `room` holds."""
    text = one_line_of(card.interrupt.message, found, card_state(card))
    parts = _parts(card, found)
    if not _is_settled_cut(card, found):
        whole = _draft(card, found, parts)
        blocks = fit(whole.slots, [whole.buttons], text=text, room=room)
        if size_of(text, blocks).within(room):
            return Message(text, blocks)
    blocks = _as_much_as_fits(card, found, parts, text, room)
    if not size_of(text, blocks).within(room):
        text = one_line_of(card.interrupt.message, found, brief_card_state(card))
    return Message(text, blocks)


def _as_much_as_fits(card: Card, found: Facts, parts: "_Parts", text: str, room: Size) -> list[dict[str, Any]]:
    """With the button that shows the rest, and where facts are left out, how many there are.

    Where the orders do not fit even so, nothing gives way to them, and the button says that they are behind it.
    """
    blocks: list[dict[str, Any]] = []
    is_counted, is_inline = found.left_out > 0, has_orders(card)
    for _ in range(3):
        draft = _draft(card, found, parts, is_cut=True, is_counted=is_counted, is_inline=is_inline)
        blocks = fit(draft.slots, draft.order, text=text, room=room)
        wants_count = not all(fact.blocks for fact in draft.facts)
        if (is_counted or not wants_count) and (not is_inline or draft.has_orders_inline):
            break
        is_counted, is_inline = is_counted or wants_count, is_inline and draft.has_orders_inline
    return blocks


@dataclass(frozen=True, slots=True)
class _Draft:
    """What stands on a settled card from top to bottom, what shrinks first where it has to; its facts, and its buttons."""

    slots: list[Slot]
    order: list[Slot]
    facts: list[Slot]
    buttons: Slot

    @property
    def has_orders_inline(self) -> bool:
        """Whether they stand on the card and not behind its button."""
        return any(
            button["action_id"] != "order:show_all" for block in self.buttons.blocks for button in block["elements"]
        )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is the same in every draft of a settled card, drawn and counted once."""

    header: Slot
    question: Slot
    facts: tuple[Slot, ...]
    answer: Slot
    notes: Slot


def _parts(card: Card, found: Facts) -> _Parts:
    header, *rest = question_blocks(card.interrupt.message)
    facts = facts_blocks(replace(found, left_out=0), passage=PASSAGE_SETTLED)
    answered = answer_facts(card, chosen_choice(card), card.interrupt.answer)
    brief = facts_blocks(answered, passage=BRIEFLY)
    written = noted(card, answered)[:NOTES]
    return _Parts(
        Slot([header]),
        Slot(rest, []),
        tuple(Slot([block], []) for block in facts),
        Slot(facts_blocks(answered, passage=NOTE), brief, brief[:1], []),
        Slot(notes_blocks(written), notes_blocks(written, BRIEFLY), notes_blocks(written[:1], BRIEFLY), []),
    )


def _draft(
    card: Card,
    found: Facts,
    parts: _Parts,
    *,
    is_cut: bool = False,
    is_counted: bool = False,
    is_inline: bool = True,
) -> _Draft:
    count = f"{counted(found.total, 'entry')} in all" if is_counted else ""
    header, question, answer, notes = (
        each.again() for each in (parts.header, parts.question, parts.answer, parts.notes)
    )
    facts = [each.again() for each in parts.facts]
    outcome = Slot(*outcome_versions(card, counted=count))
    buttons = Slot(*_buttons(card, is_cut=is_cut, is_inline=is_inline))
    give_way = [buttons] if is_inline else []
    first = [notes, notes, *reversed(facts[1:]), notes, outcome, *give_way, outcome, answer, *give_way, outcome, answer]
    last = [outcome, *facts[:1], answer, question, outcome, outcome, buttons]
    slots = [header, question, *facts, outcome, answer, notes, buttons]
    return _Draft(slots, [*first, *last], facts, buttons)


def _buttons(card: Card, *, is_cut: bool, is_inline: bool) -> list[list[dict[str, Any]]]:
    """What may be ordered about the run, where anything may, with the way to all of the card; the least of it alone."""
    show_all = [show_all_button(card.interrupt)] if is_cut else []
    versions = [show_all]
    if has_orders(card):
        orders = [order_buttons(card.run), order_buttons(card.run, is_brief=True)] if is_inline else []
        versions = [[*each, *show_all] for each in orders]
        versions += [[show_all_button(card.interrupt, WHAT_CAN_BE_DONE)], show_all] if is_cut else []
    return [[{"type": "actions", "elements": each}] if each else [] for each in versions]


def _is_settled_cut(card: Card, found: Facts) -> bool:
    answered = answer_facts(card, chosen_choice(card), card.interrupt.answer)
    notes = noted(card, answered)
    return (
        is_question_cut(card.interrupt.message)
        or width(clean(card.interrupt.asked_again_because or "")) > BECAUSE
        or are_cut(found, passage=PASSAGE_SETTLED)
        or are_cut(answered, passage=NOTE)
        or is_outcome_cut(card)
        or len(notes) > NOTES
        or any(width(clean(each.note or "")) > NOTE for each in notes)
    )


def minimal_card(card: Card) -> Message:
    """The least that a card says, for when Slack refuses the full one: buttons that answer only while it can be answered."""
    line = {
        "type": "section",
        "text": plain(f"{clip(one_line(card.interrupt.message), QUESTION_IN_TEXT)}\n{card_state(card)}"),
    }
    is_open = card.interrupt.status is InterruptStatus.PENDING
    buttons = [*(choice_buttons(card) if is_open else []), show_all_button(card.interrupt)]
    block_id = f"minimal:{card.interrupt.id}:{card.interrupt.content_version}:{card.run.epoch}"
    return Message(fallback(card), [line, *actions_block(block_id, buttons)])
