"""Trigger ids: the right to open one modal in front of one person, for three seconds, once."""

import itertools
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.workbench.slack_errors import SlackError

KEPT = 10_000  # older ones are long expired, and not known any more


@dataclass(slots=True)
class Trigger:
    person: str
    made_at: float
    place: str | None = None
    """The conversation that the person was in."""
    used: bool = False


class Triggers:
    """Every click, submission and command gets one (https://docs.slack.dev/interactivity/handling-user-interaction)."""

    def __init__(self, lifetime: float, moment: Callable[[], float]) -> None:
        self._lifetime = lifetime
        self._moment = moment
        self._triggers: dict[str, Trigger] = {}
        self._numbers = itertools.count(1)

    def new(self, person_id: str, *, place: str | None = None) -> str:
        trigger_id = f"{int(time.time() * 1000)}.{next(self._numbers)}.{secrets.token_hex(16)}"
        if len(self._triggers) >= KEPT:
            del self._triggers[next(iter(self._triggers))]
        self._triggers[trigger_id] = Trigger(person_id, self._moment(), place)
        return trigger_id

    def exchange(self, trigger_id: object) -> Trigger:
        """The trigger, used up by this; `SlackError` when it is unknown, too old or used already."""
        trigger = self._triggers.get(trigger_id) if isinstance(trigger_id, str) else None
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.used:
            raise SlackError("exchanged_trigger_id")
        if self._moment() - trigger.made_at > self._lifetime:
            raise SlackError("expired_trigger_id")
        trigger.used = True
        return trigger
