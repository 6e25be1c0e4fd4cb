"""The page about kinds of cards: its table is made from the code, and its recipe makes a kind that works."""

import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import actions.kit.cards
import blocks.cards
from actions import Context, Policy, Requester
from actions.kit.cards import CardKind, kind_of, kinds
from actions.kit.cards.confirm import Confirm
from actions.kit.shapes.typed import typed
from actions.testing import run
from tests.authors import executing
from tests.made_parts import holds
from tests.shown_code import put_in_place, shown_tests

PAGE = Path(__file__).parents[2] / "docs" / "kinds.md"
FOLDERS = {"shape": actions.kit.cards, "card": blocks.cards}
"""By the name of a part of the page: the package into which it belongs."""


def kinds_table() -> str:
    lines = ["| `ui` | shows | answers |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| `{kind.ui}` | {shown_by(kind)} | {answers_of(kind)} |" for kind in kinds())])


def shown_by(kind: CardKind) -> str:
    if kind.data is None:
        return "anything"
    schema = typed(kind.data).json_schema
    return ", ".join(f"`{name}{optional(name, schema)}`" for name in schema["properties"])


def answers_of(kind: CardKind) -> str:
    """The shape of each answer, once: *Edit and run* gives what *Run* gives."""
    shapes = (shape_of(choice.json_schema) for choice in kind.resume.shape.choices)
    return " or ".join(dict.fromkeys(shapes))


def shape_of(schema: dict[str, Any]) -> str:
    if "shown" in schema:
        return "what the schema says"
    return f"`{{{', '.join(entry(name, member, schema) for name, member in schema['properties'].items())}}}`"


def entry(name: str, member: dict[str, Any], schema: dict[str, Any]) -> str:
    if "const" in member:
        return f"{name}: {json.dumps(member['const'])}"
    values = " \\| ".join(map(json.dumps, member.get("enum", ())))
    return f"{name}{optional(name, schema)}{f': {values}' if values else ''}"


def optional(name: str, schema: dict[str, Any]) -> str:
    return "" if name in schema.get("required", ()) else "?"


def test_the_kinds_that_it_lists_are_those_that_there_are():
    holds(PAGE, "kinds", kinds_table())


def part(name: str) -> str:
    """The code that stands below a mark of the page."""
    (code,) = re.findall(rf"^<!-- {name} -->\n```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(code)


@pytest.fixture
def made_by_the_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The two files of the page, where they belong."""
    for name, package in FOLDERS.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "discount.py").write_text(part(name), encoding="utf-8")
        monkeypatch.setattr(package, "__path__", [*package.__path__, str(folder)])
    yield
    for package in FOLDERS.values():
        sys.modules.pop(f"{package.__name__}.discount", None)
        vars(package).pop("discount", None)


@pytest.mark.usefixtures("made_by_the_recipe")
async def test_its_recipe_makes_a_kind_and_its_test_passes(monkeypatch: pytest.MonkeyPatch):
    put_in_place("actions.grant_discount", part("action"), monkeypatch)
    tests = shown_tests(part("test"))
    assert len(tests) == 3
    for test in tests:
        for given in cases_of(test):
            ended = test(**given)
            if inspect.isawaitable(ended):
                await ended
    assert kind_of("discount") in kinds()


def cases_of(test: Any) -> Iterator[dict[str, Any]]:
    """What its `parametrize` gives it, or nothing once."""
    for mark in getattr(test, "pytestmark", ()):
        yield from (dict(zip(mark.args[0], case, strict=True)) for case in mark.args[1])
    if not hasattr(test, "pytestmark"):
        yield {}


async def test_a_requester_confirms_by_name_themselves_where_the_answer_has_no_rejection():
    async def body(ctx: Context) -> str:
        alone = Policy(deciders=Requester())
        answer = await ctx.ask("Delete it?", {"name": "orders-2024"}, ui="confirm", resume=Confirm, policy=alone)
        return str(answer.name)

    paused = await run(executing(body), {})
    assert (await paused.answer("answer", name="orders-2024")).output == "orders-2024"
