"""The store's part for emergencies: somebody breaks the glass, and what came of its review is told."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from storage.database import Database, Transaction
from storage.ids import run_of
from storage.results import BreakResult, NewBreak, NewRun
from storage.transitions import glass, runs


class Emergencies:
    """Each method is one transaction. `now` is always given, aware and in UTC."""

    def __init__(self, database: Database, hand_over: Callable[[Transaction], None]) -> None:
        self._database = database
        self._hand_over = hand_over

    async def break_glass(self, new: NewBreak, review: NewRun, *, now: datetime) -> BreakResult:
        """Settles a question as one person decided alone, tells everybody, and starts the run that reviews it."""
        run = runs.new_record(review, now)
        transition = partial(glass.break_glass, new=new, review=run, now=now)
        return await self._database.write(run_of(new.interrupt_id), transition, self._hand_over)

    async def reviewed(self, run_id: str, epoch: int, *, was_right: bool, now: datetime) -> None:
        """Tells where the glass was broken what came of its review, once."""
        transition = partial(glass.reviewed, review_id=run_id, epoch=epoch, was_right=was_right, now=now)
        await self._database.write(run_id, transition, self._hand_over)
