"""Standing grants: those that concern a person, and their end."""

import re
from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus

from actions.kit.policies.granted import GrantRecord
from bot.api import problems
from bot.api.access import LOOKING_UP
from bot.api.calls import Call, Operation, Reply
from bot.api.shapes import RUN_ID, GrantShown, GrantsQuery, GrantsShown
from bot.api.tokens import Scope
from bot.api.views import grant_shown
from bot.engine.facts import Budget
from bot.engine.granting import StandingGrants
from bot.engine.results import Refusal, Why

WHAT = "standing grant of this id"


class Grants:
    """`GET /v1/grants`, `GET /v1/grants/{grant}`, `POST /v1/grants/{grant}/revoke`."""

    def __init__(self, grants: StandingGrants, now: Callable[[], datetime]) -> None:
        self._grants = grants
        self._now = now

    def operations(self) -> list[Operation]:
        return [
            Operation(
                "GET", "/grants", "listGrants", "List the standing grants in force, the oldest first", Scope.READ,
                self.listed, {HTTPStatus.OK: GrantsShown}, query=GrantsQuery,
            ),
            Operation(
                "GET", "/grants/{grant}", "readGrant", "Read a standing grant", Scope.READ, self.read,
                {HTTPStatus.OK: GrantShown}, (HTTPStatus.NOT_FOUND,),
            ),
            Operation(
                "POST", "/grants/{grant}/revoke", "revokeGrant", "Revoke a standing grant", Scope.CANCEL, self.revoke,
                {HTTPStatus.OK: GrantShown}, (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT),
            ),
        ]  # fmt: skip

    async def listed(self, call: Call) -> Reply:
        asked = call.query(GrantsQuery)
        if asked.action is not None:
            call.caller.require_action(asked.action)

        def is_wanted(grant: GrantRecord) -> bool:
            action_id = grant.terms.action_id
            is_asked_for = asked.action in {None, action_id} and grant.id > (asked.cursor or "")
            return is_asked_for and call.caller.may_touch(action_id)

        found = await self._grants.of(call.caller.person, Budget(LOOKING_UP), wanted=is_wanted)
        oldest_first = sorted(found, key=lambda grant: grant.id)
        page, now = oldest_first[: asked.limit], self._now()
        following = page[-1].id if len(found) > len(page) else None
        return Reply(GrantsShown(grants=[grant_shown(each, now) for each in page], next=following))

    async def read(self, call: Call) -> Reply:
        return self._reply(await self._found(call))

    async def revoke(self, call: Call) -> Reply:
        grant = await self._found(call)
        result = await self._grants.revoke(grant.id, call.caller.person, via="http")
        if isinstance(result, Refusal):
            raise problems.of_refusal(result)
        return self._reply(result.grant)

    async def _found(self, call: Call) -> GrantRecord:
        """The grant that the path names. Raises `ProblemError`: 404 for what is not there or not to be seen."""
        grant_id = call.path["grant"]
        if not re.match(RUN_ID, grant_id):
            raise problems.not_found(WHAT)
        found = await self._grants.one(grant_id, call.caller.person, Budget(LOOKING_UP))
        if isinstance(found, Refusal):
            raise problems.of_refusal(found) if found.why is Why.NOT_VERIFIED else problems.not_found(WHAT)
        if not call.caller.may_touch(found.terms.action_id):
            raise problems.not_found(WHAT)
        return found

    def _reply(self, grant: GrantRecord) -> Reply:
        return Reply(grant_shown(grant, self._now()))
