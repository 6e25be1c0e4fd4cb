"""Whether the names that policies use are known, asked once at start-up; a source that does not answer is no reason to stay down."""

import asyncio
from collections.abc import Iterable, Sequence

import structlog

from actions.kit.action import Action
from actions.kit.policies.deciders import Lookup
from actions.kit.policies.policy import every_lookup
from bot.directory.directory import Directory
from bot.engine.people import CouldNotVerify, UnknownName

log = structlog.get_logger(__name__)


class UnknownNamesError(Exception):
    """Actions name groups, rotas or a manager's field that no source knows. `mistakes` are sentences, one each."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = list(mistakes)


async def refuse_unknown_names(directory: Directory, actions: Iterable[Action]) -> None:
    """Raises `UnknownNamesError` with every name of a group, a rota or a field that is in no source."""
    named: dict[Lookup, list[str]] = {}
    for action in actions:
        for lookup in every_lookup(action.policy):
            named.setdefault(lookup, []).append(action.id)
    told = await asyncio.gather(*(_mistake(directory, lookup, by) for lookup, by in named.items()))
    if mistakes := [each for each in told if each]:
        raise UnknownNamesError(mistakes)


async def _mistake(directory: Directory, lookup: Lookup, by: Sequence[str]) -> str | None:
    try:
        await directory.check(lookup)
    except UnknownName as unknown:
        return f"{', '.join(by)}: {unknown.what}. {unknown.advice}"
    except CouldNotVerify as error:
        log.warning("name_not_checked", kind=lookup.kind, actions=by, error=str(error))
    return None
