"""`signoff script`: a script from a file, stored for the running bot, and watched until it ends or waits for people."""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from typing import Any

from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord, RunStatus
from actions.kit.registry import Registry
from actions.kit.running.calls import CallStatus
from actions.kit.sandbox.limits import NOT_INSTALLED
from bot.cli.catalogue import deciders_words
from bot.cli.facts import AMISS, amiss_words, card_facts, run_facts
from bot.cli.fields import read_input, read_text
from bot.cli.records import opened, person_id
from bot.cli.show import err, fail, print_json, print_text, safe
from bot.cli.starting import check_starter, checked, stored
from bot.settings import Settings
from storage.store import Store

EXECUTE = "execute_code"
LOOK_EVERY = 0.2
UNDER_WAY = (RunStatus.QUEUED, RunStatus.RUNNING)


async def run_script_file(
    file: str, fields: Sequence[str], input_json: str | None, person: str, wait: float, *, as_json: bool
) -> None:
    """Check what can be checked here, store the run, watch it for `wait` seconds, and say where it stands."""
    settings = Settings.load()
    requester = person_id(person)
    action = Registry.load(settings.actions).get(EXECUTE) or fail(f"{NOT_INSTALLED[0].upper()}{NOT_INSTALLED[1:]}")
    code, where = read_text("-" if file == "-" else f"@{file}")
    check_starter(action, requester)
    await _check_syntax(code, where)
    text = await checked(action, {"code": code, "inputs": read_input(fields, input_json, {})})
    async with opened(settings) as store:
        run, card = await _watched(store, (await stored(store, action, requester, text)).run, wait)
    _tell(run, card, as_json=as_json)
    if run.status in AMISS:
        sys.exit(1)


async def _check_syntax(code: str, where: str) -> None:
    from actions.kit.sandbox.checking import syntax_error

    error = await syntax_error(code)
    if error is not None:
        fail(f"{where}, {error}.")


async def _watched(store: Store, run: RunRecord, wait: float) -> tuple[RunRecord, Card | None]:
    """The run as it stands when it has ended, waits for people, or when nobody waits for it any longer."""
    until = time.monotonic() + wait
    with err.status(_line(run)) as line:
        if not err.is_terminal:
            err.print(_line(run))
        while run.status in UNDER_WAY and time.monotonic() < until:
            await asyncio.sleep(LOOK_EVERY)
            run = await store.run(run.id) or run
            line.update(await _progress(store, run))
    return run, await store.latest_card(run.id) if run.status is RunStatus.WAITING else None


async def _progress(store: Store, run: RunRecord) -> str:
    if run.status is not RunStatus.RUNNING:
        return _line(run)
    executing = [call for call in await store.calls.of_run(run.id) if call.status is CallStatus.EXECUTING]
    where = ", ".join(f"{call.path} ({call.action_id})" for call in executing)
    return f"{_line(run)}{f', executing {safe(where)}' if where else ''}"


def _line(run: RunRecord) -> str:
    soon = "; the running bot takes it up within 5 seconds" if run.status is RunStatus.QUEUED else ""
    return f"Run {run.id} is {run.status}{soon}"


def _tell(run: RunRecord, card: Card | None, *, as_json: bool) -> None:
    if as_json:
        print_json({**run_facts(run), "question": card_facts(card) if card else None})
    elif run.status is RunStatus.SUCCEEDED:
        _tell_result(json.loads(run.output or "null"))
    for sentence in _sentences(run, card):
        err.print(safe(sentence))


def _tell_result(output: Any) -> None:
    """What it printed as it printed it, and then its last value, for another program to read."""
    print_text(output["printed"])
    if output["result"] is not None:
        print_json(output["result"])


def _sentences(run: RunRecord, card: Card | None) -> list[str]:
    """Where it stands, and what people do next."""
    see = f"See: signoff show {run.id}"
    match run.status:
        case RunStatus.SUCCEEDED:
            return [f"Run {run.id} is done."]
        case RunStatus.WAITING if card is not None:
            interrupt = card.interrupt
            at = f" ({interrupt.call_path})" if interrupt.call_path else ""
            return [
                f"Run {run.id} waits for the answer to “{interrupt.message}”{at}, in Slack.",
                f"May decide: {deciders_words(interrupt.policy)}. The script goes on by itself then. {see}",
            ]
        case RunStatus.QUEUED:
            return [f"Run {run.id} is stored; no bot has taken it up yet. Is `signoff serve` running? {see}"]
        case RunStatus.RUNNING | RunStatus.WAITING:
            return [f"Run {run.id} is {run.status}. {see}"]
        case _:
            return [amiss_words(run), see]
