"""What people do in their Home tab: they open it, and look at something else in it. What it shows is the publisher's work."""

from collections.abc import Callable
from datetime import datetime

from blocks.home_clicks import HomeOpened, HomeTurn, Looking
from bot import clock
from storage.store import Store


class HomeTab:
    """Each is on disk when it returns; the publisher draws it from there, wherever it runs."""

    def __init__(self, store: Store, *, now: Callable[[], datetime] = clock.now) -> None:
        self._homes = store.homes
        self._now = now

    async def opened(self, event: HomeOpened) -> None:
        """It is brought up to date, and kept so from now on. What was published and is still right stays."""
        await self._homes.open(event.person, view=Looking().text, now=self._now(), anew=event.view is None)

    async def turn(self, turn: HomeTurn) -> None:
        await self._homes.show(turn.person, view=turn.looking.text, now=self._now())

    async def look_again(self, person: str) -> None:
        """After something was pressed in it: what it showed may have been out of date."""
        await self._homes.look_again(person, now=self._now())
