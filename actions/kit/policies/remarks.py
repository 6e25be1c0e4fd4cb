"""What people say about a request while others decide it: questions of deciders, replies of those who asked, comments."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator

from actions.kit.frozen import Frozen

PAUSES: Final = "pauses the clock"
MOST, ROOM = 60, 20
"""Remarks that are kept with a run, further ones stay in Slack alone; of them so many are no comments at least."""
LONGEST = 1_000
"""Characters of one that are kept."""
UNANSWERED = 3
"""Questions that may wait for a reply at once."""


def _may_ask(value: Any) -> Any:
    if not isinstance(value, bool) and value != PAUSES:
        raise ValueError(f"{value!r} is neither True, False nor {PAUSES!r}")
    return value


MayAsk = Annotated[bool | Literal["pauses the clock"], BeforeValidator(_may_ask)]
"""Whether those who decide may ask for more, and whether the time stands still meanwhile."""


RESUMES_AFTER = timedelta(days=3)
"""How long a clock that a question paused stands at most, without a reply."""


class RemarkKind(StrEnum):
    """What a remark is; none of them decides anything."""

    QUESTION = "question"
    REPLY = "reply"
    COMMENT = "comment"


class Remark(Frozen):
    """One of them, about the question of this number in its run. `source` tells a redelivery from a second one."""

    kind: RemarkKind
    question: int
    person: str
    text: str
    at: datetime
    source: str


def unanswered(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """The questions that were asked since somebody last replied."""
    waiting: tuple[Remark, ...] = ()
    for each in remarks:
        match each.kind:
            case RemarkKind.QUESTION:
                waiting = (*waiting, each)
            case RemarkKind.REPLY:
                waiting = ()
    return waiting


def is_full(remarks: Collection[Remark], kind: RemarkKind) -> bool:
    """Whether no more of this kind is kept: comments leave room for what those say who decide, and those who asked."""
    return len(remarks) >= (MOST - ROOM if kind is RemarkKind.COMMENT else MOST)


def kept(text: str) -> str:
    """As much of it as is kept, and a sign where that is not all."""
    text = text.encode("utf-8", "replace").decode().replace("\0", "").strip()
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
