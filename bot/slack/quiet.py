"""Loggers for Slack's libraries, which at their own defaults write payloads, and URLs with tickets, into the log."""

import logging
import re

_SECRETS = re.compile(r"(?:xox[a-z]|xapp|xoxe\.xox[a-z]|xwfp)-[\w-]+|(?<=ticket=)[^&\s'\"]+")


def sdk_logger() -> logging.Logger:
    """For the Web API and Socket Mode clients: warnings and errors, without secrets."""
    return _quiet("signoff.slack", logging.WARNING)


def bolt_logger() -> logging.Logger:
    """For Bolt: errors only, since its warnings are advice to developers that quotes payloads."""
    return _quiet("signoff.bolt", logging.ERROR)


def redact(text: str) -> str:
    return _SECRETS.sub("…", text)


def _quiet(name: str, level: int) -> logging.Logger:
    logger = logging.getLogger(name)
    # The SDK compares `logger.level`, not the effective level: without one of its own it would format every payload.
    logger.setLevel(level)
    if not any(isinstance(each, _WithoutSecrets) for each in logger.filters):
        logger.addFilter(_WithoutSecrets())
    return logger


class _WithoutSecrets(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        # A traceback would repeat the secret in the exception's own words; the message names what happened.
        record.msg, record.args, record.exc_info = redact(record.getMessage()), (), None
        return True
