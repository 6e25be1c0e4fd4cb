"""What a person does with messages: click in one, run a shortcut on one, write one, delete one."""

from collections.abc import Mapping
from typing import Any

from bot.workbench import payloads
from bot.workbench.acting import ActError, Acting, Entered
from bot.workbench.choosing import chosen_in
from bot.workbench.elements import Offered, dispatches, find, state_of, with_choice
from bot.workbench.journal import Ack
from bot.workbench.workspace import Message, Person


class MessageActs(Acting):
    """Each method is one thing that a person does; it returns when the bot has acked or its time is up."""

    async def click(
        self,
        who: str,
        channel: str,
        ts: str,
        block_id: str,
        action_id: str,
        *,
        chosen: Mapping[str, Any] | None = None,
        state: Entered | None = None,
        as_seen: list[dict[str, Any]] | None = None,
    ) -> Ack:
        """Click a button of a message, or choose in another element of it.

        `as_seen` are the blocks in front of somebody whose screen is behind: an older version of the message.
        """
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        placed = find(message.blocks if as_seen is None else as_seen, block_id, action_id)
        if placed is None:
            raise ActError("That button is not there any more.")
        if not dispatches(placed):
            raise ActError("That field sends nothing by itself.")
        offered = self._offered(person, message)
        choice = chosen_in(self._bench, person, placed, chosen or {}, offered)
        values = with_choice(state_of(message.blocks, state or {}, offered), placed, choice)
        payload = payloads.click_on_message(self._bench, person, message, placed, chosen=choice, state=values)
        return await self._interact(person, payload)

    async def message_shortcut(self, who: str, channel: str, ts: str, callback_id: str) -> Ack:
        """Choose a shortcut in the menu of a message; ephemeral messages have none."""
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        registered = self._bench.workspace.app.shortcut("message", callback_id)
        if registered is None or message.ephemeral:
            raise ActError("There is no such shortcut.")
        return await self._interact(person, payloads.message_action(self._bench, person, registered, message))

    def say(self, who: str, channel: str, text: str, thread_ts: str | None = None) -> Message:
        person, conversation = self._person(who), self._conversation(who, channel)
        if conversation.archived or person.id not in conversation.members:
            raise ActError("You cannot write here.")
        if not text.strip():
            raise ActError("There is nothing to send.")
        ts = self._bench.workspace.next_ts()
        message = Message(conversation.id, ts, person.id, self._with_tokens(text), thread_ts=thread_ts)
        self._bench.workspace.add(message)
        if conversation.kind == "dm":
            self._courier.event(
                {"type": "message", "channel_type": "im", "channel": conversation.id, "user": person.id}
                | {"text": message.text, "ts": ts, "event_ts": ts}
            )
        return message

    def delete(self, who: str, channel: str, ts: str) -> None:
        """Delete a message, as an administrator of the workspace may: the bot's too, and without telling it."""
        person, conversation = self._person(who), self._conversation(who, channel)
        self._bench.workspace.remove(self._message(person, conversation, ts))

    def _offered(self, person: Person, message: Message) -> Offered:
        return self._bench.screens.of(person.id).offered.setdefault((message.channel, message.ts), {})
