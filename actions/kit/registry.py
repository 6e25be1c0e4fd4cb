"""Finds every action at start-up, and with them everything that is wrong, so that nothing is found out by a click."""

import importlib
import pkgutil
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from types import ModuleType
from typing import Self

from pydantic import ValidationError

from actions.kit.action import Action, ActionError
from actions.kit.errors import AnswerError
from actions.kit.policies.glass_review import glass_review
from actions.kit.policies.standing_grant import offers_grants, standing_grant
from actions.kit.resources import SetUp, opened
from actions.kit.shapes.wording import problems_of

HOME = "actions"
BY_ITSELF = (glass_review,)
"""The actions that the bot starts by itself."""
NOT_ACTIONS = ("kit", "langgraph", "openai_agents", "pydantic_agents", "testing")
"""Modules of `actions` that hold no actions."""


class RegistryError(Exception):
    """Everything that keeps the actions from working; each of `mistakes` names where it is and what to do."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


class Registry:
    """The actions by id, and the set-up functions of their resources. Raises `RegistryError` for two of one id.

    Where one of them offers standing grants, the action that asks for one is among them. What the bot starts by itself is
    not: nobody is offered it, and it is found by `executed` alone.
    """

    def __init__(self, actions: Iterable[Action], set_ups: Iterable[SetUp] = ()) -> None:
        actions = tuple(actions)
        offered = tuple(each for each in actions if offers_grants(each))
        ours = (standing_grant(offered),) if offered else ()
        self.actions = tuple(sorted((*actions, *ours), key=lambda each: each.name.casefold()))
        self._set_ups = tuple(set_ups)
        self._by_id = {each.id: each for each in self.actions}
        self._executed = self._by_id | {each.id: each for each in BY_ITSELF}
        if len(self._executed) < len(self.actions) + len(BY_ITSELF):
            raise RegistryError(_twins((*self.actions, *BY_ITSELF)))

    @classmethod
    def load(cls, modules: Sequence[str] = ()) -> Self:
        """Import what is in `actions/` and the named modules (of a package, its modules too), and collect their actions.

        Raises `RegistryError` with every mistake at once.
        """
        found = _Found()
        found.take_home()
        for name in dict.fromkeys(modules):
            found.take(name)
        twins = _twins((*found.actions, *BY_ITSELF))
        if found.mistakes or twins:
            raise RegistryError([*found.mistakes, *twins])
        return cls(found.actions, found.set_ups)

    def get(self, action_id: str) -> Action | None:
        """The action of an id that somebody may start; `None` where there is none (any more)."""
        return self._by_id.get(action_id)

    def executed(self, action_id: str) -> Action | None:
        """The action of an id that a run may have, be it one that the bot started by itself."""
        return self._executed.get(action_id)

    def resources(self) -> AbstractAsyncContextManager[tuple[object, ...]]:
        """Open the team's resources, to be entered and left on the loop that executes the actions.

        Raises `ResourcesError` with the function that failed.
        """
        return opened(self._set_ups)


class _Found:
    """What the modules gave so far, each action and set-up function once, and what was wrong with them."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.set_ups: list[SetUp] = []
        self.mistakes: list[str] = []

    def take_home(self) -> None:
        home = self._imported(HOME)
        for name in _modules_in(home, besides=NOT_ACTIONS):
            self._collect(self._imported(name))

    def take(self, name: str) -> None:
        """Collect from a module that the setting ACTIONS names; one without anything for us is a mistake."""
        mistakes = len(self.mistakes)
        module = self._imported(name)
        modules = [module, *(self._imported(each) for each in _modules_in(module))]
        gave = [self._collect(each) for each in modules]
        if not any(gave) and len(self.mistakes) == mistakes:
            self.mistakes.append(
                f"ACTIONS names {name!r}, which has no action: mark its functions with @action, or drop it"
            )

    def _imported(self, name: str) -> ModuleType | None:
        try:
            return importlib.import_module(name)
        except KeyboardInterrupt:
            raise
        except ActionError as error:
            self.mistakes += [f"{name}: action {error.action_id!r}: {mistake}" for mistake in error.mistakes]
        except BaseException as error:  # noqa: BLE001 - a module may raise anything while it is imported, even SystemExit
            self.mistakes.append(_not_imported(name, error))
        return None

    def _collect(self, module: ModuleType | None) -> bool:
        things = [] if module is None else list(vars(module).values())
        actions = [each for each in things if isinstance(each, Action)]
        set_ups = [each for each in things if isinstance(each, SetUp)]
        self.actions += [each for each in dict.fromkeys(actions) if each not in self.actions]
        self.set_ups += [each for each in dict.fromkeys(set_ups) if each not in self.set_ups]
        return bool(actions or set_ups)


def _modules_in(package: ModuleType | None, besides: Sequence[str] = ()) -> Iterator[str]:
    """The modules directly in a package, by name; none of a plain module, and none whose name starts with `_`."""
    for found in pkgutil.iter_modules(getattr(package, "__path__", ())):
        if package and not found.name.startswith("_") and found.name not in besides:
            yield f"{package.__name__}.{found.name}"


def _not_imported(name: str, error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name is not None and f"{name}.".startswith(f"{error.name}."):
        return f"ACTIONS names {name!r}, which cannot be found: check its spelling, and that it is on PYTHONPATH"
    if isinstance(error, ValidationError):
        return f"the module {name!r} cannot be imported: {_place(name, error)}{error.title}: {_problems(error)}"
    return f"the module {name!r} cannot be imported: {_place(name, error)}{type(error).__name__}: {error}"


def _problems(error: ValidationError) -> AnswerError:
    """Each with the argument that it is about, but for what a validator of ours says, which stands as it is."""
    arguments = {each["loc"][0]: None for each in error.errors() if each["loc"] and each["type"] != "value_error"}
    return AnswerError(problems_of(error, arguments))


def _place(name: str, error: BaseException) -> str:
    """Where in the module itself it happened: `line 12: `."""
    frames = traceback.walk_tb(error.__traceback__)
    lines = [line for frame, line in frames if frame.f_globals.get("__name__") == name]
    return f"line {lines[-1]}: " if lines else ""


def _twins(actions: Sequence[Action]) -> list[str]:
    """Each id that more than one action has, with the modules in which they are."""
    homes: dict[str, list[str]] = {}
    for each in actions:
        homes.setdefault(each.id, []).append(f"{each.function.__module__}.{each.function.__qualname__}")
    return [
        f"action {id_!r} exists {len(where)} times: {', '.join(where)}; give each an id of its own"
        for id_, where in homes.items()
        if len(where) > 1
    ]
