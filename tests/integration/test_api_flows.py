"""A program goes through the flows over HTTP: it gives the value itself, and that is checked as a form's is."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from actions.crypto import connect_wallet
from actions.weather import ask_location
from tests.integration.api_room import Api, Client, api_room

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_room(tmp_path, ask_location, connect_wallet) as opened:
        yield opened


async def output(api: Api, rita: Client, answered: Any) -> Any:
    run = await api.room.store.run(answered.body["run"])
    assert run
    await api.room.ended(run)
    return (await rita.get(f"/v1/runs/{run.id}")).body["output"]


async def test_a_place_is_given_as_it_is_and_its_limits_hold(api: Api):
    rita = await api.client()
    asked = await api.asked(rita, "ask_location", {"message": "Where is the depot?"})
    key = await rita.answer(asked, choice="place", value="2778067")
    assert key.status == 422
    wrong = await rita.answer(asked, choice="place", value={"lat": 91, "lon": 15.4, "label": "", "key": "2778067"})
    assert wrong.errors.keys() == {"/value/lat", "/value/label", "/value/key"}
    answered = await rita.answer(asked, choice="place", value={"lat": 47.06, "lon": 15.4, "label": "The depot"})
    assert await output(api, rita, answered) == {"lat": 47.06, "lon": 15.4, "label": "The depot"}


async def test_a_wallet_counts_only_with_its_checksum(api: Api):
    rita = await api.client()
    asked = await api.asked(rita, "connect_wallet", {})
    wrong = await rita.answer(asked, choice="wallet", value={"address": WALLET.lower(), "chainId": "1"})
    assert wrong.errors.keys() == {"/value/address", "/value/chainId"}
    answered = await rita.answer(asked, choice="wallet", value={"address": WALLET, "chainId": 1})
    assert await output(api, rita, answered) == {"address": WALLET, "chainId": 1}
