"""Puts a workspace together from its parts: people with their direct messages, conversations, groups, the app's tokens."""

import re
import secrets
from collections.abc import Iterable

from bot.workbench.conversations import Conversation
from bot.workbench.installed_app import App, Token
from bot.workbench.people import Group, Person, ProfileField
from bot.workbench.workspace import Workspace

APP_SCOPES = frozenset({"connections:write"})


def assembled(
    *,
    team_id: str,
    name: str,
    app: App,
    people: Iterable[Person],
    conversations: Iterable[Conversation],
    scopes: frozenset[str],
    groups: Iterable[Group] = (),
    profile_fields: Iterable[ProfileField] = (),
    bot_token: str | None = None,
    app_token: str | None = None,
) -> Workspace:
    """A workspace with the app installed; tokens that are not given are made, and nobody else's."""
    domain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "workspace"
    workspace = Workspace(team_id=team_id, name=name, domain=domain, app=app)
    workspace.people = {person.id: person for person in people}
    workspace.conversations = {conversation.id: conversation for conversation in conversations}
    workspace.groups = {group.id: group for group in groups}
    workspace.profile_fields = {field.id: field for field in profile_fields}
    for person in list(workspace.people.values()):
        if not person.is_bot:
            workspace.dm_of(person.id)
    for token in (
        Token(bot_token or f"xoxb-{secrets.token_hex(16)}", "bot", scopes),
        Token(app_token or f"xapp-1-{secrets.token_hex(16)}", "app", APP_SCOPES),
    ):
        workspace.tokens[token.value] = token
    return workspace
