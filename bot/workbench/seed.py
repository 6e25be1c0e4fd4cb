"""The demo workspace: a small company called Acme, its people and its channels."""

from dataclasses import replace

from bot.workbench.assembly import assembled
from bot.workbench.workspace import App, Command, Conversation, Group, Person, Shortcut, Workspace

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
        "usergroups:read",
        "users.profile:read",
        "channels:history",
        "groups:history",
        "im:history",
        "app_mentions:read",
        "files:write",
    }
)

COMMANDS = (
    Command(
        "/signoff",
        "Start a request that needs somebody's approval",
        "[NAME | mine | pending | show ID | cancel ID | grants | away until friday, ask @colleague | back | digest on|off | help]",
        should_escape=True,
    ),
)
SHORTCUTS = (
    Shortcut("global", "Start a request", "start_request", "Start a request that needs somebody's approval"),
    Shortcut("message", "Ask for a decision", "ask_about_message", "Ask people for a decision about this message"),
)
EVENTS = ("app_home_opened", "app_mention", "message.im", "message.channels", "message.groups")

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
)


def acme(*, bot_scopes: frozenset[str] = BOT_SCOPES) -> Workspace:
    """A fresh Acme with tokens of its own."""
    return assembled(
        team_id="T0ACME",
        name="Acme",
        app=signoff_app(),
        people=[*acmes_people(), signoffs_bot()],
        conversations=acmes_channels(BOT_USER),
        groups=acmes_groups(),
        scopes=bot_scopes,
    )


def signoff_app() -> App:
    return App("A0SIGNOFF", "Signoff", BOT_USER, "B0SIGNOFF", COMMANDS, SHORTCUTS, EVENTS)


def signoffs_bot() -> Person:
    return Person(BOT_USER, "signoff", "Signoff", title="Approvals", color="#14213d", is_bot=True)


def acmes_people() -> list[Person]:
    """The people, as they are before anything happens to them."""
    return [replace(person, fields={}) for person in PEOPLE]


def acmes_channels(bot: str) -> list[Conversation]:
    """The channels, with the app's bot in each."""
    deciders, everybody = ["U0ANN", "U0BEN", "U0DANA", "U0RITA"], [person.id for person in PEOPLE]
    return [
        Conversation("C0APPROVALS", "approvals", "channel", "Things that need a yes or a no", [*deciders, bot]),
        Conversation("C0GENERAL", "general", "channel", "Everybody at Acme", [*everybody, bot]),
        Conversation("C0OPS", "ops", "private", "Keeping things up", ["U0OMAR", "U0ANN", bot]),
    ]


def acmes_groups() -> list[Group]:
    """The user groups, as they are before anything happens to them."""
    return [Group("S0FINANCE", "finance", "Finance", "Those who look at what is spent", ["U0ANN", "U0BEN"])]
