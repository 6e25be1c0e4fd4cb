"""A person at the workbench, for tests and the demo: sees, waits, clicks, fills in. It acts through what the page acts through."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from bot.workbench.cards import Card, card_of
from bot.workbench.elements import Offered, Placed, TypedAs, options_of
from bot.workbench.entering import entered
from bot.workbench.journal import Ack
from bot.workbench.modals import Modal, Sent, Surface
from bot.workbench.onlooker import Onlooker


class Tab(Onlooker):
    """One person's tab: what they see, and everything that they can do."""

    # --- acting

    async def click(self, on: Card | Surface, label: str, *, option: str | None = None, behind: bool = False) -> Ack:
        """Click the button with this label, or choose an option in the select that carries it.

        `behind`: the person's screen still shows the message as it was when the card was found.
        """
        if isinstance(on, Surface):
            return await self._click_in_view(on, label, option)
        return await self._choose_on(on, on.element(label, as_seen=behind), option, behind=behind)

    async def choose(self, on: Card | Surface, label: str, answer: Any) -> Ack | None:
        """Choose in any element: an option, a person, a channel, a date. The ack where the app is told of it at once."""
        return await self._enter(on, label, answer, "on_enter_pressed")

    async def type(self, on: Card | Surface, label: str, text: str, *, enter: bool = False) -> Ack | None:
        """Type into a field, and press Enter; the ack where the field asks to be told of it (`dispatch_action`)."""
        return await self._enter(on, label, text, "on_enter_pressed" if enter else "on_character_entered")

    async def search(self, on: Card | Surface, label: str, typed: str) -> list[str]:
        """Type into an external select: the texts of the options that the app suggests."""
        placed = on.element(label)
        where = {"channel": on.channel, "ts": on.ts} if isinstance(on, Card) else {"view_id": on.id}
        found = await self._acts.suggest(self.person.id, placed.block_id, placed.action_id, typed, **where)
        return [option["text"]["text"] for option in options_of(found)]

    async def double_click(self, card: Card, label: str) -> tuple[Ack, Ack]:
        """Two clicks, the second before anything has come of the first."""
        first, second = await asyncio.gather(self.click(card, label, behind=True), self.click(card, label, behind=True))
        return first, second

    async def submit(self, modal: Modal, answers: Mapping[str, Any] | None = None, *, unchecked: bool = False) -> Sent:
        """Fill in these fields by label and submit; `unchecked` gets past what Slack's own client checks."""
        filled = modal.filled(answers or {})
        submitted = await self._acts.submit(self.person.id, modal.id, filled, unchecked=unchecked)
        return Sent(submitted.result, modal.by_label(submitted.errors), submitted.ack, submitted.detail)

    async def close(self, modal: Modal, *, everything: bool = False) -> None:
        """Cancel a modal; with `everything` close it and all below it, by the cross."""
        await self._acts.close(self.person.id, modal.id, everything=everything)

    async def command(self, text: str, in_: str = "#general") -> Ack:
        return await self._acts.command(self.person.id, self._conversation(in_).id, text)

    async def shortcut(self, name: str) -> Ack:
        """Choose a global shortcut by its name or callback id."""
        return await self._acts.shortcut(self.person.id, name)

    async def message_shortcut(self, card: Card, name: str) -> Ack:
        """Choose a shortcut in the menu of a message, by its name or callback id."""
        return await self._acts.message_shortcut(self.person.id, card.channel, card.ts, name)

    def open_home(self) -> None:
        """Open the app's Home tab, of which the app hears."""
        self._acts.open_home(self.person.id)

    def say(
        self,
        text: str,
        in_: str = "#general",
        *,
        thread: Card | None = None,
        files: Sequence[Mapping[str, Any]] = (),
    ) -> Card:
        """Write something, in a thread or not, with files that `upload` gave."""
        where = self._conversation(in_).id if thread is None else thread.channel
        root, ids = None if thread is None else thread.ts, [str(file["id"]) for file in files]
        message = self._acts.say(self.person.id, where, text, root, files=ids)
        return card_of(self._bench.workspace, message)

    def edit(self, card: Card, text: str) -> None:
        """Change a message of one's own."""
        self._acts.edit(self.person.id, card.channel, card.ts, text)

    def react(self, card: Card, name: str) -> None:
        """React with an emoji, by its name without colons; once more takes it back."""
        self._acts.react(self.person.id, card.channel, card.ts, name)

    def upload(self, name: str, content: bytes) -> dict[str, Any]:
        """Upload a file, to be chosen in a `file_input`."""
        return {"id": self._acts.upload(self.person.id, name, content).id}

    def delete(self, card: Card) -> None:
        """Delete a message: of others, and the bot's, where this person is no guest."""
        self._acts.delete(self.person.id, card.channel, card.ts)

    # --- inside

    async def _choose_on(self, card: Card, placed: Placed, answer: Any, *, behind: bool = False) -> Ack:
        chosen = {} if answer is None else entered(self._bench.workspace, placed, answer, self._offered_on(card))
        seen = list(card.as_seen) if behind else None
        return await self._acts.click(
            self.person.id, card.channel, card.ts, placed.block_id, placed.action_id, chosen=chosen, as_seen=seen
        )

    def _offered_on(self, card: Card) -> Offered:
        return self._bench.screens.of(self.person.id).offered.get((card.channel, card.ts), {})

    async def _click_in_view(self, on: Surface, label: str, option: str | None) -> Ack:
        placed = on.element(label)
        chosen = {} if option is None else on.chosen(placed, option)
        return await self._acts.view_click(
            self.person.id, on.id, placed.block_id, placed.action_id, chosen=chosen, values=on.view.values
        )

    async def _enter(self, on: Card | Surface, label: str, answer: Any, typed: TypedAs) -> Ack | None:
        placed = on.element(label)
        if isinstance(on, Card):
            return await self._acts.enter_in_message(
                self.person.id,
                on.channel,
                on.ts,
                placed.block_id,
                placed.action_id,
                chosen=entered(self._bench.workspace, placed, answer, self._offered_on(on)),
                typed=typed,
            )
        chosen = on.chosen(placed, answer)
        return await self._acts.enter(self.person.id, on.id, placed.block_id, placed.action_id, chosen, typed=typed)
