"""What a person does: click, submit, close, run a command, say something. The page and the tests act through this alone."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from bot.workbench import payloads
from bot.workbench.bench import Bench
from bot.workbench.delivery import Courier
from bot.workbench.echo import escaped
from bot.workbench.elements import Placed, find, option_with_value, value_key
from bot.workbench.form_checks import complaints
from bot.workbench.journal import Ack
from bot.workbench.replies import apply_reply
from bot.workbench.submissions import TROUBLE, Submitted, apply_answer
from bot.workbench.views import View
from bot.workbench.workspace import Conversation, Message, Person

_NAMED = re.compile(r"(?<!\S)([@#])([a-z0-9._-]+)")

Entered = Mapping[str, Mapping[str, Any]]


class ActError(Exception):
    """Why a person cannot do this, in words for the person."""


class Acts:
    """Each method is one thing that a person does; it returns when the bot has acked or its time is up."""

    def __init__(self, bench: Bench, courier: Courier) -> None:
        self._bench = bench
        self._courier = courier

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
        """Click a button, or choose in a select, of a message.

        `as_seen` are the blocks in front of somebody whose screen is behind: an older version of the message.
        """
        person, conversation = self._person(who), self._conversation(who, channel)
        message = self._message(person, conversation, ts)
        placed = find(message.blocks if as_seen is None else as_seen, block_id, action_id)
        if placed is None:
            raise ActError("That button is not there any more.")
        payload = payloads.click_on_message(
            self._bench, person, message, placed, chosen=_choice(placed, chosen or {}), state=state or {}
        )
        return await self._interact(person, payload)

    async def view_click(
        self,
        who: str,
        view_id: str,
        block_id: str,
        action_id: str,
        *,
        chosen: Mapping[str, Any] | None = None,
        values: Entered | None = None,
    ) -> Ack:
        """Click a button, or choose in an element that dispatches, of a modal or the Home tab."""
        person, view = self._person(who), self._view(who, view_id)
        if values is not None:
            view.enter(values)
        placed = find(view.blocks, block_id, action_id)
        if placed is None:
            raise ActError("That is not there any more.")
        payload = payloads.click_in_view(self._bench, person, view, placed, chosen=_choice(placed, chosen or {}))
        return await self._interact(person, payload)

    async def submit(self, who: str, view_id: str, values: Entered, *, unchecked: bool = False) -> Submitted:
        """Submit a modal; `unchecked` sends even what Slack's own client would have complained about."""
        person, view = self._person(who), self._view(who, view_id)
        if view.pending:
            raise ActError("This form is being submitted already.")
        view.enter(values)
        wrong = {} if unchecked else complaints(view.blocks, view.values)
        self._bench.screens.complain(view, wrong)
        if wrong:
            return Submitted("errors", wrong)
        self._bench.screens.wait_for(view, pending=True)
        try:
            payload = payloads.submission(self._bench, person, view)
            ack = await self._courier.deliver("interactive", payload, accepts_response=True)
        finally:
            self._bench.screens.wait_for(view, pending=False)
        return apply_answer(self._bench, view, ack)

    async def close(self, who: str, view_id: str) -> None:
        """Cancel the modal on top; closing the bottom one of a stack closes them all."""
        person, view = self._person(who), self._view(who, view_id)
        stack = self._bench.screens.of(person.id).stack
        all_of_them = bool(view.given.get("clear_on_close")) or view is not stack[-1]
        if all_of_them:
            self._bench.screens.clear(person.id)
        else:
            self._bench.screens.close(view)
        if view.given.get("notify_on_close"):
            payload = payloads.closing(self._bench, person, view, is_cleared=all_of_them)
            await self._courier.deliver("interactive", payload)

    async def command(self, who: str, channel: str, text: str) -> Ack:
        """Run a slash command in a conversation; what the ack says is shown there."""
        person, conversation = self._person(who), self._conversation(who, channel)
        name, _, rest = text.strip().partition(" ")
        registered = self._bench.workspace.app.command(name)
        if registered is None:
            raise ActError(f"{name} is not a valid command.")
        said = self._with_tokens(rest.strip()) if registered.should_escape else rest.strip()
        payload = payloads.command(self._bench, person, conversation, registered, said)
        ack = await self._courier.deliver("slash_commands", payload, accepts_response=True)
        if ack.ok:
            apply_reply(self._bench, person, conversation, ack.body)
        else:
            reason = "operation_timeout" if ack.outcome in ("late", "withheld") else "dispatch_failed"
            self._bench.screens.toast(person.id, f'{name} failed with the error "{reason}"')
        return ack

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

    def open_dm(self, who: str) -> Conversation:
        """Open the direct messages with the app."""
        person = self._person(who)
        dm = self._bench.workspace.dm_of(person.id)
        event = {"type": "app_home_opened", "user": person.id, "channel": dm.id, "tab": "messages"}
        self._courier.event({**event, "event_ts": self._bench.workspace.next_ts()})
        return dm

    def delete(self, who: str, channel: str, ts: str) -> None:
        """Delete a message, as an administrator of the workspace may: the bot's too, and without telling it."""
        person, conversation = self._person(who), self._conversation(who, channel)
        self._bench.workspace.remove(self._message(person, conversation, ts))

    def dismiss(self, who: str, toast_id: str) -> None:
        self._bench.screens.dismiss(self._person(who).id, toast_id)

    async def move_clock(self, by: timedelta) -> None:
        """Bring deadlines forward; nothing else about time changes."""
        if self._bench.on_clock is None:
            raise ActError("The clock cannot be moved here.")
        await self._bench.on_clock(by)
        self._bench.moved += by
        self._bench.workspace.changes.happened()

    async def _interact(self, person: Person, payload: Mapping[str, Any]) -> Ack:
        ack = await self._courier.deliver("interactive", payload)
        if not ack.ok:
            self._bench.screens.toast(person.id, TROUBLE)
        return ack

    def _person(self, who: str) -> Person:
        person = self._bench.workspace.person(who)
        if person is None or person.is_bot or person.deactivated:
            raise ActError(f"Nobody here is called {who!r}.")
        return person

    def _conversation(self, who: str, which: str) -> Conversation:
        person, conversation = self._person(who), self._bench.workspace.conversation(which)
        if conversation is None or not self._bench.workspace.may_see(person, conversation):
            raise ActError("You cannot see that conversation.")
        return conversation

    def _message(self, person: Person, conversation: Conversation, ts: str) -> Message:
        message = conversation.message(ts)
        if message is None or message.only_for not in (None, person.id):
            raise ActError("That message is not there any more.")
        return message

    def _view(self, who: str, view_id: str) -> View:
        view = self._bench.screens.view(view_id)
        if view is None or view.person != self._person(who).id:
            raise ActError("That form is not open any more.")
        return view

    def _with_tokens(self, text: str) -> str:
        """What a person typed, as Slack hands it on: escaped, and with tokens for people and channels."""
        return _NAMED.sub(self._token, escaped(text))

    def _token(self, named: re.Match[str]) -> str:
        sign, name = named.groups()
        if sign == "@":
            person = self._bench.workspace.person(name)
            return f"<@{person.id}>" if person else named.group()
        conversation = self._bench.workspace.conversation(name)
        if conversation is None or conversation.kind == "dm":
            return named.group()
        return f"<#{conversation.id}|>" if conversation.kind == "private" else f"<#{conversation.id}>"


def _choice(placed: Placed, chosen: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was chosen, as the element itself knows it; an option that it does not have was not chosen."""
    if placed.type == "button":
        return {}
    key = value_key(placed.type)
    value = chosen.get(key)
    if key == "selected_option" and value is not None:
        option = option_with_value(placed.element, value.get("value"))
        if option is None:
            raise ActError("There is no such option.")
        return {key: option}
    return {key: value}
