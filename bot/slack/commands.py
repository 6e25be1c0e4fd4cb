"""The slash command: what may be started here, or the form of one action, made from its input."""

import difflib
from collections.abc import Iterable

from actions.kit.action import Action
from actions.kit.registry import Registry
from blocks.clicks import Command
from blocks.text import clean, clip, escape
from bot.engine.results import Refusal
from bot.engine.runner import Runner
from bot.slack.forms import form_view
from bot.slack.modals import Modals
from bot.slack.stuck import NAME as STUCK
from bot.slack.stuck import StuckList

HELP = frozenset({"", "help", "list", "?"})
LISTING = 3_500
OPERATORS = "\n`{} stuck` shows operators what is stuck, and lets them mend it."


class Commands:
    """Answers a command with a private line, or opens a form and answers with nothing."""

    def __init__(self, runner: Runner, registry: Registry, modals: Modals) -> None:
        self._runner = runner
        self._registry = registry
        self._modals = modals
        self._stuck = StuckList(runner, modals)

    async def run(self, command: Command) -> str | None:
        wanted = command.text.split()[0] if command.text.split() else ""
        if wanted.lower() in HELP:
            hint = OPERATORS.format(command.command) if self._runner.is_operator(command.person) else ""
            return listing(command.command, self._registry.actions) + hint
        action = self._registry.get(wanted)
        if action is None and wanted.lower() == STUCK:
            return await self._stuck.open(command)
        if action is None:
            return unknown(command.command, wanted, self._registry.actions)
        form = await self._runner.open_input(action.id, command.person, command.channel)
        if isinstance(form, Refusal):
            return form.text
        self._modals.open(command, form_view(form))
        return None


def listing(command: str, actions: Iterable[Action]) -> str:
    lines = [f"• `{command} {action.id}` {escape(action.description)}" for action in actions]
    return clip("\n".join(["What can be started here:", *lines]), LISTING)


def unknown(command: str, wanted: str, actions: Iterable[Action]) -> str:
    known = list(actions)
    close = difflib.get_close_matches(wanted, [action.id for action in known], n=1)
    hint = f" Did you mean `{command} {close[0]}`?" if close else ""
    return f"There is no action “{escape(clean(wanted)[:80])}” here.{hint}\n{listing(command, known)}"
