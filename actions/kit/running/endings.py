"""What a caller is told where a nested call or a question did not end well: ordinary exceptions, the same on each pass."""

import json
from typing import Any

from actions.kit.records.interrupts import Cause
from actions.kit.records.runs import Failure
from actions.kit.running.calls import Answered


class CallFailed(Exception):  # noqa: N818  (it stands beside Declined and Expired)
    """A nested call failed. `failure` says how; `path` is where in the run.

    It failed with an error, its input was refused, or a person said that it did not happen.
    """

    def __init__(self, name: str, path: str, failure: Failure) -> None:
        super().__init__(f"{name!r} failed: {failure.message}")
        self.name = name
        self.path = path
        self.failure = failure


class _NotAgreed(Exception):  # noqa: N818  (as above)
    """What `Declined` and `Expired` tell."""

    def __init__(self, message: str, *, path: str = "", settled: Answered | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.question: str | None = None
        self.choice: str | None = None
        self.data: Any = None
        self.by: tuple[str, ...] = ()
        self.reason: str | None = None
        if settled is not None:
            self._tell(settled)

    def _tell(self, settled: Answered) -> None:
        interrupt, decisions = settled
        agreed = [each for each in decisions if each.choice == interrupt.choice]
        self.question = interrupt.message
        self.choice = interrupt.choice
        self.data = None if interrupt.answer is None else json.loads(interrupt.answer)
        self.by = tuple(each.person for each in agreed)
        self.reason = next((each.note for each in agreed if each.note), None)


class Declined(_NotAgreed):
    """People said no: raised where it was asked, or where the action that asked was called.

    `path` is where in the run it was asked, `question` what; `choice` and `data` (JSON) are the answer, `by` the Slack ids
    of those who gave it, `reason` their words. Where the deadline declined, all of these but the first two are empty.
    """


class Expired(_NotAgreed):
    """Nobody answered in time: raised where it was asked, or where the action that asked was called."""


def not_agreed(path: str, settled: Answered, *, expired: bool) -> Declined | Expired:
    """The exception for a question that was settled so."""
    if expired:
        return Expired(f"Nobody answered in time: {settled[0].message!r}", path=path, settled=settled)
    error = Declined("", path=path, settled=settled)
    late = ", because nobody answered in time" if settled[0].cause is Cause.EXPIRED else ""
    by = f" by {', '.join(error.by)}" if error.by else ""
    because = f": {error.reason}" if error.reason else ""
    error.args = (f"{settled[0].message!r} was declined{by}{late}{because}",)
    return error
