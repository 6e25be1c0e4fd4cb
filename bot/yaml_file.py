"""Reads a YAML or JSON file so that what is wrong in it can be told with its file and line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from actions.kit.shapes.wording import words

DEEPEST = 20
"""Below it nothing of ours stands; an alias that contains itself goes on for ever."""

A_KEY = "[key]"
"""What pydantic puts at the end of the place of a key that does not fit."""

Model = TypeVar("Model", bound=BaseModel)
Place = tuple[int | str, ...]


class FileError(Exception):
    """A file that cannot be used. `mistakes` are sentences, one each, that begin with the file and the line."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


@dataclass(frozen=True, slots=True)
class YamlFile:
    """What a file says, and at which line it says it."""

    path: Path
    data: Any
    lines: dict[Place, int] = field(repr=False)

    def mistake(self, place: Place, what: str) -> str:
        """A sentence about a place: `workbench.yml:12: people[1].email is required`."""
        named = _spelt(place)
        return f"{self.path}:{self.line(place)}: {named} {what}" if named else f"{self.path}:1: {what}"

    def line(self, place: Place) -> int:
        """The line of a place, or of what it would stand in."""
        known = (place[:length] for length in range(len(place), -1, -1) if place[:length] in self.lines)
        return self.lines[next(known)]

    def read_as(self, model: type[Model]) -> Model:
        """The file as this model. Raises `FileError` with every mistake at once."""
        try:
            return model.model_validate({} if self.data is None else self.data)
        except ValidationError as error:
            found = sorted(error.errors(include_url=False), key=lambda each: self.line(tuple(each["loc"])))
            raise FileError([self._told(model, each) for each in found]) from None

    def _told(self, model: type[BaseModel], error: ErrorDetails) -> str:
        place = tuple(part for part in error["loc"] if part != A_KEY)
        if error["type"] != "extra_forbidden":
            return self.mistake(place, words(error))
        known = _known_keys(model, place[:-1])
        near = get_close_matches(str(place[-1]), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
        return self.mistake(place, f"is not known here; {hint}")


def read_yaml(path: Path) -> YamlFile:
    """Raises `FileError` where the file is not there, is not YAML, or says one thing twice."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileError([f"{path}: {(error.strerror or str(error)).lower()}"]) from None
    except UnicodeDecodeError:
        raise FileError([f"{path}: is not text in UTF-8"]) from None
    # YAML knows no tabs before a value; JSON, which is YAML otherwise, is often written with them.
    return _parsed(path, re.sub(r"^\t+", lambda tabs: "  " * len(tabs[0]), text, flags=re.MULTILINE))


def _parsed(path: Path, text: str) -> YamlFile:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        lines: dict[Place, int] = {(): 1}
        twice: list[str] = []
        if root is not None:
            _look(root, (), lines, twice)
        if twice:
            raise FileError([f"{path}:{each}" for each in twice])
        return YamlFile(path, yaml.safe_load(text), lines)
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        raise FileError([f"{path}:{line}: is not YAML: {error.problem or error.context}"]) from None
    except yaml.YAMLError as error:
        raise FileError([f"{path}:1: is not YAML: {error}"]) from None


def _look(node: Any, place: Place, lines: dict[Place, int], twice: list[str]) -> None:
    """Note the line of everything in a node, and what is said twice."""
    lines.setdefault(place, node.start_mark.line + 1)
    if len(place) > DEEPEST:
        return
    if node.id == "sequence":
        for number, item in enumerate(node.value):
            _look(item, (*place, number), lines, twice)
    elif node.id == "mapping":
        for key, value in node.value:
            inside = (*place, str(key.value))
            line = key.start_mark.line + 1
            if inside in lines:
                twice.append(f"{line}: {_spelt(inside)} stands here for the second time, first on line {lines[inside]}")
            lines[inside] = line
            _look(value, inside, lines, twice)


def _known_keys(model: type[BaseModel], place: Place) -> list[str]:
    """The keys that a place may have: found by going down the models of the fields."""
    for part in place:
        if isinstance(part, str) and part in model.model_fields:
            model = next(iter(models_in(model.model_fields[part].annotation)), model)
    return [name if info.alias is None else info.alias for name, info in model.model_fields.items()]


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """The models that the type of a field is made of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in getattr(annotation, "__args__", ()) for model in models_in(inner)]


def _spelt(place: Place) -> str:
    """`people[1].email`, counted from one as people count."""
    text = "".join(f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")
