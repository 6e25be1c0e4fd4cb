"""Every route by which somebody answers a question. Each takes what Ann sees of it, and sends from that as anybody.

What is sent is made as Slack makes it, and goes past what the workbench lets its people do: to the bot nothing in it may
matter but who sends it, and that is looked up.
"""

import copy
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from actions.kit.records.interrupts import Card, InterruptRecord
from blocks.choices import click_value
from blocks.together import PRESS, TICKS
from bot.workbench import payloads
from bot.workbench.bench import Bench
from bot.workbench.cards import Card as Shown
from bot.workbench.elements import Placed, elements_of
from bot.workbench.journal import Ack, Delivery
from bot.workbench.reading import words_of_blocks
from bot.workbench.views import View
from bot.workbench.workspace import Person
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs
from tests.integration.api_room import Reply

CHOICE = r"\"choice\":\""
"""What stands before a choice in the JSON of a payload, within which a button or a form carries JSON of its own."""
NO_CHOICE = "no_"
"""What makes a choice one that there is not."""


class Route:
    """One way to answer one question, as Ann saw it when she looked; `misspelt` is with a choice that there is not."""

    via = "slack"

    def __init__(self, office: Office, asked: Card, *, misspelt: bool = False) -> None:
        self.office = office
        self.asked = asked.interrupt
        self.misspelt = misspelt

    async def look(self) -> None:
        """Ann has it before her."""

    async def send(self, person: Person) -> None:
        """This person answers."""
        raise NotImplementedError

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        """And is told so, nobody else. `problem` is the kind of the same refusal over HTTP."""
        raise NotImplementedError

    @property
    def bench(self) -> Bench:
        return self.office.workbench.bench

    async def deliver(self, payload: Mapping[str, Any], *, accepts_response: bool = False) -> Ack:
        text = json.dumps(payload)
        sent = json.loads(text.replace(CHOICE, CHOICE + NO_CHOICE) if self.misspelt else text)
        ack = await self.office.workbench.redeliver(
            Delivery("interactive", sent, str(uuid.uuid4()), accepts_response=accepts_response)
        )
        assert ack.ok, ack
        return ack

    async def reads(self, read: Callable[[], list[str]], words: str) -> None:
        """The person reads these words among what is private to them."""
        await self.office.workbench.workspace.changes.until(lambda: any(words in each for each in read()), timeout=5)
        assert any(words in each for each in read()), f"{type(self).__name__}: {words!r} is not in {read()}"


class OnTheCard(Route):
    """The button *Approve*; whoever is refused reads it below the card, where nobody else sees it."""

    async def look(self) -> None:
        self._card = await card_of_ann(self.office, self.asked)
        self._button = self._card.element("Approve")

    async def send(self, person: Person) -> None:
        self._known = len(self._whispers(person))
        message, button = self._card.message, self._button
        await self.deliver(payloads.click_on_message(self.bench, person, message, button, chosen={}, state={}))

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        await self.reads(lambda: self._whispers(person)[self._known :], words)

    def _whispers(self, person: Person) -> list[str]:
        messages = self.bench.workspace.conversations[self._card.channel].messages
        return [each.text for each in messages if each.only_for == person.id]


class ByForm(Route):
    """The form behind *Reject*, opened before and sent now; the refusal takes its place, or stands in it."""

    async def look(self) -> None:
        ann, card = self.office.person("ann"), await card_of_ann(self.office, self.asked)
        before = ann.open_modal
        await ann.click(card, "Reject")
        form = await ann.modal("Reject", other_than=before)
        form.view.enter(form.filled({"Reason": "It rained"}))
        self._view = copy.copy(form.view)

    async def send(self, person: Person) -> None:
        self._ack = await self.deliver(payloads.submission(self.bench, person, self._view), accepts_response=True)

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        await self.reads(self._answered, words)

    def _answered(self) -> list[str]:
        body = self._ack.body or {}
        shown = words_of_blocks(self.bench.workspace, body["view"]["blocks"]) if "view" in body else ""
        return [shown, *body.get("errors", {}).values()]


class InHome(Route):
    """The button in the Home tab, from where Slack lets nobody be told but by direct message."""

    async def look(self) -> None:
        self._home, self._button = await home_of_ann(self.office, self._is_it)

    def _is_it(self, placed: Placed) -> bool:
        return placed.label == "Approve" and self.asked.id in placed.element["value"]

    async def send(self, person: Person) -> None:
        self._known = len(self._messages(person))
        await self.deliver(payloads.click_in_view(self.bench, person, self._home, self._button, chosen={}))

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        await self.reads(lambda: self._messages(person)[self._known :], words)

    def _messages(self, person: Person) -> list[str]:
        return [each.text for each in self.bench.workspace.dm_of(person.id).messages]


class Together(Route):
    """It is ticked in the Home tab, and *Approve selected* pressed; a window says what became of each that was ticked."""

    async def look(self) -> None:
        self._home, boxes = await home_of_ann(self.office, self._is_it)
        self._button = next(each for each in elements_of(self._home.blocks) if each.action_id == f"{PRESS}:0")
        own = [each for each in boxes.element["options"] if self.asked.id in each["value"]]
        self._home.enter({boxes.block_id: {TICKS: {"type": "checkboxes", "selected_options": own}}})

    def _is_it(self, placed: Placed) -> bool:
        return placed.action_id == TICKS and self.asked.id in str(placed.element["options"])

    async def send(self, person: Person) -> None:
        self.bench.screens.clear(person.id)
        await self.deliver(payloads.click_in_view(self.bench, person, self._home, self._button, chosen={}))

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        def window() -> list[str]:
            view = self.bench.screens.of(person.id).top
            return [words_of_blocks(self.bench.workspace, view.blocks)] if view else []

        await self.reads(window, words)


class OverHttp(Route):
    """A program answers with a token of that person; it gets the same words, and the kind of refusal."""

    via = "http"

    async def send(self, person: Person) -> None:
        choice = f"{NO_CHOICE if self.misspelt else ''}approve"
        async with programs(self.office) as session:
            program = await client(self.office, session, person.id)
            version = self.asked.content_version
            self._reply: Reply = await program.answer(self.asked.id, choice=choice, content_version=version)

    async def is_told(self, person: Person, words: str, problem: str) -> None:
        assert self._reply.body["type"] == f"urn:signoff:problem:{problem}", self._reply
        assert words in self._reply.body["detail"]


async def card_of_ann(office: Office, asked: InterruptRecord) -> Shown:
    """The card as it is once it shows what is asked now."""
    ann = office.person("ann")

    def found() -> list[Shown]:
        return [each for each in ann.messages("#approvals") if any(map(is_current, elements_of(each.blocks)))]

    def is_current(placed: Placed) -> bool:
        return placed.element.get("value") == click_value(asked, "approve")

    await ann.until(lambda: bool(found()), "the card")
    return found()[0]


async def home_of_ann(office: Office, wanted: Callable[[Placed], bool]) -> tuple[View, Placed]:
    """Ann's Home tab as it is once it has what is wanted."""
    ann = office.person("ann")
    if ann.home_tab is None:
        ann.open_home()

    def found() -> list[Placed]:
        return [each for each in elements_of(ann.home_tab.view.blocks) if wanted(each)] if ann.home_tab else []

    await ann.until(lambda: bool(found()), "what waits in Home")
    assert ann.home_tab
    return copy.copy(ann.home_tab.view), found()[0]


ROUTES: tuple[type[Route], ...] = (OnTheCard, ByForm, InHome, Together, OverHttp)
"""In the order of the table's columns."""
