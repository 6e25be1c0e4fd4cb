"""The weather at a place that whoever asks picks: the template for asking with a card of its own, and then looking up.

What to look at: `ui="ask_location"` brings its card and its answers, so the action declares neither. What may differ from
pass to pass, the forecast, is an action that it calls: it is looked up once, and every later pass gets it from the run's
log. That there is no place is an answer as good as any other, and no failure.
"""

from datetime import timedelta

from pydantic import BaseModel, Field

from actions import Context, Policy, Requester, action
from actions.forecasts import Day, Forecast, Forecasts
from actions.kit.cards.ask_location import Coordinates, NoPlace, Place

ASKER = Policy(deciders=Requester())
AN_HOUR = timedelta(hours=1)


class Question(BaseModel):
    """What stands on the card."""

    message: str = Field("For which place?", min_length=1, max_length=150, description="What the place is wanted for")


class Weather(BaseModel):
    """What the form of `/signoff weather` asks for: nothing, the place is asked for on a card."""


@action(
    id="ask_location",
    name="Ask for a place",
    description="Asks whoever starts it for a place: a city or coordinates.",
    policy=ASKER,
    ui="ask_location",
    expires_in=AN_HOUR,
    idempotent=True,
)
async def ask_location(input: Question, ctx: Context) -> Place | Coordinates | NoPlace:
    answer: Place | Coordinates | NoPlace = await ctx.ask(input.message)
    return answer


@action(
    id="forecast",
    name="Forecast",
    description="Looks up the weather of the next three days at a place.",
    policy=ASKER,
    resume=bool,  # It never asks.
    idempotent=True,
)
async def forecast(input: Coordinates, ctx: Context) -> Forecast:
    return await ctx.resource(Forecasts).at(input)


@action(
    id="weather",
    name="Weather",
    description="Asks for a place, and says what the weather will be there.",
    policy=ASKER,
    ui="ask_location",
    expires_in=AN_HOUR,
    idempotent=True,
)
async def weather(input: Weather, ctx: Context) -> Forecast | NoPlace:  # noqa: ARG001 - there is nothing in it
    place = await ctx.ask("The weather of which place?")
    if isinstance(place, NoPlace):
        ctx.report(f"Without a place there is no forecast: {place.error}")
        return place
    found: Forecast = await ctx.call(forecast, place)
    ctx.report(f"{found.place}, by {found.source}. {' '.join(map(_words, found.days))}")
    return found


def _words(day: Day) -> str:
    return f"{day.day:%A}: {day.low:g} to {day.high:g} °C, {f'{day.rain:g} mm' if day.rain else 'dry'}."
