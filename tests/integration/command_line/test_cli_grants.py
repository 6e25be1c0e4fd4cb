"""`signoff grants`: what is in force, and its end, at the command line."""

import json

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.standing_grant import STANDING_GRANT
from bot import clock
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import ANA, BEN, REQUESTER, Scene
from tests.integration.test_storage_grants import TERMS


async def given(scene: Scene) -> GrantRecord:
    run = (await scene.answered(run=await scene.running(action_id=STANDING_GRANT))).run
    grant = await scene.store.grants.give(run.id, run.epoch, TERMS, now=clock.now())
    assert grant is not None
    return grant


def test_a_grant_is_listed_until_it_is_revoked(desk: Desk):
    grant = desk.happens(given)
    assert "Send message where To is a*" in desk.signoff("grants", "list").out
    [facts] = json.loads(desk.signoff("grants", "list", "--json").out)
    assert (facts["id"], facts["holder"], facts["approved_by"]) == (grant.id, REQUESTER, [ANA])
    assert "Revoked: Send message" in desk.signoff("grants", "revoke", grant.id, "--as", BEN).out
    assert desk.signoff("grants", "list").out == "No standing grant is in force.\n"
    assert "is over already" in desk.signoff("grants", "revoke", grant.id, "--as", BEN).one_error
    assert desk.signoff("grants", "revoke", "nothing", "--as", BEN).one_error.startswith("There is no standing grant")
