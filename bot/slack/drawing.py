"""What a copy shall show, drawn from its rows as they are now."""

from actions.kit.records import Card, CopyKind, CopyRecord
from blocks.card import Message, minimal_card, render_card
from blocks.notices import render_ending, render_line, render_undeliverable
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
                card = await self.card(copy)
                return render_card(card), minimal_card(card)
            case CopyKind.UNDELIVERABLE:
                return _or_its_words(render_undeliverable(await self.card(copy)))

    async def card(self, copy: CopyRecord) -> Card:
        card = await self._store.card(copy.interrupt_id or "")
        if card is None:
            raise LookupError(copy.interrupt_id)
        return card

    async def _ending(self, copy: CopyRecord) -> Message:
        run = await self._store.run(copy.run_id)
        card = await self._store.latest_card(copy.run_id)
        if run is None or copy.ending is None:
            raise LookupError(copy.run_id)
        return render_ending(run, copy.ending, card.interrupt if card else None)


def _or_its_words(message: Message) -> tuple[Message, Message]:
    return message, Message(message.text, [])
