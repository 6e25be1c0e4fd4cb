"""The demo workspace: a small company called Acme, its people and its channels."""

import secrets

from bot.workbench.workspace import App, Command, Conversation, Person, Token, Workspace

BOT_USER = "U0SIGNOFF"

# What manifest.yml asks for; a test holds the two together.
BOT_SCOPES = frozenset(
    {
        "chat:write",
        "chat:write.public",
        "commands",
        "im:write",
        "users:read",
        "users:read.email",
        "channels:read",
        "groups:read",
        "channels:history",
        "groups:history",
        "im:history",
    }
)

COMMANDS = (Command("/signoff", "Start a request that needs somebody's approval", "[action]", should_escape=False),)

# True of a workbench in which nothing waits yet, before and after the bot is there.
HINTS = (
    "Start your bot with the settings that the terminal printed: it shows as *connected* below.",
    "Type `/signoff`: the bot lists what can be started.",
    "Become somebody else (above, in a new tab) to answer: nobody approves their own request.",
)

PEOPLE = (
    Person("U0ANN", "ann", "Ann Archer", "ann@example.com", "Team lead", "#2f6f5e"),
    Person("U0BEN", "ben", "Ben Brook", "ben@example.com", "Engineer", "#a4511f"),
    Person("U0DANA", "dana", "Dana Diaz", "dana@example.com", "Manager", "#6b3fa0"),
    Person("U0OMAR", "omar", "Omar Okafor", "omar@example.com", "On call", "#1d5fa8"),
    Person("U0RITA", "rita", "Rita Rossi", "rita@example.com", "Support", "#b03060"),
    Person("U0GUS", "gus", "Gus Guest", "gus@example.com", "Contractor", "#6c6f75", is_guest=True),
    Person(BOT_USER, "signoff", "Signoff", title="Approvals", color="#14213d", is_bot=True),
)


def acme(*, bot_scopes: frozenset[str] = BOT_SCOPES) -> Workspace:
    """A fresh Acme with tokens of its own."""
    app = App("A0SIGNOFF", "Signoff", BOT_USER, "B0SIGNOFF", COMMANDS, home_tab=False)
    workspace = Workspace(team_id="T0ACME", name="Acme", domain="acme", app=app)
    workspace.people = {person.id: _copy(person) for person in PEOPLE}
    everybody = list(workspace.people)
    for conversation in (
        Conversation(
            "C0APPROVALS",
            "approvals",
            "channel",
            "Things that need a yes or a no",
            ["U0ANN", "U0BEN", "U0DANA", "U0RITA", BOT_USER],
        ),
        Conversation("C0GENERAL", "general", "channel", "Everybody at Acme", everybody),
        Conversation("C0OPS", "ops", "private", "Keeping things up", ["U0OMAR", "U0ANN", BOT_USER]),
    ):
        workspace.conversations[conversation.id] = conversation
    for person in PEOPLE:
        if not person.is_bot:
            workspace.dm_of(person.id)
    for token in (
        Token(f"xoxb-{secrets.token_hex(16)}", "bot", bot_scopes),
        Token(f"xapp-1-{secrets.token_hex(16)}", "app", frozenset({"connections:write"})),
    ):
        workspace.tokens[token.value] = token
    return workspace


def _copy(person: Person) -> Person:
    return Person(
        person.id,
        person.name,
        person.real_name,
        person.email,
        person.title,
        person.color,
        is_bot=person.is_bot,
        is_guest=person.is_guest,
    )
