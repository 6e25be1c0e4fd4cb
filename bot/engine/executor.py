"""Carries one claimed run to its next pause or its end, under a lease that says it is still alive."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeVar, assert_never

import structlog

from actions.kit.action import Action
from actions.kit.policies.policy import Refused
from actions.kit.records.interrupts import Asker, InterruptRecord
from actions.kit.records.outcomes import (
    AskAgain,
    Outcome,
    Paused,
    PauseRequest,
    Raised,
    Returned,
    Stopped,
    TurnedDown,
    Unfit,
)
from actions.kit.records.runs import Failure, RunRecord, RunStatus, Wake
from actions.kit.registry import Registry
from actions.kit.running.asking import NOT_ANY_MORE
from actions.kit.running.execution import execute
from bot.engine.addresses import Addresses
from bot.engine.allowing import Allowances
from bot.engine.edited import UNASKED, is_approved
from bot.engine.facts import Budget, Entitlement, NotVerified
from bot.engine.host import ActionsHost
from bot.engine.journal import RunJournal
from bot.engine.passes import UnfitAnswerError, UnfitInputError, changed, make_context
from bot.engine.questions import asked_again, asker_of, bound_to
from bot.engine.reports import Reports
from bot.engine.running import Job, LoopLostError, Running
from bot.engine.tasks import OwnedTasks
from bot.engine.watch import Watch
from storage.errors import BrokenRuleError, ClosedError, StorageError
from storage.results import Claimed, Lease
from storage.store import Store

log = structlog.get_logger(__name__)

T = TypeVar("T")

LEASE = timedelta(seconds=15)
LOOK_UP = 10.0
"""Seconds that Slack has to tell whether somebody may start what is called on their behalf; nobody waits for an ack."""
RENEW_EVERY = 5.0
"""Seconds between two renewals of a lease."""
PERSISTENCE = (0.1, 0.5, 2.0, 5.0, 10.0)
"""Seconds to wait before an outcome is handed to a failing database again. What then fails still is a lost lease."""

FENCED = "fenced"

CUT_OFF = Failure(
    kind="cancelled",
    message="It was stopped while it executed after an answer; we do not know whether it happened.",
    advice="Look whether it happened, then say so, or run it again.",
)


class Executor:
    """Executes claimed runs in this process. `owner` is unique to it, and fences it from those who take over."""

    def __init__(
        self,
        *,
        store: Store,
        registry: Registry,
        host: ActionsHost,
        addresses: Addresses,
        entitlement: Entitlement,
        allowances: Allowances,
        tasks: OwnedTasks,
        owner: str,
        now: Callable[[], datetime],
        watch: Watch,
    ) -> None:
        self._watch = watch
        self._store = store
        self._registry = registry
        self._host = host
        self._addresses = addresses
        self._entitlement = entitlement
        self._allowances = allowances
        self._tasks = tasks
        self._owner = owner
        self._now = now
        self._running: dict[str, Running] = {}
        self._cancelled: set[str] = set()

    def lease(self) -> Lease:
        return Lease(self._owner, self._now() + LEASE)

    async def execute(self, wake: Wake) -> None:
        """Claims a queued run and carries it out; nothing happens where somebody else was first."""
        claimed = await self._store.claim(wake, lease=self.lease(), now=self._now())
        if claimed is not None:
            await self.carry_out(claimed)

    def cancel(self, run_id: str) -> None:
        """Stops a run that executes here, because somebody asked for it."""
        running = self._running.get(run_id)
        if running is not None and run_id not in self._cancelled:
            self._cancelled.add(run_id)
            running.stop()

    async def carry_out(self, claimed: Claimed) -> None:
        """Executes a claimed run once, and stores how that ended."""
        run = claimed.run
        action = self._registry.executed(run.action_id)
        if action is None:
            await self._hold(run, _unknown(run))
            return
        journal = RunJournal(self._store, run, owner=self._owner, now=self._now, persist=self._persist)
        running = self._running[run.id] = self._host.submit(self._job(action, claimed, journal))
        renewing = self._tasks.spawn(self._renew(run, running), "a lease")
        try:
            await self._see_through(run, running, journal)
        finally:
            running.stop()
            renewing.cancel()
            self._running.pop(run.id, None)
            self._cancelled.discard(run.id)

    def _job(self, action: Action, claimed: Claimed, journal: RunJournal) -> Job:
        loop = asyncio.get_running_loop()
        run = claimed.run

        def keep(text: str) -> None:
            loop.call_soon_threadsafe(lambda: self._tasks.spawn(self._report(run.id, text), "a report"))

        async def may_start(called: Action, person: str) -> str | None:
            asked = asyncio.run_coroutine_threadsafe(self._refusal(called, person), loop)
            return await asyncio.wrap_future(asked)

        async def work(resources: tuple[object, ...]) -> Outcome:
            reports = Reports(keep)
            context = make_context(
                action,
                claimed,
                report=reports.say,
                resources=resources,
                actions=self._registry.actions,
                may_start=may_start,
            )
            try:
                return await execute(action, run.input, context, journal)
            finally:
                reports.close()

        return Job(
            action_id=action.id,
            run_id=run.id,
            module=action.function.__module__,
            time_limit=action.time_limit,
            work=work,
        )

    async def _refusal(self, action: Action, person: str) -> str | None:
        match await self._entitlement.to_start(action.policy, person, Budget(LOOK_UP)):
            case NotVerified(nobody=True):
                return f"Slack knows nobody by the id {person}, so nothing is started for them."
            case NotVerified():
                return f"Slack did not tell whether {person} may start “{action.name}”."
            case Refused():
                return f"{person} may not start “{action.name}”."
        return None

    async def _see_through(self, run: RunRecord, running: Running, journal: RunJournal) -> None:
        try:
            outcome = await self._host.outcome(running)
        except LoopLostError:
            pass  # the host has logged it; the lease ends by itself, and recovery decides by the rule
        except UnfitInputError as error:
            await self._hold(run, error.failure)
        except UnfitAnswerError as error:
            await self._ask_again(run, AskAgain(error.interrupt, NOT_ANY_MORE))
        else:
            await self._conclude(run, outcome, journal)

    async def _conclude(self, run: RunRecord, outcome: Outcome, journal: RunJournal) -> None:
        match outcome:
            case Paused(request):
                await self._pause(run, request)
            case Returned(output):
                await self._returned(run, output)
            case Raised(failure, error=error):
                log.warning("action_failed", run=run.id, action=run.action_id, kind=failure.kind, exc_info=error)
                await self._failed(run, failure, journal)
            case TurnedDown(status, by=by):
                await self._finish(run, status, by=by)
            case AskAgain():
                await self._ask_again(run, outcome)
            case Unfit(failure):
                await self._hold(run, failure)
            case Stopped():
                await self._stopped(run, journal)
            case _:
                assert_never(outcome)

    async def _pause(self, run: RunRecord, request: PauseRequest) -> None:
        """Asks, unless nobody could ever settle it: that is told at once. What a standing grant allows is not asked."""
        if request.asker is not None and self._registry.get(request.asker.action_id) is None:
            await self._finish(run, RunStatus.FAILED, failure=_not_registered(request.asker))
            return
        policy, copies = await self._addresses.of(request.policy, run.requester)
        approval = request.shape.is_approval
        failure = await self._addresses.unreachable(policy, run.requester, approval=approval)
        if failure is not None:
            await self._finish(run, RunStatus.FAILED, failure=failure)
            return
        asked = replace(request, policy=policy)
        allowing = await self._allowances.of(run, asked)
        paused = await self._persist(
            lambda: self._store.pause(
                run.id,
                run.epoch,
                owner=self._owner,
                request=asked,
                copies=copies,
                hindrance=self._addresses.hindrance(policy, copies),
                allowing=allowing,
                now=self._now(),
            )
        )
        self._watch.executed(run.action_id, "paused" if paused else FENCED)

    async def _returned(self, run: RunRecord, output: str) -> None:
        if run.edits and not is_approved(await self._persist(lambda: self._store.cards(run.id))):
            await self._finish(run, RunStatus.STALLED, failure=UNASKED)
        else:
            await self._finish(run, RunStatus.SUCCEEDED, output=output)

    async def _failed(self, run: RunRecord, failure: Failure, journal: RunJournal) -> None:
        """Unknown where it was cut off while a call executed, or at the time limit after an answer."""
        doubted = journal.in_doubt
        is_unsure = bool(doubted) or (failure.kind == "time_limit" and run.answered)
        status = RunStatus.STALLED if is_unsure else RunStatus.FAILED
        await self._finish(run, status, failure=journal.about(failure), in_doubt=doubted)

    async def _stopped(self, run: RunRecord, journal: RunJournal) -> None:
        """Cancelled on request: unknown after an answer, or while a call executed. Else fenced or shutting down."""
        if run.id not in self._cancelled:
            return
        doubted = journal.in_doubt
        if run.answered or doubted:
            await self._finish(run, RunStatus.STALLED, failure=journal.about(CUT_OFF), in_doubt=doubted)
        else:
            await self._finish(run, RunStatus.CANCELLED)

    async def _finish(self, run: RunRecord, status: RunStatus, **values: Any) -> None:
        ended = await self._persist(
            lambda: self._store.finish(run.id, run.epoch, owner=self._owner, status=status, now=self._now(), **values)
        )
        self._watch.executed(run.action_id, status.value if ended else FENCED)
        log.info("run_ended" if ended else "run_fenced", run=run.id, action=run.action_id, status=status.value)

    async def _hold(self, run: RunRecord, failure: Failure) -> None:
        held = await self._persist(
            lambda: self._store.hold(run.id, run.epoch, owner=self._owner, failure=failure, now=self._now())
        )
        self._watch.executed(run.action_id, "held" if held else FENCED)
        log.warning("run_held", run=run.id, action=run.action_id, why=failure.kind)

    async def _ask_again(self, run: RunRecord, unfit: AskAgain) -> None:
        """The code changed after the answer was given: ask again, under the shape that it can take now."""
        request = unfit.request or self._anew(run, unfit.interrupt)
        if request is None:
            await self._hold(run, changed("answer", unfit.because))
            return
        policy, copies = await self._addresses.of(request.policy, run.requester)
        asked = await self._persist(
            lambda: self._store.supersede(
                unfit.interrupt.id,
                request=replace(request, policy=policy),
                because=changed("answer", unfit.because).message,
                copies=copies,
                hindrance=self._addresses.hindrance(policy, copies),
                now=self._now(),
                owner=self._owner,
            )
        )
        self._watch.executed(run.action_id, "asked_again" if asked else FENCED)

    def _anew(self, run: RunRecord, interrupt: InterruptRecord) -> PauseRequest | None:
        action = asker_of(self._registry, run, interrupt)
        return None if action is None else asked_again(bound_to(action, run, interrupt), interrupt)

    async def _renew(self, run: RunRecord, running: Running) -> None:
        while True:
            await asyncio.sleep(RENEW_EVERY)
            try:
                renewal = await self._store.renew(run.id, run.epoch, lease=self.lease())
            except StorageError as error:
                log.warning("lease_not_renewed", run=run.id, error=str(error))
                continue
            if not renewal.held:
                log.warning("lease_lost", run=run.id, action=run.action_id)
                running.stop()
                return
            if renewal.cancel_requested:
                self.cancel(run.id)

    async def _report(self, run_id: str, text: str) -> None:
        await self._store.report(run_id, text, now=self._now())

    async def _persist(self, transition: Callable[[], Awaitable[T]]) -> T:
        """What happened is stored even if the database is away for a moment."""
        for pause in PERSISTENCE:
            try:
                return await transition()
            except (BrokenRuleError, ClosedError):
                raise
            except StorageError as error:
                log.warning("outcome_not_stored_yet", error=str(error))
                await asyncio.sleep(pause)
        return await transition()


def _unknown(run: RunRecord) -> Failure:
    return Failure(
        kind="unknown_action",
        message=f"This version of the bot has no action {run.action_id!r}.",
        advice="It goes on by itself when the action is back. It can be cancelled.",
    )


def _not_registered(asker: Asker) -> Failure:
    return Failure(
        kind="unknown_action",
        message=f"The called action {asker.action_id!r} asks, and the bot does not know it, so that nobody could answer.",
        advice="Put it into a module of actions/, or name its module in ACTIONS.",
    )
