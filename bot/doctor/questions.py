"""What keeps waiting questions from being answered, other than what the engine tells: of all of them, by what it comes from."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from actions.kit.counting import counted
from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Card
from actions.kit.records.runs import RunRecord
from blocks.diagnosis import faults_of
from blocks.faults import Fault, Trouble
from blocks.life import Life, Missing
from blocks.said import in_plain
from bot.doctor.findings import Finding, fail, warn
from bot.doctor.places import named_words

FAILING = frozenset({Trouble.CODE_GONE, Trouble.NOBODY, Trouble.SPLIT})
"""Nobody can answer these as they are; the others work, or did not the last time."""
OF_THE_ENGINE = frozenset({Trouble.UNDELIVERED, Trouble.UNPOSTED})


def question_findings(
    cards: Sequence[Card], refused: Sequence[AuditRecord], missing: Callable[[Card], Missing], now: datetime
) -> list[Finding]:
    """One for each kind of trouble, with the first of its runs in full. `refused` are answers that did not count."""
    found: dict[Trouble, list[tuple[RunRecord, Fault]]] = defaultdict(list)
    for life in _lives(cards, refused, missing):
        for fault in faults_of(life, now):
            if fault.trouble not in OF_THE_ENGINE:
                found[fault.trouble].append((life.run, fault))
    return [_finding(trouble, about) for trouble, about in found.items()]


def fault_finding(fault: Fault) -> Finding:
    """One fault of one run."""
    told = fail if fault.trouble in FAILING | OF_THE_ENGINE else warn
    return told(fault.symptom, in_plain(fault.seen), in_plain(fault.fix))


def _lives(cards: Sequence[Card], refused: Iterable[AuditRecord], missing: Callable[[Card], Missing]) -> Iterator[Life]:
    alike, tried = defaultdict[tuple[str, str, str], list[RunRecord]](list), defaultdict[str, list[AuditRecord]](list)
    for card in cards:
        alike[_request(card.run)].append(card.run)
    for entry in refused:
        tried[entry.run_id].append(entry)
    for card in cards:
        same = tuple(run for run in alike[_request(card.run)] if run.id != card.run.id)
        yield Life(card.run, (card,), tuple(tried[card.run.id]), same=same, missing=missing(card))


def _request(run: RunRecord) -> tuple[str, str, str]:
    return run.action_id, run.requester, run.input


def _finding(trouble: Trouble, about: Sequence[tuple[RunRecord, Fault]]) -> Finding:
    (run, first), others = about[0], [other.id for other, _ in about[1:]]
    beside = f"; so {counted(len(others), 'other run')}: {named_words(others)}" if others else ""
    told = fail if trouble in FAILING else warn
    seen = f"{first.symptom}, of the run {run.id}: {in_plain(first.seen).rstrip('.')}{beside}"
    return told("questions", seen, f"{in_plain(first.fix)} See signoff doctor {run.id}.")
