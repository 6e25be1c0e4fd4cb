"""Where forecasts come from: a service over HTTP where `SIGNOFF_FORECAST_URL` names one, else recorded replies of it.

Both are read in the same way, in the form of Open-Meteo's daily forecast (`https://api.open-meteo.com/v1/forecast`).
"""

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from importlib.resources import files
from math import asin, cos, radians, sin, sqrt
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, ValidationError, model_validator

from actions import resources
from actions.fetching import FetchError, fetch_json
from actions.kit.cards.ask_location import Coordinates, Place

Spot = Place | Coordinates
RECORDED = "recorded/forecasts.json"
DAYS = 3
EARTH = 6_371
"""Its radius in kilometres."""
DAILY = ("temperature_2m_max", "temperature_2m_min", "precipitation_sum")


class Day(BaseModel):
    """The weather of a day: degrees Celsius, and millimetres of rain or snow."""

    day: date
    high: float = Field(title="High, °C")
    low: float = Field(title="Low, °C")
    rain: float = Field(title="Rain, mm")


class Forecast(BaseModel):
    """The next days at a place, and who says so."""

    place: str
    days: list[Day] = Field(min_length=1)
    source: str


Reply = tuple[Any, str]
"""What a source said, and words for which source that was."""
Ask = Callable[[Spot], Awaitable[Reply]]


class Forecasts:
    """The weather of the next days at any spot, as the source says that is asked."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def at(self, spot: Spot) -> Forecast:
        """Raises `FetchError`."""
        reply, source = await self._ask(spot)
        return Forecast(place=spot.label, days=_days(reply), source=source)


def from_service(url: str) -> Ask:
    """A service that answers as Open-Meteo does."""

    async def ask(spot: Spot) -> Reply:
        where = {"latitude": str(spot.lat), "longitude": str(spot.lon)}
        asked = {**where, "daily": ",".join(DAILY), "timezone": "auto", "forecast_days": str(DAYS)}
        return await fetch_json(url, asked), f"the service at {urlsplit(url).hostname}"

    return ask


async def recorded(spot: Spot) -> Reply:
    """Recorded replies, of which the one from nearest by counts. It says from where, and how far away that is."""
    replies = json.loads(files("actions").joinpath(RECORDED).read_text(encoding="utf-8"))
    nearest = min(replies, key=lambda each: _kilometres(spot, each["reply"]))
    away = _kilometres(spot, nearest["reply"])
    return nearest["reply"], f"a recording for {nearest['place']}, {away:,.0f} km away"


class _Daily(BaseModel):
    """A list for each measure, with an entry for each day."""

    time: list[date] = Field(min_length=1)
    temperature_2m_max: list[float]
    temperature_2m_min: list[float]
    precipitation_sum: list[float]

    @model_validator(mode="after")
    def _is_whole(self) -> "_Daily":
        if len({len(self.time), *(len(getattr(self, name)) for name in DAILY)}) > 1:
            raise ValueError("the measures have different numbers of days")
        return self


class _Reply(BaseModel):
    daily: _Daily


def _days(reply: Any) -> list[Day]:
    try:
        daily = _Reply.model_validate(reply).daily
    except ValidationError as error:
        raise FetchError(f"the forecast cannot be read: {error.errors()[0]['msg']}") from error
    measures = zip(daily.time, daily.temperature_2m_max, daily.temperature_2m_min, daily.precipitation_sum, strict=True)
    return [Day(day=day, high=high, low=low, rain=rain) for day, high, low, rain in measures]


def _kilometres(spot: Spot, reply: dict[str, Any]) -> float:
    """Along the surface of the earth."""
    north, east = radians(spot.lat), radians(spot.lon)
    other_north, other_east = radians(reply["latitude"]), radians(reply["longitude"])
    chord = sin((other_north - north) / 2) ** 2 + cos(north) * cos(other_north) * sin((other_east - east) / 2) ** 2
    return 2 * EARTH * asin(sqrt(min(chord, 1.0)))


@resources
async def open_forecasts() -> AsyncIterator[Forecasts]:
    """Of the service that `SIGNOFF_FORECAST_URL` names, or recorded."""
    url = os.environ.get("SIGNOFF_FORECAST_URL")
    yield Forecasts(from_service(url) if url else recorded)
