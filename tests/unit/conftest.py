"""What many units are tried against: a server that answers a few of Slack's methods as the test says."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.unit.tiny_slack import TinySlack, tiny_slack


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[TinySlack]:
    async with tiny_slack() as slack:
        yield slack
