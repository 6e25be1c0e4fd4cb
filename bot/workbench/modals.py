"""A modal as somebody sees it, for tests and the demo: its fields are known by their labels."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from bot.workbench.cards import NotThereError
from bot.workbench.elements import Placed, State, elements_of, options_of, value_key
from bot.workbench.journal import Ack
from bot.workbench.reading import words_of_blocks
from bot.workbench.submissions import Result
from bot.workbench.views import Screens, View
from bot.workbench.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Modal:
    """One view. Everything is read anew each time: what it shows now."""

    workspace: Workspace
    screens: Screens
    view: View

    @property
    def id(self) -> str:
        return self.view.id

    @property
    def title(self) -> str:
        return str(self.view.given["title"]["text"])

    @property
    def submit_label(self) -> str | None:
        submit = self.view.given.get("submit")
        return None if submit is None else str(submit["text"])

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

    def by_label(self, errors: Mapping[str, str]) -> dict[str, str]:
        labels = {placed.block_id: placed.label for placed in self._inputs()}
        return {labels.get(block_id, block_id): text for block_id, text in errors.items()}

    def field(self, label: str) -> Placed:
        return self._named(label, self._inputs())

    def element(self, label: str) -> Placed:
        """A button or another element outside the fields."""
        return self._named(label, list(elements_of(self.view.blocks)))

    def filled(self, answers: Mapping[str, Any]) -> State:
        """The state with these answers by label, and what stood in the other fields already."""
        state: State = {block: dict(actions) for block, actions in self.view.values.items()}
        for label, answer in answers.items():
            placed = self.field(label)
            entered = {"type": placed.type, value_key(placed.type): self._entered(placed, answer)}
            state[placed.block_id] = {**state.get(placed.block_id, {}), placed.action_id: entered}
        return state

    def chosen(self, placed: Placed, answer: Any) -> dict[str, Any]:
        return {value_key(placed.type): self._entered(placed, answer)}

    def _inputs(self) -> list[Placed]:
        return [placed for placed in elements_of(self.view.blocks) if placed.block["type"] == "input"]

    def _named(self, label: str, among: list[Placed]) -> Placed:
        found = next((placed for placed in among if placed.label == label), None)
        if found is None:
            raise NotThereError(f"nothing is called {label!r} in {self.title!r}; there are {[p.label for p in among]}")
        return found

    def _entered(self, placed: Placed, answer: Any) -> Any:  # noqa: PLR0911 - one for each kind of value
        """An answer as this element's state has it: options by text or value, people and channels by name."""
        key = value_key(placed.type)
        if answer is None:
            return [] if key.endswith("s") else None
        match key:
            case "selected_option":
                return _option(placed, answer)
            case "selected_options":
                return [_option(placed, one) for one in _several(answer)]
            case "selected_users":
                return [self._person(one) for one in _several(answer)]
            case "selected_user":
                return self._person(answer)
            case "selected_channel" | "selected_conversation":
                return self._conversation(answer)
            case "selected_channels" | "selected_conversations":
                return [self._conversation(one) for one in _several(answer)]
            case "selected_date_time":
                return int(answer.timestamp()) if isinstance(answer, datetime) else answer
            case _:
                return _scalar(answer)

    def _person(self, name: str) -> str:
        person = self.workspace.person(name)
        return person.id if person else name

    def _conversation(self, name: str) -> str:
        conversation = self.workspace.conversation(name)
        return conversation.id if conversation else name


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


def _option(placed: Placed, answer: Any) -> Mapping[str, Any]:
    options = options_of(placed.element)
    for option in options:
        if answer in (option["text"]["text"], option["value"]):
            return option
    raise NotThereError(f"{placed.label!r} has no option {answer!r}; it has {[o['text']['text'] for o in options]}")


def _several(answer: Any) -> Iterable[Any]:
    return [answer] if isinstance(answer, str) else answer


def _scalar(answer: Any) -> Any:
    """Text, as Slack has it for numbers too; a rich text stays what it is."""
    match answer:
        case date():
            return answer.isoformat()
        case time():
            return answer.strftime("%H:%M")
        case dict():
            return answer
        case _:
            return str(answer)
