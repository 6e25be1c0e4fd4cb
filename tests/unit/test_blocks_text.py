"""What people and actions write becomes text that neither pings, nor forges, nor breaks."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks import limits, text
from blocks.validate import validate_message
from tests.hostile import FRAGMENTS

MOMENT = datetime(2026, 11, 30, 12, 5, 9, tzinfo=timezone(timedelta(hours=1)))


def test_mentions_and_links_in_data_are_only_text():
    assert text.escape("<!channel> <@U0ANN> & <https://x|label>") == (
        "&lt;!channel&gt; &lt;@U0ANN&gt; &amp; &lt;https://x|label&gt;"
    )


def test_text_that_is_escaped_already_is_shown_as_it_was_written():
    assert text.escape("&lt;!here&gt;") == "&amp;lt;!here&amp;gt;"


@given(st.text())
def test_nothing_that_slack_reads_as_a_token_survives_escaping(written):
    assert not set("<>") & set(text.escape(written))


@given(st.text(st.characters(codec=None), max_size=40))
def test_cleaning_twice_changes_nothing_more_and_the_result_can_be_sent(written):
    once = text.clean(written)
    assert text.clean(once) == once
    once.encode("utf-8")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a\x00b\x07c", "a�b�c"),
        ("invoice\u202efdp.exe", "invoice�fdp.exe"),
        ("pay\u200bpal\u2060\ufeff", "paypal"),
        ("left\u200emark\u200f", "leftmark"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("tab\tstays", "tab\tstays"),
        ("half \ud83d emoji", "half � emoji"),
        ("ad\u200dmin", "admin"),
        ("hidden\U000e0041\U000e0042", "hidden"),
    ],
)
def test_what_hides_or_reorders_text_goes_or_shows(written, shown):
    assert text.clean(written) == shown


@pytest.mark.parametrize(
    "written",
    [
        "👩\u200d👩\u200d👧",
        "ن\u200cد",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "👍🏽",
        "é",
    ],
)
def test_emoji_and_scripts_that_are_written_with_joiners_stay_whole(written):
    assert text.clean(written) == written


def test_a_text_within_its_limit_is_not_touched():
    assert text.clip("x" * 10, 10) == "x" * 10


def test_a_cut_text_says_how_much_is_missing():
    clipped = text.clip("x" * 5_000, 100)
    assert clipped == "x" * (100 - len("… (+5,000 characters)")) + "… (+4,921 characters)"


@given(st.text(st.sampled_from("ab &<>é😀\u200d\n"), max_size=80), st.integers(0, 60))
def test_a_cut_text_fits_its_limit_in_utf16_units(written, limit):
    clipped = text.clip(text.escape(written), limit)
    assert len(clipped.encode("utf-16-le")) // 2 <= limit


@given(st.text(st.sampled_from("&<>x"), min_size=1, max_size=60), st.integers(0, 60))
def test_an_entity_is_never_cut(written, limit):
    remaining = text.clip(text.escape(written), limit)
    for entity in ("&amp;", "&lt;", "&gt;"):
        remaining = remaining.replace(entity, "")
    assert "&" not in remaining


def test_a_token_is_never_cut_and_counts_as_one():
    composed = "x" * 30 + text.mention("U0ANN") + "y" * 50
    assert text.clip(composed, 55) == "x" * 30 + "… (+51 characters)"


@pytest.mark.parametrize(
    "emoji",
    [
        "👩\u200d👩\u200d👧",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "1\ufe0f\u20e3",
        "👍🏽",
        "e\u0301\u0301",
    ],
)
def test_an_emoji_made_of_several_characters_is_never_cut(emoji):
    remains = {text.clip("ab" + emoji + "cdef" * 10, limit) for limit in range(3, 40)}
    assert {each.partition("…")[0].rstrip("cdef") for each in remains} == {"a", "ab", "ab" + emoji.rstrip("e")}


@given(st.lists(st.sampled_from(FRAGMENTS)).map("".join).map(text.clean), st.integers(0, 200))
def test_what_was_clean_is_clean_when_it_is_cut(cleaned, limit):
    for cut in (text.clip(cleaned, limit), text.beginning(cleaned, limit), text.ending(cleaned, limit)):
        assert text.clean(cut) == cut
        assert text.width(cut) <= limit


def test_a_tiny_limit_still_shows_that_something_is_missing():
    assert text.clip("abcdefgh", 3) == "ab…"
    assert text.clip("abcdefgh", 0) == ""


def test_a_megabyte_is_clipped_at_once():
    assert text.clip("&amp;" * 300_000, 3_000).endswith("characters)")


def test_plain_text_reads_nothing_as_markup_and_is_never_empty():
    assert text.plain("*a* <b>", 75) == {"type": "plain_text", "text": "*a* <b>", "emoji": False}
    assert text.plain("\u200b ")["text"] == "(empty)"


def test_markdown_objects_never_look_for_mentions_in_plain_words():
    assert text.mrkdwn("@here") == {"type": "mrkdwn", "text": "@here", "verbatim": True}


def test_dates_are_shown_in_the_readers_time_zone_with_utc_to_fall_back_on():
    assert text.date_token(MOMENT) == "<!date^1796036709^{date_short_pretty} at {time}|2026-11-30 11:05 UTC>"
    assert text.date_token(MOMENT, "day") == "<!date^1796036709^{date_long}|2026-11-30>"
    assert text.utc(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "exact") == "2026-01-02 03:04:05 UTC"


def test_only_a_persons_id_becomes_a_mention():
    assert text.mention("U0ANN") == "<@U0ANN>"
    assert text.mention("W012A3CDE") == "<@W012A3CDE>"
    assert text.mention("!channel") == "!channel"
    assert text.mention("U0> <!here") == "U0&gt; &lt;!here"
    assert text.mention("U0ANN\n") == "U0ANN\n"


def test_only_a_channels_id_becomes_a_channel_mention():
    assert text.channel_mention("C0APPROVALS") == "<#C0APPROVALS>"
    assert text.channel_mention("#approvals") == "#approvals"


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "https://",
        "https://a b",
        "https://x|y",
        "https://x>",
        "https://bank.example@evil.example",
        "https://ex\u202eample.com",
        "http://[::1",
        "mailto:nobody",
        "",
    ],
)
def test_an_address_that_could_mislead_is_shown_as_text(url):
    assert not text.is_safe_url(url)
    assert not text.link(url, "Receipt").startswith("<")


def test_a_safe_address_becomes_a_link():
    assert text.link("https://x.example/?a=1&b=2", "The | receipt") == "<https://x.example/?a=1&amp;b=2|The � receipt>"
    assert text.link("mailto:ann@example.com") == "<mailto:ann@example.com|mailto:ann@example.com>"


@pytest.mark.parametrize("label", ["https://bank.example", "bank.example", "www.bank.example/login"])
def test_a_label_that_names_another_address_gives_way(label):
    assert text.link("https://evil.example/", label) == "<https://evil.example/|https://evil.example/>"


@given(st.text(st.characters(codec=None), max_size=60), st.integers(1, 100))
def test_whatever_was_written_makes_a_message_that_slack_takes_and_that_pings_nobody(written, times):
    section = {"type": "section", "text": text.mrkdwn(text.escape(written * times))}
    header = {"type": "header", "text": text.plain(text.one_line(written * times), limits.HEADER_TEXT)}
    fallback = text.clip(text.escape(written), limits.MESSAGE_TEXT) or text.EMPTY
    assert validate_message({"text": fallback, "blocks": [section, header]}) == []


@given(st.text(max_size=60), st.none() | st.text(max_size=30))
def test_whatever_is_given_as_a_link_makes_at_most_one_token(url, label):
    assert text.link(url, label).count("<") <= 1
