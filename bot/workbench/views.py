"""What each person has in front of them besides messages: a stack of modals, field errors, toasts, a Home tab."""

import itertools
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.changes import Changes
from bot.workbench.echo import with_ids
from bot.workbench.elements import Offered, State, state_of

STACK_LIMIT = 3  # https://docs.slack.dev/surfaces/modals
TOASTS = 50  # that are kept of somebody who has no tab open to dismiss them


@dataclass(slots=True, eq=False)
class View:
    """A modal or Home tab of one person. `given` is what the app sent, with ids filled in."""

    id: str
    person: str
    given: dict[str, Any]
    root_id: str
    place: str | None = None
    """The conversation from which it was opened; those pushed onto it share it."""
    previous_id: str | None = None
    hash: str = ""
    values: State = field(default_factory=dict)
    offered: Offered = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)
    pending: bool = False

    @property
    def blocks(self) -> list[dict[str, Any]]:
        return list(self.given["blocks"])

    @property
    def external_id(self) -> str:
        return str(self.given.get("external_id") or "")

    def show(self, given: Mapping[str, Any]) -> None:
        """Show this instead; what was typed stays where block id and action id stayed the same.

        https://docs.slack.dev/surfaces/modals; that a choice goes which the element does not offer any more is not documented.
        """
        self.given = {**given, "blocks": with_ids(given["blocks"])}
        self.values = state_of(self.blocks, self.values, self.offered, self.place)
        self.errors = {}
        self.hash = f"{int(time.time())}.{secrets.token_hex(4)}"

    def enter(self, values: Mapping[str, Mapping[str, Any]]) -> None:
        self.values = state_of(self.blocks, values, self.offered, self.place)


@dataclass(frozen=True, slots=True)
class Toast:
    """A short notice at the edge of a person's screen."""

    id: str
    kind: Literal["error", "info"]
    text: str


@dataclass(slots=True)
class Screen:
    """What one person sees beside the conversations."""

    stack: list[View] = field(default_factory=list)
    home: View | None = None
    toasts: list[Toast] = field(default_factory=list)
    offered: dict[tuple[str, str], Offered] = field(default_factory=dict)
    """What the app suggested for the selects of a message, by channel and ts."""
    entered: dict[tuple[str, str], State] = field(default_factory=dict)
    """What the person entered in a message and has not sent, by channel and ts."""

    @property
    def top(self) -> View | None:
        return self.stack[-1] if self.stack else None


class Screens:
    """The screens of all people."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes
        self._screens: dict[str, Screen] = {}
        self._numbers = itertools.count(1)

    def of(self, person_id: str) -> Screen:
        return self._screens.setdefault(person_id, Screen())

    def view(self, view_id: str) -> View | None:
        """A view that somebody has open, or a Home tab."""
        return next((view for view in self._live() if view.id == view_id), None)

    def view_with_external_id(self, external_id: str) -> View | None:
        return next((view for view in self._live() if view.external_id == external_id), None)

    def open(self, person_id: str, given: Mapping[str, Any], *, place: str | None = None) -> View:
        """A new stack of modals with this one at its bottom; one that was open makes way."""
        view = self._new(person_id, given, place)
        self.of(person_id).stack = [view]
        self._changes.happened()
        return view

    def push(self, person_id: str, given: Mapping[str, Any]) -> View:
        stack = self.of(person_id).stack
        view = self._new(person_id, given, stack[0].place)
        view.root_id, view.previous_id = stack[0].id, stack[-1].id
        stack.append(view)
        self._changes.happened()
        return view

    def update(self, view: View, given: Mapping[str, Any]) -> None:
        view.show(given)
        self._changes.happened()

    def publish(self, person_id: str, given: Mapping[str, Any]) -> View:
        screen = self.of(person_id)
        if screen.home is None:
            screen.home = self._new(person_id, given)
        else:
            screen.home.show(given)
        self._changes.happened()
        return screen.home

    def close(self, view: View) -> None:
        """Take one modal off the stack; the one below shows again."""
        stack = self.of(view.person).stack
        if view in stack:
            stack.remove(view)
        self._changes.happened()

    def clear(self, person_id: str) -> None:
        self.of(person_id).stack.clear()
        self._changes.happened()

    def complain(self, view: View, errors: Mapping[str, str]) -> None:
        """Show these texts under the fields with these block ids."""
        view.errors = dict(errors)
        self._changes.happened()

    def wait_for(self, view: View, *, pending: bool) -> None:
        """Show that the answer to a submission is (not) being waited for."""
        view.pending = pending
        self._changes.happened()

    def toast(self, person_id: str, text: str, kind: Literal["error", "info"] = "error") -> None:
        screen = self.of(person_id)
        screen.toasts = [*screen.toasts, Toast(str(next(self._numbers)), kind, text)][-TOASTS:]
        self._changes.happened()

    def dismiss(self, person_id: str, toast_id: str) -> None:
        screen = self.of(person_id)
        screen.toasts = [toast for toast in screen.toasts if toast.id != toast_id]
        self._changes.happened()

    def _live(self) -> list[View]:
        screens = self._screens.values()
        return [view for screen in screens for view in (*screen.stack, screen.home) if view is not None]

    def _new(self, person_id: str, given: Mapping[str, Any], place: str | None = None) -> View:
        view_id = f"V0{next(self._numbers):09d}"
        view = View(view_id, person_id, {"blocks": []}, root_id=view_id, place=place)
        view.show(given)
        return view
