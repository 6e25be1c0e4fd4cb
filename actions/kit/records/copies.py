"""What a message of ours in Slack is: what it shows, where it belongs, and which version stands there."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from actions.kit.frozen import Frozen
from actions.kit.policies.deciders import Place
from actions.kit.records.runs import Failure, RunStatus


class CopyKind(StrEnum):
    """What a posted message shows: a card, how a run ended, that a card could not be delivered, a line of a thread, a nudge.

    `remark` tells somebody what was said about it; `edited` that a decider changed what they asked for, or had answered; `glass`
    that somebody approved it alone.
    A digest lists what waits for one person; it hangs at the run of the first.
    """

    CARD = "card"
    OUTCOME = "outcome"
    UNDELIVERABLE = "undeliverable"
    LINE = "line"
    NUDGE = "nudge"
    REMARK = "remark"
    EDITED = "edited"
    GLASS = "glass"
    DIGEST = "digest"


class Ending(Frozen):
    """How a run stood when its requester was told, so that the message stays true after the run was run again."""

    status: RunStatus
    epoch: int
    at: datetime
    failure: Failure | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class NewCopy:
    """A message that is wanted at a place in Slack."""

    kind: CopyKind
    place: Place
    reposted: bool = False
    fallback: bool = False


@dataclass(frozen=True, slots=True)
class CopyRecord:
    """One Slack message of ours: where it belongs, where it stands, and which version it shows (0: not posted yet).

    `maybe_posted`: an earlier attempt may have posted it, look first. `reposted`: it replaces one that a person deleted.
    `fallback`: it reaches a decider directly because the card could not stand where it belongs.
    """

    id: str
    run_id: str
    interrupt_id: str | None
    kind: CopyKind
    place: Place | None
    status: Literal["wanted", "posted", "gone", "failed"]
    shown_version: int
    wanted_version: int
    attempts: int
    channel: str | None = None
    ts: str | None = None
    thread_ts: str | None = None
    text: str | None = None
    ending: Ending | None = None
    error: str | None = None
    maybe_posted: bool = False
    person: str | None = None
    reposted: bool = False
    fallback: bool = False
