"""What a log line is made of, whoever writes it."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from bot import logs

SECRET = "Zanzibar-4711"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream, root = io.StringIO(), logging.getLogger()
    monkeypatch.setattr("sys.stderr", stream)
    handlers, level = root.handlers[:], root.level
    logs.set_up("json", "debug")
    yield stream
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def entry(written: io.StringIO) -> dict[str, Any]:
    (line,) = written.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def fail() -> None:
    raise ValueError(SECRET)


def test_an_error_is_told_by_its_type_and_place_and_not_in_its_words(written: io.StringIO):
    try:
        fail()
    except ValueError:
        structlog.get_logger().exception("it_failed", run="r1")
    told = entry(written)
    assert (told["event"], told["level"], told["run"], told["error"]) == ("it_failed", "error", "r1", "ValueError")
    assert told["where"][-1].startswith("test_bot_logs.py:")
    assert SECRET not in written.getvalue()


def test_an_error_that_is_handed_over_is_told_the_same_way(written: io.StringIO):
    structlog.get_logger().error("it_failed", exc_info=ValueError(SECRET))
    assert entry(written)["error"] == "ValueError"
    assert SECRET not in written.getvalue()


def test_a_library_is_told_in_its_first_line_and_its_error_as_ours(written: io.StringIO):
    try:
        fail()
    except ValueError:
        logging.getLogger("asyncio").exception("Task exception was never retrieved\nfuture: %s", SECRET)
    told = entry(written)
    assert (told["event"], told["error"]) == ("Task exception was never retrieved", "ValueError")
    assert SECRET not in written.getvalue()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("token xoxb-1-abc was refused", "token … was refused"),
        (["with xapp-1-abc", 7], ["with …", 7]),
        ({"given": ("xoxb-1-abc",)}, {"given": ["…"]}),
    ],
    ids=str,
)
def test_what_looks_like_a_token_is_blanked_wherever_it_stands(written: io.StringIO, said: Any, told: Any):
    structlog.get_logger().warning("refused", why=said)
    assert entry(written)["why"] == told
