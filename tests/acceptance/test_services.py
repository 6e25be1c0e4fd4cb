"""Programs beside Slack: what they ask is approved in Slack, what they answer is a person's answer, over both transports."""

import asyncio
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

from bot import clock
from bot.api import limits
from bot.api.tokens import Scope
from tests.acceptance.office import Office
from tests.acceptance.programs import client, programs
from tests.integration.api_room import Client, Reply
from tests.waiting import until

DOCS = Path(__file__).parents[2] / "docs" / "http.md"
QUESTION = {"message": "Deploy build 417?", "data": {"build": 417}, "deciders": ["#approvals"]}


async def started(office: Office, service: Client, **more: Any) -> str:
    """The id of a run that a program started, once its card stands in Slack."""
    reply = await service.start("ask", {**QUESTION, **more})
    assert reply.status == 201, reply
    await office.card(reply.body["id"])
    return str(reply.body["id"])


async def test_a_program_asks_ann_approves_in_slack_and_the_wait_ends_within_a_second(open_office: Office):
    async with programs(open_office) as session:
        service = await client(open_office, session, "U0RITA")
        run_id = await started(open_office, service)
        ann = open_office.person("ann")
        card = await ann.sees("Deploy build 417?", in_="#approvals")
        etag = (await service.get(f"/v1/runs/{run_id}")).headers["ETag"]
        waiting = asyncio.create_task(service.get(f"/v1/runs/{run_id}?wait=30", headers={"If-None-Match": etag}))
        await ann.click(card, "Approve")
        clicked = time.monotonic()
        changed = await waiting
        assert time.monotonic() - clicked < 1.0
        assert changed.body["interrupts"][0]["settled_by"] == "U0ANN"
        ended = await _ended(service, run_id)
        assert (ended.body["status"], ended.body["output"]["decided_by"]) == ("succeeded", ["U0ANN"])
        await open_office.person("rita").sees("Done", in_="dm")


async def test_an_answer_of_a_program_is_its_persons_and_the_card_says_so(open_office: Office):
    async with programs(open_office) as session:
        service = await client(open_office, session, "U0RITA")
        answering = await client(open_office, session, "U0ANN")
        run_id = await started(open_office, service)
        card = await open_office.person("ben").sees("Deploy build 417?", in_="#approvals")
        refused = await service.answer(f"{run_id}.1", choice="approve")
        assert (refused.status, refused.body["detail"]) == (
            403,
            "You asked for this, and nobody approves their own request.",
        )
        assert (await answering.answer(f"{run_id}.1", choice="approve")).status == 200
        settled = await open_office.person("ben").sees_on(card, "Approved")
        assert settled.buttons == []
        assert "U0ANN" in str(settled) or "Ann" in str(settled)


async def test_a_rejection_in_slack_reaches_the_program_with_its_reason(open_office: Office):
    async with programs(open_office) as session:
        service = await client(open_office, session, "U0RITA")
        run_id = await started(open_office, service)
        rejecting = await client(open_office, session, "U0ANN", scopes=frozenset({Scope.ANSWER}))
        await rejecting.answer(f"{run_id}.1", choice="reject", value={"reason": "Not on a Friday"})
        run = (await _ended(service, run_id)).body
        assert (run["status"], run["interrupts"][0]["answer"]) == ("declined", {"reason": "Not on a Friday"})


async def test_a_person_asks_the_same_from_slack(open_office: Office):
    rita, ann = open_office.person("rita"), open_office.person("ann")
    await rita.command("/signoff ask", in_="#approvals")
    form = await rita.modal("Ask")
    assert (await rita.submit(form, {"Message": "Lunch at noon?", "Deciders": "#approval s"})).errors.keys() == {
        "Deciders"
    }
    assert (await rita.submit(form, {"Message": "Lunch at noon?", "Deciders": "#approvals"})).closed
    card = await ann.sees("Lunch at noon?", in_="#approvals")
    await ann.click(card, "Approve")
    await rita.sees("Done", in_="dm")


async def test_tokens_outlive_a_restart_and_no_revocation(open_office: Office):
    async with programs(open_office) as session:
        service = await client(open_office, session, "U0RITA")
        run_id = await started(open_office, service)
    await open_office.restart()
    async with programs(open_office) as session:
        service = Client(session, service.secret)
        assert (await service.get(f"/v1/runs/{run_id}")).body["status"] == "waiting"
        assert (await Client(session, f"{service.secret}x").get("/v1/runs")).status == 401
        await open_office.store.revoke_token(service.secret.split("_")[1], now=clock.now())
        assert (await service.get("/v1/runs")).status == 401
        reading = await client(open_office, session, "U0RITA", scopes=frozenset({Scope.READ}))
        assert (await reading.start("ask", QUESTION)).status == 403


async def test_the_examples_of_the_documentation_work_as_they_stand(open_office: Office):
    address = open_office.bot.address
    assert address
    script = "\n".join(re.findall(r"^```bash\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL))
    script = (
        script.replace("127.0.0.1:3000", f"127.0.0.1:{address[1]}")
        .replace("U012RITA", "U0RITA")
        .replace("U012ANN", "U0ANN")
    )
    prelude = f'set -euo pipefail\nsignoff() {{ "{sys.executable}" -c "from bot.cli import main; main()" "$@"; }}\n'
    running = await asyncio.create_subprocess_exec(
        "bash", "-c", prelude + script,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**_environment(open_office), "PYTHONPATH": str(DOCS.parents[1])}, cwd=open_office.folder,
    )  # fmt: skip
    ann = open_office.person("ann")
    card = await ann.sees("Deploy build 417 to production?", in_="#approvals", timeout=30)
    await ann.click(card, "Approve")
    printed, complaints = await asyncio.wait_for(running.communicate(), 60)
    assert running.returncode == 0, complaints.decode()
    lines = printed.decode().splitlines()
    assert lines[0] == str({"choice": "approve", "value": {}, "decided_by": ["U0ANN"]})
    assert lines[-3:] == ["cancelled", "answered", "[]"]


def test_the_limits_that_the_documentation_states_are_those_that_hold():
    text = DOCS.read_text(encoding="utf-8")
    table = text[text.index("<!-- limits -->") : text.index("<!-- end -->")]
    numbers = [
        limits.PER_MINUTE,
        limits.WAITS,
        limits.LONGEST_WAIT,
        limits.MOST_BYTES,
        int(limits.BODY_SECONDS),
        limits.PAGE,
    ]
    assert re.findall(r"\| ([\d,]+) \|", table) == [f"{number:,}" for number in numbers]


async def _ended(service: Client, run_id: str) -> Reply:
    async def ended() -> Reply | None:
        reply = await service.get(f"/v1/runs/{run_id}?wait=5")
        return reply if reply.body["ended_at"] else None

    return await until(ended, f"{run_id} to end", timeout=20)


def _environment(office: Office) -> dict[str, str]:
    settings = office.settings()
    return {**os.environ, "DATABASE_URL": settings.database_url, "SLACK_API_URL": settings.slack_api_url}
