"""Hands what people write to the bot to an agent: a mention in a channel, or a direct message; its answers go into the thread.

A message starts one run, however often Slack delivers it, and with it both of its events.
"""

from actions.kit.agents.agent import agent_of
from actions.kit.records.runs import Origin
from actions.kit.registry import Registry
from blocks.mentions import Said
from bot.engine import refusals
from bot.engine.results import FieldErrors, Refusal
from bot.engine.runner import Runner
from bot.engine.tasks import OwnedTasks
from bot.slack.whispers import Whispers

WHAT = "Write what is to be done, such as “refund order A-1041, it came broken”."
NO_AGENT = "No agent works here: nobody has set one up. `/signoff` lists what can be started."


class Mentions:
    """`agent` is the id of the action that answers; `bot_user` the bot's own id."""

    def __init__(
        self,
        *,
        runner: Runner,
        registry: Registry,
        agent: str,
        bot_user: str,
        whispers: Whispers,
        tasks: OwnedTasks,
    ) -> None:
        self._runner = runner
        self._registry = registry
        self._agent = agent
        self._bot_user = bot_user
        self._whispers = whispers
        self._tasks = tasks

    async def heard(self, said: Said) -> None:
        """Starts a run of the agent, or says privately why not."""
        if not said.is_to(self._bot_user):
            return
        refused = self._not_ready(said) or await self._started(said)
        if refused:
            self._tasks.spawn(self._whispers.tell(said.person, refused), "a whisper")

    def _not_ready(self, said: Said) -> str | None:
        action = self._registry.get(self._agent)
        agent = action and agent_of(action)
        if not agent:
            return NO_AGENT
        return agent.lacks() or (None if said.prompt(self._bot_user) else WHAT)

    async def _started(self, said: Said) -> str | None:
        end = await self._runner.start(
            self._agent,
            {"prompt": said.prompt(self._bot_user)},
            requester=said.person,
            origin=Origin(via="slack", channel=said.channel, thread=said.thread),
            idempotency_key=f"said:{said.channel}:{said.ts}",
        )
        match end:
            case Refusal(text):
                return text
            case FieldErrors(problems):
                return refusals.of_problems(problems)
        return None
