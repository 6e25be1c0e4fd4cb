"""How many cards and forms are drawn a second, and forms read, beside `json.dumps` of the very blocks that come of it.

    ./dev python -m tests.bench.rendering                      every line, about ten seconds
    ./dev python -m tests.bench.rendering --profile "card: …"  where the time of one line goes

Time is the processor's, and the best of many short rounds counts: whatever else the machine does only makes one slower.
"""

import argparse
import cProfile
import json
import pstats
import sys
import time
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from pydantic import BaseModel, Field, create_model

from actions.kit.records.interrupts import Card
from actions.kit.shapes.typed import typed
from actions.spend_request import SpendRequest
from blocks.card import render_card
from blocks.details import details_view
from blocks.form import answer_view, input_view, read_form
from blocks.home import Home, home_view
from blocks.home_clicks import Looking
from tests.cards import CARDS, STATES
from tests.filling import fill
from tests.kinds import KINDS

Draw = Callable[[], Any]
ROUND, ROUNDS = 0.02, 20
"""Seconds of one round, and how many there are."""


def field_of(number: int) -> tuple[Any, Any]:
    """Texts, numbers and choices, in turn."""
    described = Field(description=f"What belongs into field {number}")
    return (str, int, Decimal, bool)[number % 4], described


def thirty_fields() -> type[BaseModel]:
    fields: dict[str, Any] = {f"field_{number}": field_of(number) for number in range(30)}
    return create_model("Thirty", **fields)


def drawing(card: Card) -> Draw:
    return lambda: render_card(card).blocks


def card_lines() -> dict[str, Draw]:
    lines: dict[str, Draw] = {}
    cards = {**{name: make() for name, make in CARDS.items()}, "rich in data": KINDS["order"]()}
    for name, card in cards.items():
        for state in ("waiting", "succeeded", "failed"):
            lines[f"card: {name}, {state}"] = drawing(STATES[state](card))
    lines["Show all: rich in data"] = lambda: details_view(cards["rich in data"])
    home = Home(Looking(), waiting=tuple(make() for make in CARDS.values()), waiting_total=3)
    lines["Home with three questions"] = lambda: home_view(home)
    return lines


def form_lines() -> dict[str, Draw]:
    card = CARDS["spend_request"]()
    reject = card.interrupt.shape.choices[1]
    spend, thirty = typed(SpendRequest).json_schema, typed(thirty_fields()).json_schema
    filled = fill(thirty, {f"field_{number}": ("text", 7, "12.50", True)[number % 4] for number in range(30)})

    def form(schema: dict[str, Any]) -> Any:
        return input_view("act", "Act", "Acts.", schema, channel=None, nonce="n")

    return {
        "form: one field, below its card": lambda: answer_view(card, reject),
        "form: five fields": lambda: form(spend),
        "form: thirty fields, the first step": lambda: form(thirty),
        "form: thirty fields, read": lambda: read_form(thirty, filled).value,
    }


def seconds_of(draw: Draw) -> float:
    """What one call takes."""
    begin = time.process_time()
    draw()
    times = max(1, int(ROUND / (time.process_time() - begin)))
    return min(_round(draw, times) for _ in range(ROUNDS))


def _round(draw: Draw, times: int) -> float:
    begin = time.process_time()
    for _ in range(times):
        draw()
    return (time.process_time() - begin) / times


def measure(lines: dict[str, Draw]) -> None:
    sys.stdout.write(f"{'':38} {'a second':>9} {'µs each':>8} {'json.dumps µs':>14} {'bytes':>7}\n")
    for name, draw in lines.items():
        draw()
        made = draw()
        own, dumped = seconds_of(draw), seconds_of(partial(json.dumps, made))
        size = len(json.dumps(made))
        sys.stdout.write(f"{name:38} {1 / own:9,.0f} {own * 1e6:8,.0f} {dumped * 1e6:14,.0f} {size:7,}\n")
        sys.stdout.flush()


def profile(draw: Draw, times: int = 500) -> None:
    with cProfile.Profile() as profiler:
        for _ in range(times):
            draw()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(25)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profile", metavar="LINE", help="the name of a line, as the table has it")
    given = parser.parse_args()
    lines = {**card_lines(), **form_lines()}
    if given.profile is None:
        measure(lines)
    elif given.profile in lines:
        profile(lines[given.profile])
    else:
        parser.error(f"there is no such line; there are: {', '.join(lines)}")


if __name__ == "__main__":
    main()
