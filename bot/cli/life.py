"""`signoff show`: one run's life, drawn from its trail, its questions and where their cards stand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.markup import escape

from actions.kit.policies.policy import Channel, DirectMessage
from actions.kit.records.audit import AuditRecord
from actions.kit.records.copies import CopyRecord
from actions.kit.records.interrupts import Card, Cause
from actions.kit.records.runs import RunRecord
from actions.kit.registry import Registry, RegistryError
from blocks.data import facts_of
from blocks.diagnosis import faults_of
from blocks.edits import edit_said, made_of
from blocks.expected import shape_words
from blocks.faults import Fault
from blocks.life import Life
from blocks.remarks import remark_said
from blocks.said import in_plain
from blocks.standing import Standing, standing
from blocks.states import RUN_STATES
from blocks.text import one_line
from blocks.tree import tree_of
from bot import clock
from bot.cli.deliveries import delivery_facts, delivery_lines
from bot.cli.facts import audit_facts, call_facts, card_facts, copy_facts, run_facts
from bot.cli.records import find_run, opened
from bot.cli.show import aligned, moment, out, passage, print_json, safe
from bot.cli.tree import plainly, standing_lines, tree_lines
from bot.engine.lives import life_of
from bot.settings import Settings
from storage.deliveries import DeliveryRecord
from storage.store import Store

TOLD = (
    "call",
    "choice",
    "for",
    "why",
    "shape",
    "was",
    "where",
    "reason",
    "error",
    "message",
    "because",
    "channel",
    "claims",
)
"""The details of the trail that say something to people, in this order."""
UNREAD = "The actions do not load here, so what the code lacks is not told: signoff doctor says why."


@dataclass(frozen=True, slots=True)
class Seen:
    """A life, what is to be said of it at this moment, and what webhooks were told."""

    life: Life
    standing: Standing
    faults: tuple[Fault, ...]
    deliveries: tuple[DeliveryRecord, ...]
    deliveries_told: tuple[str, ...]
    is_code_read: bool = True


async def show_run(given: str, *, as_json: bool) -> None:
    """Print everything that belongs to a run, from where it stands to its last message."""
    settings = Settings.load()
    async with opened(settings) as store:
        seen = await _look(store, await find_run(store, given), _registry(settings))
    if as_json:
        print_json(_facts_of(seen))
        return
    for line in _drawn(seen):
        out.print(line)


def _registry(settings: Settings) -> Registry | None:
    """The code at hand, where it loads; what is wrong with it is the doctor's to say."""
    try:
        return Registry.load(settings.actions)
    except RegistryError:
        return None


async def _look(store: Store, run: RunRecord, registry: Registry | None) -> Seen:
    life, now = await life_of(store, registry, run), clock.now()
    deliveries = await store.hooks.deliveries(run_id=run.id)
    told = tuple(await delivery_lines(store.hooks, deliveries))
    return Seen(life, standing(life, now), faults_of(life, now), deliveries, told, registry is not None)


def _facts_of(seen: Seen) -> dict[str, Any]:
    life = seen.life
    return {
        **run_facts(life.run),
        "stands": plainly(seen.standing.why),
        "fix": plainly(seen.standing.fix) or None,
        "faults": [_fault_facts(fault) for fault in seen.faults],
        "calls": [call_facts(call) for call in life.calls],
        "questions": [card_facts(card) | _more_of(card, life) for card in life.cards],
        "copies": [copy_facts(copy) for copy in life.copies],
        "trail": [audit_facts(entry) for entry in life.trail],
        "deliveries": [delivery_facts(delivery) for delivery in seen.deliveries],
    }


def _fault_facts(fault: Fault) -> dict[str, Any]:
    return {
        "symptom": fault.symptom,
        "comes_from": fault.trouble,
        "question": fault.question,
        "seen": plainly(fault.seen),
        "fix": plainly(fault.fix),
    }


def _more_of(card: Card, life: Life) -> dict[str, Any]:
    """What can be answered, which answers did not count, and by which messages it is shown."""
    return {
        "ui": card.interrupt.ui,
        "expected": {choice.key: choice.json_schema for choice in card.interrupt.shape.choices},
        "refused": [audit_facts(entry) for entry in life.refused(card.interrupt)],
        "cards": [copy.id for copy in life.cards_in_slack(card.interrupt)],
    }


def _drawn(seen: Seen) -> Iterator[str]:
    life = seen.life
    yield from run_lines(life.run)
    yield "\n[bold]Where it stands[/]"
    yield from (f"  {line}" for line in standing_lines(seen.standing, seen.faults))
    if not seen.is_code_read:
        yield f"  [yellow]![/] {UNREAD}"
    if tree := list(tree_lines(tree_of(life, values=True))):
        yield "\n[bold]What it called and asked[/]"
        yield from (f"  {line}" for line in tree)
    for card in life.cards:
        yield ""
        yield from _card_lines(card)
    yield "\n[bold]What happened[/]"
    yield from (f"  {escape(line)}" for line in aligned([_event(entry) for entry in life.trail]))
    if life.copies:
        yield "\n[bold]Messages in Slack[/]"
        yield from (f"  {escape(line)}" for line in aligned([_copy(copy) for copy in life.copies]))
    if seen.deliveries_told:
        yield "\n[bold]Webhooks[/]"
        yield from (f"  {escape(line)}" for line in seen.deliveries_told)


def run_lines(run: RunRecord) -> Iterator[str]:
    state = RUN_STATES[run.status]
    yield f"[bold]{run.id}[/]  {safe(run.action_id)}  {state.emoji} {run.status}"
    where = f" in {safe(run.origin.channel)}" if run.origin.channel else ""
    yield f"{safe(run.action_name)}, asked by {safe(run.requester)}{where}, {run.origin.via}, {moment(run.created_at)}"
    yield from _facts(run.input)
    yield from (f"  {safe(in_plain(edit_said(each)))}" for each in made_of(run))
    yield from (f"  {safe(in_plain(remark_said(each)))}" for each in run.remarks)
    if run.output not in (None, "null"):
        yield "  [bold]it returned[/]"
        yield from _facts(run.output or "")


def _card_lines(card: Card) -> Iterator[str]:
    """What was shown to those who decide; all else stands in the tree."""
    interrupt = card.interrupt
    yield f"[bold]Question {interrupt.number}[/]  {safe(interrupt.message)}"
    yield from _facts(interrupt.shown)


def _facts(text: str) -> Iterator[str]:
    """What a card would show of it, as plain lines."""
    shown = facts_of(text)
    for fact in shown.facts:
        yield f"    {safe(fact.label)}: {safe(fact.value)}"
    for each in shown.passages:
        yield passage(f"{each.label}: {each.text}" if each.label else each.text, 4)
    if shown.left_out:
        yield f"    … and {shown.left_out} more"


def _event(entry: AuditRecord) -> tuple[str, ...]:
    told = ["as operator"] if entry.details.get("cause") == Cause.ADMIN else []
    told += [f"{name} {_detail(entry.details[name])}" for name in TOLD if name in entry.details]
    return moment(entry.at), entry.event, entry.person or "", entry.via, one_line("; ".join(told))


def _detail(value: Any) -> str:
    return value if isinstance(value, str) else shape_words(value)


def _copy(copy: CopyRecord) -> tuple[str, ...]:
    shows = f"shows version {copy.shown_version} of {copy.wanted_version}" if copy.shown_version else "not posted"
    stands = f"{copy.channel} {copy.ts}" if copy.channel and copy.ts else _place(copy)
    return copy.kind, stands, copy.status, shows, one_line(copy.error or copy.text or "")


def _place(copy: CopyRecord) -> str:
    match copy.place:
        case Channel():
            return f"for {copy.place.channel}"
        case DirectMessage():
            person = copy.place.person
            return f"for {person.id or person.email}" if person else "for the deciders"
        case None:
            return "for the thread"
