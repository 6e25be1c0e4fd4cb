"""Says what Slack shall show: which messages are wanted, and which show less than the rows do by now."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import bindparam, case, insert, or_, select, update

from actions.kit.policies.deciders import Channel, DirectMessage, Person, Place
from actions.kit.records.copies import CopyKind, Ending, NewCopy
from actions.kit.records.runs import Origin, RunRecord
from storage import rows
from storage.ids import new_copy_id
from storage.tables import CopyStatus, copies, runs
from storage.transaction import Transaction

IS_LIVE = or_(copies.c.status == CopyStatus.WANTED, copies.c.status == CopyStatus.POSTED)
# "Running" is worth an edit only when it lasts.
SOON = timedelta(seconds=2)

WANT = insert(copies)
IN_STEP = copies.c.shown_version == copies.c.wanted_version
TOUCH = (
    update(copies)
    .where(
        copies.c.run_id == bindparam("b_run_id"),
        IS_LIVE,
        copies.c.kind.not_in((CopyKind.LINE, CopyKind.NUDGE, CopyKind.GLASS, CopyKind.DIGEST)),
    )
    .values(wanted_version=copies.c.wanted_version + 1, next_at=bindparam("b_next_at", type_=copies.c.next_at.type))
)
TOUCH_SOON = TOUCH.values(
    next_at=case((IN_STEP, bindparam("b_next_at", type_=copies.c.next_at.type)), else_=copies.c.next_at)
)
IS_NOTICE = copies.c.kind == CopyKind.UNDELIVERABLE
DROP = (
    update(copies)
    .where(
        copies.c.interrupt_id == bindparam("b_interrupt_id"),
        copies.c.status == CopyStatus.WANTED,
        copies.c.owner.is_(None),
        copies.c.maybe_posted.is_(False),
    )
    .values(status=CopyStatus.GONE, wanted_version=copies.c.shown_version)
)
DROP_UNSEEN = DROP.where(or_(copies.c.kind.in_((CopyKind.CARD, CopyKind.NUDGE)), IS_NOTICE))
DROP_NOTICES = DROP.where(IS_NOTICE)
DROP_CALLS = DROP.where(copies.c.kind == CopyKind.NUDGE)
NEWEST_CARD = (
    select(copies.c.channel, copies.c.ts, copies.c.place)
    .where(
        copies.c.run_id == bindparam("run_id"),
        copies.c.kind == CopyKind.CARD,
        copies.c.status == CopyStatus.POSTED,
    )
    .order_by(copies.c.seq.desc())
    .limit(1)
)
WAITING_LINES = (
    select(copies.c.seq)
    .where(copies.c.run_id == bindparam("run_id"), copies.c.kind == CopyKind.LINE, copies.c.lane.is_(None))
    .limit(1)
)
ADDRESS_LINES = update(copies).where(
    copies.c.run_id == bindparam("b_run_id"), copies.c.kind == CopyKind.LINE, copies.c.lane.is_(None)
)
RECALL_LINES = (
    update(copies)
    .where(
        copies.c.run_id == bindparam("b_run_id"),
        copies.c.kind == CopyKind.LINE,
        copies.c.status == CopyStatus.WANTED,
        copies.c.owner.is_(None),
        copies.c.thread_ts != bindparam("b_but"),
    )
    .values(lane=None, channel=None, thread_ts=None)
)
PLACES = select(copies.c.place).where(
    copies.c.interrupt_id == bindparam("interrupt_id"), copies.c.kind == CopyKind.CARD, IS_LIVE
)
JOINED = select(runs.c.joined).where(runs.c.id == bindparam("run_id"))
ASKED_IN = select(runs.c.origin).where(runs.c.id == bindparam("run_id"))


def posting_lane(place: Place) -> str:
    """The pacing of posts to a place; Slack asks for one message a second and channel."""
    match place:
        case Channel(channel=channel):
            return f"post {channel}"
        case DirectMessage(person=person):
            return f"post {person.id or person.email if person else ''}"


def editing_lane(channel: str) -> str:
    """Edits have a pacing of their own, so that a decision never queues behind a burst of new cards."""
    return f"edit {channel}"


def want(
    transaction: Transaction, run_id: str, interrupt_id: str | None, wanted: Iterable[NewCopy], now: datetime
) -> None:
    """Wants messages of a run, each at its place."""
    for each in wanted:
        fields = {"interrupt_id": interrupt_id, "reposted": each.reposted, "fallback": each.fallback}
        want_one(transaction, run_id, each.kind, now, place=each.place, **fields)


def not_standing(transaction: Transaction, interrupt_id: str, wanted: Iterable[NewCopy]) -> tuple[NewCopy, ...]:
    """Those of the wanted cards that no card of this question stands for, or will, at their place."""
    taken = set(transaction.connection.execute(PLACES, {"interrupt_id": interrupt_id}).scalars())
    return tuple(each for each in wanted if rows.place_text(each.place) not in taken)


def want_one(
    transaction: Transaction,
    run_id: str,
    kind: CopyKind,
    now: datetime,
    *,
    place: Place | None = None,
    **values: Any,
) -> None:
    """Wants one message of a run, with whatever more is known of it by the columns of its row."""
    fields = {
        "id": new_copy_id(run_id),
        "run_id": run_id,
        "kind": kind,
        "place": rows.place_text(place),
        "lane": None if place is None else posting_lane(place),
        "status": CopyStatus.WANTED,
        "shown_version": 0,
        "wanted_version": 1,
        "attempts": 0,
        "next_at": now,
        "maybe_posted": False,
        "reposted": False,
        "fallback": False,
    }
    transaction.connection.execute(WANT, fields | values)
    transaction.copies_due = True


def want_line(transaction: Transaction, run_id: str, text: str, now: datetime, *, person: str | None = None) -> None:
    """Wants a line in the thread of the newest posted card; without one it waits, and is addressed by the first post.

    What the action itself says (no `person`) goes to where the run was asked for, if that was in a conversation.
    """
    address = _asked_in(transaction, run_id) if person is None else {}
    address = address or _thread(transaction, run_id)
    want_one(transaction, run_id, CopyKind.LINE, now, text=text, person=person, **address)


def want_outcome(transaction: Transaction, run: RunRecord, now: datetime) -> None:
    """Wants the message that tells each requester how the run ended: one for each end state of each epoch.

    It stands where the run was asked for, if that was in a conversation, and else in their direct messages; whoever
    joined gets it there. Who joined is read anew: `run` may have been read before somebody did.
    """
    ending = Ending(status=run.status, epoch=run.epoch, at=now, failure=run.failure, by=run.ended_by)
    values = {"ending": ending.model_dump_json(), "ending_epoch": run.epoch, "ending_status": run.status}
    address = asked_in(run.origin)
    want_one(transaction, run.id, CopyKind.OUTCOME, now, place=to_requester(run), **values, **address)
    for person in rows.words_of(transaction.connection.execute(JOINED, {"run_id": run.id}).scalar()):
        want_one(transaction, run.id, CopyKind.OUTCOME, now, place=DirectMessage(person=Person(id=person)), **values)


def want_digest(transaction: Transaction, run_id: str, person: str, now: datetime) -> None:
    """Wants a list of what waits for somebody, in their direct messages. It is drawn when it is posted, and stays so."""
    place = DirectMessage(person=Person(id=person))
    want_one(transaction, run_id, CopyKind.DIGEST, now, place=place, person=person)


def to_requester(run: RunRecord) -> DirectMessage:
    return DirectMessage(person=Person(id=run.requester))


def touch(transaction: Transaction, run_id: str, now: datetime) -> None:
    """Every card and outcome of this run shows less than the rows do from now on."""
    if transaction.connection.execute(TOUCH, {"b_run_id": run_id, "b_next_at": now}).rowcount:
        transaction.copies_due = True


def touch_soon(transaction: Transaction, run_id: str, now: datetime) -> None:
    """The same for what passes quickly: shown only when nothing else changes within two seconds."""
    if transaction.connection.execute(TOUCH_SOON, {"b_run_id": run_id, "b_next_at": now + SOON}).rowcount:
        transaction.copies_due = True


def drop_unseen(transaction: Transaction, interrupt_id: str) -> None:
    """Nobody needs to see a settled question that nobody saw open. What is being posted at this moment stays."""
    transaction.connection.execute(DROP_UNSEEN, {"b_interrupt_id": interrupt_id})


def drop_calls(transaction: Transaction, interrupt_id: str) -> None:
    """Those who had to act are not called any more: they did, and others are asked now."""
    transaction.connection.execute(DROP_CALLS, {"b_interrupt_id": interrupt_id})


def drop_notices(transaction: Transaction, interrupt_id: str) -> None:
    """Nobody needs to hear that a card could not be delivered once it is."""
    transaction.connection.execute(DROP_NOTICES, {"b_interrupt_id": interrupt_id})


def address_lines(transaction: Transaction, run_id: str) -> None:
    """Sends the lines that waited for a thread on their way."""
    if transaction.connection.execute(WAITING_LINES, {"run_id": run_id}).first() is None:
        return
    address = _thread(transaction, run_id)
    if address:
        transaction.connection.execute(ADDRESS_LINES, {"b_run_id": run_id, **address})
        transaction.copies_due = True


def readdress_lines(transaction: Transaction, run_id: str) -> None:
    """Their thread is gone: lines that are not posted yet go to the newest card that still stands, or wait for one."""
    asked = _asked_in(transaction, run_id)
    transaction.connection.execute(RECALL_LINES, {"b_run_id": run_id, "b_but": asked.get("thread_ts", "")})
    address_lines(transaction, run_id)


def asked_in(origin: Origin) -> dict[str, Any]:
    """The address of what is told where a run was asked for; empty where that was in no conversation."""
    if origin.channel is None or origin.thread is None:
        return {}
    return {"channel": origin.channel, "thread_ts": origin.thread, "lane": posting_lane(Channel(origin.channel))}


def _asked_in(transaction: Transaction, run_id: str) -> dict[str, Any]:
    row = transaction.connection.execute(ASKED_IN, {"run_id": run_id}).first()
    return {} if row is None else asked_in(rows.origin_of(row.origin))


def _thread(transaction: Transaction, run_id: str) -> dict[str, Any]:
    newest = transaction.connection.execute(NEWEST_CARD, {"run_id": run_id}).first()
    if newest is None:
        return {}
    return {"channel": newest.channel, "thread_ts": newest.ts, "lane": posting_lane(rows.place_of(newest.place))}
