"""What a person at the workbench sees, and how long they wait for it; for tests and the demo."""

from collections.abc import Callable

from bot.workbench.acts import Acts
from bot.workbench.bench import Bench
from bot.workbench.cards import Card, NotThereError, card_of
from bot.workbench.modals import Home, Modal
from bot.workbench.report import report
from bot.workbench.workspace import Conversation, Message, Person

PATIENCE = 10.0  # seconds


class Onlooker:
    """One person who looks. Whatever waits looks again after each change and raises `NotThereError` when time is up."""

    def __init__(self, bench: Bench, acts: Acts, who: str) -> None:
        person = bench.workspace.person(who)
        if person is None:
            raise LookupError(f"there is nobody called {who!r} at {bench.workspace.name}")
        self.person: Person = person
        self._bench = bench
        self._acts = acts

    # --- looking

    def messages(self, in_: str | None = None) -> list[Card]:
        """What this person can see now, oldest first: in one conversation (`#name`, `dm` or an id) or everywhere."""
        return [card_of(self._bench.workspace, message) for message in self._visible(in_)]

    def thread(self, card: Card) -> list[Card]:
        """The replies under a message."""
        return [reply for reply in self.messages(card.channel) if reply.message.thread_ts == card.ts != reply.ts]

    @property
    def ephemerals(self) -> list[Card]:
        """What was shown to this person alone."""
        return [card for card in self.messages() if card.message.ephemeral]

    @property
    def refusals(self) -> list[str]:
        """The words of what was shown to this person alone."""
        return [card.text for card in self.ephemerals]

    @property
    def toasts(self) -> list[str]:
        return [toast.text for toast in self._bench.screens.of(self.person.id).toasts]

    @property
    def open_modal(self) -> Modal | None:
        """The modal on top, if any is open now."""
        view = self._bench.screens.of(self.person.id).top
        return None if view is None else Modal(self._bench.workspace, self._bench.screens, view)

    @property
    def home_tab(self) -> Home | None:
        """The app's Home tab, if it has published one."""
        view = self._bench.screens.of(self.person.id).home
        return None if view is None else Home(self._bench.workspace, self._bench.screens, view)

    # --- waiting

    async def until(self, reached: Callable[[], bool], what: str = "it", *, timeout: float = PATIENCE) -> None:  # noqa: ASYNC109 - how patient a person is
        """Wait until `reached()` is true."""
        if not await self._bench.workspace.changes.until(reached, timeout=timeout):
            raise NotThereError(f"{self.person.name} waited {timeout:g} s for {what}; {self._report()}")

    async def sees(
        self,
        text: str,
        in_: str | None = None,
        *,
        after: Card | None = None,
        timeout: float = PATIENCE,  # noqa: ASYNC109 - how patient a person is
    ) -> Card:
        """The newest message with these words; with `after` only one that is newer than that."""

        def found() -> Card | None:
            newer = [c for c in self.messages(in_) if c.says(text) and (after is None or c.ts > after.ts)]
            return newer[-1] if newer else None

        await self.until(lambda: found() is not None, f"{text!r} in {in_ or 'any conversation'}", timeout=timeout)
        card = found()
        assert card is not None  # noqa: S101 - `until` has just seen it, and nothing ran in between
        return card

    async def sees_on(self, card: Card, text: str, *, timeout: float = PATIENCE) -> Card:  # noqa: ASYNC109 - how patient a person is
        """The same message, once it shows these words."""
        await self.until(lambda: card.says(text), f"{text!r} on the card", timeout=timeout)
        return card_of(self._bench.workspace, card.message)

    async def is_told(self, text: str, *, timeout: float = PATIENCE) -> Card:  # noqa: ASYNC109 - how patient a person is
        """What was shown to this person alone with these words."""

        def told() -> list[Card]:
            return [card for card in self.ephemerals if card.says(text)]

        await self.until(lambda: bool(told()), f"being told {text!r}", timeout=timeout)
        return told()[-1]

    async def modal(
        self,
        title: str | None = None,
        *,
        other_than: Modal | None = None,
        timeout: float = PATIENCE,  # noqa: ASYNC109 - how patient a person is
    ) -> Modal:
        """The modal on top, once there is one (with this title)."""

        def fits() -> bool:
            modal = self.open_modal
            known = other_than is not None and modal is not None and modal.id == other_than.id
            return modal is not None and not known and title in (None, modal.title)

        await self.until(fits, "a modal" if title is None else f"the modal {title!r}", timeout=timeout)
        modal = self.open_modal
        assert modal is not None  # noqa: S101 - `until` has just seen it, and nothing ran in between
        return modal

    async def toast(self, text: str, *, timeout: float = PATIENCE) -> str:  # noqa: ASYNC109 - how patient a person is
        """The whole text of a toast with these words."""
        await self.until(lambda: any(text in toast for toast in self.toasts), f"the toast {text!r}", timeout=timeout)
        return next(toast for toast in self.toasts if text in toast)

    async def home(self, text: str = "", *, timeout: float = PATIENCE) -> Home:  # noqa: ASYNC109 - how patient a person is
        """The app's Home tab, once it has published one with these words."""

        def fits() -> bool:
            home = self.home_tab
            return home is not None and home.says(text)

        await self.until(fits, f"{text!r} on the Home tab", timeout=timeout)
        home = self.home_tab
        assert home is not None  # noqa: S101 - `until` has just seen it, and nothing ran in between
        return home

    # --- inside

    def _conversation(self, which: str) -> Conversation:
        workspace = self._bench.workspace
        conversation = workspace.dm_of(self.person.id) if which == "dm" else workspace.conversation(which)
        if conversation is None:
            raise LookupError(f"there is no conversation {which!r}")
        return conversation

    def _visible(self, in_: str | None) -> list[Message]:
        workspace = self._bench.workspace
        places = list(workspace.conversations.values()) if in_ is None else [self._conversation(in_)]
        readable = [place for place in places if workspace.may_see(self.person, place)]
        seen = [m for place in readable for m in place.messages if m.only_for in (None, self.person.id)]
        return sorted(seen, key=lambda message: message.ts)

    def _report(self) -> str:
        return report(self._bench, self.messages(), self.open_modal, self.home_tab, self.toasts)
