"""Standing grants over HTTP: whoever one concerns sees it and may revoke it; for all others it is not there."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from actions.kit.policies.standing_grant import STANDING_GRANT
from bot.api.tokens import Scope
from tests.integration.api_room import ANN, RITA, Api, api_room
from tests.integration.engine_room import BEN, EVE
from tests.integration.test_runner_grants import ONE, what


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with api_room(tmp_path, ONE, operators=(EVE,)) as opened:
        yield opened


async def granted(api: Api) -> str:
    """The id of a grant of Rita's that Ann approved."""
    rita, ann = await api.client(RITA), await api.client(ANN)
    interrupt = await api.asked(rita, STANDING_GRANT, what())
    assert (await ann.answer(interrupt, choice="approve")).status == 200
    run = await api.room.store.run(interrupt.partition(".")[0])
    assert run is not None
    return (await api.room.ended(run)).id


async def test_those_whom_a_grant_concerns_see_it_and_others_do_not(api: Api):
    grant = await granted(api)
    for person in (RITA, ANN, EVE):
        (shown,) = (await (await api.client(person)).get("/v1/grants")).body["grants"]
        assert (shown["id"], shown["status"], shown["where"]) == (grant, "in_force", {"service": "web-*"})
        assert (shown["holder"], shown["approved_by"], shown["used"], shown["times"]) == (RITA, [ANN], 0, 2)
    ben = await api.client(BEN)
    assert (await ben.get("/v1/grants")).body["grants"] == []
    assert (await ben.get(f"/v1/grants/{grant}")).status == 404
    assert (await ben.post(f"/v1/grants/{grant}/revoke")).status == 404
    api.room.people.is_away = True
    assert (await ben.get(f"/v1/grants/{grant}")).body["type"] == "urn:signoff:problem:could-not-verify"
    assert (await (await api.client(RITA)).get(f"/v1/grants/{grant}")).status == 200


async def test_a_grant_is_revoked_once_and_can_be_read_after_its_end(api: Api):
    revoked, over = await granted(api), await granted(api)
    ann = await api.client(ANN)
    done = await ann.post(f"/v1/grants/{revoked}/revoke")
    assert (done.status, done.body["status"], done.body["revoked_by"]) == (200, "revoked", ANN)
    again = await ann.post(f"/v1/grants/{revoked}/revoke")
    assert (again.status, again.body["type"]) == (409, "urn:signoff:problem:ended")
    assert [each["id"] for each in (await ann.get("/v1/grants")).body["grants"]] == [over]
    api.room.clock.ahead = timedelta(hours=5)
    assert (await ann.get(f"/v1/grants/{over}")).body["status"] == "over"
    assert (await ann.post(f"/v1/grants/{over}/revoke")).status == 409
    assert [entry.via for entry in await api.room.store.trail(revoked) if entry.event == "grant revoked"] == ["http"]


async def test_grants_are_turned_page_by_page(api: Api):
    ids = [await granted(api) for _ in range(3)]
    rita = await api.client(RITA)
    first = (await rita.get("/v1/grants?limit=2")).body
    second = (await rita.get(f"/v1/grants?limit=2&cursor={first['next']}")).body
    assert [each["id"] for each in (*first["grants"], *second["grants"])] == ids
    assert second["next"] is None


async def test_a_token_sees_and_revokes_what_it_is_for(api: Api):
    grant = await granted(api)
    elsewhere = await api.client(RITA, actions=frozenset({STANDING_GRANT}))
    assert (await elsewhere.get("/v1/grants")).body["grants"] == []
    assert (await elsewhere.get("/v1/grants?action=restart")).status == 403
    assert (await elsewhere.get(f"/v1/grants/{grant}")).status == 404
    assert (await elsewhere.post(f"/v1/grants/{grant}/revoke")).status == 404
    reader = await api.client(RITA, scopes=frozenset({Scope.READ}), actions=frozenset({"restart"}))
    assert (await reader.get("/v1/grants?action=restart")).body["grants"][0]["id"] == grant
    assert (await reader.post(f"/v1/grants/{grant}/revoke")).status == 403
