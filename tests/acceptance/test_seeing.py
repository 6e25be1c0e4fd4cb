"""What the bot says of itself while it runs: whether it lives, whether it works, and what it has counted."""

import asyncio
import json
import sqlite3
from contextlib import closing
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from actions.kit.records.runs import RunStatus
from bot import health
from bot.settings import Transport
from storage.figures import examine
from tests.acceptance.office import Office
from tests.waiting import until

MESSAGE = {"recipient": "press@example.com", "body": "We are live."}
FINE = {"database": "ok", "transport": "ok", "sweep": "ok", "publisher": "ok", "actions": "ok"}
over_http = pytest.mark.parametrize("transport", ["http"])
over_a_socket = pytest.mark.parametrize("transport", ["socket"])


async def get(office: Office, path: str) -> tuple[int, str]:
    assert office.bot.address
    host, port = office.bot.address
    async with aiohttp.ClientSession() as session, session.get(f"http://{host}:{port}{path}") as answer:
        return answer.status, await answer.text()


async def ready(office: Office) -> tuple[int, Any]:
    status, text = await get(office, "/readyz")
    return status, json.loads(text)


async def counted(office: Office) -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    _, text = await get(office, "/metrics")
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_a_bot_that_works_is_ready(open_office: Office):
    assert await open_office.bot.vitals.checks() == FINE


@over_http
async def test_it_says_so_over_http(transport: Transport, open_office: Office):
    assert await get(open_office, "/healthz") == (200, '{"alive": true}')
    assert await ready(open_office) == (200, {"ready": True, "checks": FINE, "reasons": []})


@over_a_socket
async def test_it_says_so_in_socket_mode_where_a_port_is_set(transport: Transport, closed_office: Office):
    bot = await closed_office.open(port=0)
    assert bot.address
    assert await get(closed_office, "/healthz") == (200, '{"alive": true}')
    assert (await ready(closed_office))[0] == 200
    assert ("signoff_database_up",) in await counted(closed_office)


@over_http
async def test_a_database_that_does_not_answer_is_told(
    transport: Transport, open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "PATIENCE", 0.2)
    with closing(sqlite3.connect(open_office.folder / "signoff.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        status, body = await ready(open_office)
        assert (status, body["reasons"]) == (503, ["database: no answer within 0.2 seconds"])
        assert (await counted(open_office))[("signoff_database_up",)] == 0
        assert (await get(open_office, "/healthz"))[0] == 200
        other.execute("ROLLBACK")

    async def recovers() -> bool:
        status, _ = await ready(open_office)
        return status == 200

    await until(recovers, "the bot to be ready again")


@over_a_socket
async def test_a_socket_that_is_away_is_told(transport: Transport, open_office: Office):
    open_office.workbench.faults.break_down("apps.connections.open", times=1000)
    await open_office.workbench.sockets.close()
    vitals = open_office.bot.vitals

    async def is_told() -> bool:
        checks = await vitals.checks()
        return checks["transport"] == "not connected to Slack"

    await until(is_told, "the bot to notice that its socket is away")


@over_http
async def test_an_action_that_blocks_its_thread_is_named(transport: Transport, open_office: Office):
    run = await open_office.start("take_hostage", {"how": "spins"})

    async def is_told() -> bool:
        _, body = await ready(open_office)
        return "actions: take_hostage blocks its thread" in body["reasons"]

    await until(is_told, "the action to be named")
    assert (await counted(open_office))[("signoff_action_blocked", "take_hostage")] == 1
    await open_office.ends(run.id, RunStatus.FAILED, timeout=30)


@over_http
async def test_however_many_look_the_database_is_asked_once(
    transport: Transport, open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    asked = 0

    async def counting(*arguments: Any) -> Any:
        nonlocal asked
        asked += 1
        return await examine(*arguments)

    monkeypatch.setattr(health, "examine", counting)
    await asyncio.gather(*(get(open_office, path) for path in ("/readyz", "/metrics") * 20))
    assert asked == 1


@over_http
async def test_what_an_approval_does_is_counted(
    transport: Transport, open_office: Office, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(health, "FRESH", 0.0)
    open_office.workbench.faults.break_down("chat.postMessage", times=1)
    run = await open_office.start("send_message", MESSAGE)
    ann = open_office.person("ann")
    await ann.click(await ann.sees("Approve sending", in_="#approvals"), "Approve")
    await open_office.ends(run.id, RunStatus.SUCCEEDED)
    found = await counted(open_office)
    assert found[("signoff_executions_total", "send_message", "paused")] == 1
    assert found[("signoff_executions_total", "send_message", "succeeded")] == 1
    assert found[("signoff_decision_seconds_count", "send_message")] == 1
    assert found[("signoff_ack_seconds_count", "block_actions")] == 1
    assert 0 < found[("signoff_ack_seconds_sum", "block_actions")] < 3
    assert found[("signoff_runs", "succeeded")] == 1
    assert found[("signoff_runs", "waiting")] == 0
    assert sum(value for name, value in found.items() if name[0] == "signoff_slack_errors_total") >= 1
