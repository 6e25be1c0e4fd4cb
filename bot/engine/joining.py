"""Which request may share the run of an equal one, and which gets a run of its own all the same."""

import asyncio
from dataclasses import replace

from actions.kit.action import Action
from actions.kit.policies.policy import Policy
from actions.kit.records.interrupts import InterruptStatus
from actions.kit.records.runs import RunRecord
from bot.engine.addresses import Addresses
from storage.results import NewRun
from storage.store import Store

PATIENCE = 1.0
"""Seconds that it may take to see whether enough people are left who can decide: somebody may wait for an acknowledgement."""


async def joining(store: Store, addresses: Addresses, action: Action, new: NewRun) -> NewRun:
    """The request as it is to be stored: with a key to join by where its action lets equal requests share a run.

    Nobody approves what they asked for. So whoever is needed to decide a run does not join it: it could not be settled.
    """
    key = action.join_key(new.input)
    run = None if key is None else await store.joinable(key, new.requester)
    if run is None or new.requester in run.requesters:
        return replace(new, join_key=key)
    try:
        async with asyncio.timeout(PATIENCE):
            is_needed = await _is_needed(store, addresses, action, run, new.requester)
    except TimeoutError:
        is_needed = True
    return new if is_needed else replace(new, join_key=key)


async def _is_needed(store: Store, addresses: Addresses, action: Action, run: RunRecord, person: str) -> bool:
    """Whether the run could not be settled any more if this person asked for it too."""
    policy, approval = await _asked(store, addresses, action, run)
    if not approval and not policy.requester_excluded:
        return False
    besides = (*run.joined, person)
    return await addresses.unreachable(policy, run.requester, approval=approval, besides=besides) is not None


async def _asked(store: Store, addresses: Addresses, action: Action, run: RunRecord) -> tuple[Policy, bool]:
    """Who decides the open question and whether it is an approval; before it was asked, as far as the action says."""
    card = await store.latest_card(run.id)
    if card is not None and card.interrupt.status is InterruptStatus.PENDING:
        return card.interrupt.policy, card.interrupt.shape.is_approval
    bound = action.bound(run.input)
    policy, _ = await addresses.of(bound.policy, run.requester)
    return policy, bound.resume().shape.is_approval
