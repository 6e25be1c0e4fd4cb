"""Messages beside the card: how a run ended, that a card reached nobody, and lines for its thread."""

from typing import Any

from actions.kit.records import Card, Cause, Ending, InterruptRecord, RunRecord, RunStatus
from blocks import limits
from blocks.card import Message
from blocks.choices import actions_block, order_button
from blocks.data import facts_of
from blocks.people import duration_words
from blocks.settled import decision_blocks, order_buttons, state_blocks
from blocks.states import RUN_STATES, UNDELIVERABLE
from blocks.summary import facts_blocks, literal, summarise
from blocks.text import clean, clip, date_token, escape, mention, mrkdwn, one_line, plain

QUESTION = 300
LINE = 2_000
RESULT = 800

REASONS = {
    "account_inactive": "the bot's account was deactivated",
    "cannot_dm_bot": "a bot cannot be asked by direct message",
    "channel_not_found": "the channel does not exist, or it is private and the bot is not in it",
    "invalid_auth": "the bot's token is not valid",
    "is_archived": "the channel is archived",
    "msg_blocks_too_long": "the card is too long",
    "not_in_channel": "the bot is not in the channel",
    "restricted_action": "posting there is restricted",
    "token_expired": "the bot's token has expired",
    "token_revoked": "the bot's token was revoked",
    "user_disabled": "the person's account was deactivated",
    "user_not_found": "there is no such person",
    "users_not_found": "no person has that e-mail address",
}
REMEDIES = {
    "channel_not_found": "Invite the bot to the channel (`/invite`), or correct its name.",
    "is_archived": "Unarchive the channel, or show it elsewhere.",
    "not_in_channel": "Invite the bot to the channel (`/invite`).",
    "restricted_action": "Let the bot post there.",
}
OPERATOR = "Ask an operator of the bot to look into it."


def render_ending(run: RunRecord, ending: Ending, interrupt: InterruptRecord | None) -> Message:
    """How a run ended, for its requester. Once the run went on, the message stays true and loses its buttons."""
    asked = interrupt.message if interrupt else run.action_name
    state = RUN_STATES[ending.status]
    head = {"type": "section", "text": plain(f"{one_line(run.action_name)}: {clip(one_line(asked), QUESTION)}")}
    lines = state_blocks(state, ending.status, failure=ending.failure, words=_ending_words(ending, interrupt))
    is_current = run.epoch == ending.epoch and run.status == ending.status
    buttons = order_buttons(run) if is_current else []
    blocks = [
        head if interrupt else {"type": "section", "text": plain(one_line(run.action_name))},
        *_decision(run, interrupt),
        *lines,
        *(_result(run) if is_current else _went_on(run)),
        *actions_block(f"orders:{run.id}:{run.epoch}", buttons),
    ]
    return Message(_ending_text(run, ending, interrupt), blocks)


def _ending_text(run: RunRecord, ending: Ending, interrupt: InterruptRecord | None) -> str:
    amount = facts_of(interrupt.shown if interrupt else run.input).sum
    question = clip(one_line(interrupt.message), QUESTION) if interrupt else ""
    parts = [str(RUN_STATES[ending.status]), one_line(run.action_name), question, amount or ""]
    return escape(" · ".join(part for part in parts if part))


def _decision(run: RunRecord, interrupt: InterruptRecord | None) -> list[dict[str, Any]]:
    if interrupt is None or interrupt.settled_at is None:
        return []
    return decision_blocks(Card(run, interrupt))


def _ending_words(ending: Ending, interrupt: InterruptRecord | None) -> str:
    by = f" by {mention(ending.by)}" if ending.by else ""
    return f"{by}{_why(ending, interrupt)} · {date_token(ending.at)}"


def _why(ending: Ending, interrupt: InterruptRecord | None) -> str:
    match ending.status:
        case RunStatus.EXPIRED:
            waited = interrupt.expires_in if interrupt else None
            return f": nobody answered within {duration_words(waited)}" if waited else ": nobody answered in time"
        case RunStatus.DECLINED:
            late = interrupt is not None and interrupt.cause is Cause.EXPIRED
            return ", because nobody answered in time: it is not carried out" if late else ": it is not carried out"
    return ""


def _result(run: RunRecord) -> list[dict[str, Any]]:
    if run.status is not RunStatus.SUCCEEDED or run.output is None:
        return []
    return facts_blocks(facts_of(run.output, passages=1), passage=RESULT)


def _went_on(run: RunRecord) -> list[dict[str, Any]]:
    return [{"type": "context", "elements": [mrkdwn(f"Since then: {RUN_STATES[run.status]}")]}]


def render_undeliverable(card: Card) -> Message:
    """Tells the requester that nobody sees their request, why, what to do, and how to try again once it is done."""
    reason = card.interrupt.undeliverable or "unknown"
    why = escape(REASONS.get(reason, f"Slack said {one_line(reason)}"))
    remedy = REMEDIES.get(reason, OPERATOR)
    words = f"{UNDELIVERABLE.emoji} *{UNDELIVERABLE.word}*: the card could not be posted, since {why}.\n{remedy}"
    waiting = card.interrupt.settled_at is None
    button = [order_button(card.run, "deliver_again", interrupt=card.interrupt, style="primary")] if waiting else []
    blocks = [
        *summarise(card.interrupt.message, card.interrupt.shown, passage=RESULT).blocks,
        {"type": "section", "text": mrkdwn(words)},
        *actions_block(f"deliver:{card.interrupt.id}:{card.run.epoch}", button),
    ]
    amount = facts_of(card.interrupt.shown).sum
    parts = [clip(one_line(card.interrupt.message), QUESTION), amount or "", str(UNDELIVERABLE)]
    return Message(escape(" · ".join(part for part in parts if part)), blocks)


def render_line(text: str) -> Message:
    """A line of a thread, literally: nothing in it is read as markup."""
    said = clip(clean(text).strip(), LINE) or "…"
    section = {"type": "rich_text_section", "elements": [literal(said)]}
    return Message(clip(escape(said), limits.MESSAGE_TEXT), [{"type": "rich_text", "elements": [section]}])
