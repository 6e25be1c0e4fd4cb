"""Where a card goes: people who were named by e-mail become Slack ids, and places become the copies that are wanted."""

import asyncio

import structlog

from actions.kit.policy import Policy, emails, places, with_ids
from actions.kit.records import CopyKind, NewCopy
from bot.engine.people import CouldNotVerify, Directory

log = structlog.get_logger(__name__)

PATIENCE = 5.0
"""Seconds that looking e-mails up may take; nobody waits for an acknowledgement here."""


class Addresses:
    """Resolves policies. An e-mail that cannot be resolved stays one: it can still answer, and be reached later."""

    def __init__(self, directory: Directory) -> None:
        self._directory = directory

    async def of(self, policy: Policy, requester: str) -> tuple[Policy, tuple[NewCopy, ...]]:
        """The policy with ids, and a card for each of its places."""
        found = await asyncio.gather(*(self._id_of(email) for email in emails(policy)))
        resolved = with_ids(policy, {email: person for email, person in found if person is not None})
        wanted = places(resolved, requester=requester)
        return resolved, tuple(NewCopy(kind=CopyKind.CARD, place=place) for place in wanted)

    async def _id_of(self, email: str) -> tuple[str, str | None]:
        try:
            async with asyncio.timeout(PATIENCE):
                person = await self._directory.by_email(email)
        except (CouldNotVerify, TimeoutError):
            log.warning("email_not_resolved")
            return email, None
        return email, person.id if person else None
