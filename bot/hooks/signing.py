"""How a delivery proves where it comes from: an HMAC over the moment of sending and the very bytes of the body."""

import hashlib
import hmac
import secrets
from datetime import datetime

from storage.deliveries import Parcel

SECRET_PREFIX = "whsec_"  # noqa: S105 - what every secret begins with
VERSION = "v1"


def new_secret() -> str:
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def signature(secret: str, timestamp: int, body: bytes) -> str:
    """`v1=` and the HMAC-SHA256 over `timestamp.body` in hexadecimal. `timestamp` is in seconds since 1970."""
    signed = f"{timestamp}.".encode() + body
    return f"{VERSION}={hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()}"


def headers(parcel: Parcel, now: datetime) -> dict[str, str]:
    """What goes with the body; the timestamp, and so the signature, is new at each attempt."""
    timestamp = int(now.timestamp())
    return {
        "Content-Type": "application/json; charset=utf-8",
        "Signoff-Delivery": parcel.delivery.id,
        "Signoff-Event": parcel.delivery.event.value,
        "Signoff-Timestamp": str(timestamp),
        "Signoff-Signature": signature(parcel.secret, timestamp, parcel.body.encode()),
    }
