"""What a person does in modals and the Home tab: choose, type, click, submit, close; and search in external selects."""

from collections.abc import Mapping
from typing import Any

from bot.workbench import payloads
from bot.workbench.acting import ActError, Entered
from bot.workbench.acts_on_messages import MessageActs
from bot.workbench.choosing import chosen_in
from bot.workbench.elements import (
    Offered,
    Placed,
    State,
    TypedAs,
    dispatches,
    elements_of,
    find,
    tells,
    with_choice,
)
from bot.workbench.form_checks import complaints
from bot.workbench.journal import Ack
from bot.workbench.submissions import Submitted, apply_answer
from bot.workbench.suggestions import asks_for, offer, suggested
from bot.workbench.views import View
from bot.workbench.workspace import Message, Person


class ViewActs(MessageActs):
    """Each method is one thing that a person does; it returns when the bot has acked or its time is up."""

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
        """Click a button, or choose in an element that dispatches, of a modal or the Home tab.

        `values` are what stands in the view's other elements, where the client knows better than the workbench.
        """
        person, view = self._person(who), self._view(who, view_id)
        if values is not None:
            view.enter(values)
        placed = _placed(view, block_id, action_id)
        if not dispatches(placed):
            raise ActError("That field sends nothing by itself.")
        choice = chosen_in(self._bench, person, placed, chosen or {}, view.offered)
        return await self._sent(person, view, placed, choice)

    async def enter(
        self, who: str, view_id: str, block_id: str, action_id: str, chosen: Mapping[str, Any], *, typed: TypedAs
    ) -> Ack | None:
        """Choose or type something in any element; the ack where Slack's client tells the app of it at once.

        `typed` says whether the person went on to press Enter; it matters to text inputs alone.
        """
        person, view = self._person(who), self._view(who, view_id)
        placed = _placed(view, block_id, action_id)
        choice = chosen_in(self._bench, person, placed, chosen, view.offered)
        if tells(placed, typed):
            return await self._sent(person, view, placed, choice)
        view.enter(with_choice(view.values, placed, choice))
        self._bench.workspace.changes.happened()
        return None

    async def submit(self, who: str, view_id: str, values: Entered, *, unchecked: bool = False) -> Submitted:
        """Submit a modal; `unchecked` sends even what Slack's own client would have complained about."""
        person, view = self._person(who), self._view(who, view_id)
        if view.pending:
            raise ActError("This form is being submitted already.")
        view.enter(values if unchecked else self._possible(person, view, values))
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

    async def close(self, who: str, view_id: str, *, everything: bool = False) -> None:
        """Cancel the modal on top; with `everything`, or where it is not on top, close the whole stack, as the cross does.

        The app hears of the modal that was cancelled, or of the first one of the stack where all are closed
        (https://docs.slack.dev/surfaces/modals). That a cancelled modal with `clear_on_close` is the one told of is
        not documented.
        """
        person, view = self._person(who), self._view(who, view_id)
        stack = self._bench.screens.of(person.id).stack
        if view not in stack:
            raise ActError("That form is not open any more.")
        crossed = everything or view is not stack[-1]
        told = stack[0] if crossed else view
        all_of_them = crossed or bool(view.given.get("clear_on_close"))
        if all_of_them:
            self._bench.screens.clear(person.id)
        else:
            self._bench.screens.close(view)
        if told.given.get("notify_on_close"):
            payload = payloads.closing(self._bench, person, told, is_cleared=all_of_them)
            await self._courier.deliver("interactive", payload)

    async def suggest(
        self,
        who: str,
        block_id: str,
        action_id: str,
        typed: str,
        *,
        view_id: str | None = None,
        channel: str | None = None,
        ts: str | None = None,
    ) -> dict[str, Any]:
        """Type into an external select of a view or a message: `{"options": […]}` or `{"option_groups": […]}`.

        Below its `min_query_length` the app is not asked. Raises `ActError` where it does not answer as it should.
        """
        person = self._person(who)
        place, blocks, offered = self._place(person, view_id, channel, ts)
        placed = find(blocks, block_id, action_id)
        if placed is None or not placed.type.endswith("external_select"):
            raise ActError("That is not there any more.")
        if not asks_for(placed, typed):
            return {"options": []}
        payload = payloads.suggestion(self._bench, person, place, placed, typed)
        ack = await self._courier.deliver("interactive", payload, accepts_response=True)
        answer = suggested(ack.body, strict=self._bench.strict) if ack.ok else None
        if answer is None:
            raise ActError("The options could not be loaded.")
        offer(offered, placed, answer)
        return answer

    async def _sent(self, person: Person, view: View, placed: Placed, choice: Mapping[str, Any]) -> Ack:
        view.enter(with_choice(view.values, placed, choice))
        return await self._interact(person, payloads.click_in_view(self._bench, person, view, placed, chosen=choice))

    def _possible(self, person: Person, view: View, values: Entered) -> State:
        """What was entered, each choice one that Slack's own client could have sent; `ActError` otherwise."""
        possible: State = {}
        for placed in elements_of(view.blocks):
            given = values.get(placed.block_id, {}).get(placed.action_id)
            if isinstance(given, Mapping) and given.get("type", placed.type) == placed.type:
                possible = with_choice(possible, placed, chosen_in(self._bench, person, placed, given, view.offered))
        return possible

    def _place(
        self, person: Person, view_id: str | None, channel: str | None, ts: str | None
    ) -> tuple[View | Message, list[dict[str, Any]], Offered]:
        if view_id is not None:
            view = self._view(person.id, view_id)
            return view, view.blocks, view.offered
        message = self._message(person, self._conversation(person.id, channel or ""), ts or "")
        return message, message.blocks, self._offered(person, message)


def _placed(view: View, block_id: str, action_id: str) -> Placed:
    placed = find(view.blocks, block_id, action_id)
    if placed is None:
        raise ActError("That is not there any more.")
    return placed
