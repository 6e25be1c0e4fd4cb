"""Any JSON as facts: labelled, in words, the money first, long texts apart, the rest counted."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.data import facts_of
from blocks.facts import FACTS, PASSAGES, Facts
from blocks.summary import facts_blocks, split_question
from blocks.telling import LINE
from blocks.values import BENEATH, humanise


def facts(value: Any) -> dict[str, str]:
    return {fact.label: fact.value for fact in facts_of(json.dumps(value)).facts}


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("receipt_link", "Receipt link"),
        ("receiptLink", "Receipt link"),
        ("callback_url", "Callback URL"),
        ("id", "ID"),
        ("HTTPStatus", "HTTP status"),
        ("web-hook", "Web hook"),
        ("_", "_"),
        ("", "Value"),
    ],
)
def test_names_become_labels_that_people_read(name: str, label: str):
    assert humanise(name) == label


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "Yes"),
        (False, "No"),
        (0, "0"),
        (8443, "8443"),
        (1.5, "1.5"),
        ("", "—"),
        (None, "—"),
        ([], "None"),
        ({}, "None"),
        ("2026-11-30", "30 November 2026"),
        ("2026-11-30T10:42:00Z", "30 November 2026, 10:42 UTC"),
        ("2026-11-30T10:42:00+02:00", "30 November 2026, 10:42 UTC+02:00"),
        ("2026-13-45", "2026-13-45"),
        (["a", "b"], "a, b"),
        (list("abcdefgh"), "a, b, c, d, e, f, g, h"),
    ],
)
def test_each_kind_of_value_has_its_words(value: Any, words: str):
    assert facts({"it": value}) == {"It": words}


def test_numbers_keep_the_digits_that_were_stored():
    stored = '{"a": 1250.00, "b": 0.1000000000000000000001, "c": 1e3, "d": 123456789012345678901234567890}'
    shown = {fact.label: fact.value for fact in facts_of(stored).facts}
    assert shown == {
        "A": "1250.00",
        "B": "0.1000000000000000000001",
        "C": "1000",
        "D": "123456789012345678901234567890",
    }


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"vendor": "x", "amount": "1250.00", "currency": "EUR"}, {"Amount": "1,250.00 EUR", "Vendor": "x"}),
        ({"amount": 1250, "currency": "JPY"}, {"Amount": "1,250 JPY"}),
        ({"amount": 1250.5, "currency": "EUR"}, {"Amount": "1,250.50 EUR"}),
        ({"amount": "-0.50", "currency": "EUR"}, {"Amount": "-0.50 EUR"}),
        ({"net_price": "9.90", "net_currency": "CHF"}, {"Net price": "9.90 CHF"}),
        ({"price": {"amount": "9.90", "currency": "CHF"}}, {"Price": "9.90 CHF"}),
        ({"amount": "1250.00"}, {"Amount": "1250.00"}),
        ({"amount": "much", "currency": "EUR"}, {"Amount": "much", "Currency": "EUR"}),
        ({"amount": "5", "currency": "euros"}, {"Amount": "5", "Currency": "euros"}),
    ],
)
def test_an_amount_beside_a_currency_is_one_fact_and_comes_first(data: Any, expected: dict[str, str]):
    assert facts(data) == expected
    assert list(facts(data)) == list(expected)


def test_objects_are_opened_by_one_level():
    data = {"vendor": {"name": "ACME", "address": {"city": "Berlin"}}}
    assert facts(data) == {f"Vendor{BENEATH}Name": "ACME", f"Vendor{BENEATH}Address": "City: Berlin"}


def test_lists_of_objects_with_the_same_keys_are_a_table_of_the_first_rows_with_a_count():
    data = {
        "items": [{"name": f"Laptop {number}", "price": {"amount": "900", "currency": "EUR"}} for number in range(12)]
    }
    (passage,) = facts_of(json.dumps(data)).passages
    assert (passage.label, passage.note) == ("Items", "12 rows, the first 10 of them")
    assert passage.text.splitlines()[0].split() == ["Name", "Price"]
    assert passage.text.splitlines()[-1] == "Laptop 9  900 EUR"


def test_long_and_multiline_texts_stand_in_blocks_of_their_own():
    found = facts_of(json.dumps({"short": "x", "long": "y" * (LINE + 1), "poem": "a\nb"}))
    assert [fact.label for fact in found.facts] == ["Short"]
    assert [passage.label for passage in found.passages] == ["Long", "Poem"]


def test_what_does_not_fit_is_counted():
    data = {f"fact_{number}": number for number in range(FACTS + 14)}
    found = facts_of(json.dumps(data))
    assert (len(found.facts), found.left_out) == (FACTS, 14)
    assert facts_blocks(found)[-1]["elements"][0]["text"] == "and 14 more"


def test_empty_entries_come_last_and_are_not_counted_as_left_out():
    data = {"nothing": None, **{f"fact_{number}": number for number in range(FACTS)}}
    found = facts_of(json.dumps(data))
    assert "Nothing" not in {fact.label for fact in found.facts}
    assert found.left_out == 0


@pytest.mark.parametrize("nothing", ["null", "{}", "[]"])
def test_no_data_is_no_facts(nothing: str):
    assert facts_of(nothing) == Facts()


def test_a_lone_long_text_needs_no_label():
    (passage,) = facts_of(json.dumps("word " * 100)).passages
    assert passage.label == ""


def test_short_facts_stand_side_by_side_and_wide_ones_take_the_whole_width():
    data = {
        "vendor": "Example Chairs",
        "city": "Berlin",
        "reason": "Two people join in December, and we have no chair.",
    }
    together, wide = facts_blocks(facts_of(json.dumps(data)))
    assert [field["text"] for field in together["fields"]] == ["*Vendor*\nExample Chairs", "*City*\nBerlin"]
    assert wide["text"]["text"].startswith("*Reason*\nTwo people join")


def test_a_fact_without_neighbours_takes_the_whole_width():
    (block,) = facts_blocks(facts_of('{"reason": "Over budget"}'))
    assert block["text"]["text"] == "*Reason*\nOver budget"


def test_values_that_mrkdwn_would_style_are_shown_in_rich_text_literally():
    (block,) = facts_blocks(facts_of('{"status": ":white_check_mark: *Approved*"}'))
    assert block["type"] == "rich_text"
    assert block["elements"][0]["elements"][-1] == {"type": "text", "text": ":white_check_mark: *Approved*"}


def test_all_facts_are_drawn_the_same_way_even_where_only_one_needs_rich_text():
    facts = {"recipient": "press@example.com", "text": "a *bold* word", "why": "It is a reason of more than a column."}
    blocks = facts_blocks(facts_of(json.dumps(facts | {"more": "x" * 100})))
    assert {block["type"] for block in blocks} == {"rich_text"}
    read = "\n\n".join("".join(part["text"] for part in block["elements"][0]["elements"]) for block in blocks)
    assert "Recipient\npress@example.com\nText\na *bold* word\nWhy\nIt is" in read


def test_links_that_are_safe_lead_where_they_say():
    (block,) = facts_blocks(facts_of('{"link": "https://example.com/a?b=1&c=2"}'))
    assert block["text"]["text"] == "*Link*\n<https://example.com/a?b=1&amp;c=2|https://example.com/a?b=1&amp;c=2>"
    (block,) = facts_blocks(facts_of('{"link": "javascript:alert(1)"}'))
    assert block["text"]["text"] == "*Link*\njavascript:alert(1)"


def test_a_question_is_parted_after_its_first_line_or_between_two_words():
    assert split_question("Send it?\nIt is long.") == ("Send it?", "It is long.")
    head, rest = split_question("word " * 60)
    assert head.endswith("word…")
    assert rest.startswith("…word")
    assert len(head) <= 150
    assert split_question("x" * 151)[1] == "x" * 151


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=25,
)


@given(JSON)
def test_every_entry_is_shown_or_counted(value: Any):
    found = facts_of(json.dumps(value))
    assert len(found.facts) <= FACTS
    assert len(found.passages) <= PASSAGES
    assert found.left_out >= 0
