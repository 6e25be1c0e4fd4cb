"""What the runner must know about people, as a seam: Slack's directory behind it in life, a table in tests."""

from typing import Protocol

from actions.kit.records import PersonFacts


class CouldNotVerify(Exception):  # noqa: N818 - it reads as the answer that the person gets
    """The directory did not answer in time, or refused. Whoever asked must not be passed on a guess."""


class Directory(Protocol):
    """Facts about people and channels. Every method may raise `CouldNotVerify`."""

    async def person(self, person: str) -> PersonFacts | None:
        """What is known of a Slack id; `None` where Slack knows nobody by it."""

    async def by_email(self, email: str) -> PersonFacts | None:
        """Whoever has this e-mail address in Slack, if anybody."""

    async def is_member(self, channel: str, person: str) -> bool:
        """Whether the person is in the channel, which is an id or a `#name`."""
