"""What somebody who waited in vain is told: what is on their screen, and what went wrong on the line lately."""

from collections.abc import Iterator, Sequence

from bot.workbench.bench import Bench
from bot.workbench.cards import Card
from bot.workbench.journal import Call
from bot.workbench.modals import Home, Modal

LATEST = 5


def report(
    bench: Bench, messages: Sequence[Card], modal: Modal | None, home: Home | None, toasts: Sequence[str]
) -> str:
    """Lines for a person who reads a failed test; `there is nothing` where there is nothing."""
    seen = [
        *(f"  {_where(bench, card)}: {card}" for card in messages[-LATEST:]),
        *([] if modal is None else _modal(modal)),
        *([] if home is None else [f"  Home: {home.text} {home.buttons}"]),
        *(f"  toast: {toast}" for toast in toasts),
    ]
    wrong = list(_wrong(bench))[-LATEST:]
    told = ["what there is:", *seen] if seen else ["there is nothing"]
    return "\n".join([*told, *(["what went wrong on the line:", *wrong] if wrong else [])])


def _where(bench: Bench, card: Card) -> str:
    conversation = bench.workspace.conversations[card.channel]
    name = "direct messages" if conversation.kind == "dm" else f"#{conversation.name}"
    return f"{name}, for this person alone" if card.message.ephemeral else name


def _modal(modal: Modal) -> Iterator[str]:
    yield f"  modal: {modal.title}: {modal.text} {modal.buttons}"
    yield from (f"    {label}: {error}" for label, error in modal.errors.items())


def _wrong(bench: Bench) -> Iterator[str]:
    """Calls that were refused, and deliveries that the app did not take: mostly one of them is why."""
    for entry in bench.journal.entries:
        call, ack = entry.about, entry.ack
        if isinstance(call, Call) and (call.dropped or not call.ok):
            yield f"  {call.method}: {'the line was cut' if call.dropped else call.answer.get('error', call.status)}"
        if ack is not None and not ack.ok:
            yield f"  {ack.kind} was not acknowledged: {ack.outcome} {ack.detail}".rstrip()
