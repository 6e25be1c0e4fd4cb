"""What the runner must know about people, as a seam: the directory behind it in life, a table in tests."""

from dataclasses import dataclass
from typing import Protocol

from actions.kit.policies.deciders import Lookup
from actions.kit.records.people import PersonFacts


class CouldNotVerify(Exception):  # noqa: N818 - it reads as the answer that the person gets
    """The directory did not answer in time, or refused. Whoever asked must not be passed on a guess."""


class UnknownName(CouldNotVerify):
    """No source knows a group, a rota, a field that a policy names. It says what to do about it."""

    def __init__(self, what: str, advice: str) -> None:
        super().__init__(what)
        self.what = what
        self.advice = advice


@dataclass(frozen=True, slots=True)
class Status:
    """Somebody's status in Slack: its emoji as `:word:`, its text, and whether that emoji is one of those who are away."""

    emoji: str
    text: str
    is_away: bool


class Directory(Protocol):
    """Facts about people and channels. Every method may raise `CouldNotVerify`."""

    async def person(self, person: str) -> PersonFacts | None:
        """What is known of a Slack id; `None` where Slack knows nobody by it."""

    async def by_email(self, email: str) -> PersonFacts | None:
        """Whoever has this e-mail address in Slack, if anybody."""

    async def by_handle(self, handle: str) -> tuple[PersonFacts, ...]:
        """Everybody who is called so in Slack, without the `@`, bots and those who left apart."""

    async def expand(self, lookup: Lookup, *, requester: str) -> frozenset[str]:
        """The ids of those for whom a decider stands now; `requester` is whose manager is meant where none is named.

        Nobody at all is an answer: nobody is on call, somebody has no manager. Raises `UnknownName` where no source
        knows the name.
        """

    async def is_member(self, channel: str, person: str) -> bool:
        """Whether the person is in the channel, which is an id or a `#name`."""

    async def status_of(self, person: str) -> Status | None:
        """What this person's Slack status says now, as of a minute ago at most; `None` where it says nothing."""
