"""A store with its wakes and changes noted, and the few steps that most stories of the storage begin with."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from actions.kit.policies.deciders import Channel, ChannelMembers, Person, Place, Policy
from actions.kit.records.copies import CopyKind, CopyRecord, NewCopy
from actions.kit.records.interrupts import Card, Choice, Expire, InterruptRecord, OnExpiry, Shape
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import Origin, RunRecord, Wake
from storage.database import Database
from storage.results import AnswerResult, Claimed, Lease, NewRun, Vote
from storage.store import Store

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
ANA, BEN, CAI, REQUESTER = "U0ANA", "U0BEN", "U0CAI", "U0REQ"
YES = Choice(key="yes", title="Approve", json_schema={}, has_form=False)
NO = Choice(key="no", title="Reject", json_schema={}, has_form=True, declines=True)
LATER = Choice(key="later", title="Later", json_schema={}, has_form=False)
SHAPE = Shape(choices=(YES, NO, LATER))
MEMBERS = Policy(deciders=(ChannelMembers(channel="#approvals"),))
APPROVALS = Channel(channel="#approvals")
ME = "this process"


def two_of(*people: str) -> Policy:
    return Policy(deciders=tuple(Person(id=person) for person in people), quorum=2)


def lease(now: datetime = NOW, owner: str = ME) -> Lease:
    return Lease(owner, now + 30 * SECOND)


def new_run(text: str = '{"to": "ana"}', **values: Any) -> NewRun:
    return NewRun(
        **{
            "action_id": "send_message",
            "action_name": "Send message",
            "requester": REQUESTER,
            "origin": Origin(),
            "input": text,
            **values,
        }
    )


def question(**values: Any) -> PauseRequest:
    return PauseRequest(
        **{
            "message": "Approve sending this message?",
            "data": '{"draft": "Hello"}',
            "shown": '{"draft": "Hello"}',
            "state": None,
            "ui": None,
            "resume": "",
            "shape": SHAPE,
            "fingerprint": "f1",
            "policy": MEMBERS,
            "expires_in": HOUR,
            "on_expiry": Expire(),
            **values,
        }
    )


def vote(interrupt_id: str, person: str = ANA, choice: Choice = YES, **values: Any) -> Vote:
    return Vote(
        **{
            "interrupt_id": interrupt_id,
            "content_version": 1,
            "person": person,
            "choice": choice,
            "value": "{}",
            "note": None,
            "source": f"click of {person}",
            "via": "slack",
            **values,
        }
    )


@dataclass
class Scene:
    """What happens to one database, seen from one process."""

    database: Database
    wakes: list[Wake] = field(default_factory=list)
    changes: list[None] = field(default_factory=list)
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = Store(self.database, on_wake=self.wakes.append, on_change=lambda: self.changes.append(None))

    async def running(self, *, now: datetime = NOW, owner: str = ME, **values: Any) -> RunRecord:
        return (await self.store.start(new_run(**values), lease=lease(now, owner), now=now)).run

    async def asked(
        self,
        run: RunRecord | None = None,
        *,
        places: Sequence[Place] = (APPROVALS,),
        now: datetime = NOW,
        **values: Any,
    ) -> InterruptRecord:
        """A run that waits for people; its cards are wanted, not posted."""
        run = run or await self.running(now=now)
        copies = [NewCopy(CopyKind.CARD, place) for place in places]
        interrupt = await self.store.pause(
            run.id, run.epoch, owner=run.lease_owner or "", request=question(**values), copies=copies, now=now
        )
        assert interrupt is not None
        return interrupt

    async def posted(self, *, now: datetime = NOW, on_expiry: OnExpiry | None = None, **values: Any) -> InterruptRecord:
        """A run that waits for people, its card standing in Slack and its clock running."""
        interrupt = await self.asked(now=now, on_expiry=on_expiry or Expire(), **values)
        for copy in await self.copies(interrupt.run_id, CopyKind.CARD):
            if copy.interrupt_id == interrupt.id:
                await self.post(copy, now)
        return (await self.card(interrupt.id)).interrupt

    async def take(self, now: datetime = NOW, owner: str = ME, limit: int = 20) -> tuple[CopyRecord, ...]:
        return await self.store.take_copies(owner=owner, now=now, lease_until=now + 30 * SECOND, limit=limit)

    async def post(self, copy: CopyRecord, now: datetime = NOW, owner: str = ME, ts: str | None = None) -> bool:
        return await self.store.copy_posted(
            copy.id, owner=owner, channel="C0APP", ts=ts or f"ts of {copy.id}", version=copy.wanted_version, at=now
        )

    async def answered(self, now: datetime = NOW, **values: Any) -> Claimed:
        """A run that somebody approved, claimed for its second execution."""
        interrupt = await self.posted(now=now, **values)
        await self.vote(interrupt.id, now=now)
        return await self.claimed(now)

    async def claimed(self, now: datetime = NOW, owner: str = ME) -> Claimed:
        claimed = await self.store.claim(self.wakes[-1], lease=lease(now, owner), now=now)
        assert claimed is not None
        return claimed

    async def vote(
        self, interrupt_id: str, person: str = ANA, choice: Choice = YES, *, now: datetime = NOW, **values: Any
    ) -> AnswerResult:
        return await self.store.answer(vote(interrupt_id, person, choice, **values), now=now)

    async def card(self, interrupt_id: str) -> Card:
        card = await self.store.card(interrupt_id)
        assert card is not None
        return card

    async def run(self, run_id: str) -> RunRecord:
        run = await self.store.run(run_id)
        assert run is not None
        return run

    async def copies(self, run_id: str, kind: CopyKind) -> list[CopyRecord]:
        return [copy for copy in await self.store.copies(run_id) if copy.kind is kind]

    async def events(self, run_id: str) -> list[str]:
        return [record.event for record in await self.store.trail(run_id)]
