"""Slack's signature over a request: checked over the raw bytes, before anything is parsed.

Source: docs.slack.dev, authentication/verifying-requests-from-slack.
"""

import hashlib
import hmac

MOST_AGE = 300
"""Seconds by which a request may be older, or a clock wrong."""

_DIGITS = 15


def is_fresh(timestamp: str, now: float) -> bool:
    """Whether the header `X-Slack-Request-Timestamp` is a time of the last five minutes."""
    if not (timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= _DIGITS):
        return False
    return abs(now - int(timestamp)) <= MOST_AGE


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """The header `X-Slack-Signature` of a request."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()


def is_signed(secret: str, timestamp: str, signature: str, body: bytes) -> bool:
    """Whether the request was signed with `secret`. An empty secret signs nothing."""
    if not secret:
        return False
    expected = sign(secret, timestamp, body)
    return hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace"))
