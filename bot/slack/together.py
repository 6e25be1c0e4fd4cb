"""The window in which several questions are answered by one press: first that it is being done, then what became of each."""

from actions.kit.policies.quorum import needed
from actions.kit.records.interrupts import Card
from blocks.settled import decision_words
from blocks.staged import votes_so_far
from blocks.together import Result, Together, results_view, results_words, working_view
from bot.engine.results import Counted, Refusal, Settled
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.engine.together import Ended
from bot.slack.home import HomeTab
from bot.slack.modals import Modals
from bot.slack.whispers import Whispers


class TogetherModal:
    """The answers do not wait for the window: where it does not open, or was closed, its person is told privately."""

    def __init__(self, *, runner: Runner, home: HomeTab, modals: Modals, whispers: Whispers, tasks: OwnedTasks) -> None:
        self._runner = runner
        self._home = home
        self._modals = modals
        self._whispers = whispers
        self._tasks = tasks

    async def pressed(self, together: Together) -> None:
        """Beside the ack, which claims nothing: what was cut off here waits in the Home tab as before."""
        opening = self._tasks.spawn(self._modals.opened(together, working_view(together)), "a window of answers")
        ended = await self._runner.answer_together(together)
        await self._home.look_again(together.person)
        if not ended:
            return
        results = [result_of(each) for each in ended]
        view_id = await opening
        if view_id is None or not await self._modals.replace(view_id, results_view(results)):
            await self._whispers.tell(together.person, results_words(results), together.response_url)


def result_of(ended: Ended) -> Result:
    match ended.end:
        case Settled(card):
            return Result(card.interrupt.message, decision_words(card))
        case Counted(card):
            return Result(card.interrupt.message, _counted(card))
        case Refusal(text, card):
            asked = card or ended.card
            return Result(asked.interrupt.message if asked else "", f"⚠️ *Not counted.* {text}")


def _counted(card: Card) -> str:
    return f"🗳️ *Counted*: {len(votes_so_far(card))} of {needed(card.interrupt.policy)} answers so far"
