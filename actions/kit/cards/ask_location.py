"""A place on earth: one of the world's cities, found as one types, or the coordinates of any other spot."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator

from actions.kit.cards.kind import CardKind
from actions.kit.sources.places import spot

Latitude = Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False, description="Degrees north; south is negative")]
Longitude = Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False, description="Degrees east; west is negative")]
Words = Annotated[str, StringConstraints(strip_whitespace=True)]


class Place(BaseModel, title="Choose a place", json_schema_extra={"style": "primary", "options_from": "places"}):
    """Find a city by any of its names."""

    lat: Latitude = Field(title="Latitude")
    lon: Longitude = Field(title="Longitude")
    label: Words = Field(min_length=1, max_length=150, title="Place")


class Coordinates(BaseModel, title="Use coordinates"):
    """Any spot on earth."""

    lat: Latitude = Field(title="Latitude", examples=[47.0707])
    lon: Longitude = Field(title="Longitude", examples=[15.4395])
    label: Words = Field(
        "", max_length=150, title="What it is called", description="Left empty, it is called by its coordinates"
    )

    @model_validator(mode="after")
    def _is_called_something(self) -> Self:
        self.label = self.label or spot(self.lat, self.lon)
        return self


class NoPlace(BaseModel, title="No place"):
    """Say why there is none."""

    error: Words = Field(min_length=3, max_length=500, title="Why not", json_schema_extra={"format": "multiline"})


KIND = CardKind(
    ui="ask_location",
    name="Place",
    description="A place on earth: a city that is searched for, or coordinates.",
    data=None,
    answer=Place | Coordinates | NoPlace,
    for_models=(
        "Asks a person for a place. Call it once, with no other call beside it, whenever you need to know where something "
        "is and were not told: never guess a place. The answer is `{lat, lon, label}`, in degrees; or `{error}`, and then "
        "there is no place: say so, and do not ask again unasked."
    ),
)
