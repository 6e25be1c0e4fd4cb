"""What an app may do for which nothing says what it may do: every scope and every event that the workbench knows."""

EVERY_SCOPE = frozenset(
    {
        "app_mentions:read",
        "channels:history",
        "channels:join",
        "channels:manage",
        "channels:read",
        "channels:write",
        "channels:write.invites",
        "channels:write.topic",
        "chat:write",
        "chat:write.customize",
        "chat:write.public",
        "commands",
        "files:read",
        "files:write",
        "groups:history",
        "groups:read",
        "groups:write",
        "groups:write.invites",
        "groups:write.topic",
        "im:history",
        "im:read",
        "im:write",
        "mpim:read",
        "mpim:write",
        "reactions:read",
        "reactions:write",
        "team:read",
        "usergroups:read",
        "users.profile:read",
        "users:read",
        "users:read.email",
    }
)

EVERY_EVENT = (
    "app_home_opened",
    "app_mention",
    "member_joined_channel",
    "member_left_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "reaction_added",
    "reaction_removed",
)
