"""Where a card goes, and whether anybody there can settle it: people who were named by e-mail become Slack ids, and places become the copies that are wanted."""

import asyncio

import structlog

from actions.kit.policy import Policy, emails, named_ids, places, with_ids
from actions.kit.quorum import candidates
from actions.kit.records import CopyKind, Failure, NewCopy
from bot.engine import refusals
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

    async def unreachable(self, policy: Policy, requester: str, *, approval: bool) -> Failure | None:
        """Why nobody could ever settle this question, if so. Whoever cannot be looked up now may decide later."""
        ids = named_ids(policy)
        able = await asyncio.gather(*(self._is_able(person) for person in ids))
        gone = [person for person, is_able in zip(ids, able, strict=True) if not is_able]
        most = candidates(policy, requester=requester, approval=approval, gone=gone)
        if most is None or most >= policy.quorum:
            return None
        return Failure(
            kind="unreachable",
            message=f"Nobody could settle its question: it needs {policy.quorum} of those who are named, and only {most} "
            "can decide. The requester of an approval, bots and people who left do not count.",
            advice="Name other people in the action's policy, then run it again.",
        )

    async def mistakes(self, policy: Policy, requester: str, *, approval: bool) -> list[str]:
        """Why those whom a policy names cannot decide, as far as Slack tells: nobody by that name, too few of them."""
        resolved, _ = await self.of(policy, requester)
        unknown = [*emails(resolved), *[person for person in named_ids(resolved) if await self._is_nobody(person)]]
        if unknown:
            return [refusals.nobody_by(who) for who in unknown]
        failure = await self.unreachable(resolved, requester, approval=approval)
        return [failure.message] if failure else []

    async def _is_nobody(self, person: str) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._directory.person(person) is None
        except (CouldNotVerify, TimeoutError):
            return False

    async def _is_able(self, person: str) -> bool:
        try:
            async with asyncio.timeout(PATIENCE):
                facts = await self._directory.person(person)
        except (CouldNotVerify, TimeoutError):
            return True
        return facts is None or not (facts.is_bot or facts.is_deleted)

    async def _id_of(self, email: str) -> tuple[str, str | None]:
        try:
            async with asyncio.timeout(PATIENCE):
                person = await self._directory.by_email(email)
        except (CouldNotVerify, TimeoutError):
            log.warning("email_not_resolved")
            return email, None
        return email, person.id if person else None
