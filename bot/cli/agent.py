"""`signoff agent`: asks an agent from the terminal, tells what it does, and prints what it says in the end."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator

from actions.kit.action import Action
from actions.kit.agents.agent import agent_of
from actions.kit.records.copies import CopyKind
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from bot.cli.catalogue import unknown_action
from bot.cli.facts import amiss_words, run_facts
from bot.cli.records import opened, person_id
from bot.cli.show import err, fail, out, passage, print_json, safe
from bot.cli.starting import check_starter, checked, stored
from bot.settings import Settings
from storage.store import Store

LOOK_EVERY = 0.5
"""Seconds between two looks at the run."""


async def ask_agent(prompt: str, agent_id: str | None, person: str, *, detach: bool, as_json: bool) -> None:
    """Store the run for the running bot; unless detached, wait until it has ended. Exits with 1 where it ends otherwise than done."""
    settings = Settings.load()
    action = _agent(agent_id or settings.agent, Registry.load(settings.actions))
    requester = person_id(person)
    check_starter(action, requester)
    text = await checked(action, {"prompt": prompt})
    async with opened(settings) as store:
        run = (await stored(store, action, requester, text)).run
        if detach:
            _told_started(run, as_json=as_json)
            return
        err.print(f"{run.id}: the running bot takes it up within 5 seconds; Ctrl-C leaves it at work.")
        async for line in _lines(store, run.id):
            err.print(passage(line, 2))
        _tell(await _ended(store, run.id), as_json=as_json)


def _agent(agent_id: str, registry: Registry) -> Action:
    action = registry.get(agent_id) or unknown_action(agent_id, registry)
    if agent_of(action) is None:
        agents = ", ".join(each.id for each in registry.actions if agent_of(each) is not None)
        fail(f"{agent_id!r} is no agent. These are: {agents or 'none'}.")
    return action


async def _lines(store: Store, run_id: str) -> AsyncIterator[str]:
    """What is said on the way, and each question that people are asked, until the run has ended."""
    told: set[str] = set()
    while True:
        run, card = await store.run(run_id), await store.latest_card(run_id)
        said = {copy.id: copy.text or "" for copy in await store.copies(run_id) if copy.kind is CopyKind.LINE}
        asked = {card.interrupt.id: f"Waits for people: {card.interrupt.message}"} if card else {}
        for key, line in (said | asked).items():
            if key not in told:
                yield line
        told |= {*said, *asked}
        if run is None or run.status.ended:
            return
        await asyncio.sleep(LOOK_EVERY)


async def _ended(store: Store, run_id: str) -> RunRecord:
    return await store.run(run_id) or fail(f"There is no run {run_id} any more.")


def _told_started(run: RunRecord, *, as_json: bool) -> None:
    if as_json:
        print_json(run_facts(run))
    else:
        out.print(run.id)


def _tell(run: RunRecord, *, as_json: bool) -> None:
    if as_json:
        print_json(run_facts(run))
    if run.status is RunStatus.SUCCEEDED:
        if not as_json:
            out.print(passage(str(json.loads(run.output or "{}").get("answer", "")), 0))
        return
    err.print(safe(f"{amiss_words(run)} See: signoff show {run.id}"))
    sys.exit(1)
