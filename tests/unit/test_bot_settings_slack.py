"""Where the tokens go: to Slack over TLS, or to this very machine."""

import pytest

from bot.settings import Settings, SettingsError


@pytest.mark.parametrize(
    "url", ["https://slack.com/api/", "http://127.0.0.1:8700/api", "http://localhost/api/", "http://[::1]:1/api/"]
)
def test_an_address_over_tls_or_of_this_machine_is_taken(url: str):
    assert Settings.load(slack_api_url=url).slack_api_url == url.rstrip("/") + "/"


@pytest.mark.parametrize(
    "url",
    [
        "http://slack.com/api/",
        "http://127.0.0.1.example.com/api/",
        "http://localhost.example.com/",
        "http://127.0.0.1@example.com/",
        "http://127.0.0.1:1@example.com/",
        "http://[::1].example.com/",
        "ftp://localhost/",
    ],
)
def test_tokens_do_not_travel_without_tls_to_what_only_begins_like_this_machine(url: str):
    with pytest.raises(SettingsError, match="must start with https://"):
        Settings.load(slack_api_url=url)
