"""Where the HTTP server listens: always where Slack comes by HTTP, in Socket Mode only where a port is named."""

import pytest

from bot.settings import Settings

SOCKET = {"SLACK_APP_TOKEN": "xapp-1"}
HTTP = {"SLACK_SIGNING_SECRET": "s"}


@pytest.mark.parametrize(
    ("given", "port"),
    [
        (SOCKET, None),
        ({**SOCKET, "SIGNOFF_PORT": "8080"}, 8080),
        ({**SOCKET, "SIGNOFF_PORT": "0"}, 0),
        (HTTP, 3000),
        ({**HTTP, "PORT": "8080"}, 8080),
        ({**HTTP, "SIGNOFF_PORT": "0"}, 0),
    ],
)
def test_a_port_is_taken_where_somebody_comes_to_it(given, port, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in ("SIGNOFF_PORT", "PORT", "SIGNOFF_TRANSPORT", *SOCKET, *HTTP):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert Settings.load().listens_on == port
