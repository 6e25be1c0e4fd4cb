"""The real bot beside a workbench: the settings that connect them, and the moment from which each can reach the other."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from actions.kit.records.runs import RunStatus
from actions.kit.registry import Registry
from bot import clock
from bot.app import Signoff, running
from bot.settings import Settings, SettingsError, Transport
from bot.workbench.server import Workbench
from storage.results import RunFilters
from storage.store import Store

ANY_PORT = 0
PATIENCE = 10.0
"""Seconds in which a bot that has started is connected."""

SETTLING, LOOK_EVERY = 2.0, 0.02


class NotConnectedError(AssertionError):
    """The bot started and did not connect to the workbench."""


def bot_settings(
    workbench: Workbench, transport: Transport, folder: Path, actions: Sequence[str] | None = (), **others: Any
) -> Settings:
    """What connects a bot to a workbench, whatever the environment says about a real Slack; the database is in `folder`.

    `actions` are modules besides `actions/`; `None` leaves them, and the people file, to the environment. Ann is an
    operator. `others` are settings by the names of their fields. Raises `SettingsError`.
    """
    strangers = [name for name in others if name not in Settings.model_fields]
    if strangers:
        near = get_close_matches(strangers[0], Settings.model_fields, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise SettingsError([f"there is no setting {strangers[0]!r}{hint}"])
    connecting = {
        "bot_token": workbench.bot_token,
        "app_token": workbench.app_token,
        "signing_secret": workbench.signing_secret,
        "slack_api_url": workbench.api_url,
        "database_url": f"sqlite:///{folder / 'signoff.db'}",
        "transport": transport,
        "host": "127.0.0.1",
        "port": ANY_PORT,
        "check_cards": True,
        "migrate": True,
        "admins": ("U0ANN",),
        "manager_field": None,
    }
    named = {} if actions is None else {"actions": tuple(actions), "people": None}
    return Settings.load(**{**connecting, **named, **others})


@asynccontextmanager
async def connected(
    workbench: Workbench, settings: Settings, registry: Registry | None = None
) -> AsyncIterator[Signoff]:
    """The whole bot in this process, ready to be clicked at; the workbench's clock moves its deadlines."""
    async with running(settings, registry or Registry.load(settings.actions)) as bot:
        if settings.way_in == "http" and bot.address:
            workbench.request_url = f"http://127.0.0.1:{bot.address[1]}/slack/events"
        elif not await workbench.connected(timeout=PATIENCE):
            raise NotConnectedError(f"the bot did not connect within {PATIENCE:g} s")

        async def move_deadlines(by: timedelta) -> None:
            await _clocks_run(bot.store)
            await bot.store.bring_deadlines_forward(by, now=clock.now())

        workbench.on_clock = move_deadlines
        yield bot


async def _clocks_run(store: Store) -> None:
    """Give the cards that people may see already the moment until the bot has written down when they were posted.

    Their deadlines count from then; what is not delivered by then has none that could come nearer.
    """
    until = time.monotonic() + SETTLING
    while time.monotonic() < until:
        waiting = await store.runs(RunFilters(statuses=frozenset({RunStatus.WAITING})))
        cards = [await store.latest_card(run.id) for run in waiting]
        if all(card is None or card.interrupt.posted_at or card.interrupt.undeliverable for card in cards):
            return
        await asyncio.sleep(LOOK_EVERY)
