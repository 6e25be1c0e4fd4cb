"""Everything that the parts of the workbench share: the workspace, what people see, what is planned, what was written down."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from bot.workbench.faults import Faults
from bot.workbench.files import Files
from bot.workbench.journal import Journal
from bot.workbench.response_urls import ResponseUrls
from bot.workbench.triggers import Triggers
from bot.workbench.views import Screens
from bot.workbench.workspace import Workspace

OnClock = Callable[[timedelta], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Timings:
    """Slack's deadlines, in seconds. Tests of lateness may shorten them; nothing else should."""

    ack: float = 3.0
    trigger: float = 3.0
    response_url: float = 1800.0
    posts_per_channel: float | None = None
    """The least time between two posts to one channel; `None` does not limit them."""


@dataclass(slots=True)
class Bench:
    """Made once per workbench and handed to each of its parts."""

    workspace: Workspace
    signing_secret: str
    timings: Timings
    strict: bool
    hints: tuple[str, ...] = ()
    on_clock: OnClock | None = None
    origin: str = ""
    request_url: str | None = None
    moved: timedelta = timedelta()
    clock_off: timedelta = timedelta()
    """By how much the `Date` of the Web API's answers differs from this machine's time."""
    faults: Faults = field(default_factory=Faults)
    files: Files = field(default_factory=Files)
    journal: Journal = field(default_factory=Journal)
    screens: Screens = field(init=False)
    triggers: Triggers = field(init=False)
    response_urls: ResponseUrls = field(init=False)

    def __post_init__(self) -> None:
        self.screens = Screens(self.workspace.changes)
        self.triggers = Triggers(self.timings.trigger)
        self.response_urls = ResponseUrls(self.timings.response_url)
