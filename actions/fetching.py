"""Gets JSON over HTTP for the worked actions: with the standard library, in a thread, and within limits.

A team that has an HTTP client already opens it in a function marked `@resources`, and needs none of this.
"""

import asyncio
import json
import time
from collections.abc import Mapping
from decimal import Decimal
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import Request, urlopen

WITHIN = 10.0
"""Seconds that a source may be silent, and after which nothing more of its answer is read."""
MOST = 1_000_000
"""Bytes of one answer."""
CHUNK = 65_536


class FetchError(Exception):
    """There is no answer that can be used. The message names the host and the reason, and never what was asked for."""


async def fetch_json(url: str, asked: Mapping[str, str], *, within: float = WITHIN) -> Any:
    """What a source says to `asked`, its numbers exact: a fraction is a `Decimal`. Raises `FetchError`."""
    return await asyncio.to_thread(_fetched, url, asked, within)


def _fetched(url: str, asked: Mapping[str, str], within: float) -> Any:
    address = urlsplit(url)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise FetchError("the address of a source must begin with https:// or http://")
    between = "&" if address.query else "?"
    request = Request(f"{url}{between}{urlencode(asked)}", headers={"Accept": "application/json"})  # noqa: S310 - looked at above
    try:
        return json.loads(_body(request, within), parse_float=Decimal)
    except HTTPError as error:
        error.close()
        reason = f"it answered {error.code}"
    except (OSError, HTTPException) as error:
        reason = f"{type(error).__name__}: {error}"
    except (ValueError, RecursionError):
        reason = "its answer is no JSON"
    raise FetchError(f"{address.hostname} cannot be asked: {reason}")


def _body(request: Request, within: float) -> bytes:
    until = time.monotonic() + within
    response: HTTPResponse
    with urlopen(request, timeout=within) as response:  # noqa: S310 - http and https alone come here
        body = b""
        while chunk := response.read1(CHUNK):
            body += chunk
            if len(body) > MOST:
                raise OSError(f"its answer is larger than {MOST:,} bytes")
            if time.monotonic() > until:
                raise TimeoutError(f"it took longer than {within:g} seconds")
    return body
