"""`signoff demo --once`: one approval along the real path, printed as it happens, step by step and with times."""

import json
import re
import time
from collections.abc import Iterable

from rich.markup import escape

from actions.kit.records.runs import RunRecord, RunStatus
from bot import logs
from bot.cli.show import out
from bot.cli.stage import LEDGER, Stage, staged
from bot.cli.stopping import until_told
from bot.settings import Transport
from bot.workbench.cards import Card, NotThereError

FILLED = {"Recipient": "press@example.com", "Message": "Acme's new checkout is live."}
DELIVERED, BROKEN = 0, 1
BOLD = re.compile(r"(?<!\w)\*([^*\s](?:[^*]*[^*\s])?)\*(?!\w)")


async def play_once(transport: Transport) -> int:
    """The exit status: 0 only if the run succeeded and its effect happened exactly once."""
    logs.set_up("console", "warning")
    out.print(f"Starting a local Slack and the bot over {'Socket Mode' if transport == 'socket' else 'signed HTTP'} …")
    status = BROKEN
    async with until_told(), staged(transport) as stage:
        status = await _played(stage)
    return status  # noqa: RET504 - still broken where Ctrl-C ended the play


async def _played(stage: Stage) -> int:
    play = _Play(stage)
    try:
        await play.act()
    except NotThereError as error:
        play.line("nobody", f"[bold red]it stopped here:[/] {escape(str(error))}")
        return BROKEN
    return await play.end()


class _Play:
    """Rita asks, Ann approves, Rita hears of it."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._began = time.perf_counter()

    def line(self, who: str, what: str) -> None:
        out.print(f"[dim]{time.perf_counter() - self._began:6.2f} s[/]  [bold]{who:<6}[/] {what}")

    async def act(self) -> None:
        rita, ann = self._stage.workbench.person("rita"), self._stage.workbench.person("ann")
        await rita.command("/signoff send_message", in_="#general")
        self.line("Rita", "types /signoff send_message in #general")
        form = await rita.modal()
        self.line("Rita", f"sees the form [italic]{escape(form.title)}[/] with {_listed(form.labels)}, and sends it")
        await rita.submit(form, FILLED)
        card = await ann.sees("Approve sending", in_="#approvals")
        self.show("Ann", "sees in #approvals", card)
        await ann.click(card, "Approve")
        self.line("Ann", "presses Approve")
        settled = await ann.sees_on(card, "Done")
        self.show("Ann", "sees the card change", settled)
        told = await rita.sees("Done", in_="dm")
        self.show("Rita", "is told by direct message", told)

    def show(self, who: str, what: str, card: Card) -> None:
        self.line(who, f"{what}:")
        for text in filter(None, card.text.splitlines()):
            out.print(f"{'':18}│ {emphasised(text)}")
        if card.buttons:
            out.print(f"{'':18}│ {escape('  '.join(f'[{label}]' for label in card.buttons))}")

    async def end(self) -> int:
        run = (await self._stage.bot.store.runs())[0]
        effects = [line for line in self._ledger() if json.loads(line)["key"].startswith(run.id)]
        if run.status is RunStatus.SUCCEEDED and len(effects) == 1:
            self.line("", f"[bold green]delivered[/]: run {run.id} succeeded, and its effect is in the ledger once")
            return DELIVERED
        self.line("", f"[bold red]not delivered[/]: {_state(run)}, {len(effects)} effects in the ledger")
        return BROKEN

    def _ledger(self) -> list[str]:
        path = self._stage.folder / LEDGER
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def emphasised(line: str) -> str:
    """A line of a card in rich's markup: what stands between mrkdwn's asterisks is bold, and all the rest as it is."""
    parts = [escape(part) for part in BOLD.split(line)]
    return "".join(f"[bold]{part}[/]" if number % 2 else part for number, part in enumerate(parts))


def _listed(labels: Iterable[str]) -> str:
    return escape(", ".join(labels))


def _state(run: RunRecord) -> str:
    return f"run {run.id} is {run.status}" + (f" ({run.failure.message})" if run.failure else "")
