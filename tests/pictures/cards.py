"""Scenes of cards: each worked action's card in every state, what its requester is told, and each kind of data."""

import json
import re
from typing import Any

from playwright.async_api import Locator, expect

from actions.kit.records.interrupts import Card
from blocks.card import Message, minimal_card, render_card
from blocks.notices import render_ending, render_undeliverable
from tests.acceptance.browser import Screen
from tests.acceptance.kind_actions import QUESTIONS
from tests.cards import AT_NINE, CARDS, STATES, ending_of, undeliverable
from tests.pictures.studio import TALL, LiveStudio, Studio

PEOPLE = {"U0ANN": "U0RITA", "U0BEA": "U0DANA", "U0CAI": "U0BEN", "U0DAN": "U0OMAR"}
"""Those of the sample records, and who plays them at Acme."""
SAMPLE_PERSON = re.compile(rf"\b({'|'.join(PEOPLE)})\b")
FORGED = "<!channel> *this* to <@U0ANN>, see <https://evil.example|bank.example> or javascript:alert(1)"
ENDED = (
    "succeeded",
    "succeeded_as_marked",
    "failed",
    "stalled",
    "declined",
    "declined_by_the_deadline",
    "expired",
    "cancelled",
)


def played(message: Message) -> dict[str, Any]:
    """A drawn message, with people whom Acme knows."""
    text = json.dumps({"text": message.text, "blocks": message.blocks})
    content: dict[str, Any] = json.loads(SAMPLE_PERSON.sub(lambda found: PEOPLE[found[1]], text))
    return content


def in_state(name: str, state: str) -> Card:
    return STATES[state](CARDS[name]())


async def cards(studio: Studio) -> None:
    """Each state of each worked action's card."""
    wanted = {f"card_{name}_{state}": in_state(name, state) for name in CARDS for state in STATES}
    drawn = {name: render_card(card) for name, card in wanted.items()}
    drawn["card_minimal"] = minimal_card(CARDS["spend_request"]())
    await _taken(studio, drawn)


async def endings(studio: Studio) -> None:
    """What the requester is told at the end, for each way in which a run ends."""
    drawn = {}
    for name in CARDS:
        for state in ENDED:
            card = in_state(name, state)
            drawn[f"ending_{name}_{state}"] = render_ending(card.run, ending_of(card), card)
    drawn["ending_spend_request_undeliverable"] = render_undeliverable(undeliverable(CARDS["spend_request"]()))
    await _taken(studio, drawn)


async def _taken(studio: Studio, drawn: dict[str, Message]) -> None:
    stamps = {name: await studio.posts(played(message)) for name, message in drawn.items()}
    ann = await studio.opens("ann", size=TALL, at=AT_NINE)
    await ann.look_at("approvals")
    for name, ts in stamps.items():
        await studio.take(name, drawn[name].text, ann.page.locator(f'#messages article[data-ts="{ts}"]'))


async def data(studio: LiveStudio) -> None:
    """Each kind of data: on the card, behind *Show all*, and once it was approved and failed; and data that pretends."""
    ann = await studio.opens("ann", size=TALL)
    await ann.look_at("approvals")
    for kind, (question, _) in QUESTIONS.items():
        await studio.live.start("show_kind", {"kind": kind})
        await _data(studio, ann, kind, question)
    await studio.live.start("show_kind", {"lines": 300})
    await _data(studio, ann, "contract", "Sign the contract?")
    await studio.live.start("repeats", {"words": FORGED})
    await _data(studio, ann, "forged", "Say <!channel>")


async def _data(studio: LiveStudio, ann: Screen, kind: str, question: str) -> None:
    card = ann.card(question)
    await expect(card).to_contain_text("Waiting for an answer until")
    await studio.take(f"data_{kind}", question, card)
    await _show_all(studio, ann, f"data_{kind}_all", f"{question} Show all", of=card)
    await ann.press(card, "Approve")
    await expect(card).to_contain_text("Failed")
    await studio.take(f"data_{kind}_failed", f"{question} Approved, then failed", card)
    await _show_all(studio, ann, f"data_{kind}_failed_all", f"{question} Show all, once it failed", of=card)


async def _show_all(studio: Studio, ann: Screen, name: str, caption: str, *, of: Locator) -> None:
    button = of.get_by_role("button", name="Show all")
    if await button.count() == 0:
        return
    await button.click()
    await expect(ann.modal).to_be_visible()
    await studio.take(name, caption, await studio.whole(ann))
    await ann.page.keyboard.press("Escape")
    await expect(ann.modal).to_have_count(0)
