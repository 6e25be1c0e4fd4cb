"""usergroups.*: groups of people, and who is in them (https://docs.slack.dev/reference/methods/usergroups.users.list)."""

from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Group


def list_groups(call: MethodCall) -> Answer:
    groups = call.bench.workspace.groups.values()
    shown = [group for group in groups if not group.disabled or call.flag("include_disabled")]
    return {"usergroups": [group_object(call, group) for group in shown]}


def list_members(call: MethodCall) -> Answer:
    """Who is in a group, deactivated people not among them; a disabled group only where it is asked for."""
    group = call.bench.workspace.groups.get(call.text("usergroup"))
    if group is None or (group.disabled and not call.flag("include_disabled")):
        raise SlackError("no_such_subteam")
    return {"users": _members(call, group)}


def group_object(call: MethodCall, group: Group) -> Answer:
    found: Answer = {
        "id": group.id,
        "team_id": call.bench.workspace.team_id,
        "is_usergroup": True,
        "is_subteam": True,
        "name": group.name,
        "description": group.description,
        "handle": group.handle,
        "is_external": False,
        "date_create": 1764460800,
        "date_update": 1764460800,
        "date_delete": 1764460800 if group.disabled else 0,
        "auto_type": None,
        "prefs": {"channels": [], "groups": []},
    }
    if call.flag("include_users"):
        found["users"] = _members(call, group)
    if call.flag("include_count"):
        found["user_count"] = len(_members(call, group))
    return found


def _members(call: MethodCall, group: Group) -> list[str]:
    people = call.bench.workspace.people
    return [who for who in group.members if who in people and not people[who].deactivated]


_READ = frozenset({"usergroups:read"})

METHODS = (
    Method(
        "usergroups.list", list_groups, frozenset({"include_count", "include_disabled", "include_users"}), scopes=_READ
    ),
    Method(
        "usergroups.users.list", list_members, frozenset({"include_disabled"}), frozenset({"usergroup"}), scopes=_READ
    ),
)
