"""Forms whose options come from a source: one field, a whole answer, several, in rows; read back, and never trusted."""

import json
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, Field

from actions.kit.records.interrupts import Draft
from actions.kit.shapes.typed import typed
from blocks.form import form_blocks, read_form, sources_of, suggestions, turned
from blocks.forms.drafts import ADD
from blocks.validate import validate_view

GRAZ, VIENNA = "2778067", "2761369"
SPOT = {"lat": 47.06733, "lon": 15.44197, "label": "Graz, Austria"}
OTHER = {"lat": 48.20849, "lon": 16.37208, "label": "Vienna, Austria"}


class Spot(BaseModel, json_schema_extra={"options_from": "places"}):
    lat: float
    lon: float
    label: str


class Stop(BaseModel):
    at: Spot
    nights: int = 1


class Trip(BaseModel):
    start: Spot
    home: Spot | None = None
    sights: list[Spot] = Field(default=[], max_length=3)
    stops: list[Stop] = Field(default=[], max_length=5)


TRIP, SPOT_ALONE = typed(Trip).json_schema, typed(Spot).json_schema


def chosen(*keys: str, several: bool = False) -> dict[str, Any]:
    options = [{"text": {"type": "plain_text", "text": "Utopia"}, "value": key} for key in keys]
    if several:
        return {"value": {"type": "multi_external_select", "selected_options": options}}
    return {"value": {"type": "external_select", "selected_option": options[0] if options else None}}


def elements(schema: dict[str, Any], draft: Draft | None = None) -> dict[str, dict[str, Any]]:
    blocks = form_blocks(schema, draft)
    view = {"type": "modal", "title": {"type": "plain_text", "text": "T"}, "blocks": blocks}
    assert validate_view({**view, "submit": {"type": "plain_text", "text": "S"}}) == []
    return {block["block_id"]: block["element"] for block in blocks if block["type"] == "input"}


def test_a_field_is_searched_for_and_its_source_is_known():
    drawn = elements(TRIP)
    kinds = {block_id: element["type"] for block_id, element in drawn.items()}
    assert kinds["field:/start"] == kinds["field:/home"] == "external_select"
    assert kinds["field:/sights"] == "multi_external_select"
    assert drawn["field:/sights"]["max_selected_items"] == 3
    assert sources_of(TRIP) == {"places"}
    assert sources_of({"type": "object", "properties": {}}) == frozenset()


def test_a_whole_answer_is_one_field_called_by_its_title():
    [(block_id, element)] = elements({**SPOT_ALONE, "title": "Choose a place"}).items()
    assert element["type"] == "external_select"
    assert form_blocks({**SPOT_ALONE, "title": "Choose a place"})[0]["label"]["text"] == "Choose a place"
    assert read_form(SPOT_ALONE, {block_id: chosen(GRAZ)}).value == SPOT


def test_what_is_chosen_is_what_the_source_has_and_not_what_came_with_it():
    values = {
        "field:/start": chosen(GRAZ),
        "field:/home": chosen(),
        "field:/sights": chosen(VIENNA, GRAZ, several=True),
    }
    filled = read_form(TRIP, values)
    assert filled.problems == ()
    assert filled.value == {"start": SPOT, "home": None, "sights": [OTHER, SPOT]}
    assert json.loads(typed(Trip).validate(filled.value))["start"] == SPOT


@pytest.mark.parametrize("key", ["0", "Graz", "", " 2778067", "9" * 5_000, "\ud800"])
def test_a_key_that_the_source_does_not_have_is_told_at_its_field(key: str):
    for several in (False, True):
        block_id = "field:/sights" if several else "field:/start"
        filled = read_form(TRIP, {"field:/start": chosen(GRAZ), block_id: chosen(key, several=several)})
        expected = "is required" if key == "" and not several else "is not one of the options"
        told = [("/".join(map(str, each.path)), each.message) for each in filled.problems]
        assert told == [(block_id.removeprefix("field:/"), expected)]


def test_what_is_typed_is_searched_in_rows_too_and_no_more_than_slack_takes_come():
    draft = turned(TRIP, Draft(), f"{ADD}field:/stops", None, {})
    (row,) = (block_id for block_id in elements(TRIP, draft) if block_id.endswith("/at"))
    for block_id in ("field:/start", "field:/home", "field:/sights", row):
        (first, *_) = suggestions(TRIP, block_id, "graz")
        assert (first["value"], first["text"]["text"]) == (GRAZ, "Graz, Austria")
        assert first["description"]["text"] == "303,270 people"
    assert len(suggestions(TRIP, "field:/start", "a")) == 100
    assert suggestions(TRIP, "field:/stops", "graz") == []


def test_a_redrawn_form_shows_what_was_chosen_in_the_words_of_the_source():
    draft = Draft(values={"field:/start": chosen(GRAZ), "field:/home": chosen("0")})
    drawn = elements(TRIP, draft)
    assert drawn["field:/start"]["initial_option"]["text"]["text"] == "Graz, Austria"
    assert "initial_option" not in drawn["field:/home"]


def test_a_schema_of_a_source_that_is_gone_asks_for_the_value_itself():
    gone = {"type": "object", "properties": {"town": {"type": "string", "title": "Town", "options_from": "towns"}}}
    assert elements(gone)["field:/town"]["type"] == "plain_text_input"


def test_a_constant_that_is_there_by_default_is_not_asked_for_and_a_required_true_is():
    class Terms(BaseModel):
        version: Annotated[int, Field(json_schema_extra={"const": 3})] = 3
        accept: Annotated[bool, Field(json_schema_extra={"const": True})]

    assert list(elements(typed(Terms).json_schema)) == ["field:/accept"]
