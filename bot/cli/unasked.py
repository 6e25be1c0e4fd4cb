"""The directory of a command that works without Slack: it tells nothing about anybody, so nobody passes on a guess."""

from typing import NoReturn

from actions.kit.policies.deciders import Lookup
from bot.engine.people import CouldNotVerify


class Unasked:
    """Nobody is looked up; who is named by id is known all the same."""

    async def person(self, person: str) -> NoReturn:
        raise CouldNotVerify(person)

    async def by_email(self, email: str) -> NoReturn:
        raise CouldNotVerify(email)

    async def by_handle(self, handle: str) -> NoReturn:
        raise CouldNotVerify(handle)

    async def expand(self, lookup: Lookup, *, requester: str) -> NoReturn:
        raise CouldNotVerify(f"{lookup} of {requester}")

    async def is_member(self, channel: str, person: str) -> NoReturn:
        raise CouldNotVerify(f"{person} in {channel}")

    async def status_of(self, person: str) -> NoReturn:
        raise CouldNotVerify(person)
