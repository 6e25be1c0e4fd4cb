"""What each scope of the bot's token is for: the manifest asks for these, and the doctor looks whether they were granted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """A feature and the scope that it needs. Without a vital one the bot does not do its work; others it can do without.

    `without` says what happens then.
    """

    feature: str
    scope: str
    vital: bool
    without: str


UNREAD = "a post whose answer was lost may stand twice, and what people reply there is not kept"

NEEDS = (
    Need("posting and editing cards", "chat:write", True, "nothing can be asked"),
    Need("the slash command", "commands", True, "nobody can start anything from Slack"),
    Need("direct messages", "im:write", True, "named deciders and requesters are not reached"),
    Need("who clicked, their status and time zone", "users:read", True, "every click is refused as not verified"),
    Need("deciders by e-mail", "users:read.email", True, "people who are named by their address are not found"),
    Need("members of public channels", "channels:read", True, "members of a public channel cannot decide"),
    Need("members of private channels", "groups:read", True, "members of a private channel cannot decide"),
    Need(
        "user groups", "usergroups:read", False, "members of a user group cannot decide, nor those on call through one"
    ),
    Need("managers by Slack's profiles", "users.profile:read", False, "SIGNOFF_MANAGER_FIELD cannot be used"),
    Need(
        "public channels without an invitation", "chat:write.public", False, "the bot must be invited to each channel"
    ),
    Need("looking before posting again, and replies below cards", "channels:history", False, UNREAD),
    Need("the same in private channels", "groups:history", False, UNREAD),
    Need("the same, and agents, in direct messages", "im:history", False, f"{UNREAD}, and no agent is asked there"),
    Need("agents in channels", "app_mentions:read", False, "nobody is heard who writes @signoff in a channel"),
    Need("large data as a file", "files:write", False, "what no window holds is not sent to whoever asks for it"),
)
