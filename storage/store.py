"""The one door to the database for the rest of the bot: each method is one transaction, named after its transition.

A lost race is a result, never an exception. `now` is always given, aware and in UTC. Wakes and changes are handed over
after the commit, on the event loop of the caller, even when the caller itself was cancelled meanwhile.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Connection

from actions.kit.records.audit import AuditRecord
from actions.kit.records.copies import CopyRecord, NewCopy
from actions.kit.records.interrupts import Card, Cause, InterruptRecord
from actions.kit.records.outcomes import PauseRequest
from actions.kit.records.runs import Failure, RunRecord, RunStatus, Wake
from storage import health, queries
from storage.absences import Absences
from storage.calls import Calls
from storage.checkpoints import GraphCheckpoints
from storage.database import Database, Transaction
from storage.digests import Digests
from storage.drafts import Drafts
from storage.emergencies import Emergencies
from storage.grants import Grants
from storage.homes import Homes
from storage.hooks import Hooks
from storage.ids import run_of
from storage.results import (
    Allowing,
    AnswerResult,
    Backlog,
    CancelResult,
    Claimed,
    DeliverResult,
    EditResult,
    Lease,
    NewEdit,
    NewRemark,
    NewRun,
    Nudge,
    NudgeResult,
    OrderResult,
    OrderVerb,
    Purge,
    Purged,
    Recovered,
    RefusedAnswer,
    RemarkResult,
    Renewal,
    RunFilters,
    Started,
    StuckPage,
    Token,
    Vote,
)
from storage.steps import Steps
from storage.transitions import (
    answers,
    copies,
    deadlines,
    edits,
    executions,
    grants,
    interrupts,
    joining,
    lanes,
    nudges,
    orders,
    purges,
    recovery,
    refusals,
    remarks,
    runs,
    stages,
    tokens,
)

T = TypeVar("T")
P = ParamSpec("P")

# Sweeps and publishers touch many runs, and only those that nobody holds; they stand first in a commit.
SWEEPS = ""
EVERY_RUN = RunFilters()


def _no_wake(_: Wake) -> None:
    """For tools that only look, such as the command line."""


def _no_change() -> None:
    """As above."""


def _no_run_change(_: str) -> None:
    """As above."""


class Store:
    """The transitions and the questions.

    `on_wake` gets every run that became queued, `on_change` says that copies are due, and `on_run_change` gets the id of
    every run that something happened to, here and not in other processes. `on_delivery` says that a webhook is to be told
    something, and `on_home` that a Home tab shows less than the rows do.
    """

    def __init__(
        self,
        database: Database,
        *,
        on_wake: Callable[[Wake], None] = _no_wake,
        on_change: Callable[[], None] = _no_change,
        on_run_change: Callable[[str], None] = _no_run_change,
        on_delivery: Callable[[], None] = _no_change,
        on_home: Callable[[], None] = _no_change,
    ) -> None:
        self._database = database
        self._on_wake = on_wake
        self._on_change = on_change
        self._on_run_change = on_run_change
        self._on_delivery = on_delivery
        self._on_home = on_home
        self.hooks = Hooks(database, self._hand_over)
        self.calls = Calls(database, self._hand_over)
        self.emergencies = Emergencies(database, self._hand_over)
        self.drafts = Drafts(database)
        self.checkpoints = GraphCheckpoints(database)
        self.homes = Homes(database, self._hand_over)
        self.absences = Absences(database, self._hand_over)
        self.steps = Steps(database, self._hand_over)
        self.grants = Grants(database, self._hand_over)
        self.digests = Digests(database, self._hand_over)

    # Runs

    async def start(self, new: NewRun, *, lease: Lease | None, now: datetime) -> Started:
        """Stores a run: queued, or with a `lease` already ours to execute. A known idempotency key finds its run.

        With a `join_key`, an open run of an equal request is joined instead.

        Raises:
            ValueError: when the requester is not a Slack id, so that nobody could be told how the run ended.
        """
        run = runs.new_record(new, now)
        key = new.idempotency_key
        name = run.id if key is None else runs.request_name(run.requester, run.action_id, key)
        started = await self._join(new, now)
        while started is None:
            started = await self._write(
                new.join_key or name, runs.start, run, key, lease, webhook=new.webhook, join_key=new.join_key
            ) or await self._join(new, now)
        return started

    async def _join(self, new: NewRun, now: datetime) -> Started | None:
        """The open run of an equal request, joined; `None`: there is none."""
        if new.join_key is None:
            return None
        found = await self.joinable(new.join_key, new.requester)
        return None if found is None else await self._write(found.id, joining.join, found.id, new, now)

    async def joinable(self, join_key: str, person: str) -> RunRecord | None:
        """The open run that an equal request of this person would join."""
        return await self._read(queries.joinable, join_key, person)

    async def claim(self, wake: Wake, *, lease: Lease, now: datetime) -> Claimed | None:
        """Wins the right to execute a queued run of this epoch; `None` when somebody else did, or the wake is stale."""
        return await self._write(wake.run_id, executions.claim, wake, lease, secrets.token_hex(8), now)

    async def renew(self, run_id: str, epoch: int, *, lease: Lease) -> Renewal:
        """Keeps a lease alive; not held means that the run was taken away, and whatever it does now is fenced."""
        return await self._write(run_id, executions.renew, run_id, epoch, lease)

    async def pause(
        self,
        run_id: str,
        epoch: int,
        *,
        owner: str,
        request: PauseRequest,
        copies: Sequence[NewCopy],
        now: datetime,
        hindrance: str | None = None,
        allowing: Sequence[Allowing] = (),
    ) -> InterruptRecord | None:
        """Stores the pause and the copies it wants. `None`: fenced, or cancelled because somebody had asked for it.

        With a `hindrance`, why it reaches nobody, its requester is told in the same step. Where one of `allowing` has a
        use left, that is taken, and the pause is settled in the same step.
        """
        return await self._write(
            run_id,
            stages.asked,
            grants.asked,
            run_id,
            epoch,
            owner=owner,
            request=request,
            copies=copies,
            allowing=allowing,
            hindrance=hindrance,
            now=now,
        )

    async def finish(
        self,
        run_id: str,
        epoch: int,
        *,
        owner: str,
        status: RunStatus,
        output: str | None = None,
        failure: Failure | None = None,
        by: str | None = None,
        in_doubt: Sequence[str] = (),
        now: datetime,
    ) -> RunRecord | None:
        """Ends an execution and wants the requester's message. `None`: fenced.

        `by` is who declined it. `in_doubt` are the paths of nested calls of which nobody knows whether they happened.

        A late original may settle a run that was given up as stalled, as long as nobody ran it again.
        """
        return await self._write(
            run_id,
            executions.finish,
            run_id,
            epoch,
            owner=owner,
            status=status,
            output=output,
            failure=failure,
            by=by,
            in_doubt=in_doubt,
            now=now,
        )

    async def hold(self, run_id: str, epoch: int, *, owner: str, failure: Failure, now: datetime) -> RunRecord | None:
        """Sets a claimed run aside, because this code does not know its action or no longer fits its input."""
        return await self._write(run_id, executions.hold, run_id, epoch, owner=owner, failure=failure, now=now)

    async def release(self, run_id: str, *, now: datetime) -> RunRecord | None:
        """Queues a held run again; `None` when it is not held."""
        return await self._write(run_id, executions.release, run_id, now)

    async def report(self, run_id: str, text: str, *, now: datetime) -> None:
        """Wants a line in the thread of the newest card; it waits until there is one."""
        await self._write(run_id, runs.report, run_id, text, now)

    async def blocked(self, run_id: str, where: str, text: str, *, now: datetime) -> None:
        """Notes in the trail that a running run keeps its thread to itself, `where` in its code; `text` goes to the thread."""
        await self._write(run_id, runs.blocked, run_id, where, text, now)

    # People

    async def answer(self, vote: Vote, *, now: datetime) -> AnswerResult:
        """Counts one person's answer, and settles the interrupt when it was the one that decides."""
        return await self._write(run_of(vote.interrupt_id), answers.answer, vote, now)

    async def edit(self, new: NewEdit, *, now: datetime) -> EditResult:
        """Replaces a run's input by what a decider made of it, and has it executed anew instead of its first question."""
        return await self._write(run_of(new.interrupt_id), edits.edit, new, now)

    async def answer_refused(self, refused: RefusedAnswer, *, now: datetime) -> bool:
        """Notes in the trail that an answer to a pending question did not count; of many, the first. Whether it did."""
        return await self._write(run_of(refused.interrupt_id), refusals.note_refused, refused, now)

    async def cancel(
        self, run_id: str, *, person: str, via: str, now: datetime, cause: Cause = Cause.HUMAN, alone: bool = False
    ) -> CancelResult:
        """Cancels what does not execute at once, and asks what does to stop.

        `alone`: a requester takes back what they asked for; as long as others ask for it too, it goes on.
        """
        return await self._write(
            run_id, orders.cancel, run_id, person=person, via=via, cause=cause, now=now, alone=alone
        )

    async def nudge(self, nudge: Nudge, *, now: datetime) -> NudgeResult:
        """Tells those who must act on a question that its requester waits, if that was not done lately."""
        return await self._write(run_of(nudge.interrupt_id), nudges.nudge, nudge, now)

    async def remark(self, new: NewRemark, *, now: datetime) -> RemarkResult:
        """Keeps something that was said about a request, and tells those whom it is for."""
        return await self._write(run_of(new.interrupt_id), remarks.remark, new, now)

    async def question_below(self, channel: str, ts: str) -> str | None:
        """The interrupt of which a message of ours at this place tells: its card, or what else is said of it."""
        return await self._read(queries.question_below, channel, ts)

    async def is_posting(self) -> bool:
        """Whether a message with a thread of its own may stand in Slack by now of which it is not known where."""
        return await self._read(queries.is_posting)

    async def order(
        self,
        run_id: str,
        epoch: int,
        verb: OrderVerb,
        *,
        person: str,
        via: str,
        now: datetime,
        cause: Cause = Cause.HUMAN,
    ) -> OrderResult:
        """Runs a failed or stalled run again, or settles a stalled one by what a person knows."""
        return await self._write(
            run_id, orders.order, run_id, epoch, verb, person=person, via=via, cause=cause, now=now
        )

    async def deliver_again(
        self,
        interrupt_id: str,
        *,
        copies: Sequence[NewCopy],
        person: str,
        via: str,
        now: datetime,
        cause: Cause = Cause.HUMAN,
    ) -> DeliverResult:
        """Wants new copies of a pending card that could not be delivered."""
        return await self._write(
            run_of(interrupt_id),
            orders.deliver_again,
            interrupt_id,
            copies=copies,
            person=person,
            via=via,
            cause=cause,
            now=now,
        )

    # Sweeps

    async def expire_due(self, *, now: datetime, limit: int = 100) -> int:
        """Expires pending interrupts whose deadline has passed; the count is at most `limit`, so call again."""
        return await self._write(SWEEPS, deadlines.expire_due, now, limit)

    async def recover(self, *, now: datetime, idempotent: Callable[[str], bool], limit: int = 100) -> Recovered:
        """Takes runs from owners whose lease ended, and wakes queued runs whose wake was lost.

        `idempotent` tells by an action's id whether it may be executed twice on one answer. It is called on the writer's
        thread: a look-up in memory, which must not raise.
        """
        return await self._write(SWEEPS, recovery.recover, idempotent, now, limit)

    async def supersede(
        self,
        interrupt_id: str,
        *,
        request: PauseRequest,
        because: str,
        copies: Sequence[NewCopy],
        now: datetime,
        owner: str | None = None,
        hindrance: str | None = None,
    ) -> InterruptRecord | None:
        """Asks again under a new shape, in place of a pending interrupt, or of an answered one whose run `owner` holds.

        `None`: the interrupt was settled otherwise meanwhile, or the run is not the owner's any more.
        """
        order_key = run_of(interrupt_id)
        return await self._write(
            order_key,
            stages.asked,
            interrupts.supersede,
            interrupt_id,
            hindrance=hindrance,
            request=request,
            because=because,
            copies=copies,
            owner=owner,
            now=now,
        )

    async def bring_deadlines_forward(self, by: timedelta, *, now: datetime) -> int:
        """Moves every pending deadline earlier: the clock control of demos and tests. Tells how many it moved."""
        return await self._write(SWEEPS, deadlines.bring_forward, by, now)

    async def purge(self, request: Purge, *, now: datetime, limit: int = 100) -> Purged | None:
        """Deletes up to `limit` ended runs with everything of theirs, and counts them in the row of the purge.

        None of them: nothing is left to purge. `None`: another purge is going on.
        """
        return await self._write(SWEEPS, purges.purge, request, limit, now)

    # Copies

    async def take_copies(
        self, *, owner: str, now: datetime, lease_until: datetime, limit: int = 20
    ) -> tuple[CopyRecord, ...]:
        """Leases copies that are behind, edits first and then in the order of arrival, at most one of each lane.

        `shown_version` 0 asks for a post, anything else for an edit. A copy that is `maybe_posted` was given to somebody
        who never reported: look for it in Slack before posting it again.
        """
        return await self._write(SWEEPS, lanes.take, owner, now, lease_until, limit)

    async def copy_posted(self, copy_id: str, *, owner: str, channel: str, ts: str, version: int, at: datetime) -> bool:
        """Records a post, and starts the clock of its interrupt. False: this copy already stands as another message."""
        return await self._write(
            run_of(copy_id), copies.posted, copy_id, owner=owner, channel=channel, ts=ts, version=version, at=at
        )

    async def copy_updated(self, copy_id: str, *, owner: str, version: int, now: datetime) -> bool:
        """Records which version a message shows now. False: the copy's lease went to somebody else meanwhile."""
        return await self._write(run_of(copy_id), copies.updated, copy_id, owner=owner, version=version, now=now)

    async def copy_retry(
        self,
        copy_id: str,
        *,
        owner: str,
        error: str,
        next_at: datetime,
        lane_until: datetime | None = None,
        maybe_posted: bool = False,
    ) -> bool:
        """Puts a copy off after a passing error; `lane_until` (Slack's Retry-After) puts off its whole lane.

        `maybe_posted` says that the post may have arrived all the same (the connection broke).
        """
        key = run_of(copy_id)
        return await self._write(
            key,
            copies.retry,
            copy_id,
            owner=owner,
            error=error,
            next_at=next_at,
            lane_until=lane_until,
            maybe_posted=maybe_posted,
        )

    async def copy_blocked(
        self,
        copy_id: str,
        *,
        owner: str,
        error: str,
        next_at: datetime,
        maybe_posted: bool = False,
        now: datetime,
    ) -> bool:
        """Puts a copy off because the bot itself may not post (its token), so that no other place would help.

        True: no copy of its pending card stands, so it was flagged as undeliverable with `error`; its clock runs, and
        the requester is told as soon as that can be. It is tried again all the same, and posting it takes the flag away.
        """
        return await self._write(
            run_of(copy_id),
            copies.blocked,
            copy_id,
            owner=owner,
            error=error,
            next_at=next_at,
            maybe_posted=maybe_posted,
            now=now,
        )

    async def copy_gone(self, copy_id: str, *, owner: str, repost: Sequence[NewCopy], now: datetime) -> bool:
        """Records that a message was deleted in Slack; while its card is pending, `repost` takes its place.

        True: nothing of a pending card stands or is wanted any more, so it was flagged as undeliverable.
        """
        return await self._write(run_of(copy_id), copies.gone, copy_id, owner=owner, repost=repost, now=now)

    async def copy_refused(
        self, copy_id: str, *, owner: str, error: str, fallbacks: Sequence[NewCopy], now: datetime
    ) -> bool:
        """Records a permanent refusal, and wants the `fallbacks` that are not there yet.

        True: nothing of a pending card stands or is wanted any more, so it was flagged as undeliverable with `error`,
        its clock runs, and the requester is told.
        """
        return await self._write(
            run_of(copy_id), copies.refused, copy_id, owner=owner, error=error, fallbacks=fallbacks, now=now
        )

    # Tokens

    async def create_token(self, token: Token) -> None:
        """Keeps a new token. A second call with the same one does nothing."""
        await self._write(SWEEPS, tokens.create, token)

    async def revoke_token(self, token_id: str, *, now: datetime) -> Token | None:
        """Closes a token for ever; one that was revoked before stays as it was. `None`: there is none of this id."""
        return await self._write(SWEEPS, tokens.revoke, token_id, now)

    async def token_used(self, token_id: str, *, now: datetime) -> bool:
        """Notes that a token was used, at most once a minute. Whether it noted anything."""
        return await self._write(SWEEPS, tokens.touch, token_id, now)

    async def token(self, token_id: str) -> Token | None:
        return await self._read(tokens.find, token_id)

    async def tokens(self) -> tuple[Token, ...]:
        """Every token that there ever was, from the oldest on."""
        return await self._read(tokens.listed)

    # Questions

    async def next_copy(self, now: datetime) -> datetime | None:
        """The earliest moment, from `now` on, at which a copy may be due: its lane free, nobody's lease on it."""
        return await self._read(queries.next_copy, now)

    async def run(self, run_id: str) -> RunRecord | None:
        return await self._read(queries.run, run_id)

    async def runs(
        self,
        filters: RunFilters = EVERY_RUN,
        *,
        limit: int = 50,
        before: str | None = None,
    ) -> tuple[RunRecord, ...]:
        """Runs from the newest on; `before` is the id of the last one of the page before."""
        return await self._read(queries.list_runs, filters, limit, before)

    async def card(self, interrupt_id: str) -> Card | None:
        return await self._read(queries.card, interrupt_id)

    async def cards(self, run_id: str) -> tuple[Card, ...]:
        """Every question of a run, in the order in which they were asked."""
        return await self._read(queries.cards, run_id)

    async def latest_card(self, run_id: str) -> Card | None:
        return await self._read(queries.latest_card, run_id)

    async def pending(self) -> tuple[Card, ...]:
        """Every card that waits for people, from the oldest on."""
        return await self._read(queries.pending)

    async def pending_after(self, after: str | None, *, limit: int) -> tuple[Card, ...]:
        """The next cards that wait for people, from the oldest on; `after` is the interrupt that the page before ended with."""
        return await self._read(queries.pending_after, after, limit)

    async def requests_of_key(self, requester: str, key: str) -> tuple[Started, ...]:
        """What came of a person's requests with this idempotency key, of whichever action: runs they started, or joined."""
        return await self._read(queries.requests_of_key, requester, key)

    async def trail(self, run_id: str) -> tuple[AuditRecord, ...]:
        """What happened to a run, in order."""
        return await self._read(queries.trail, run_id)

    async def refused_answers(self) -> tuple[AuditRecord, ...]:
        """The answers that did not count, to every question that waits, in the order in which they came."""
        return await self._read(queries.refused_answers)

    async def copies(self, run_id: str) -> tuple[CopyRecord, ...]:
        """The messages of a run in the order in which they were wanted."""
        return await self._read(queries.copies_of, run_id)

    async def purgeable(self, before: datetime) -> int:
        """How many runs ended before, owe nobody a message, and could be purged."""
        return await self._read(purges.count, before)

    async def purged(self, purge_id: str) -> Purged:
        """What a purge has taken so far."""
        return await self._read(purges.told, purge_id)

    async def stuck(self, *, now: datetime, limit: int = 10, skip: int = 0) -> StuckPage:
        """What does not go on by itself, or failed within a day: what needs a person most comes first."""
        return await self._read(health.stuck, now, limit, skip)

    async def backlog(self, *, now: datetime) -> Backlog:
        """How much is stuck, by kind, and which messages the publisher is behind with for minutes."""
        return await self._read(health.backlog, now)

    async def _read(self, question: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._database.read(lambda connection: question(connection, *args, **kwargs))

    async def _write(
        self,
        order_key: str,
        transition: Callable[Concatenate[Transaction, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        def run(transaction: Transaction) -> T:
            return transition(transaction, *args, **kwargs)

        return await self._database.write(order_key, run, self._hand_over)

    def _hand_over(self, transaction: Transaction) -> None:
        for wake in transaction.wakes:
            self._on_wake(wake)
        if transaction.copies_due:
            self._on_change()
        for run_id in dict.fromkeys(note["run_id"] for note in transaction.notes):
            self._on_run_change(run_id)
        if transaction.deliveries_due:
            self._on_delivery()
        if transaction.homes_due:
            self._on_home()
