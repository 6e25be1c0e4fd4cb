"""The slash command: starts an action, shows and changes what there is of one's own, and is answered privately."""

import asyncio
import difflib
from collections.abc import Awaitable, Callable, Iterable

from actions.kit.registry import Registry
from blocks.card import Message
from blocks.clicks import Command
from blocks.digest import DigestClick
from blocks.grants import grants_message
from blocks.home import Home
from blocks.home_clicks import Looking, Section
from blocks.life import Life
from blocks.lives import WORDS, help_message, life_message, mine_message, pending_message
from blocks.starts import starts_message
from blocks.text import clean, escape
from bot import clock
from bot.engine import refusals
from bot.engine.results import CancelDone, Refusal
from bot.engine.runner import Runner
from bot.slack.away import AwayDesk
from bot.slack.digests import Digests
from bot.slack.forms import form_view
from bot.slack.home_drawing import HomeDrawing
from bot.slack.modals import Modals
from bot.slack.shortcuts import startable
from bot.slack.stuck import StuckList, cancel_words

HELP = frozenset({"help", "?", "-h", "--help"})
LOOKING_UP = 1.5
"""Seconds that an answer may wait for Slack's directory: the command must be acknowledged within three."""
SHOWN = 80

Reply = str | Message | None


class Commands:
    """Answers a command privately, or opens a modal and answers with nothing."""

    def __init__(
        self,
        runner: Runner,
        registry: Registry,
        modals: Modals,
        drawing: HomeDrawing,
        *,
        away: AwayDesk,
        digests: Digests,
    ) -> None:
        self._runner = runner
        self._registry = registry
        self._modals = modals
        self._drawing = drawing
        self._digests = digests
        self._stuck = StuckList(runner, modals)
        self._words: dict[str, Callable[[Command, str], Awaitable[Reply]]] = {
            "": self._list,
            "list": self._list,
            "mine": self._mine,
            "pending": self._pending,
            "show": self._show,
            "cancel": self._cancel,
            "digest": self._digest,
            "stuck": self._list_stuck,
            "away": away.away,
            "back": away.back,
            "grants": self._list_grants,
        }

    async def run(self, command: Command) -> Reply:
        """An action's own id comes before every word of ours but `help`."""
        word, _, rest = command.text.partition(" ")
        if word.lower() in HELP:
            return help_message(command.command, operator=self._runner.is_operator(command.person))
        if self._registry.get(word) is not None:
            return await self._start(command, word)
        if word.lower() in self._words:
            return await self._words[word.lower()](command, rest)
        return unknown(command.command, word, [action.id for action in self._registry.actions])

    async def _start(self, command: Command, action_id: str) -> Reply:
        form = await self._runner.open_input(action_id, command.person, command.channel)
        if isinstance(form, Refusal):
            return form.text
        self._modals.open(command, form_view(form))
        return None

    async def _list(self, command: Command, _: str) -> Reply:
        name = command.command
        hints = [
            f"`{name} mine` and `{name} pending` say what there is of yours, `{name} help` what else can be typed."
        ]
        if self._runner.is_operator(command.person):
            hints.append(f"`{name} stuck` shows operators what is stuck, and lets them mend it.")
        return starts_message(name, startable(self._registry.actions), hints)

    async def _mine(self, command: Command, _: str) -> Reply:
        return await self._of_home(command, "asked", lambda home: mine_message(command.command, home))

    async def _pending(self, command: Command, _: str) -> Reply:
        return await self._of_home(command, "waiting", pending_message)

    async def _list_stuck(self, command: Command, _: str) -> Reply:
        return await self._stuck.open(command)

    async def _list_grants(self, command: Command, _: str) -> Reply:
        return grants_message(await self._runner.grants(command.person))

    async def _of_home(self, command: Command, section: Section, tell: Callable[[Home], Message]) -> Reply:
        """What the Home tab shows on the first page of a section."""
        try:
            async with asyncio.timeout(LOOKING_UP):
                return tell(await self._drawing.look(command.person, Looking(show=section)))
        except TimeoutError:
            return refusals.COULD_NOT_VERIFY

    async def _show(self, command: Command, given: str) -> Reply:
        life = await self._life(command, "show", given)
        return life_message(life, clock.now()) if isinstance(life, Life) else life.text

    async def _cancel(self, command: Command, given: str) -> Reply:
        life = await self._life(command, "cancel", given)
        if isinstance(life, Refusal):
            return life.text
        match await self._runner.cancel(life.run.id, command.person):
            case CancelDone() as done:
                return cancel_words(done)
            case Refusal(text):
                return text

    async def _digest(self, command: Command, given: str) -> Reply:
        wanted = given.strip().lower()
        if wanted not in {"on", "off"}:
            return f"Type `{command.command} digest on` to get a digest in the morning, `{command.command} digest off` to get none."
        click = DigestClick(command.person, wanted == "on", command.response_url)
        return await self._digests.switch(click, command.command)

    async def _life(self, command: Command, word: str, given: str) -> Life | Refusal:
        if not given.strip():
            return Refusal(f"Which run? Type `{command.command} {word} ID`; `{command.command} mine` lists yours.")
        return await self._runner.life(given, command.person)


def unknown(command: str, wanted: str, action_ids: Iterable[str]) -> str:
    """For what is neither an action nor a word of ours."""
    known = [*action_ids, *(word for word in (each.partition(" ")[0] for each, _ in WORDS) if word.islower())]
    close = difflib.get_close_matches(wanted.lower(), known, n=1)
    hint = f" Did you mean `{command} {close[0]}`?" if close else ""
    shown = escape(clean(wanted)[:SHOWN])
    return f"There is no action “{shown}” here.{hint} `{command}` lists what can be started, `{command} help` the rest."
