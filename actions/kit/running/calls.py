"""What is kept of nested calls: a row for each, and what of a run's log one pass replays."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from actions.kit.records.interrupts import Asker, DecisionRecord, InterruptRecord
from actions.kit.records.runs import Failure

Answered = tuple[InterruptRecord, Sequence[DecisionRecord]]
"""A settled interrupt with its decisions, as the store hands it over."""


class CallStatus(StrEnum):
    """Where a nested call stands. Ended ones are replayed and never executed again.

    `executing` is written before it executes, so that a crash finds it. `again`: a person ordered it to be executed anew.
    """

    EXECUTING = "executing"
    PAUSED = "paused"
    AGAIN = "again"
    FINISHED = "finished"
    FAILED = "failed"
    DECLINED = "declined"
    EXPIRED = "expired"

    @property
    def ended(self) -> bool:
        return self in {CallStatus.FINISHED, CallStatus.FAILED, CallStatus.DECLINED, CallStatus.EXPIRED}


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One nested call of a run, at its path. `input` and `output` are JSON text.

    `epoch` is the execution of the run that touched it last, `executions` how often it was executed. A finished call
    without `output` was marked as having happened by a person. `idempotent` is what its action said when it began,
    `None` where that is not known.
    """

    run_id: str
    path: str
    action_id: str
    action_name: str
    input: str
    status: CallStatus
    epoch: int
    executions: int
    began_at: datetime
    ended_at: datetime | None = None
    output: str | None = None
    failure: Failure | None = None
    marked_by: str | None = None
    idempotent: bool | None = None


@dataclass(frozen=True, slots=True)
class CallEnding:
    """How a nested call ended in this pass; `output` is JSON text."""

    status: CallStatus
    output: str | None = None
    failure: Failure | None = None
    error: BaseException | None = field(default=None, compare=False, repr=False)


class Journal(Protocol):
    """Where calls are written down, each before it executes and after it."""

    async def begin(self, path: str, asker: Asker, /, *, idempotent: bool) -> bool:
        """Commits that a call executes from here on. False: the run was taken away, and it must not."""

    async def end(self, path: str, ending: CallEnding, /) -> bool:
        """Commits how a call ended. False: the run was taken away meanwhile."""


@dataclass(frozen=True)
class CallLog:
    """What happened at each place of a run so far: calls, and the latest settled interrupts, by their path."""

    calls: Mapping[str, CallRecord] = field(default_factory=dict)
    settled: Mapping[str, Answered] = field(default_factory=dict)

    @classmethod
    def of(cls, calls: Iterable[CallRecord], settled: Iterable[Answered]) -> "CallLog":
        """`settled` holds one interrupt for each path."""
        return cls({call.path: call for call in calls}, {each[0].call_path: each for each in settled})

    def is_newest(self, interrupt: InterruptRecord) -> bool:
        """Whether nothing was asked and answered after it, so that nothing can rest on its answer yet."""
        return all(other.number <= interrupt.number for other, _ in self.settled.values())


def turn(latest: InterruptRecord | None, waiting: int) -> tuple[int, int]:
    """The position of the next of `waiting` questions, and of how many: it counts on while others waited behind the last."""
    before = latest.position if latest is not None and latest.position < latest.total else 0
    return before + 1, before + waiting


def deepest(paths: Collection[str]) -> tuple[str, ...]:
    """Of some paths, those in which none of the others stands."""
    waited = {above for path in paths for above in lineage(path)[1:]}
    return tuple(path for path in paths if path not in waited)


def lineage(path: str) -> list[str]:
    """A path and all that it stands in, the innermost first: of `a/b`, that and `a`."""
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(len(parts), 0, -1)]
