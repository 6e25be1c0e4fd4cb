"""`signoff manifest`: the Slack app's manifest, for Socket Mode as it stands, or for HTTP at an address."""

import json
import re
import sys
from urllib.parse import urlsplit

from bot.cli.show import fail
from bot.cli.siblings import ROOT

EVENTS_PATH = "/slack/events"
LONGEST = 3_000
FILE = ROOT / "manifest.yml"
HEAD = """\
# The Slack app that Signoff is: api.slack.com/apps, "Create New App", "From a manifest".
# For signed HTTP: Slack sends what people do to {url}
"""


def print_manifest(url: str | None) -> None:
    if not FILE.is_file():
        fail(
            f"{str(FILE)!r} is not there: it is not installed with the package. In a clone of this version: ./dev signoff manifest"
        )
    text = FILE.read_text(encoding="utf-8")
    sys.stdout.write(text if url is None else for_http(text, _events_url(url)))


def for_http(manifest: str, url: str) -> str:
    """The manifest with Socket Mode off, and `url` wherever Slack wants to know an address."""
    address = json.dumps(url)
    body = re.sub(r"\A(#.*\n)+", "", manifest)
    body = re.sub(r"^( +)- command: .*$", rf"\g<0>\n\1  url: {address}", body, flags=re.MULTILINE)
    body = re.sub(
        r"^( +)(interactivity|event_subscriptions):$", rf"\g<0>\n\1  request_url: {address}", body, flags=re.MULTILINE
    )
    body = re.sub(r"^( +)is_enabled: true$", rf"\g<0>\n\1message_menu_options_url: {address}", body, flags=re.MULTILINE)
    body = body.replace("socket_mode_enabled: true", "socket_mode_enabled: false")
    return HEAD.format(url=url) + body


def _events_url(given: str) -> str:
    """The whole address, of which `--url` may leave out the path that the bot listens at."""
    try:
        parts = urlsplit(given.strip())
        is_good = parts.scheme == "https" and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        is_good = False
    if not is_good or parts.query or parts.fragment or re.search(r"[^\x21-\x7e]|[\"\\<>]", given.strip()):
        fail(
            f"--url takes the address at which Slack reaches the bot, such as https://signoff.example.com, not {given!r}."
        )
    base = given.strip().rstrip("/").removesuffix(EVENTS_PATH)
    if len(base) + len(EVENTS_PATH) > LONGEST:
        fail(f"--url is too long: Slack takes {LONGEST:,} characters.")
    return base + EVENTS_PATH
