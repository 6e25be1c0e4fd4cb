"""Makes Slack show what the database says: level-triggered, paced per place, across restarts and replicas.

Each copy remembers which version it shows. Whatever is behind is taken under a lease, rendered from its rows and posted
or edited. A failure that passes is tried again; one that does not is written down, and the deciders and the requester
are told another way.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta

import structlog

from actions.kit.policy import Channel, DirectMessage, Person, Place, places
from actions.kit.records import Card, CopyKind, CopyRecord, InterruptStatus, NewCopy
from blocks.card import Message, minimal_card, render_card
from blocks.notices import render_ending, render_line, render_undeliverable
from blocks.validate import validate_message
from bot.clock import now
from bot.slack.directory import CouldNotVerify, Directory
from bot.slack.posting import Posted, Posting
from bot.slack.replies import Deleted, Passing, Refused, Reply, TooMuch, reply_of
from storage.store import Store

BATCH = 32
LEASE = timedelta(seconds=15)
PATIENCE = 12.0
"""Seconds that one copy may take, so that its lease outlives every call: after that a message may be looked for."""
IDLE = 1.0
BACKOFF = (1, 2, 5, 15, 60)

log = structlog.get_logger(__name__)


class UnplacedError(Exception):
    """A place that no message can reach; `error` is a word such as Slack's own errors are."""

    def __init__(self, error: str) -> None:
        super().__init__(error)
        self.error = error


class Publisher:
    """One per process; replicas share the work through the leases of the store. `due` is set when copies became due."""

    def __init__(
        self,
        store: Store,
        posting: Posting,
        directory: Directory,
        *,
        due: asyncio.Event,
        owner: str,
        check_cards: bool = False,
    ) -> None:
        self._store = store
        self._posting = posting
        self._directory = directory
        self._owner = owner
        self._check_cards = check_cards
        self._due = due
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False
        self._working: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self._loop = asyncio.create_task(self._run(), name="publisher")

    async def stop(self) -> None:
        """Take nothing more, and let what is in flight end: a post that is cut off would have to be looked for.

        The loop is told, not cancelled: what it has just leased would keep others waiting until the lease ends.
        """
        self._stopping = True
        self._due.set()
        if self._loop:
            await asyncio.gather(self._loop, return_exceptions=True)
        await asyncio.gather(*self._working, return_exceptions=True)

    async def _run(self) -> None:
        while not self._stopping:
            self._due.clear()
            try:
                taken = await self._take()
            except Exception:
                log.exception("publisher_could_not_read")
                taken = 0
            if not taken:
                await self._rest()

    async def _take(self) -> int:
        room = BATCH - len(self._working)
        if room <= 0:
            await asyncio.wait(self._working, return_when=asyncio.FIRST_COMPLETED)
            return 1
        started = now()
        copies = await self._store.take_copies(owner=self._owner, now=started, lease_until=started + LEASE, limit=room)
        for copy in copies:
            task = asyncio.create_task(self._publish(copy), name=f"publish {copy.id}")
            self._working.add(task)
            task.add_done_callback(self._done)
        return len(copies)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._working.discard(task)
        self._due.set()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(IDLE):
                await self._due.wait()

    async def _publish(self, copy: CopyRecord) -> None:
        """Bring one copy up to date. Whatever goes wrong is written to its row: a copy is never dropped unseen."""
        try:
            async with asyncio.timeout(PATIENCE):
                message, smaller = await self._render(copy)
                await (self._edit(copy, message, smaller) if copy.ts else self._post(copy, message, smaller))
        except TimeoutError:
            await self._again(copy, "timeout", maybe_posted=copy.ts is None)
        except Exception as error:
            log.exception("publish_failed", copy=copy.id, run=copy.run_id)
            await self._again(copy, f"unexpected: {type(error).__name__}", maybe_posted=copy.ts is None)

    async def _render(self, copy: CopyRecord) -> tuple[Message, Message | None]:
        """The message, and a smaller one for when Slack refuses it."""
        match copy.kind:
            case CopyKind.LINE:
                return render_line(copy.text or "", copy.person), None
            case CopyKind.OUTCOME:
                return await self._ending(copy), None
            case CopyKind.CARD:
                card = await self._card(copy)
                return render_card(card), minimal_card(card)
            case CopyKind.UNDELIVERABLE:
                return render_undeliverable(await self._card(copy)), None

    async def _card(self, copy: CopyRecord) -> Card:
        card = await self._store.card(copy.interrupt_id or "")
        if card is None:
            raise LookupError(copy.interrupt_id)
        return card

    async def _ending(self, copy: CopyRecord) -> Message:
        run = await self._store.run(copy.run_id)
        card = await self._store.latest_card(copy.run_id)
        if run is None or copy.ending is None:
            raise LookupError(copy.run_id)
        return render_ending(run, copy.ending, card.interrupt if card else None)

    async def _post(self, copy: CopyRecord, message: Message, smaller: Message | None) -> None:
        try:
            channel = copy.channel or await self._channel(copy.place)
        except UnplacedError as unplaced:
            await self._refused(copy, unplaced.error)
            return
        except CouldNotVerify as error:
            await self._again(copy, f"could not look up: {error}")
            return
        if copy.maybe_posted and await self._found(copy, channel):
            return
        posted = await self._try(copy, lambda content: self._posting.post(copy, channel, content), message, smaller)
        if posted:
            await self._stands(copy, posted, version=copy.wanted_version)

    async def _stands(self, copy: CopyRecord, posted: Posted, *, version: int) -> None:
        """Write down a message; a second one of the same copy (two replicas after a lost lease) is taken away again."""
        stands = await self._store.copy_posted(
            copy.id, owner=self._owner, channel=posted.channel, ts=posted.ts, version=version, at=posted.at
        )
        log.info("posted" if stands else "posted_twice", copy=copy.id, kind=copy.kind, run=copy.run_id)
        if not stands:
            await self._posting.remove(posted)

    async def _edit(self, copy: CopyRecord, message: Message, smaller: Message | None) -> None:
        at = Posted(copy.channel or "", copy.ts or "")

        async def edit(content: Message) -> Posted:
            await self._posting.edit(at, content)
            return at

        if await self._try(copy, edit, message, smaller):
            await self._store.copy_updated(copy.id, owner=self._owner, version=copy.wanted_version, now=now())

    async def _try(
        self,
        copy: CopyRecord,
        call: Callable[[Message], Awaitable[Posted]],
        message: Message,
        smaller: Message | None,
    ) -> Posted | None:
        """Call Slack with the message, then with the smaller one if Slack refuses the content; write down a failure."""
        reply: Reply | None = self._fault(message)
        if reply is None:
            try:
                return await call(message)
            except Exception as error:  # noqa: BLE001 - reply_of raises what is not of Slack or the network
                reply = reply_of(error)
        log.warning("slack_refused", copy=copy.id, kind=copy.kind, run=copy.run_id, error=reply.error)
        if isinstance(reply, TooMuch) and smaller is not None:
            return await self._try(copy, call, smaller, None)
        await self._write_down(copy, reply)
        return None

    def _fault(self, message: Message) -> TooMuch | None:
        if not self._check_cards:
            return None
        faults = validate_message({"text": message.text, "blocks": message.blocks})
        for fault in faults:
            log.error("card_breaks_a_limit", pointer=fault.pointer, fault=fault.message)
        return TooMuch("invalid_blocks") if faults else None

    async def _write_down(self, copy: CopyRecord, reply: Reply) -> None:
        match reply:
            case Passing(error, wait, unsure):
                await self._again(copy, error, wait, maybe_posted=unsure and copy.ts is None)
            case Deleted():
                await self._gone(copy)
            case TooMuch(error) | Refused(error):
                await self._refused(copy, error)

    async def _again(
        self, copy: CopyRecord, error: str, wait: timedelta | None = None, *, maybe_posted: bool = False
    ) -> None:
        moment = now()
        pause = wait or timedelta(seconds=BACKOFF[min(copy.attempts, len(BACKOFF) - 1)])
        await self._store.copy_retry(
            copy.id,
            owner=self._owner,
            error=error,
            next_at=moment + pause,
            lane_until=moment + wait if wait else None,
            maybe_posted=maybe_posted,
        )

    async def _gone(self, copy: CopyRecord) -> None:
        """A person deleted the message: a pending card is shown once more, then to the deciders directly."""
        repost: Sequence[NewCopy] = ()
        if copy.kind is CopyKind.CARD:
            card = await self._card(copy)
            if card.interrupt.status is InterruptStatus.PENDING:
                repost = [NewCopy(CopyKind.CARD, copy.place)] if not copy.reposted else _direct(card)
        await self._store.copy_gone(copy.id, owner=self._owner, repost=repost, now=now())

    async def _refused(self, copy: CopyRecord, error: str) -> None:
        fallbacks: Sequence[NewCopy] = ()
        if copy.kind is CopyKind.CARD:
            fallbacks = [new for new in _direct(await self._card(copy)) if new.place != copy.place]
        log.warning("undeliverable", copy=copy.id, kind=copy.kind, run=copy.run_id, error=error)
        await self._store.copy_refused(copy.id, owner=self._owner, error=error, fallbacks=fallbacks, now=now())

    async def _found(self, copy: CopyRecord, channel: str) -> bool:
        """Whether an earlier attempt had posted after all; then its copy is on record and needs at most an edit."""
        try:
            found = await self._posting.find(copy, channel)
        except Exception as error:  # noqa: BLE001 - as above
            reply = reply_of(error)
            if isinstance(reply, Passing):
                await self._again(copy, reply.error, reply.wait)
                return True
            log.warning("cannot_look_before_posting", copy=copy.id, run=copy.run_id, error=reply.error)
            return False
        if found is None:
            return False
        await self._stands(copy, found, version=0)
        return True

    async def _channel(self, place: Place | None) -> str:
        """Where to post: a channel's id, or a person's."""
        match place:
            case Channel(channel=name):
                return await self._directory.channel_id(name) or _unplaced("channel_not_found")
            case DirectMessage(person=Person(id=str(person))):
                return person
            case DirectMessage(person=Person(email=str(email))):
                found = await self._directory.by_email(email)
                return found.id if found else _unplaced("users_not_found")
        return _unplaced("no_place")


def _unplaced(error: str) -> str:
    raise UnplacedError(error)


def _direct(card: Card) -> list[NewCopy]:
    """The card for each named decider's direct messages."""
    named = card.interrupt.policy.model_copy(update={"show": (DirectMessage(),)})
    return [NewCopy(CopyKind.CARD, place) for place in places(named)]
