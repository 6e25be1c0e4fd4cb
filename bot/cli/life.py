"""`signoff show`: one run's life, drawn from its trail, its questions and where their cards stand."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.markup import escape

from actions.kit.calls import CallRecord
from actions.kit.policy import Channel, DirectMessage
from actions.kit.records import AuditRecord, Card, Cause, CopyRecord, RunRecord
from blocks.data import facts_of
from blocks.states import RUN_STATES, interrupt_state
from blocks.text import one_line
from bot.cli.catalogue import deciders_words
from bot.cli.deliveries import delivery_facts, delivery_lines
from bot.cli.facts import audit_facts, call_facts, card_facts, copy_facts, failure_words, run_facts
from bot.cli.records import find_run, opened
from bot.cli.show import aligned, moment, out, passage, print_json, safe
from bot.cli.tree import tree_lines
from bot.settings import Settings
from storage.deliveries import DeliveryRecord
from storage.store import Store

TOLD = ("call", "choice", "was", "where", "reason", "error", "message", "because", "channel", "claims")
"""The details of the trail that say something to people, in this order."""


@dataclass(frozen=True, slots=True)
class Life:
    """A run with everything that belongs to it."""

    run: RunRecord
    cards: tuple[Card, ...]
    copies: tuple[CopyRecord, ...]
    trail: tuple[AuditRecord, ...]
    deliveries: tuple[DeliveryRecord, ...]
    deliveries_told: tuple[str, ...]
    calls: tuple[CallRecord, ...]


async def show_run(given: str, *, as_json: bool) -> None:
    async with opened(Settings.load()) as store:
        life = await _life(store, await find_run(store, given))
    if as_json:
        print_json(
            {
                **run_facts(life.run),
                "calls": [call_facts(call) for call in life.calls],
                "questions": [card_facts(card) for card in life.cards],
                "copies": [copy_facts(copy) for copy in life.copies],
                "trail": [audit_facts(entry) for entry in life.trail],
                "deliveries": [delivery_facts(delivery) for delivery in life.deliveries],
            }
        )
        return
    for line in _drawn(life):
        out.print(line)


async def _life(store: Store, run: RunRecord) -> Life:
    cards, copies, trail = await store.cards(run.id), await store.copies(run.id), await store.trail(run.id)
    deliveries = await store.hooks.deliveries(run_id=run.id)
    told = tuple(await delivery_lines(store.hooks, deliveries))
    return Life(run, cards, copies, trail, deliveries, told, await store.calls.of_run(run.id))


def _drawn(life: Life) -> Iterator[str]:
    yield from _run_lines(life.run)
    tree = list(tree_lines(life.run, life.calls, life.cards))
    if tree:
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
    if life.deliveries_told:
        yield "\n[bold]Webhooks[/]"
        yield from (f"  {escape(line)}" for line in life.deliveries_told)


def _run_lines(run: RunRecord) -> Iterator[str]:
    state = RUN_STATES[run.status]
    yield f"[bold]{run.id}[/]  {safe(run.action_id)}  {state.emoji} {run.status}"
    where = f" in {safe(run.origin.channel)}" if run.origin.channel else ""
    yield f"{safe(run.action_name)}, asked by {safe(run.requester)}{where}, {run.origin.via}, {moment(run.created_at)}"
    yield from _facts(run.input)
    why = failure_words(run)
    if why:
        yield f"  [yellow]{safe(why)}[/]"
    if run.output not in (None, "null"):
        yield "  [bold]it returned[/]"
        yield from _facts(run.output or "")


def _card_lines(card: Card) -> Iterator[str]:
    interrupt = card.interrupt
    yield f"[bold]Question {interrupt.number}[/]  {safe(interrupt.message)}"
    yield from _facts(interrupt.shown)
    yield f"  {safe(str(interrupt_state(card)))}{_when(card)}"
    yield f"  decides: {safe(deciders_words(interrupt.policy))}"
    for decision in card.decisions:
        note = f", who says: {safe(decision.note)}" if decision.note else ""
        yield f"  {moment(decision.at)}  {safe(decision.choice)}, by {safe(decision.person)}{note}"


def _when(card: Card) -> str:
    interrupt = card.interrupt
    if interrupt.settled_at:
        by = f", by {safe(interrupt.settled_by)}" if interrupt.settled_by else ""
        return f", {moment(interrupt.settled_at)}{by}"
    reason = f": {safe(interrupt.undeliverable)}" if interrupt.undeliverable else ""
    return f"{reason}, until {moment(interrupt.expires_at)}" if interrupt.expires_at else reason


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
    told += [f"{name} {entry.details[name]}" for name in TOLD if name in entry.details]
    return moment(entry.at), entry.event, entry.person or "", entry.via, one_line("; ".join(told))


def _copy(copy: CopyRecord) -> tuple[str, ...]:
    shows = f"shows version {copy.shown_version} of {copy.wanted_version}" if copy.shown_version else "not posted"
    stands = f"{copy.channel} {copy.ts}" if copy.channel and copy.ts else _place(copy)
    return copy.kind, stands, copy.status, shows, one_line(copy.error or "")


def _place(copy: CopyRecord) -> str:
    match copy.place:
        case Channel():
            return f"for {copy.place.channel}"
        case DirectMessage():
            person = copy.place.person
            return f"for {person.id or person.email}" if person else "for the deciders"
        case None:
            return "for the thread"
