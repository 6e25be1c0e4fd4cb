"""Ways to start that are no command: the shortcuts, the *Start* buttons, and the modal that asks which action."""

from collections.abc import Iterable

from slack_bolt.async_app import AsyncAck

from actions.kit.action import Action
from actions.kit.registry import Registry
from blocks.form import notice_view
from blocks.quotes import AboutMessage
from blocks.starts import Begin, Pick, Startable, pick_view
from bot.engine.results import Refusal
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.slack.forms import form_view
from bot.slack.modals import Modals
from bot.slack.quoting import Quoting
from bot.slack.whispers import Whispers

DECISION = "decision"
"""The action of the message shortcut: its form has the fields `about` and `link`."""
NOT_STARTED = "Not started"
NOTHING = "Nothing can be started here."


class Starts:
    """Opens the form of an action, once it is known which, for somebody who may start it."""

    def __init__(
        self,
        *,
        runner: Runner,
        registry: Registry,
        quoting: Quoting,
        modals: Modals,
        whispers: Whispers,
        tasks: OwnedTasks,
    ) -> None:
        self._quoting = quoting
        self._runner = runner
        self._registry = registry
        self._modals = modals
        self._whispers = whispers
        self._tasks = tasks

    async def begin(self, begin: Begin) -> None:
        """Opens the form of the action, or the modal that asks which."""
        if begin.action_id is None:
            offered = startable(self._registry.actions)
            self._modals.open(begin, pick_view(offered) if offered else notice_view(NOT_STARTED, NOTHING))
            return
        form = await self._runner.open_input(begin.action_id, begin.person, begin.channel)
        if isinstance(form, Refusal):
            self._tasks.spawn(self._whispers.tell(begin.person, form.text, begin.response_url), "a whisper")
        else:
            self._modals.open(begin, form_view(form))

    def ask_about(self, message: AboutMessage) -> None:
        """Opens the form that asks for a decision about a message, which it quotes and links."""
        self._tasks.spawn(self._ask_about(message), "a message shortcut")

    async def _ask_about(self, message: AboutMessage) -> None:
        quoted = self._quoting.of(message)
        form = await self._runner.open_input(DECISION, message.person, message.channel, given=quoted)
        if isinstance(form, Refusal):
            await self._whispers.tell(message.person, form.text, message.response_url)
        else:
            self._modals.open(message, form_view(form))

    async def on_pick(self, ack: AsyncAck, pick: Pick) -> None:
        """The form takes the place of the modal that asked."""
        form = await self._runner.open_input(pick.action_id, pick.person, None)
        view = notice_view(NOT_STARTED, form.text) if isinstance(form, Refusal) else form_view(form)
        await ack(response_action="update", view=view)


def startable(actions: Iterable[Action]) -> list[Startable]:
    return [Startable(action.id, action.name, action.description) for action in actions]
