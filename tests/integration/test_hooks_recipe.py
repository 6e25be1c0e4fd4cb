"""The recipes in docs/webhooks.md check what the sender sends, and refuse what it did not."""

import asyncio
import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

import pytest

from bot.hooks.signing import headers, new_secret, signature
from storage.deliveries import DeliveryRecord, DeliveryStatus, HookEvent, Parcel
from tests.integration.receivers import Receiver, receiving
from tests.requirements import lacking

PAGE = Path(__file__).parents[2] / "docs" / "webhooks.md"
BODY = '{"id": "r1.d1", "event": "ended", "output": "Grüße, 🎉"}'


class Check(Protocol):
    def __call__(self, secret: str, headers: Mapping[str, str], body: bytes) -> bool: ...


def recipe(name: str) -> str:
    found = re.search(rf"<!-- recipe: {name} -->\n```\w+\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture
def is_genuine() -> Check:
    space: dict[str, Any] = {}
    exec(recipe("python"), space)  # noqa: S102 - our own page
    check: Check = space["is_genuine"]
    return check


@pytest.fixture
def now() -> datetime:
    """A whole second: the recipes compare with the clock of whoever receives."""
    return datetime.now(UTC).replace(microsecond=0)


def parcel(secret: str, at: datetime) -> Parcel:
    delivery = DeliveryRecord("r1.d1", "hook_1", "r1", 1, HookEvent.ENDED, DeliveryStatus.PENDING, 1, at, at, at)
    return Parcel(delivery, "https://example.com/", secret, BODY)


def test_what_the_sender_signs_is_genuine(is_genuine: Check, now: datetime):
    secret = new_secret()
    assert is_genuine(secret, headers(parcel(secret, now), now), BODY.encode())


def test_what_anybody_else_changed_or_kept_is_not(is_genuine: Check, now: datetime):
    secret = new_secret()
    sent = headers(parcel(secret, now), now)
    timestamp = int(now.timestamp())
    forged = [
        ({**sent, "Signoff-Signature": signature(new_secret(), timestamp, BODY.encode())}, BODY),
        (sent, BODY + " "),
        ({**sent, "Signoff-Timestamp": str(timestamp + 1)}, BODY),
        ({**sent, "Signoff-Timestamp": "soon"}, BODY),
        ({**sent, "Signoff-Signature": sent["Signoff-Signature"].removeprefix("v1=")}, BODY),
        ({**sent, "Signoff-Signature": "v1=ü"}, BODY),
        ({}, BODY),
        ({**sent, **_signed(secret, timestamp - 301)}, BODY),
        ({**sent, **_signed(secret, timestamp + 400)}, BODY),
    ]
    assert [is_genuine(secret, given, body.encode()) for given, body in forged] == [False] * len(forged)


def _signed(secret: str, timestamp: int) -> dict[str, str]:
    made = signature(secret, timestamp, BODY.encode())
    return {"Signoff-Timestamp": str(timestamp), "Signoff-Signature": made}


def test_a_signature_is_what_it_was_and_stays_so():
    """Receivers depend on it."""
    assert signature("whsec_example", 1_796_040_000, b'{"event": "ended"}') == (
        "v1=" + "e9a28edba39d3e08364918b9f0bcfbb9bb15a588fd65de7917749688a0a87d70"
    )


async def test_the_shell_signs_as_the_sender_does(is_genuine: Check, tmp_path: Path):
    if not (shutil.which("openssl") and shutil.which("curl")):
        lacking("curl", "openssl or curl is not on PATH (Debian: apt install openssl curl)")
    secret = new_secret()
    (tmp_path / "body.json").write_text(BODY)
    async with receiving() as receiver:
        await _run(recipe("shell"), receiver, secret, tmp_path)
        [arrival] = receiver.arrived
    assert arrival.body == BODY.encode()
    assert is_genuine(secret, arrival.headers, arrival.body)


async def _run(script: str, receiver: Receiver, secret: str, folder: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        "bash", "-euo", "pipefail", "-c", script,
        cwd=folder, env={"URL": receiver.url, "SECRET": secret, "PATH": "/usr/bin:/bin", "NO_PROXY": "*"},
    )  # fmt: skip
    assert await process.wait() == 0
