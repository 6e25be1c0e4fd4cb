"""What a copy shall show, drawn from its rows as they are now."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from actions.kit.policies.deciders import DirectMessage
from actions.kit.policies.hours import later
from actions.kit.policies.remarks import Remark
from actions.kit.policies.steps import StepNotice
from actions.kit.records.copies import CopyKind, CopyRecord
from actions.kit.records.interrupts import Card
from blocks.card import Message, minimal_card, render_card
from blocks.digest import render_digest
from blocks.home_clicks import Looking
from blocks.notices import (
    render_broken_glass,
    render_edited,
    render_ending,
    render_line,
    render_remark,
    render_undeliverable,
)
from blocks.nudging import render_notice, render_nudge
from blocks.replying import render_reply
from bot.clock import now
from bot.engine.people import CouldNotVerify
from bot.slack.aside import aside
from bot.slack.home_drawing import HomeDrawing
from bot.slack.names import Names
from storage.store import Store


class Drawing:
    """Reads the rows anew for each copy, so that whatever happened meanwhile is in it."""

    def __init__(self, store: Store, names: Names, homes: HomeDrawing) -> None:
        self._store = store
        self._homes = homes
        self._names = names

    async def of(self, copy: CopyRecord) -> Sequence[Message]:
        """The message, and ever smaller ones for when Slack refuses it."""
        match copy.kind:
            case CopyKind.LINE:
                return [render_line(copy.text or "", copy.person)]
            case CopyKind.NUDGE | CopyKind.GLASS | CopyKind.DIGEST:
                return [await self._once(copy)]
            case CopyKind.OUTCOME:
                return _or_its_words(await self._ending(copy))
            case CopyKind.CARD:
                card = with_deadline(await self._names.of(await self.card(copy)), now())
                return await aside(card, lambda: _cards(card))
            case CopyKind.REMARK | CopyKind.EDITED:
                return _or_its_words(await self._personal(copy))
            case CopyKind.UNDELIVERABLE:
                card = await self._names.of(await self.card(copy))
                asked = await self._asked_directly(card)
                return _or_its_words(await aside(card, lambda: render_undeliverable(card, asked_directly=asked)))

    async def _personal(self, copy: CopyRecord) -> Message:
        """What somebody is told directly: that something was said, or edited."""
        card, to = await self.card(copy), _recipient(copy)
        if copy.text is not None:
            return render_remark(card, Remark.model_validate_json(copy.text), to)
        named = await self._names.of(card)
        return await aside(named, lambda: render_edited(named, to))

    async def card(self, copy: CopyRecord) -> Card:
        card = await self._store.card(copy.interrupt_id or "")
        if card is None:
            raise LookupError(copy.interrupt_id)
        return card

    async def _once(self, copy: CopyRecord) -> Message:
        """What is not drawn again."""
        if copy.kind is CopyKind.DIGEST:
            return await self._digest(copy.person or "")
        card = await self.card(copy)
        return render_broken_glass(card, _recipient(copy)) if copy.kind is CopyKind.GLASS else _nudge(card, copy)

    async def _digest(self, person: str) -> Message:
        home = await self._homes.look(person, Looking(show="waiting"))
        if home.unsure is None:
            raise CouldNotVerify(person)
        return render_digest(home.waiting, home.waiting_total)

    async def _asked_directly(self, card: Card) -> bool:
        copies = await self._store.copies(card.run.id)
        mine = [each for each in copies if each.interrupt_id == card.interrupt.id and each.fallback]
        return any(each.status in {"wanted", "posted"} for each in mine)

    async def _ending(self, copy: CopyRecord) -> Message:
        run = await self._store.run(copy.run_id)
        card = await self._store.latest_card(copy.run_id)
        if run is None or copy.ending is None:
            raise LookupError(copy.run_id)
        ending, named = copy.ending, await self._names.of(card) if card else None
        render = render_ending if copy.thread_ts is None else render_reply
        return await aside(named, lambda: render(run, ending, named)) if named else render(run, ending, None)


def _recipient(copy: CopyRecord) -> str:
    place = copy.place
    person = place.person if isinstance(place, DirectMessage) else None
    return person.id or "" if person else ""


def _nudge(card: Card, copy: CopyRecord) -> Message:
    """A requester's, or one that came by itself; what is for the requester stands in no thread."""
    if copy.text is None:
        return render_nudge(card, copy.person or "")
    notice = StepNotice.model_validate_json(copy.text)
    return render_notice(card, notice, to_requester=copy.thread_ts is None)


def with_deadline(card: Card, at: datetime) -> Card:
    """A card that is about to stand: its clock starts with the post, so it shows the deadline that this will set.

    Otherwise every card would be edited a moment after it was posted, and marked so.
    """
    interrupt = card.interrupt
    ran = interrupt.posted_at or interrupt.expires_at or interrupt.paused_at
    if ran is not None or interrupt.expires_in is None:
        return card
    expires_at = later(at, interrupt.expires_in, interrupt.policy.hours)
    return replace(card, interrupt=replace(interrupt, expires_at=expires_at))


def _cards(card: Card) -> list[Message]:
    """The card; without the images that Slack could not fetch, if it has any; and the least of it."""
    message = render_card(card)
    has_images = any(block["type"] == "image" for block in message.blocks)
    return [message, *([render_card(card, images=False)] if has_images else []), minimal_card(card)]


def _or_its_words(message: Message) -> list[Message]:
    return [message, Message(message.text, [])]
