"""Every kind of data is shown as what it is: as its author says, or as it surely is; and a wrong guess is not made."""

import json
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_jsonable_python

from blocks.card import render_card
from blocks.data import facts_in, facts_of
from blocks.described import described
from blocks.details import details_view
from blocks.facts import Facts, Room
from blocks.quantities import duration_in_words
from blocks.summary import facts_blocks
from blocks.texts import pretty
from blocks.validate import validate_message, validate_view
from blocks.values import BENEATH, parse_json
from tests.cards import STATES
from tests.golden_files import assert_golden
from tests.kinds import KINDS, card

WITH_IMAGES = Room(images=2)


def shown(value: Any, schema: dict[str, Any] | None = None, room: Room = WITH_IMAGES) -> Facts:
    about = described(None if schema is None else json.dumps({"properties": {"it": schema}}))
    return facts_of(json.dumps({"it": value}), room, about)


def words(value: Any, schema: dict[str, Any] | None = None) -> str:
    (fact,) = shown(value, schema).facts
    return fact.value


def read(blocks: Any) -> str:
    return json.dumps(blocks, ensure_ascii=False)


@pytest.mark.parametrize("state", ["waiting", "succeeded", "failed", "stalled"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_card_of_each_kind_of_data_looks_as_it_was_drawn(kind: str, state: str):
    message = render_card(STATES[state](KINDS[kind]()))
    payload = {"text": message.text, "blocks": message.blocks}
    assert validate_message(payload) == []
    assert_golden(f"kinds/{kind}_{state}", payload)


@pytest.mark.parametrize("kind", KINDS)
def test_the_window_behind_it_looks_as_it_was_drawn(kind: str):
    view = details_view(KINDS[kind]())
    assert validate_view(view) == []
    assert_golden(f"kinds/{kind}_details", view)


@pytest.mark.parametrize(
    ("value", "schema", "expected"),
    [
        ("1250.00", {"format": "decimal", "unit": "EUR"}, "1,250.00 EUR"),
        (1250, {"unit": "JPY"}, "1,250 JPY"),
        ("9.9", {"currency": "CHF"}, "9.90 CHF"),
        (12000, {"unit": "RPM"}, "12,000 RPM"),
        (-1250, {"unit": "ms"}, "-1,250 ms"),
        (1.5, {"unit": "GiB"}, "1.5 GiB"),
        (1e3, {"unit": "ms"}, "1,000.0 ms"),
        (12.5, {"unit": "%"}, "12.5%"),
        (0.125, {"format": "fraction"}, "12.5%"),
        (1, {"format": "fraction"}, "100%"),
        ("PT1H30M", {"format": "duration"}, "1 hour 30 minutes"),
        (90.5, {"format": "time-delta"}, "1 minute 30.5 seconds"),
        ("much", {"unit": "EUR"}, "much"),
        ("soon", {"format": "duration"}, "soon"),
        ("S0123ABCD", {"format": "slack-group"}, "user group S0123ABCD"),
        ("U0ANN", {"format": "slack-user"}, "U0ANN"),
        ({"amount": "5.00", "currency": "EUR"}, {}, "5.00 EUR"),
        (None, {"unit": "EUR"}, "—"),
        (True, {"unit": "EUR"}, "Yes"),
    ],
)
def test_what_an_author_says_of_a_value_is_shown(value: Any, schema: dict[str, Any], expected: str):
    assert words(value, schema) == expected


@pytest.mark.parametrize(
    "value", ["PT1H30M", "P1D", 0.5, "12.5", "RPM", "report.png", "S0123ABCD", "U0ANN", "U0ANNOUNCEMENTS "]
)
def test_what_is_not_sure_is_not_guessed(value: Any):
    assert words(value) == str(value)
    assert shown(value).facts[0].live is None
    assert not shown(value).images


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PT0S", "0 seconds"),
        ("PT5M", "5 minutes"),
        ("PT90S", "1 minute 30 seconds"),
        ("P1DT6H30M5S", "1 day 6 hours 30 minutes 5 seconds"),
        ("PT36H", "1 day 12 hours"),
        ("P2W", "2 weeks"),
        ("P1Y2M", "1 year 2 months"),
        ("-PT1H", "minus 1 hour"),
        ("PT0.25S", "0.25 seconds"),
        ("P", None),
        ("PT", None),
        ("P1DT", None),
        ("T1H", None),
        ("1 hour", None),
    ],
)
def test_lengths_of_time_are_told_in_full(text: str, expected: str | None):
    assert duration_in_words(text) == expected


@given(st.timedeltas())
def test_every_length_of_time_that_pydantic_writes_is_told_exactly(length: Any):
    told = duration_in_words(to_jsonable_python(length))
    assert told is not None
    sizes = {"year": 365 * 86_400, "day": 86_400, "hour": 3_600, "minute": 60, "second": 1}
    parts = told.removeprefix("minus ").split(" ")
    seconds = sum(
        Decimal(number.replace(",", "")) * sizes[unit.removesuffix("s")]
        for number, unit in zip(parts[::2], parts[1::2], strict=True)
    )
    exact = Decimal(length.days) * 86_400 + length.seconds + Decimal(length.microseconds).scaleb(-6)
    assert (-seconds if told.startswith("minus") else seconds) == exact


def test_a_title_of_a_class_is_not_taken_for_that_of_the_entry():
    schema = {
        "properties": {"vendor": {"$ref": "#/$defs/Supplier"}},
        "$defs": {"Supplier": {"title": "Supplier", "properties": {}}},
    }
    found = facts_in({"vendor": {"name": "x"}}, WITH_IMAGES, described(json.dumps(schema)))
    assert [fact.label for fact in found.facts] == [f"Vendor{BENEATH}Name"]


def test_of_several_types_the_one_that_a_value_has_says_what_it_is():
    schema = {
        "anyOf": [
            {
                "type": "object",
                "properties": {"wait": {"type": "integer", "unit": "s", "title": "Waits"}},
                "required": ["wait"],
            },
            {
                "type": "object",
                "properties": {"size": {"type": "integer", "unit": "MB", "title": "Large"}},
                "required": ["size"],
            },
            {"type": "null"},
        ]
    }
    (fact,) = shown({"size": 5}, schema).facts
    assert (fact.label, fact.value) == (f"It{BENEATH}Large", "5 MB")


@pytest.mark.parametrize(
    "schema",
    [
        '{"properties": 5}',
        "[]",
        "nonsense",
        '{"$ref": "#"}',
        '{"anyOf": [{"$ref": "#"}]}',
        '{"properties": {"it": {"title": 5, "unit": [], "format": {}}}}',
    ],
)
def test_a_schema_that_makes_no_sense_says_nothing(schema: str):
    (fact,) = facts_of('{"it": "x"}', WITH_IMAGES, described(schema)).facts
    assert (fact.label, fact.value) == ("It", "x")


def test_a_moment_is_told_in_the_readers_time_and_a_day_stays_that_day():
    (block,) = facts_blocks(shown("2026-11-30T10:42:00+02:00"))
    assert block["text"]["text"] == ("*It*\n<!date^1796028120^{date_long} at {time}|30 November 2026, 10:42 UTC+02:00>")
    (block,) = facts_blocks(shown("2026-11-30"))
    assert block["text"]["text"] == "*It*\n30 November 2026"


@pytest.mark.parametrize(
    "moment", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "2026-11-30T10:42:00"]
)
def test_a_moment_that_slack_cannot_tell_is_told_in_words(moment: str):
    (fact,) = shown(moment).facts
    assert fact.live is None
    assert str(int(moment[:4])) in fact.value


def test_a_person_is_named_on_a_card_without_being_called_and_mentioned_in_a_window():
    named = KINDS["order"]()
    assert "@Ben Brook" in read(render_card(named).blocks)
    assert "<@U0BEN>" not in read(render_card(named).blocks)
    unnamed = replace(named, names={})
    assert "*Asked by*\\nU0BEN" in read(render_card(unnamed).blocks)
    assert {"type": "user", "user_id": "U0BEN"} in rich_elements(details_view(named)["blocks"])


def rich_elements(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [inner for each in value for inner in [each, *rich_elements(each)]]
    return [inner for each in value.values() for inner in rich_elements(each)] if isinstance(value, dict) else []


def test_what_a_field_means_is_explained_behind_the_card_and_not_on_it():
    explained = "With VAT, without the deposit"
    assert explained not in read(render_card(KINDS["order"]()).blocks)
    assert explained in read(details_view(KINDS["order"]())["blocks"])


def test_an_image_has_words_for_whoever_does_not_see_it_and_is_a_link_where_slack_does_not_show_it():
    drawn = render_card(KINDS["order"]())
    (image,) = [block for block in drawn.blocks if block["type"] == "image"]
    assert image["alt_text"] == "The desk as it is delivered (desk-160.png at northwind.example)"
    without = render_card(KINDS["order"](), images=False)
    assert "image" not in {block["type"] for block in without.blocks}
    assert "pictures/desk-160.png" in read(without.blocks)


@pytest.mark.parametrize(
    "url",
    [
        "http://x.example/a.png",
        "https://x.example/a.svg",
        "https://a@x.example/a.png",
        "https://b\u0430nk.example/a.png",
    ],
)
def test_only_a_picture_at_a_safe_https_address_is_fetched(url: str):
    assert not shown(url).images


def test_a_diff_says_in_words_how_much_it_changes():
    (passage,) = shown("--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@\n same\n--- gone\n-also gone\n+new\n").passages
    assert (passage.note, passage.style) == ("1 line added, 2 lines removed", "code")


def test_json_in_one_line_is_laid_out_where_its_author_says_so_and_hides_no_key():
    said = {"contentMediaType": "application/json"}
    (passage,) = shown('{"a":1.50,"b":[true,null]}', said).passages
    assert passage.text == '{\n  "a": 1.50,\n  "b": [\n    true,\n    null\n  ]\n}'
    (passage,) = shown('{"a":1,"a":2}', said).passages
    assert passage.text == '{"a":1,"a":2}'
    assert words('{"a":1}') == '{"a":1}'


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda e: st.lists(e) | st.dictionaries(st.text(), e),
        max_leaves=20,
    )
)
def test_json_that_is_laid_out_is_the_same_json(value: Any):
    assert json.loads(pretty(parse_json(json.dumps(value)))) == value


def test_a_long_list_has_a_line_for_each_entry_and_a_short_one_stands_in_a_line():
    assert words(["a", "b"]) == "a, b"
    (passage,) = shown([f"name {number}" for number in range(40)]).passages
    assert passage.text.split("\n")[-2:] == ["name 9", "and 30 more"]
    (block,) = facts_blocks(Facts(passages=(passage,)))
    assert block["elements"][1]["type"] == "rich_text_list"


def test_entries_that_hold_a_comma_are_told_apart():
    (passage,) = shown(["Smith, John", "Doe"]).passages
    assert passage.text == "Smith, John\nDoe"


def test_a_table_is_aligned_whatever_is_in_it():
    (passage,) = shown([{"who": "漢字", "n": 5}, {"who": "Ann", "n": 12.5}]).passages
    assert passage.text == "Who      N\n────  ────\n漢字     5\nAnn   12.5"


@pytest.mark.parametrize(
    "rows",
    [
        [{"a": 1}],
        [{"a": 1}, {"b": 2}],
        [{"a": [1]}, {"a": [2]}],
        [{"a": "x" * 30, "b": "y" * 30}, {"a": "x" * 30, "b": "y" * 30}],
    ],
)
def test_what_is_no_table_or_too_wide_for_a_phone_is_a_list(rows: Any):
    (passage,) = shown(rows).passages
    assert passage.style == "list"


@pytest.mark.parametrize("kind", KINDS)
def test_no_line_of_a_table_is_wider_than_a_phone(kind: str):
    lines = [
        line
        for passage in facts_in_all(kind).passages
        if passage.note.endswith("rows")
        for line in passage.text.split("\n")
    ]
    assert all(len(line) <= 48 for line in lines)


def facts_in_all(kind: str) -> Facts:
    drawn = KINDS[kind]().interrupt
    return facts_of(drawn.shown, WITH_IMAGES, described(drawn.shown_schema))


def test_a_url_is_shown_with_its_host_however_long_it_is():
    url = f"https://example.com/{'a' * 900}"
    (block,) = facts_blocks(shown(url))
    label = block["text"]["text"].partition("|")[2]
    assert label.startswith("https://example.com/aaa")
    assert label.endswith("…>")
    assert len(label) < 310


def test_the_notification_alone_says_the_question_the_amount_and_the_state():
    drawn = card("x", "X", "Order it?", {"total": Decimal("12.50"), "currency": "EUR"})
    assert render_card(drawn).text == "Order it? · 12.50 EUR · 🕐 Waiting for an answer"
