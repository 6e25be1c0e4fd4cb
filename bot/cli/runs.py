"""`signoff runs` and `signoff cancel`: which runs there are and where each stands, and an end to one that goes on."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Cause
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.life import Life
from blocks.standing import hindrance
from blocks.states import RUN_STATES, UNDELIVERABLE
from bot import clock
from bot.cli.facts import failure_words, run_facts
from bot.cli.progress import progress
from bot.cli.records import find_run, opened, person_id
from bot.cli.show import fail, moment, out, print_json, print_table
from bot.cli.tree import plainly
from bot.settings import Settings
from storage.results import AlreadyEnded, Cancelled, CancelRequested, RunFilters, Unknown
from storage.store import Store

COLUMNS = ("id", "action", "state", "requester", "started", "since")


@dataclass(frozen=True, slots=True)
class Line:
    """A run in the list: since when it is as it is, and what somebody ought to know of it."""

    run: RunRecord
    since: datetime
    note: str | None


async def list_runs(
    statuses: Sequence[str], action: str | None, requester: str | None, limit: int, *, as_json: bool
) -> None:
    """Print the newest runs, one line each, and below it what somebody ought to know of it."""
    filters = RunFilters(statuses=frozenset(_status(each) for each in statuses), action_id=action, requester=requester)
    async with opened(Settings.load()) as store:
        lines = await _lines(store, await store.runs(filters, limit=limit))
    if as_json:
        print_json([{**run_facts(line.run), "since": line.since.isoformat(), "note": line.note} for line in lines])
    elif lines:
        print_table(COLUMNS, [(_row(line), line.note) for line in lines])
    else:
        out.print("No runs." if filters == RunFilters() else "No runs like that.")


async def cancel_run(given: str, person: str) -> None:
    """Cancel for a person; whoever can run this command is an operator, and the trail says that it came from here."""
    by = person_id(person)
    async with opened(Settings.load()) as store:
        run = await find_run(store, given)
        if run.id != given.strip().lower():
            fail(f"{given!r} is only the beginning of {run.id} ({run.action_id}). To cancel it, give the whole id.")
        result = await store.cancel(run.id, person=by, via="command line", cause=Cause.ADMIN, now=clock.now())
    match result:
        case Cancelled():
            out.print(f"Run {run.id} is cancelled. The running bot changes its card and tells the requester.")
        case CancelRequested():
            out.print(
                f"Run {run.id} is executing; the running bot stops it within about 5 seconds: signoff show {run.id}"
            )
        case AlreadyEnded(ended):
            fail(
                f"Run {run.id} has ended already: it is {ended.status} since {moment(ended.ended_at)}. Nothing was changed."
            )
        case Unknown():
            fail(f"There is no run {given!r} any more.")


async def _lines(store: Store, runs: Sequence[RunRecord]) -> list[Line]:
    lines: list[Line] = []
    with progress("Reading runs") as tell:
        for run in runs:
            lines.append(await _line(store, run))
            tell(len(lines), len(runs))
    return lines


def _status(given: str) -> RunStatus:
    if given.lower() not in set(RunStatus):
        fail(f"--status takes one of {', '.join(RunStatus)}; {given!r} is none.")
    return RunStatus(given.lower())


def _row(line: Line) -> tuple[str, ...]:
    run = line.run
    state = f"{RUN_STATES[run.status].emoji} {run.status}"
    return run.id, run.action_id, state, run.requester, _short(run.created_at), _short(line.since)


async def _line(store: Store, run: RunRecord) -> Line:
    match run.status:
        case RunStatus.QUEUED | RunStatus.RUNNING | RunStatus.HELD:
            trail = await store.trail(run.id)
            return Line(run, trail[-1].at, _hindrance(run, trail))
        case RunStatus.WAITING:
            card = await store.latest_card(run.id)
            reason = card and card.interrupt.undeliverable
            since = card.interrupt.created_at if card else run.created_at
            return Line(run, since, f"{UNDELIVERABLE}: {reason}" if reason else None)
        case _:
            return Line(run, run.ended_at or run.created_at, failure_words(run))


def _hindrance(run: RunRecord, trail: Sequence[AuditRecord]) -> str | None:
    """What keeps a run from going on; an action that blocks its thread is named with the place in its code."""
    if run.status is RunStatus.HELD:
        return failure_words(run)
    found = hindrance(Life(run, trail=tuple(trail)), clock.now())
    return plainly(found.why) if found else None


def _short(at: datetime) -> str:
    """As short as it stays clear: the time of today, else the day."""
    local, today = at.astimezone(), clock.now().astimezone()
    if local.date() == today.date():
        return local.strftime("%H:%M")
    return local.strftime("%d %b" if local.year == today.year else "%Y-%m-%d")
