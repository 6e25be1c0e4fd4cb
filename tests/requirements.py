"""What some tests need of the machine: where it is missing they are skipped, or fail if `SIGNOFF_TEST_REQUIRE` names it."""

import os
import shutil

import pytest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def required() -> frozenset[str]:
    """What must be there, from a list with commas such as `SIGNOFF_TEST_REQUIRE=chromium`."""
    return frozenset(filter(None, os.environ.get("SIGNOFF_TEST_REQUIRE", "").replace(" ", "").split(",")))


def lacking(requirement: str, reason: str) -> None:
    """Ends the test that asks: skipped, or failed where the requirement was named."""
    if requirement in required():
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def chromium() -> str:
    """The system's browser."""
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        lacking("chromium", f"no browser: none of {', '.join(CHROMIUM)} is on PATH (Debian: apt install chromium)")
    assert found
    return found
