"""What a copy shall show, drawn from its rows as they are now."""

from dataclasses import replace
from datetime import datetime

from actions.kit.records import Card, CopyKind, CopyRecord
from blocks.card import Message, minimal_card, render_card
from blocks.notices import render_ending, render_line, render_undeliverable
from bot.clock import now
from storage.store import Store


class Drawing:
    """Reads the rows anew for each copy, so that whatever happened meanwhile is in it."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, copy: CopyRecord) -> tuple[Message, Message | None]:
        """The message, and a smaller one for when Slack refuses it."""
        match copy.kind:
            case CopyKind.LINE:
                return render_line(copy.text or "", copy.person), None
            case CopyKind.OUTCOME:
                return _or_its_words(await self._ending(copy))
            case CopyKind.CARD:
                card = with_deadline(await self.card(copy), now())
                return render_card(card), minimal_card(card)
            case CopyKind.UNDELIVERABLE:
                card = await self.card(copy)
                asked = await self._asked_directly(card)
                return _or_its_words(render_undeliverable(card, asked_directly=asked))

    async def card(self, copy: CopyRecord) -> Card:
        card = await self._store.card(copy.interrupt_id or "")
        if card is None:
            raise LookupError(copy.interrupt_id)
        return card

    async def _asked_directly(self, card: Card) -> bool:
        copies = await self._store.copies(card.run.id)
        mine = [each for each in copies if each.interrupt_id == card.interrupt.id and each.fallback]
        return any(each.status in {"wanted", "posted"} for each in mine)

    async def _ending(self, copy: CopyRecord) -> Message:
        run = await self._store.run(copy.run_id)
        card = await self._store.latest_card(copy.run_id)
        if run is None or copy.ending is None:
            raise LookupError(copy.run_id)
        return render_ending(run, copy.ending, card)


def with_deadline(card: Card, at: datetime) -> Card:
    """A card that is about to stand: its clock starts with the post, so it shows the deadline that this will set.

    Otherwise every card would be edited a moment after it was posted, and marked so.
    """
    interrupt = card.interrupt
    if interrupt.posted_at is not None or interrupt.expires_at is not None or interrupt.expires_in is None:
        return card
    return replace(card, interrupt=replace(interrupt, expires_at=at + interrupt.expires_in))


def _or_its_words(message: Message) -> tuple[Message, Message]:
    return message, Message(message.text, [])
