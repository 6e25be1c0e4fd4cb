"""Brings one copy up to date in Slack, and writes down what came of it, whatever that is.

A failure that passes is tried again. One that does not is written down, and the deciders and the requester are told
another way.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from typing import assert_never

import structlog

from actions.kit.policies.policy import Channel, DirectMessage, Person, Place
from actions.kit.records.copies import CopyKind, CopyRecord, NewCopy
from actions.kit.records.interrupts import InterruptStatus
from blocks.card import Message
from blocks.validate import validate_message
from bot.clock import now
from bot.logs import where
from bot.slack.directory import CouldNotVerify, Directory
from bot.slack.drawing import Drawing
from bot.slack.fallbacks import Fallbacks
from bot.slack.home_drawing import HomeDrawing
from bot.slack.names import Names
from bot.slack.posting import Posted, Posting
from bot.slack.replies import Blocked, Deleted, Passing, Refused, Reply, TooMuch, reply_of, reply_of_word
from storage.store import Store

BACKOFF = (1, 2, 5, 15, 60)
"""Seconds before the next attempt, by how many there were."""
TOGETHER = 3
"""Attempts during which what follows in the same place waits too, so that an order survives a hiccup of Slack's."""
BROKE = "bot_error"
UNKNOWN_VERSION = 0
"""What a message that was found again shows nobody knows: an edit follows."""

log = structlog.get_logger(__name__)


class Deliverer:
    """`patience` is how many seconds one copy may take: less than its lease, since then others may look for the message."""

    def __init__(
        self,
        store: Store,
        posting: Posting,
        directory: Directory,
        homes: HomeDrawing,
        *,
        owner: str,
        patience: float,
        check_cards: bool = False,
    ) -> None:
        self._store = store
        self._posting = posting
        self._directory = directory
        self._drawing = Drawing(store, Names(directory), homes)
        self._fallbacks = Fallbacks(store, directory)
        self._owner = owner
        self._patience = patience
        self._check_cards = check_cards

    async def deliver(self, copy: CopyRecord) -> None:
        reply = await self._attempt(copy)
        if reply is None:
            return
        log.warning("not_shown", copy=copy.id, kind=copy.kind, run=copy.run_id, error=reply.error)
        match reply:
            case Passing(error, wait, unsure, away):
                pause = wait or _pause(copy)
                together = wait is not None or away or copy.attempts <= TOGETHER
                await self._again(copy, error, pause, together=together, maybe_posted=unsure and copy.ts is None)
            case Blocked(error, unsure):
                await self._blocked(copy, error, maybe_posted=unsure and copy.ts is None)
            case Deleted():
                await self._gone(copy)
            case TooMuch(error) | Refused(error):
                await self._refused(copy, error)
            case never:
                assert_never(never)

    async def _attempt(self, copy: CopyRecord) -> Reply | None:
        try:
            async with asyncio.timeout(self._patience):
                messages = await self._drawing.of(copy)
                return await (self._edit(copy, messages) if copy.ts else self._post(copy, messages))
        except TimeoutError:
            return Passing("timeout", unsure=True)
        except Exception as error:  # noqa: BLE001 - a copy whose drawing breaks must not be dropped unseen
            log.warning("delivery_broke", copy=copy.id, run=copy.run_id, error=type(error).__name__, where=where(error))
            return Passing(BROKE, unsure=True) if copy.attempts <= TOGETHER else Blocked(BROKE, unsure=True)

    async def _post(self, copy: CopyRecord, messages: Sequence[Message]) -> Reply | None:
        channel = copy.channel or await self._channel(copy.place)
        if not isinstance(channel, str):
            return channel
        found = await self._found(copy, channel) if copy.maybe_posted else None
        posted = found or await self._call(lambda content: self._posting.post(copy, channel, content), messages)
        if not isinstance(posted, Posted):
            return posted
        await self._stands(copy, posted, version=copy.wanted_version if found is None else UNKNOWN_VERSION)
        return None

    async def _edit(self, copy: CopyRecord, messages: Sequence[Message]) -> Reply | None:
        at = Posted(copy.channel or "", copy.ts or "")
        edited = await self._call(lambda content: self._posting.edit(at, content), messages)
        if not isinstance(edited, Posted):
            return edited
        await self._store.copy_updated(copy.id, owner=self._owner, version=copy.wanted_version, now=now())
        return None

    async def _call(self, call: Callable[[Message], Awaitable[Posted]], messages: Sequence[Message]) -> Posted | Reply:
        """Call Slack with the message, then with ever smaller ones as long as Slack refuses the content."""
        message, *smaller = messages
        reply: Reply | None = self._fault(message)
        if reply is None:
            try:
                return await call(message)
            except Exception as error:  # noqa: BLE001 - reply_of raises what is not of Slack or the network
                reply = reply_of(error)
        if isinstance(reply, TooMuch) and smaller:
            log.warning("content_refused", error=reply.error)
            return await self._call(call, smaller)
        return reply

    def _fault(self, message: Message) -> TooMuch | None:
        if not self._check_cards:
            return None
        faults = validate_message({"text": message.text} | ({"blocks": message.blocks} if message.blocks else {}))
        for fault in faults:
            log.error("card_breaks_a_limit", pointer=fault.pointer, fault=fault.message)
        return TooMuch("invalid_blocks") if faults else None

    async def _found(self, copy: CopyRecord, channel: str) -> Posted | Reply | None:
        """What an earlier attempt had posted after all; `None` where nothing is found, or where we may not look."""
        try:
            return await self._posting.find(copy, channel)
        except Exception as error:  # noqa: BLE001 - as above
            reply = reply_of(error)
        if isinstance(reply, Passing):
            return reply
        log.warning("cannot_look_before_posting", copy=copy.id, run=copy.run_id, error=reply.error)
        return None

    async def _stands(self, copy: CopyRecord, posted: Posted, *, version: int) -> None:
        """Write down a message; a second one of the same copy (two replicas after a lost lease) is taken away again."""
        stands = await self._store.copy_posted(
            copy.id, owner=self._owner, channel=posted.channel, ts=posted.ts, version=version, at=posted.at
        )
        log.info("posted" if stands else "posted_twice", copy=copy.id, kind=copy.kind, run=copy.run_id)
        if not stands:
            await self._posting.remove(posted)

    async def _again(
        self, copy: CopyRecord, error: str, pause: timedelta, *, together: bool, maybe_posted: bool
    ) -> None:
        until = now() + pause
        await self._store.copy_retry(
            copy.id,
            owner=self._owner,
            error=error,
            next_at=until,
            lane_until=until if together else None,
            maybe_posted=maybe_posted,
        )

    async def _blocked(self, copy: CopyRecord, error: str, *, maybe_posted: bool) -> None:
        moment = now()
        until = moment + _pause(copy)
        log.error("delivery_blocked", copy=copy.id, run=copy.run_id, error=error)
        await self._store.copy_blocked(
            copy.id, owner=self._owner, error=error, next_at=until, maybe_posted=maybe_posted, now=moment
        )

    async def _gone(self, copy: CopyRecord) -> None:
        """A person deleted the message: a pending card is shown once more, then to the deciders directly."""
        repost: list[NewCopy] = []
        if copy.kind is CopyKind.CARD and copy.place is not None:
            card = await self._drawing.card(copy)
            if card.interrupt.status is InterruptStatus.PENDING:
                again = NewCopy(CopyKind.CARD, copy.place)
                repost = [again] if not copy.reposted else await self._fallbacks.of(card)
        await self._store.copy_gone(copy.id, owner=self._owner, repost=repost, now=now())

    async def _refused(self, copy: CopyRecord, error: str) -> None:
        fallbacks = await self._fallbacks.of(await self._drawing.card(copy)) if copy.kind is CopyKind.CARD else []
        await self._store.copy_refused(copy.id, owner=self._owner, error=error, fallbacks=fallbacks, now=now())

    async def _channel(self, place: Place | None) -> str | Reply:
        """Where to post: a channel's id, or a person's."""
        try:
            match place:
                case Channel(channel=name):
                    return await self._directory.channel_id(name) or Refused("channel_not_found")
                case DirectMessage(person=Person(id=str(person))):
                    return person
                case DirectMessage(person=Person(email=str(email))):
                    found = await self._directory.by_email(email)
                    return found.id if found else Refused("users_not_found")
        except CouldNotVerify as error:
            return reply_of_word(str(error))
        return Refused("no_place")


def _pause(copy: CopyRecord) -> timedelta:
    return timedelta(seconds=BACKOFF[min(copy.attempts, len(BACKOFF)) - 1])
