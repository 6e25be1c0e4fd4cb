"""users.profile.get and team.profile.get: the fields that a company adds to profiles, and team.info."""

from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_users import profile_object
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import ProfileField


def user_profile(call: MethodCall) -> Answer:
    """A profile with its custom fields, keyed by the field's id; without `user` the bot's own.

    There is no manager in it but what a custom field says: https://docs.slack.dev/reference/methods/users.profile.get
    """
    workspace = call.bench.workspace
    person = workspace.people.get(call.text("user") or workspace.app.user)
    if person is None:
        raise SlackError("user_not_found")
    fields = {key: {"value": value, "alt": ""} for key, value in person.fields.items()}
    if call.flag("include_labels"):
        for key, field in fields.items():
            known = workspace.profile_fields.get(key)
            field["label"] = "" if known is None else known.label
    return {"profile": profile_object(call, person) | {"fields": fields}}


def team_profile(call: MethodCall) -> Answer:
    if call.text("visibility") not in ("", "all", "visible", "hidden"):
        raise SlackError("invalid_arguments")
    known = call.bench.workspace.profile_fields.values()
    hidden = call.text("visibility") == "hidden"
    fields = [] if hidden else [_field(field, place) for place, field in enumerate(known)]
    return {"profile": {"fields": fields, "sections": []}}


def team_info(call: MethodCall) -> Answer:
    workspace = call.bench.workspace
    if call.text("team") not in ("", workspace.team_id):
        raise SlackError("team_not_found")
    url = f"https://{workspace.domain}.slack.com/"
    icon = {"image_default": True}
    team = {"id": workspace.team_id, "name": workspace.name, "domain": workspace.domain, "url": url}
    return {"team": team | {"email_domain": "", "icon": icon}}


def _field(field: ProfileField, place: int) -> Answer:
    return {
        "id": field.id,
        "ordering": place,
        "label": field.label,
        "hint": field.hint,
        "type": field.kind,
        "possible_values": None,
        "options": {"is_scim": False, "is_protected": False},
        "is_hidden": False,
    }


_READ = frozenset({"users.profile:read"})

METHODS = (
    Method("users.profile.get", user_profile, frozenset({"user", "include_labels"}), scopes=_READ),
    Method("team.profile.get", team_profile, frozenset({"visibility"}), scopes=_READ),
    Method("team.info", team_info, frozenset({"team", "domain"}), scopes=frozenset({"team:read"})),
)
