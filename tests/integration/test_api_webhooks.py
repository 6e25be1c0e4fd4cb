"""A program names a webhook for the run that it starts: what is stored of it, what is shown, and what is refused."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from actions import Context
from storage.deliveries import Parcel
from tests.authors import declare
from tests.integration.api_room import Api, api_room

URL = "https://ci.example.com/signoff?job=17"
SECRET = "0123456789abcdef"
KEY = {"Idempotency-Key": "order 17"}


class Spend(BaseModel):
    amount: int


async def _spend(input: Spend, ctx: Context) -> str:
    return "spent"


spend = declare(_spend, id="spend")


@pytest.fixture
async def api(tmp_path: Path, database_url: str) -> AsyncIterator[Api]:
    async with api_room(tmp_path, spend, url=database_url) as opened:
        yield opened


async def first_parcel(api: Api) -> Parcel:
    """What the sender would send first, and the only thing that it would send now."""
    now = api.room.clock.now()
    (parcel,) = await api.room.store.hooks.take(owner="test", now=now, lease_until=now + timedelta(minutes=1), limit=9)
    return parcel


async def test_the_webhook_is_told_of_the_run_under_the_secret_of_its_program_which_is_not_shown(api: Api):
    client = await api.client()
    started = await client.start("spend", {"amount": 5}, webhook={"url": URL, "secret": SECRET})
    assert (started.status, started.body["webhook_secret"]) == (201, None)
    parcel = await first_parcel(api)
    assert (parcel.url, parcel.secret, parcel.delivery.run_id) == (URL, SECRET, started.body["id"])
    read = await client.get(started.headers["Location"])
    assert SECRET not in json.dumps([started.body, read.body])


async def test_a_secret_that_is_made_is_shown_once_and_signs(api: Api):
    client = await api.client()
    started = await client.start("spend", {"amount": 5}, webhook={"url": URL}, headers=KEY)
    secret = started.body["webhook_secret"]
    assert secret.startswith("whsec_")
    assert (await first_parcel(api)).secret == secret
    again = await client.start("spend", {"amount": 5}, webhook={"url": URL}, headers=KEY)
    read = await client.get(started.headers["Location"])
    assert (again.status, again.body["id"]) == (200, started.body["id"])
    assert (again.body["webhook_secret"], "webhook_secret" in read.body) == (None, False)
    assert secret not in json.dumps([again.body, read.body])


async def test_without_a_webhook_there_is_no_secret_and_nobody_is_told(api: Api):
    started = await (await api.client()).start("spend", {"amount": 5})
    assert (started.status, started.body["webhook_secret"]) == (201, None)
    assert await api.room.store.hooks.deliveries() == ()


@pytest.mark.parametrize(
    "other",
    [None, {"url": URL}, {"url": "https://other.example.com", "secret": SECRET}, {"url": URL, "secret": "x" * 16}],
)
async def test_a_key_that_stands_for_another_webhook_is_refused(api: Api, other):
    client = await api.client()
    await client.start("spend", {"amount": 5}, webhook={"url": URL, "secret": SECRET}, headers=KEY)
    refused = await client.start("spend", {"amount": 5}, webhook=other, headers=KEY)
    assert (refused.status, refused.body["type"]) == (409, "urn:signoff:problem:key-reused")


@pytest.mark.parametrize(
    ("webhook", "place", "message"),
    [
        ({"url": "http://ci.example.com"}, "/webhook/url", "must begin with https://"),
        ({"url": "http://127.0.0.1:8080"}, "/webhook/url", "must begin with https://"),
        ({"url": "https://10.0.0.7/hook"}, "/webhook/url", "which is not on the public internet"),
        ({"url": "https://rita:pw@ci.example.com"}, "/webhook/url", "must not carry a user or a password"),
        ({"url": "https://ci.example.com/" + "a" * 2000}, "/webhook/url", "must be at most 2,000 characters long"),
        ({"url": "https://ci.example.com/\0"}, "/webhook/url", "is not a URL"),
        ({"url": "https://ci.example.com/\ud800"}, "/webhook/url", "is not a URL"),
        ({"url": "https://]a[.@"}, "/webhook/url", "is not a URL"),
        ({"url": ""}, "/webhook/url", "is not a URL"),
        ({"url": 5}, "/webhook/url", "must be text"),
        ({}, "/webhook/url", "is required"),
        (URL, "/webhook", "must be an object with named fields"),
        ({"url": URL, "events": []}, "/webhook/events", "is not known here"),
        ({"url": URL, "secret": "x" * 15}, "/webhook/secret", "must have at least 16 characters"),
        ({"url": URL, "secret": "x" * 201}, "/webhook/secret", "must have at most 200 characters"),
        ({"url": URL, "secret": ""}, "/webhook/secret", "must have at least 16 characters"),
        ({"url": URL, "secret": SECRET + "\0"}, "/webhook/secret", "is not in the expected form"),
        ({"url": URL, "secret": SECRET + "\n"}, "/webhook/secret", "is not in the expected form"),
    ],
)
async def test_a_webhook_that_cannot_be_is_named_and_nothing_starts(api: Api, webhook: Any, place: str, message: str):
    refused = await (await api.client()).start("spend", {"amount": 5}, webhook=webhook)
    assert (refused.status, list(refused.errors)) == (422, [place])
    assert message in refused.errors[place]
    assert SECRET not in json.dumps(refused.body)
    assert await api.room.store.runs() == ()
