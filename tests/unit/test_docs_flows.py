"""The page about the two flows: the code that it shows is that of the actions, and the tests that it shows pass."""

import inspect
import json
import re
from pathlib import Path

import pytest

from actions.crypto import trade_crypto
from actions.kit.cards import kind_of
from actions.kit.shapes.typed import typed
from actions.weather import weather
from blocks.form import sources_of
from tests.made_parts import holds
from tests.shown_code import code_of, names_of, shown_tests

PAGE = Path(__file__).parents[2] / "docs" / "flows.md"
CODES = code_of(PAGE)


def test_the_code_that_it_shows_is_that_of_the_actions():
    shown = {"weather": inspect.getsource(weather.function)}
    whole = inspect.getsource(trade_crypto.function)
    shown["trade_crypto"] = whole[whole.index("async def") :]
    for name, source in shown.items():
        holds(PAGE, f"example: {name}", f"```python\n{source.rstrip()}\n```")


@pytest.mark.parametrize("name", ["weather_is_that", "order_is_placed"])
async def test_the_tests_that_it_shows_pass(name: str, tmp_path: Path):
    [code] = [each for each in CODES if "async def test_" in each and name in each]
    [shown] = shown_tests(code)
    await shown(**({"tmp_path": tmp_path} if "tmp_path" in inspect.signature(shown).parameters else {}))


def test_the_answers_that_it_shows_over_http_are_answers():
    uis = ("ask_location", "connect_wallet", "place_crypto_order", "get_order_status")
    lines = re.findall(r'^\{"choice".*$', PAGE.read_text("utf-8"), re.MULTILINE)
    for ui, answer in zip(uis, map(json.loads, lines), strict=True):
        kind = kind_of(ui)
        assert kind is not None
        assert answer["choice"] in {choice.key for choice in kind.resume.shape.choices}
        if "value" in answer:
            kind.resume.validate(answer["choice"], answer["value"])


def test_the_model_whose_options_come_from_a_source_is_searched():
    [code] = [each for each in CODES if "options_from" in each]
    assert sources_of(typed(names_of(code)["Trip"]).json_schema) == {"places"}
