"""The sources of the worked flows over real HTTP: what they ask, what they make of the answer, and what they say of a bad one."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_server
from urllib.parse import parse_qs, urlsplit

import pytest

from actions import fetching
from actions.crypto import get_order_status
from actions.fetching import FetchError, fetch_json
from actions.forecasts import Forecasts, open_forecasts
from actions.forecasts import from_service as weather_service
from actions.kit.cards.ask_location import Coordinates
from actions.quotes import OrderStatuses, Quotes, open_quotes
from actions.quotes import from_service as price_service
from actions.testing import run

GRAZ = Coordinates(lat=47.07, lon=15.44, label="Graz")
DAILY = {
    "time": ["2026-12-01", "2026-12-02", "2026-12-03"],
    "temperature_2m_max": [4.1, 3.6, 5.2],
    "temperature_2m_min": [-2.3, -1, 0.4],
    "precipitation_sum": [0.0, 1.2, 3.4],
}


class Service(ThreadingHTTPServer):
    """A service on this machine that gives one answer to whatever it is asked, and notes what that was."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/v1/ask"
        self.asked: list[dict[str, str]] = []
        self.stop = threading.Event()
        self.says(200, {})

    def says(self, status: int, body: object, *, drips: bool = False) -> None:
        self.status, self.drips = status, drips
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        service, asked = self.server, parse_qs(urlsplit(self.path).query)
        service.asked.append({name: values[0] for name, values in asked.items()})
        self.send_response(service.status)
        self.end_headers()
        for byte in service.body if service.drips else ():
            self.wfile.write(bytes([byte]))
            if self.server.stop.wait(0.05):
                return
        if not service.drips:
            self.wfile.write(service.body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as opened:
        serving = threading.Thread(target=opened.serve_forever, args=(0.02,))
        serving.start()
        yield opened
        opened.stop.set()
        opened.shutdown()
        serving.join()


async def test_a_forecast_is_asked_for_by_coordinates(service: Service):
    service.says(200, {"latitude": 47.06, "daily": DAILY})
    forecast = await Forecasts(weather_service(service.url)).at(GRAZ)
    assert forecast.place == "Graz"
    assert [(each.day.day, each.high, each.low, each.rain) for each in forecast.days][1] == (2, 3.6, -1, 1.2)
    assert forecast.source == "the service at 127.0.0.1"
    (asked,) = service.asked
    assert (asked["latitude"], asked["longitude"], asked["forecast_days"]) == ("47.07", "15.44", "3")


@pytest.mark.parametrize(
    "reply", [{}, [], {"daily": {}}, {"daily": {**DAILY, "time": []}}, {"daily": {**DAILY, "precipitation_sum": [0]}}]
)
async def test_a_forecast_that_cannot_be_read_is_no_forecast(service: Service, reply: object):
    service.says(200, reply)
    with pytest.raises(FetchError, match="the forecast cannot be read"):
        await Forecasts(weather_service(service.url)).at(GRAZ)


async def test_a_price_is_exact_to_the_last_digit(service: Service):
    service.says(200, b'{"ethereum": {"usd": 3041.123456789012345678}}')
    quote = await Quotes(price_service(service.url)).of("ETH-USD")
    assert quote.price == Decimal("3041.123456789012345678")
    assert service.asked == [{"ids": "ethereum", "vs_currencies": "usd", "precision": "full"}]


@pytest.mark.parametrize(
    "body", [b"{}", b'{"ethereum": {"usd": 0}}', b'{"ethereum": {"usd": NaN}}', b'{"ethereum": 3}']
)
async def test_what_is_no_price_is_never_one(service: Service, body: bytes):
    service.says(200, body)
    with pytest.raises(FetchError, match="has none for ETH-USD"):
        await Quotes(price_service(service.url)).of("ETH-USD")


async def test_a_service_of_orders_answers_and_nobody_is_asked(service: Service):
    service.says(200, {"status": "partially_filled", "filled": "0.1"})
    done = await run(get_order_status, {"order_uid": "0xab"}, resources=[OrderStatuses(service.url)])
    assert done.output.model_dump() == {"status": "partially_filled"}
    assert service.asked == [{"order_uid": "0xab"}]


@pytest.mark.parametrize(("status", "body"), [(404, {}), (200, {"status": "lost"}), (200, [])])
async def test_a_service_of_orders_that_cannot_say_is_an_error_with_a_message(
    service: Service, status: int, body: object
):
    service.says(status, body)
    done = await run(get_order_status, {"order_uid": "0xab"}, resources=[OrderStatuses(service.url)])
    assert done.output.status == "error"
    assert "answer" in done.output.message


async def test_every_bad_answer_is_told_without_what_was_asked(service: Service, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fetching, "MOST", 100)
    bad = {500: b"{}", 200: b"<html>", 201: b"[" * 90, 202: b'"' + b"x" * 200 + b'"'}
    words = ["it answered 500", "its answer is no JSON", "its answer is no JSON", "larger than 100 bytes"]
    for (status, body), said in zip(bad.items(), words, strict=True):
        service.says(status, body)
        with pytest.raises(FetchError) as refused:
            await fetch_json(f"{service.url}?key=secret", {"order_uid": "0xab"})
        assert said in str(refused.value)
        assert "secret" not in str(refused.value)
        assert "0xab" not in str(refused.value)


async def test_an_answer_that_drips_is_given_up_in_time(service: Service):
    service.says(200, b" " * 10_000, drips=True)
    with pytest.raises(FetchError, match=r"took longer than 0\.2 seconds"):
        await fetch_json(service.url, {}, within=0.2)


async def test_nobody_there_and_no_address_are_told():
    with closing(create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(FetchError, match="cannot be asked: URLError"):
        await fetch_json(f"http://127.0.0.1:{port}", {})
    for address in ("file:///etc/passwd", "ftp://127.0.0.1/x", "", "http://"):
        with pytest.raises(FetchError, match="must begin with https"):
            await fetch_json(address, {})


async def test_the_environment_names_the_services(service: Service, monkeypatch: pytest.MonkeyPatch):
    for name in ("SIGNOFF_FORECAST_URL", "SIGNOFF_QUOTE_URL", "SIGNOFF_ORDER_STATUS_URL"):
        monkeypatch.setenv(name, service.url)
    service.says(200, {"daily": DAILY, "status": "open"})
    async with open_forecasts.open() as forecasts, open_quotes.open() as (_, statuses):
        assert (await forecasts.at(GRAZ)).source == "the service at 127.0.0.1"
        assert (await statuses.of("0xab")).status == "open"
    for name in ("SIGNOFF_FORECAST_URL", "SIGNOFF_QUOTE_URL", "SIGNOFF_ORDER_STATUS_URL"):
        monkeypatch.setenv(name, "")
    async with open_forecasts.open() as forecasts, open_quotes.open() as (quotes, statuses):
        assert (await forecasts.at(GRAZ)).source.startswith("a recording for Graz")
        assert (await quotes.of("BTC-USD")).price == Decimal("91250.0")
        assert await statuses.of("0xab") is None
