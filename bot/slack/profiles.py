"""What a custom field of Slack's profiles says about people, such as who manages them.

Slack has no manager of its own: a workspace adds a field for it, and the field is named in the settings, by its label or
its id. Sources: users.profile.get and team.profile.get in Slack's method reference.
"""

from collections.abc import Mapping

from slack_sdk.web.async_client import AsyncWebClient

from actions.kit.policies.deciders import EMAIL, PERSON_ID
from bot.engine.people import CouldNotVerify, UnknownName
from bot.slack.asking import asked
from bot.slack.lookups import Lookups

VALUES_LAST = 60.0
FIELDS_LAST = 600.0
NOBODY = frozenset({"user_not_found"})


class Profiles:
    """One field that names people. `field` is its label, in whatever case, or its id `Xf…`."""

    def __init__(self, client: AsyncWebClient, lookups: Lookups, field: str) -> None:
        self._client = client
        self._lookups = lookups
        self.field = field

    async def named(self, person: str) -> tuple[str, ...]:
        """Whom the person's field names: ids, and e-mails in lower case; nobody where it is empty.

        Raises `UnknownName` where there is no such field, `CouldNotVerify` where it holds something else too.
        """
        field = await self.field_id()
        return await self._lookups.get(
            ("profile", field, person), lambda: self._ask_value(field, person), lambda _: VALUES_LAST
        )

    async def field_id(self) -> str:
        """The id of the field. Raises `UnknownName`, and `CouldNotVerify`."""
        fields = await self._lookups.get(("fields",), self._ask_fields, lambda _: FIELDS_LAST)
        if self.field in fields.values():
            return self.field
        found = fields.get(self.field.casefold())
        if found is None:
            raise UnknownName(f"Slack's profiles have no field {self.field!r}", "Correct SIGNOFF_MANAGER_FIELD.")
        return found

    async def _ask_fields(self) -> Mapping[str, str]:
        answer = await asked(self._client.team_profile_get())
        fields = answer["profile"]["fields"] if answer else ()
        return {str(each["label"]).casefold(): str(each["id"]) for each in fields}

    async def _ask_value(self, field: str, person: str) -> tuple[str, ...]:
        answer = await asked(self._client.users_profile_get(user=person), absent=NOBODY)
        fields = (answer["profile"].get("fields") if answer else None) or {}
        value = str((fields.get(field) or {}).get("value") or "")
        return tuple(self._who(part.strip()) for part in value.split(",") if part.strip())

    def _who(self, text: str) -> str:
        if PERSON_ID.fullmatch(text):
            return text
        if EMAIL.fullmatch(text):
            return text.lower()
        raise CouldNotVerify(f"the profile field {self.field!r} holds neither a person nor an e-mail address")
