"""Lets a test make the local Slack fail in the ways in which Slack fails, on demand and a given number of times."""

import asyncio
import itertools
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from bot.workbench.fault_plans import EVERYTHING, ConnectionDropped, Diverted, Effect, Hold, Moment, Planned, Where
from bot.workbench.slack_errors import SlackError, rate_limited

__all__ = ["ConnectionDropped", "Faults", "Hold"]


class Faults:
    """What will go wrong. Each plan counts down as it happens; `where` narrows it by the call's arguments."""

    def __init__(self) -> None:
        self._plans: deque[Planned] = deque()
        self._diverted: deque[Diverted] = deque()
        self._ids = itertools.count(1)
        self._revoked: int | None = None
        self.changed: Callable[[], None] = lambda: None
        self.on_revoke: Callable[[str | None], None] = lambda _error: None
        self.on_refresh: Callable[[float], None] = lambda _warning: None

    # --- planning: the Web API

    def fail(self, method: str, error: str, *, times: int = 1, where: Where | None = None, **more: Any) -> int:
        """The next `times` calls are refused with this error and change nothing."""
        return self._plan(f"refused: {error}", method, "before", times, where, error=SlackError(error, **more))

    def rate_limit(self, method: str, *, retry_after: int = 1, times: int = 1, where: Where | None = None) -> int:
        """HTTP 429 with `Retry-After` in seconds."""
        words = f"429, Retry-After {retry_after}"
        return self._plan(words, method, "before", times, where, error=rate_limited(retry_after))

    def break_down(
        self, method: str, *, status: int = 500, times: int = 1, after_commit: bool = False, where: Where | None = None
    ) -> int:
        """HTTP 500 (or 502, 503). With `after_commit` the call has taken effect all the same."""
        error = SlackError("internal_error", status=status)
        words = f"HTTP {status}{_after(after_commit)}"
        return self._plan(words, method, _moment(after_commit), times, where, error=error)

    def drop_connection(
        self, method: str, *, times: int = 1, after_commit: bool = True, where: Where | None = None
    ) -> int:
        """The connection breaks; with `after_commit`, after the call has taken effect."""
        words = f"connection dropped{_after(after_commit)}"
        return self._plan(words, method, _moment(after_commit), times, where, drop=True)

    def time_out(self, method: str, *, seconds: float = 30.0, times: int = 1, where: Where | None = None) -> int:
        """The call takes effect and no answer comes; after `seconds` the connection breaks."""
        return self._plan(f"no answer for {seconds:g} s", method, "after", times, where, drop=True, seconds=seconds)

    def delay(
        self, method: str, seconds: float, *, times: int = 1, after_commit: bool = False, where: Where | None = None
    ) -> int:
        words = f"{seconds:g} s late{_after(after_commit)}"
        return self._plan(words, method, _moment(after_commit), times, where, seconds=seconds)

    def hold(self, method: str, *, times: int = 1, after_commit: bool = True, where: Where | None = None) -> Hold:
        """Calls wait until `release()`; `arrived` is set as soon as one does."""
        hold = Hold()
        self._plan("held", method, _moment(after_commit), times, where, hold=hold)
        return hold

    # --- planning: what Slack sends

    def withhold_acks(self, times: int = 1, *, kind: str = EVERYTHING) -> int:
        """The bot's next acks get lost on the way: it has done its work, the person sees an error."""
        return self._divert("acks lost", "lose_acks", kind, times)

    def late_acks(self, times: int = 1, *, kind: str = EVERYTHING) -> int:
        """The bot's next acks are under way for longer than Slack waits."""
        return self._divert("acks late", "late_acks", kind, times)

    def duplicate(self, kind: str = "block_actions", *, times: int = 1) -> int:
        """The next deliveries of this type (or kind) are sent twice, with the same envelope id."""
        return self._divert("sent twice", "duplicate", kind, times)

    def reorder(self, kind: str = EVERYTHING, *, seconds: float = 1.0, times: int = 1) -> int:
        """The next delivery lets another one go first, for which it waits `seconds` at most."""
        return self._divert("after the next one", "reorder", kind, times, seconds)

    def slow_down(self, kind: str = EVERYTHING, *, seconds: float = 1.0, times: int = 1) -> int:
        """The next deliveries are under way for `seconds`, which the bot lacks for its ack."""
        return self._divert(f"{seconds:g} s on the way", "slow", kind, times, seconds)

    # --- at once

    def revoke(self, error: str = "token_revoked") -> int:
        """From now on the bot's token is refused with this error, until this is cancelled."""
        self.on_revoke(error)
        self._revoked = self._revoked or next(self._ids)
        self.changed()
        return self._revoked

    def refresh(self, warning: float = 0) -> None:
        """Slack wants the Socket Mode connections anew; it closes them after so many seconds of warning."""
        self.on_refresh(warning)

    # --- looking and taking back

    def planned(self) -> list[dict[str, Any]]:
        """What is still to go wrong: `{id, words, what, times}`, `what` being a method or a kind of delivery.

        `times` is `None` for what lasts until it is cancelled.
        """
        revoked = [] if self._revoked is None else [{"id": self._revoked, "words": "token refused", "what": EVERYTHING}]
        calls = [{"id": p.id, "words": p.words, "what": p.method, "times": p.times} for p in self._plans]
        sent = [{"id": d.id, "words": d.words, "what": d.kind, "times": d.times} for d in self._diverted]
        return [plan | {"times": plan.get("times")} for plan in (*revoked, *calls, *sent)]

    def cancel(self, plan_id: int) -> bool:
        """Whether there was such a plan; it does not happen any more."""
        calls = [plan for plan in self._plans if plan.id == plan_id]
        sent = [plan for plan in self._diverted if plan.id == plan_id]
        for planned in calls:
            self._drop(planned)
        for diverted in sent:
            self._diverted.remove(diverted)
        restored = plan_id == self._revoked and self._restore()
        self.changed()
        return bool(calls or sent or restored)

    def clear(self) -> None:
        """Plan nothing any more; calls that are held go on."""
        for planned in list(self._plans):
            self._drop(planned)
        self._diverted.clear()
        self._restore()
        self.changed()

    # --- happening

    async def strike(self, method: str, moment: Moment, arguments: Mapping[str, Any]) -> None:
        """Do what is planned for this call now: wait, raise `SlackError`, or raise `ConnectionDropped`."""
        for planned in [plan for plan in self._plans if plan.fits(method, moment, arguments)]:
            self._spend(planned)
            if planned.hold is not None:
                await planned.hold.wait()
            await asyncio.sleep(planned.seconds)
            if planned.drop:
                raise ConnectionDropped(method)
            if planned.error is not None:
                raise planned.error

    def divert(self, effect: Effect, *kinds: str) -> Diverted | None:
        """The plan that meets this delivery, one use of which is spent by this."""
        wanted = (*kinds, EVERYTHING)
        found = next((plan for plan in self._diverted if plan.effect == effect and plan.kind in wanted), None)
        if found is not None:
            found.times -= 1
            if not found.times:
                self._diverted.remove(found)
            self.changed()
        return found

    def _plan(self, words: str, method: str, moment: Moment, times: int, where: Where | None, **what: Any) -> int:
        _at_least_once(times)
        planned = Planned(next(self._ids), words, method, moment, times, where, **what)
        self._plans.append(planned)
        self.changed()
        return planned.id

    def _divert(self, words: str, effect: Effect, kind: str, times: int, seconds: float = 0.0) -> int:
        _at_least_once(times)
        diverted = Diverted(next(self._ids), words, effect, kind, times, seconds)
        self._diverted.append(diverted)
        self.changed()
        return diverted.id

    def _restore(self) -> bool:
        """Whether the token had been refused by a fault."""
        was, self._revoked = self._revoked, None
        if was is not None:
            self.on_revoke(None)
        return was is not None

    def _spend(self, planned: Planned) -> None:
        """A hold stays known until it is let go, so that `clear` can let it go.

        Calls that were held together may all have met a plan that was to happen once: it happens to each of them.
        """
        planned.times -= 1
        if planned.times <= 0 and planned.hold is None and planned in self._plans:
            self._plans.remove(planned)
        self.changed()

    def _drop(self, planned: Planned) -> None:
        if planned.hold is not None:
            planned.hold.release()
        self._plans.remove(planned)


def _at_least_once(times: int) -> None:
    if times < 1:
        raise ValueError("a fault happens once at least")


def _moment(after_commit: bool) -> Moment:
    return "after" if after_commit else "before"


def _after(after_commit: bool) -> str:
    return " after the commit" if after_commit else ""
