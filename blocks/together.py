"""Several questions of low risk, answered together in the Home tab: ticked, one button for all of them, a result for each.

What is offered is no authority: each answer is checked alone, as if its own button had been pressed.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, Any

from pydantic import Field, ValidationError

from actions.kit.records.interrupts import Card, Choice, Confirm
from blocks import limits
from blocks.choices import BUTTONS, actions_block, confirm_dialog, to_text
from blocks.home_clicks import HOME_VIEW
from blocks.home_items import facts_apart, told_block
from blocks.payloads import BlockActions, Carried, ChosenOption, Id, Number, Payload, strict_json
from blocks.text import clip, escape, mrkdwn, one_line, plain
from blocks.views import modal

TICKS = "together:ticks"
PRESS = "together:choose"
MOST = limits.CHECKBOXES_OPTIONS
"""Questions that may be answered at once: as many as can be ticked in one element."""
FEWEST = 2
TITLE = "Answered together"
CHOICES = ":choices"
"""What the row of buttons is called after the block of boxes to which it belongs."""
EXPLAINED = "*Several at once.* These are of low risk: tick some, and answer them together."
QUESTION, FACTS = 150, 3
NOTHING_TICKED = "Nothing is ticked, so nothing was answered."

Block = dict[str, Any]


class Ticked(Carried):
    """A question as it stood when it was ticked."""

    interrupt: Id
    version: Number


class _Chosen(Carried):
    choice: Annotated[str, Field(min_length=1)]


class _Ticks(Payload):
    selected_options: tuple[ChosenOption, ...] = Field(default=(), strict=False)


@dataclass(frozen=True, slots=True)
class Together:
    """A person made one choice for all that they had ticked, in the order of the list.

    `source` stays the same when Slack delivers this very click again, and differs for the next one.
    """

    choice_key: str
    ticked: tuple[Ticked, ...]
    person: str
    trigger_id: str
    response_url: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one of them, as mrkdwn; `question` is empty where there is no such question any more."""

    question: str
    said: str


def together_blocks(cards: Sequence[Card]) -> list[Block]:
    """Below the entries of a page: boxes to tick and a button per choice, for each set of choices that several share."""
    groups: dict[tuple[tuple[str, str], ...], list[Card]] = {}
    for card in cards:
        bare = card.interrupt.shape.bare if card.interrupt.policy.low_risk else ()
        if bare:
            groups.setdefault(tuple((each.key, each.title) for each in bare), []).append(card)
    return [block for group in groups.values() if len(group) >= FEWEST for block in _group(group[:MOST])]


def _group(cards: Sequence[Card]) -> list[Block]:
    options, bare = [_option(card) for card in cards], cards[0].interrupt.shape.bare
    block_id = f"together:{hashlib.sha256(to_text(options).encode()).hexdigest()[:16]}"
    ticks = {"type": "checkboxes", "action_id": TICKS, "options": options}
    buttons = [_button(number, each, len(cards)) for number, each in enumerate(bare[:BUTTONS])]
    section: Block = {"type": "section", "block_id": block_id, "text": mrkdwn(EXPLAINED), "accessory": ticks}
    return [section, *actions_block(f"{block_id}{CHOICES}", buttons)]


def _option(card: Card) -> Block:
    """The question, and what tells it apart: the first facts that it does not say itself, and the action's name."""
    interrupt = card.interrupt
    told = (f"{fact.label}: {fact.value}" if fact.label else fact.value for fact in facts_apart(card, FACTS))
    value = Ticked(interrupt=interrupt.id, version=interrupt.content_version)
    return {
        "text": plain(clip(one_line(interrupt.message), limits.OPTION_TEXT)),
        "description": plain(clip(one_line(" · ".join([*told, card.run.action_name])), limits.OPTION_DESCRIPTION)),
        "value": to_text(value.model_dump()),
    }


def _button(number: int, choice: Choice, offered: int) -> Block:
    title = one_line(choice.title)
    asked = Confirm(
        title="Answer what is ticked?",
        text=f"Each that is ticked, of {offered}, is answered with this choice, one by one. You see what became of each. "
        "Where none is ticked, nothing is answered.",
        confirm=title,
        deny="Back",
    )
    button: Block = {
        "type": "button",
        "action_id": f"{PRESS}:{number}",
        "text": plain(f"{title} selected", limits.BUTTON_TEXT),
        "value": to_text({"choice": choice.key}),
        "confirm": confirm_dialog(asked, choice.style),
    }
    return button | ({"style": choice.style} if choice.style else {})


def parse_together(body: Any) -> Together | None:
    """A choice for all that is ticked beside its button; `None` for everything else, and for what carries nonsense."""
    try:
        sent = BlockActions.model_validate(body)
    except ValidationError:
        return None
    pressed = sent.actions[0]
    if sent.view is None or sent.view.callback_id != HOME_VIEW or not pressed.action_id.startswith(f"{PRESS}:"):
        return None
    try:
        beside = (pressed.block_id or "").removesuffix(CHOICES)
        chosen = _Chosen.model_validate(strict_json(pressed.value))
        state = _Ticks.model_validate(sent.view.values.get(beside, {}).get(TICKS, {}))
        ticked = [Ticked.model_validate(strict_json(each.value)) for each in islice(state.selected_options, MOST)]
    except (ValueError, RecursionError):
        return None
    source = f"click:{pressed.action_ts}:{sent.user.id}"
    return Together(chosen.choice, tuple(ticked), sent.user.id, sent.trigger_id, sent.response_url, source)


def working_view(together: Together) -> Block:
    """While they are answered: nothing is claimed of any of them yet."""
    count = len(together.ticked)
    said = f"⏳ Working on {count}… What became of each stands here in a moment." if count else NOTHING_TICKED
    return modal(TITLE, [_said(said)], close="Close")


def results_view(results: Iterable[Result]) -> Block:
    """What became of each of them."""
    blocks: list[Block] = []
    for each in results:
        blocks += [told_block(each.question)] if each.question else []
        blocks += [_said(each.said)]
    return modal(TITLE, blocks, close="Close")


def results_words(results: Iterable[Result]) -> str:
    """The same as mrkdwn, for when the window does not stand."""
    lines = (f"{escape(clip(one_line(each.question), QUESTION))}: {each.said}" for each in results)
    return clip("\n".join(lines), limits.SECTION_TEXT)


def _said(text: str) -> Block:
    return {"type": "section", "text": mrkdwn(text)}
