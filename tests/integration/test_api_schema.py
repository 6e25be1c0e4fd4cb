"""`/openapi.json` is true: requests made from it get what it says, from the real application over a real socket."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from actions.ask import ask
from bot.api import limits
from tests.integration.api_room import ANN, RITA, Api, api_room
from tests.integration.test_api_grants import granted
from tests.integration.test_runner_grants import ONE

EXAMPLES = 15
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
QUESTION = {"message": "Ship it?", "data": {"build": 7}, "deciders": ["#approvals"]}
WEBHOOK = {"url": "https://ci.example.com/signoff"}
GOOD = {
    "startRun": {"action": "ask", "input": QUESTION, "webhook": WEBHOOK},
    "answerInterrupt": {"choice": "approve"},
}
"""Bodies that nobody would guess, put into some of the requests."""
BOUNDED = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
async def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    monkeypatch.setattr(limits, "PER_MINUTE", 100_000)
    async with api_room(tmp_path, ask, ONE) as opened:
        yield opened


async def document(api: Api) -> dict[str, Any]:
    async with api.session.get("/openapi.json") as response:
        assert response.content_type == "application/json"
        found: dict[str, Any] = await response.json()
        return found


async def test_every_operation_answers_only_what_the_document_says(api: Api):
    described = await document(api)
    schema = schemathesis.openapi.from_dict(described)
    base, token = str(api.session._base_url).rstrip("/"), (await api.token(ANN)).shown
    ids = await some_of_everything(api)
    tried: dict[str, set[int]] = {}
    for found in schema.get_all_operations():
        assert isinstance(found, Ok)
        await asyncio.to_thread(try_out, found.ok(), base, token, ids, tried)
    assert tried["startRun"] >= {201, 422}
    assert tried["answerInterrupt"] >= {200, 404, 422}
    assert tried["revokeGrant"] >= {200, 404, 409}
    assert tried.keys() == {
        "startRun",
        "listRuns",
        "readRun",
        "cancelRun",
        "listInterrupts",
        "answerInterrupt",
        "listActions",
        "listGrants",
        "readGrant",
        "revokeGrant",
    }


def try_out(operation: Any, base: str, token: str, ids: dict[str, list[str]], tried: dict[str, set[int]]) -> None:
    """Requests as the document allows them, and some that it does not; ids are those of what is there, now and then."""
    name = operation.definition.raw["operationId"]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]

    for mode in modes:
        if mode is schemathesis.GenerationMode.NEGATIVE and not operation.definition.raw["parameters"]:
            continue

        @BOUNDED
        @given(case=operation.as_strategy(generation_mode=mode), picked=st.integers(0, 3))
        def once(case: Any, picked: int) -> None:
            for parameter, known in ids.items():
                if parameter in (case.path_parameters or {}) and picked < len(known):
                    case.path_parameters[parameter] = known[picked]
            if isinstance((case.query or {}).get("wait"), int) and case.query["wait"] in range(limits.LONGEST_WAIT + 1):
                case.query["wait"] = 0
            if picked == 0 and name in GOOD:
                case.body = GOOD[name]
            headers = {"Authorization": f"Bearer {token}"}
            response = case.call_and_validate(base_url=base, headers=headers, checks=CHECKS, timeout=20)
            tried.setdefault(name, set()).add(response.status_code)

        once()


async def some_of_everything(api: Api) -> dict[str, list[str]]:
    """A run that ended and one that waits, and questions that nobody cancels, by the names of path parameters."""
    rita = await api.client(RITA)
    interrupts = [await api.asked(rita, "ask", QUESTION) for _ in range(4)]
    runs = [each.partition(".")[0] for each in interrupts]
    await rita.post(f"/v1/runs/{runs[0]}/cancel")
    return {"run": runs[:2], "interrupt": interrupts[2:], "grant": [await granted(api) for _ in range(2)]}


async def test_the_document_states_the_limits_and_every_schema_in_it_is_one(api: Api):
    described = await document(api)
    assert described["openapi"] == "3.1.0"
    for stated in (f"{limits.MOST_BYTES:,} bytes", f"{limits.WAITS} that wait"):
        assert stated in described["info"]["description"]
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


async def test_what_is_really_sent_and_answered_fits_the_document(api: Api):
    described = await document(api)
    whole = {"components": described["components"]}
    rita = await api.client(RITA)
    await granted(api)
    run_id = (await api.asked(rita, "ask", QUESTION)).partition(".")[0]
    replies = {
        "RunStarted": await rita.start("ask", QUESTION, webhook=WEBHOOK),
        "RunShown": await rita.get(f"/v1/runs/{run_id}"),
        "RunsShown": await rita.get("/v1/runs"),
        "InterruptsShown": await rita.get("/v1/interrupts"),
        "GrantsShown": await rita.get("/v1/grants"),
        "ActionsShown": await rita.get("/v1/actions"),
        "ProblemDetails": await rita.start("ask", {}),
    }
    for name, reply in replies.items():
        Draft202012Validator({"$ref": f"#/components/schemas/{name}", **whole}).validate(reply.body)
