"""A modal or the Home tab as somebody sees it, for tests and the demo: its fields are known by their labels."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.workbench.cards import NotThereError
from bot.workbench.elements import Placed, State, elements_of, value_key
from bot.workbench.entering import entered
from bot.workbench.journal import Ack
from bot.workbench.reading import words_of_blocks
from bot.workbench.submissions import Result
from bot.workbench.views import Screens, View
from bot.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Surface:
    """One view. Everything is read anew each time: what it shows now."""

    workspace: Workspace
    screens: Screens
    view: View

    @property
    def id(self) -> str:
        return self.view.id

    @property
    def text(self) -> str:
        """What a person reads in it, the labels of the fields included."""
        return words_of_blocks(self.workspace, self.view.blocks)

    @property
    def labels(self) -> list[str]:
        return [placed.label for placed in self._inputs()]

    @property
    def buttons(self) -> list[str]:
        return [placed.label for placed in elements_of(self.view.blocks) if placed.type == "button"]

    @property
    def clickable(self) -> list[str]:
        """The labels of everything that can be clicked, chosen from or filled in."""
        return [placed.label for placed in elements_of(self.view.blocks)]

    @property
    def errors(self) -> dict[str, str]:
        """What stands under the fields, by label."""
        return self.by_label(self.view.errors)

    @property
    def values(self) -> dict[str, Any]:
        """What stands in the fields, by label, as Slack's state has it."""
        return {p.label: self.view.values[p.block_id][p.action_id][value_key(p.type)] for p in self._inputs()}

    @property
    def is_open(self) -> bool:
        return self.screens.view(self.view.id) is self.view

    def says(self, text: str) -> bool:
        return text in self.text

    def by_label(self, errors: Mapping[str, str]) -> dict[str, str]:
        labels = {placed.block_id: placed.label for placed in self._inputs()}
        return {labels.get(block_id, block_id): text for block_id, text in errors.items()}

    def field(self, label: str) -> Placed:
        return self._named(label, self._inputs())

    def element(self, label: str) -> Placed:
        """A button, a field or any other element."""
        return self._named(label, list(elements_of(self.view.blocks)))

    def filled(self, answers: Mapping[str, Any]) -> State:
        """The state with these answers by label, and what stood in the other fields already."""
        state: State = {block: dict(actions) for block, actions in self.view.values.items()}
        for label, answer in answers.items():
            placed = self.field(label)
            entry = {"type": placed.type, **self.chosen(placed, answer)}
            state[placed.block_id] = {**state.get(placed.block_id, {}), placed.action_id: entry}
        return state

    def chosen(self, placed: Placed, answer: Any) -> dict[str, Any]:
        return entered(self.workspace, placed, answer, self.view.offered)

    def _inputs(self) -> list[Placed]:
        return [placed for placed in elements_of(self.view.blocks) if placed.block["type"] == "input"]

    def _named(self, label: str, among: list[Placed]) -> Placed:
        found = next((placed for placed in among if placed.label == label), None)
        if found is None:
            there = [placed.label for placed in among]
            raise NotThereError(f"nothing is called {label!r} in {self._name()!r}; there are {there}")
        return found

    def _name(self) -> str:
        title = self.view.given.get("title")
        return "Home" if title is None else str(title["text"])


class Modal(Surface):
    """A modal: it has a title, and mostly a button that submits it."""

    @property
    def title(self) -> str:
        return str(self.view.given["title"]["text"])

    @property
    def submit_label(self) -> str | None:
        submit = self.view.given.get("submit")
        return None if submit is None else str(submit["text"])


class Home(Surface):
    """The app's Home tab as one person sees it; whatever is in it acts at once."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a submission, with the errors by label."""

    result: Result
    errors: Mapping[str, str]
    ack: Ack | None
    detail: str

    @property
    def closed(self) -> bool:
        return self.result in ("closed", "cleared")
