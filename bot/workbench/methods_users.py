"""users.*: who is who."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from bot.workbench.methods import READ_SCOPES, Answer, Method, MethodCall, page_of
from bot.workbench.methods_conversations import conversation_object, wanted_kinds
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Person


def info(call: MethodCall) -> Answer:
    return {"user": user_object(call, call.person("user"))}


def list_users(call: MethodCall) -> Answer:
    people, more = page_of(list(call.bench.workspace.people.values()), call)
    return {"members": [user_object(call, person) for person in people], **more}


def lookup_by_email(call: MethodCall) -> Answer:
    """Not those who have left: https://docs.slack.dev/reference/methods/users.lookupByEmail."""
    person = call.bench.workspace.person_with_email(call.text("email"))
    if person is None or person.deactivated:
        raise SlackError("users_not_found")
    return {"user": user_object(call, person)}


def conversations(call: MethodCall) -> Answer:
    workspace = call.bench.workspace
    who = call.text("user") or workspace.app.user
    if who not in workspace.people:
        raise SlackError("user_not_found")
    kinds = wanted_kinds(call, READ_SCOPES)
    mine = [c for c in workspace.conversations.values() if c.kind in kinds and who in c.members]
    shown = [c for c in mine if c.kind == "channel" or call.is_in(c)]
    if call.flag("exclude_archived"):
        shown = [c for c in shown if not c.archived]
    page, more = page_of(shown, call)
    return {"channels": [conversation_object(call.bench, c) for c in page], **more}


def profile_object(call: MethodCall, person: Person) -> dict[str, Any]:
    """A profile without its custom fields; the e-mail address only to those with the scope for it."""
    profile: dict[str, Any] = {
        "title": person.title,
        "real_name": person.real_name,
        "real_name_normalized": person.real_name,
        "display_name": person.name,
        "display_name_normalized": person.name,
        "team": call.bench.workspace.team_id,
        "status_emoji": person.status_emoji,
        "status_text": person.status_text,
        "status_expiration": person.status_expiration,
    }
    if person.email is not None and "users:read.email" in call.token.scopes:
        profile["email"] = person.email
    if person.is_bot:
        profile |= {"api_app_id": call.bench.workspace.app.id, "bot_id": call.bench.workspace.app.bot_id}
    return profile


def user_object(call: MethodCall, person: Person) -> dict[str, Any]:
    """A user as the API gives it."""
    user: dict[str, Any] = {
        "id": person.id,
        "team_id": call.bench.workspace.team_id,
        "name": person.name,
        "deleted": person.deactivated,
        "profile": profile_object(call, person),
        "is_bot": person.is_bot,
        "is_app_user": False,
        "updated": 1764460800,
    }
    if person.deactivated:
        return user
    return user | {
        "color": person.color.removeprefix("#"),
        "real_name": person.real_name,
        "tz": person.tz,
        "tz_label": person.tz,
        "tz_offset": _offset(person.tz),
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
        "is_restricted": person.is_guest,
        "is_ultra_restricted": False,
        "is_email_confirmed": True,
    }


def _offset(zone: str) -> int:
    """Seconds east of UTC, now."""
    offset = datetime.now(ZoneInfo(zone)).utcoffset()
    return 0 if offset is None else int(offset.total_seconds())


METHODS = (
    Method(
        "users.info",
        info,
        required=frozenset({"user"}),
        optional=frozenset({"include_locale"}),
        scopes=frozenset({"users:read"}),
    ),
    Method(
        "users.list",
        list_users,
        optional=frozenset({"cursor", "limit", "include_locale"}),
        scopes=frozenset({"users:read"}),
    ),
    Method(
        "users.lookupByEmail",
        lookup_by_email,
        required=frozenset({"email"}),
        scopes=frozenset({"users:read.email"}),
    ),
    Method(
        "users.conversations",
        conversations,
        optional=frozenset({"cursor", "limit", "types", "user", "exclude_archived", "exclude_muted"}),
    ),
)
