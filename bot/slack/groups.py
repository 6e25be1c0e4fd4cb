"""Slack's user groups: who is in one, by its handle or its id, as of a minute ago at most.

Sources: usergroups.list and usergroups.users.list in Slack's method reference.
"""

from collections.abc import Mapping

from slack_sdk.web.async_client import AsyncWebClient

from actions.kit.policies.deciders import GROUP_ID
from bot.slack.asking import asked
from bot.slack.lookups import Lookups

LASTS = 60.0
NO_GROUPS = frozenset({"plan_upgrade_required"})
"""A workspace whose plan has no user groups has none."""
NO_GROUP = frozenset({"no_such_subteam"}) | NO_GROUPS


class UserGroups:
    """A disabled group is none: nobody decides as a member of what somebody switched off."""

    def __init__(self, client: AsyncWebClient, lookups: Lookups) -> None:
        self._client = client
        self._lookups = lookups

    async def members(self, group: str) -> frozenset[str] | None:
        """The ids of who is in the group; `None` where Slack has no such group. Raises `CouldNotVerify`."""
        group_id = group if GROUP_ID.fullmatch(group) else (await self._ids()).get(group)
        if group_id is None:
            return None
        return await self._lookups.get(("group", group_id), lambda: self._ask_members(group_id), lambda _: LASTS)

    async def _ids(self) -> Mapping[str, str]:
        return await self._lookups.get(("groups",), self._ask_groups, lambda _: LASTS)

    async def _ask_groups(self) -> Mapping[str, str]:
        answer = await asked(self._client.usergroups_list(), absent=NO_GROUPS)
        listed = answer["usergroups"] if answer else ()
        return {str(each["handle"]): str(each["id"]) for each in listed if not each.get("date_delete")}

    async def _ask_members(self, group_id: str) -> frozenset[str] | None:
        answer = await asked(self._client.usergroups_users_list(usergroup=group_id), absent=NO_GROUP)
        return frozenset(map(str, answer["users"])) if answer else None
