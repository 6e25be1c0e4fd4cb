"""Which standing grants of its requester allow a pause: asked when it is made, and for nothing that an action called."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from actions.kit.action import Action
from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.grants import approving, asked_today, covers, fingerprint, narrowed, would_approve
from actions.kit.policies.policy import Policy, every_lookup
from actions.kit.policies.stages import may_fill
from actions.kit.records.interrupts import DecisionRecord
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import RunRecord
from actions.kit.registry import Registry
from actions.kit.request import resume_of
from actions.kit.shapes.answers import MISSING
from bot.engine.expanding import expanded_for
from bot.engine.people import CouldNotVerify, Directory
from storage.results import Allowing
from storage.store import Store

PATIENCE = 5.0
"""Seconds that looking people up may take; nobody waits for an acknowledgement here."""


class Allowances:
    """Looks at the policy of today, which may have narrowed what was granted, and never widens it."""

    def __init__(self, *, store: Store, registry: Registry, directory: Directory, now: Callable[[], datetime]) -> None:
        self._store = store
        self._registry = registry
        self._directory = directory
        self._now = now

    async def of(self, run: RunRecord, request: PauseRequest) -> tuple[Allowing, ...]:
        """Those that may settle this question; whether one is left is for the store to say, in the pause itself."""
        action, choice = self._registry.get(run.action_id), approving(request.shape)
        if action is None or choice is None or run.edits or not _is_own(request) or not _is_offered_by(action):
            return ()
        found = await self._store.grants.matching(run.requester, run.action_id, now=self._now())
        meant = [each for each in found if covers(each.terms.where, json.loads(run.input))]
        left = [
            each for each in (narrowed(grant, action.policy) for grant in meant) if each and each.is_live(self._now())
        ]
        able = [each for each in left if await self._holds(each, action.policy)]
        answer = resume_of(action, request).validate(choice.key, MISSING) if able else ""
        return tuple(Allowing(each.id, each.terms.times, each.until, choice, answer) for each in able)

    async def _holds(self, grant: GrantRecord, today: Policy) -> bool:
        """Whether it holds by the policy of today: where others would have to approve it by now, by the votes that it had."""
        return grant.terms.policy == fingerprint(today) or await self._would_approve(grant, today)

    async def _would_approve(self, grant: GrantRecord, today: Policy) -> bool:
        """What cannot be looked up counts as no: then people are asked."""
        approval = await self._store.grants.approval(grant.id)
        if approval is None:
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                asked = asked_today(today)
                decisions = [await self._today(each, asked, grant.holder) for each in approval.decisions]
        except (CouldNotVerify, TimeoutError):
            return False
        return would_approve(today, approval.interrupt.shape, decisions)

    async def _today(self, decision: DecisionRecord, asked: Policy, holder: str) -> DecisionRecord:
        """The decision with what its person may fill by this policy now: nothing, where they spoke for somebody else."""
        facts = await self._directory.person(decision.person)
        if facts is None or decision.standing_for:
            return replace(decision, fits=())
        known = await expanded_for(self._directory, every_lookup(asked), decision.person, requester=holder)
        return replace(decision, fits=may_fill(asked, facts, requester=holder, approval=True, expanded=known))


def _is_own(request: PauseRequest) -> bool:
    """Whether the action that was started asks, and whom its own policy names."""
    return not request.call_path and request.asker is None and request.policy.follows


def _is_offered_by(action: Action) -> bool:
    return action.policy.grants is not None and not action.destructive
