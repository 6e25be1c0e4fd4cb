"""Places by any of their names: found as one types, the best first, and read back by key."""

import asyncio

import pytest

from actions.kit.errors import ShapeError
from actions.kit.shapes.typed import typed
from actions.kit.sources import source_names, source_of
from actions.kit.sources.places import _read, find, search


def titles(typed: str, limit: int = 5) -> list[str]:
    return [each.title for each in search(typed, limit)]


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("Graz", "Graz, Austria"),
        ("graz, aus", "Graz, Austria"),
        ("  GRAZ  ", "Graz, Austria"),
        ("štýrský", "Graz, Austria"),
        ("wien", "Vienna, Austria"),
        ("sao pau", "São Paulo, Brazil"),
        ("Lodz", "Łódź, Poland"),
        ("Москва", "Moscow, Russia"),
        ("東京", "Tokyo, Japan"),
        ("l'aqu", "L'Aquila, Italy"),
        ("muenchen", "Munich, Germany"),
        ("york new", "New York City, New York, United States"),
        ("paris", "Paris, France"),
        ("paris texas", "Paris, Texas, United States"),
        ("london uk", "London, United Kingdom"),
        ("", "Shanghai, China"),
    ],
)
def test_a_place_is_found_by_what_people_type(typed: str, first: str):
    assert titles(typed)[0] == first


def test_of_equally_good_ones_the_most_populous_comes_first():
    assert titles("springfield", 3) == [
        "Springfield, Missouri, United States",
        "Springfield, Massachusetts, United States",
        "Springfield, Illinois, United States",
    ]


@pytest.mark.parametrize("typed", ["zzzzzz", "graz brazil", "\x1f", "\n", "...", "\ud800", "x" * 5_000])
def test_what_is_no_place_finds_nothing_or_what_is_there_without_a_search(typed: str):
    assert titles(typed) in ([], titles(""))


def test_no_two_options_are_called_the_same_and_none_is_too_long_for_slack():
    options = search("", 100_000)
    assert len(options) > 30_000
    assert len({each.title for each in options}) == len({each.key for each in options}) == len(options)
    assert max(len(each.title) for each in options) <= 75
    assert len(search("a", 100)) == 100


def test_a_key_is_read_back_and_any_other_is_nothing():
    found = find("2778067")
    assert found is not None
    assert found.value == {"lat": 47.06733, "lon": 15.44197, "label": "Graz, Austria"}
    assert [find(key) for key in ("", "0", "Graz", "2778067 ")] == [None] * 4


async def test_loading_lets_everything_else_go_on():
    loading = asyncio.create_task(asyncio.to_thread(_read.__wrapped__))
    turns = 0
    while not loading.done():
        await asyncio.sleep(0.005)
        turns += 1
    assert turns > 10
    await loading


def test_a_schema_names_a_source_that_there_is():
    assert source_names() == ("places",)
    assert [source_of(name) for name in ("place", "source", "_folding", "../places", None, ["places"])] == [None] * 6
    with pytest.raises(ShapeError, match="'towns', which is no source; there are: places"):
        typed({"type": "object", "properties": {"town": {"type": "string", "options_from": "towns"}}})
