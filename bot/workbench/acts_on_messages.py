"""What a person does with messages: click in one, choose a shortcut on one, react, write, edit, delete, upload a file."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.workbench import payloads
from bot.workbench.acting import ActError, Acting, Entered
from bot.workbench.choosing import chosen_in
from bot.workbench.conversations import EMOJI
from bot.workbench.elements import Offered, Placed, State, TypedAs, dispatches, find, state_of, tells, with_choice
from bot.workbench.files import File
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

        `state` is what stands in its other elements, where the client knows better than the workbench. `as_seen` are
        the blocks in front of somebody whose screen is behind: an older version of the message.
        """
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        placed = find(message.blocks if as_seen is None else as_seen, block_id, action_id)
        if placed is None:
            raise ActError("That button is not there any more.")
        if not dispatches(placed):
            raise ActError("That field sends nothing by itself.")
        choice = chosen_in(self._bench, person, placed, chosen or {}, self._offered(person, message))
        values = self._entered(person, message, placed, choice, state)
        payload = payloads.click_on_message(self._bench, person, message, placed, chosen=choice, state=values)
        return await self._interact(person, payload)

    async def enter_in_message(
        self,
        who: str,
        channel: str,
        ts: str,
        block_id: str,
        action_id: str,
        *,
        chosen: Mapping[str, Any],
        typed: TypedAs,
    ) -> Ack | None:
        """Choose or type something in any element of a message; the ack where the app is told of it at once.

        `typed` says whether the person went on to press Enter; it matters to text inputs alone.
        """
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        placed = find(message.blocks, block_id, action_id)
        if placed is None:
            raise ActError("That is not there any more.")
        if tells(placed, typed):
            return await self.click(who, channel, ts, block_id, action_id, chosen=chosen)
        choice = chosen_in(self._bench, person, placed, chosen, self._offered(person, message))
        self._entered(person, message, placed, choice, None)
        return None

    async def message_shortcut(self, who: str, channel: str, ts: str, callback_id: str) -> Ack:
        """Choose a shortcut in the menu of a message; that ephemeral messages have none is not documented.

        https://docs.slack.dev/reference/interaction-payloads/shortcuts-interaction-payload
        """
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        registered = self._shortcut("message", callback_id)
        if message.ephemeral:
            raise ActError("There is no such shortcut.")
        return await self._interact(person, payloads.message_action(self._bench, person, registered, message))

    def say(
        self, who: str, channel: str, text: str, thread_ts: str | None = None, *, files: Sequence[str] = ()
    ) -> Message:
        """Write something, with files by id that this person has uploaded; a reply where `thread_ts` says so."""
        person, conversation = self._writer(who, channel)
        attached = [self._file_of(person, file_id) for file_id in files]
        if not text.strip() and not attached:
            raise ActError("There is nothing to send.")
        root = None if thread_ts is None else self._message(person, conversation, thread_ts)
        if root is not None and root.ephemeral:
            raise ActError("Nobody can reply to what only you see.")
        for file in attached:
            file.shared.append(conversation.id)
        ts = self._bench.workspace.next_ts()
        said = Message(conversation.id, ts, person.id, self._with_tokens(text), files=attached)
        said.thread_ts = None if root is None else root.thread_ts or root.ts
        return self._bench.workspace.add(said)

    def edit(self, who: str, channel: str, ts: str, text: str) -> Message:
        """Change the text of a message of one's own."""
        person, conversation = self._writer(who, channel)
        message = self._message(person, conversation, ts)
        if message.author != person.id:
            raise ActError("That message is not yours.")
        if not text.strip():
            raise ActError("There is nothing to send.")
        self._bench.workspace.edit(message, text=self._with_tokens(text), blocks=[], by=person.id)
        return message

    def react(self, who: str, channel: str, ts: str, name: str) -> None:
        """React with an emoji, by its name without colons; once more takes the reaction back."""
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        if message.ephemeral or conversation.archived or not EMOJI.fullmatch(name):
            raise ActError("You cannot react with that here.")
        if not self._bench.workspace.react(message, person.id, name):
            self._bench.workspace.unreact(message, person.id, name)

    def upload(self, who: str, name: str, content: bytes) -> File:
        """Upload a file, to be chosen in a `file_input` or sent with a message."""
        person = self._person(who)
        file = self._bench.files.new(name, person.id, len(content))
        file.content = content
        self._bench.files.complete(file)
        return file

    def delete(self, who: str, channel: str, ts: str) -> None:
        """Delete a message of one's own; members, who are all administrators here, delete anybody's, the bot's too."""
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        if person.is_guest and message.author != person.id:
            raise ActError("That message is not yours.")
        self._bench.workspace.remove(message)

    def _file_of(self, person: Person, file_id: str) -> File:
        file = self._bench.files.get(file_id)
        if file is None or file.author != person.id:
            raise ActError("There is no such file.")
        return file

    def _entered(
        self, person: Person, message: Message, placed: Placed, choice: Mapping[str, Any], state: Entered | None
    ) -> State:
        """The state of the message's elements in front of this person, after a choice in one of them."""
        known, place = self._bench.screens.of(person.id).entered, (message.channel, message.ts)
        before = known.get(place, {}) if state is None else state
        known[place] = with_choice(state_of(message.blocks, before, self._offered(person, message)), placed, choice)
        return known[place]

    def _offered(self, person: Person, message: Message) -> Offered:
        return self._bench.screens.of(person.id).offered.setdefault((message.channel, message.ts), {})
