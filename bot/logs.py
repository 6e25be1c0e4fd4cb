"""Structured logs on standard error: ids and events, never payloads or tokens."""

import logging
import sys
import traceback
from pathlib import Path
from typing import Any

import structlog

from bot.slack.quiet import redact

FRAMES = 4


def set_up(log_format: str, level: str) -> None:
    """Send our own logs and those of the libraries the same way, as lines for people or as JSON."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_words_of_errors,
        _without_secrets,
    ]
    last: list[Any] = [
        structlog.processors.JSONRenderer()
        if log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    ]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=[_first_line, *shared], processors=[_unwrapped, *last])
    )
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)


def where(error: BaseException) -> list[str]:
    """The last frames of an error, for a log that must not repeat its words: they may quote a payload."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]


def _unwrapped(logger: Any, name: str, event: Any) -> Any:
    return structlog.stdlib.ProcessorFormatter.remove_processors_meta(logger, name, event)


def _first_line(_logger: Any, _name: str, event: Any) -> Any:
    """What a library says; the lines below it may show values, as asyncio shows the exception of a task."""
    event["event"] = str(event["event"]).partition("\n")[0]
    return event


def _without_words_of_errors(_logger: Any, _name: str, event: Any) -> Any:
    """An exception by its type, and by where it comes from: its own words may quote a payload."""
    given = event.pop("exc_info", None)
    error = sys.exc_info()[1] if given is True else given[1] if isinstance(given, tuple) else given
    return event | ({"error": type(error).__name__, "where": where(error)} if isinstance(error, BaseException) else {})


def _without_secrets(_logger: Any, _name: str, event: Any) -> Any:
    """The last line of defence: whatever looks like a token is blanked, wherever it came from."""
    return {key: _redacted(value) for key, value in event.items()}


def _redacted(value: Any) -> Any:
    match value:
        case str():
            return redact(value)
        case list() | tuple():
            return [_redacted(each) for each in value]
        case dict():
            return {key: _redacted(each) for key, each in value.items()}
    return value
