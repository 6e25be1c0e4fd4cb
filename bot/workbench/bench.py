"""Everything that the parts of the workbench share: the workspace, what people see, what is planned, what was written down."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta

from bot.workbench.fault_catalogue import CataloguedFaults
from bot.workbench.files import File, Files
from bot.workbench.journal import Journal
from bot.workbench.response_urls import ResponseUrls
from bot.workbench.schedule import Schedule
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
    event_retries: tuple[float, ...] = (0.0, 60.0, 300.0)
    """How long after a failed delivery an event is sent again: https://docs.slack.dev/apis/events-api."""


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
    """By how much people have put the clock forward."""
    aged: timedelta = timedelta()
    """How much of it made what Slack itself hands out older."""
    clock_off: timedelta = timedelta()
    """By how much the `Date` of the Web API's answers differs from this machine's time."""
    faults: CataloguedFaults = field(default_factory=CataloguedFaults)
    files: Files = field(default_factory=Files)
    journal: Journal = field(default_factory=Journal)
    screens: Screens = field(init=False)
    triggers: Triggers = field(init=False)
    response_urls: ResponseUrls = field(init=False)
    schedule: Schedule = field(init=False)

    def __post_init__(self) -> None:
        self.screens = Screens(self.workspace.changes)
        self.journal.changed = self.faults.changed = self.workspace.changes.happened
        self.triggers = Triggers(self.timings.trigger, self.moment)
        self.response_urls = ResponseUrls(self.timings.response_url, self.moment)
        self.schedule = Schedule(self.wait_until)

    def moment(self) -> float:
        """Seconds on a clock that goes on by itself and that people can put forward; it tells no time of day."""
        return time.monotonic() + self.aged.total_seconds()

    def app_may_see(self, file: File) -> bool:
        """Whether a file is there for the app: its own, one shared where its bot is, one given to it in a form."""
        bot, conversations = self.workspace.app.user, self.workspace.conversations
        shared = any(place in conversations and bot in conversations[place].members for place in file.shared)
        return file.completed and (file.author == bot or shared or file.given_to_app)

    async def wait_until(self, moment: float) -> None:
        """Return when the clock has come there, by itself or because somebody put it forward."""
        changes = self.workspace.changes
        while (left := moment - self.moment()) > 0:
            await changes.until(lambda: self.moment() >= moment, timeout=left)
