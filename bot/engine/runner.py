"""What listeners and commands ask the engine room for: start, answer, order, cancel; and what happens when it starts."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any

from actions.kit.policies.granted import GrantRecord
from actions.kit.policies.remarks import RemarkKind
from actions.kit.records.runs import Origin
from actions.kit.registry import Registry
from blocks.acts import ActVerb
from blocks.clicks import Act, ActTarget, AnswerTarget, Click, FormClick, Order, StartTarget, Submission, Suggestion
from blocks.comments import Comment
from blocks.life import Life
from blocks.people import duration_words
from blocks.together import Together
from bot import clock
from bot.engine.acts.acts import Acts
from bot.engine.acts.break_glass import BreakingGlass
from bot.engine.acts.claim import Claiming
from bot.engine.acts.doing import Doing
from bot.engine.acts.edit import Editing
from bot.engine.acts.extend import Extending
from bot.engine.acts.talk import Talking
from bot.engine.addresses import Addresses
from bot.engine.allowing import Allowances
from bot.engine.answers import Answers, Given
from bot.engine.comments import Comments
from bot.engine.engine import Engine
from bot.engine.executor import Executor
from bot.engine.facts import Entitlement
from bot.engine.forms import Forms
from bot.engine.giving import GivingGrants, ReviewedGlass
from bot.engine.granting import StandingGrants
from bot.engine.host import ActionsHost
from bot.engine.lives import Lives
from bot.engine.offloop import Validation
from bot.engine.onlookers import Onlookers
from bot.engine.open_cards import OpenCards
from bot.engine.orders import Orders, Via
from bot.engine.pacing import Pacing
from bot.engine.people import Directory
from bot.engine.reconcile import Reconciled, Reconciler
from bot.engine.refused import Tried
from bot.engine.requesters import Requesters
from bot.engine.results import (
    ActDone,
    ActResult,
    AnswerEnd,
    CancelResult,
    ClickResult,
    Details,
    FormResult,
    OpenAct,
    OpenInput,
    OrderResult,
    Refusal,
    Shown,
    StartEnd,
    StartResult,
    StuckRuns,
    SubmitResult,
)
from bot.engine.running import Job
from bot.engine.staging import Staging
from bot.engine.stand_ins import StandIns
from bot.engine.starting import Starting
from bot.engine.tasks import OwnedTasks
from bot.engine.together import AnsweringTogether, Ended
from bot.engine.watch import Watch
from storage.deliveries import RunHook
from storage.results import Recovered
from storage.store import Store

SWEEP = 100
"""Rows that one transaction of a sweep takes."""


class Runner:
    """One per process. Give `engine.wake` to the store as its `on_wake`; then `start`, and `stop` at the end."""

    def __init__(
        self,
        *,
        store: Store,
        registry: Registry,
        directory: Directory,
        engine: Engine,
        operators: Collection[str] = (),
        owner: str | None = None,
        now: Callable[[], datetime] = clock.now,
        watch: Watch | None = None,
    ) -> None:
        self.owner = owner or f"runner-{secrets.token_hex(8)}"
        self._store = store
        self._registry = registry
        self._engine = engine
        self._now = now
        self._absences_seen = now()
        self._tasks = OwnedTasks()
        watch = watch or Watch()
        self._host = ActionsHost(partial(_resources, registry, store, now), on_blocked=self._tell_blocked)
        stand_ins = StandIns(store.absences, directory, now=now)
        addresses, entitlement, validation = (
            Addresses(directory, stand_ins),
            Entitlement(directory, stand_ins),
            Validation(),
        )
        self._executor = Executor(
            store=store,
            registry=registry,
            host=self._host,
            addresses=addresses,
            entitlement=entitlement,
            allowances=Allowances(store=store, registry=registry, directory=directory, now=now),
            tasks=self._tasks,
            owner=self.owner,
            now=now,
            watch=watch,
        )
        self._forms = Forms(drafts=store.drafts, tasks=self._tasks, now=now)
        open_cards = OpenCards(store=store, registry=registry, entitlement=entitlement, now=now)
        doings: dict[ActVerb, Doing] = {
            "edit": Editing(store=store, open_cards=open_cards, now=now),
            "take": Claiming(store=store, open_cards=open_cards, now=now),
            "let_go": Claiming(store=store, open_cards=open_cards, now=now, lets_go=True),
            "ask": Talking(RemarkKind.QUESTION, store=store, open_cards=open_cards, now=now),
            "reply": Talking(RemarkKind.REPLY, store=store, open_cards=open_cards, now=now),
            "break_glass": BreakingGlass(store=store, open_cards=open_cards, entitlement=entitlement, now=now),
            "extend": Extending(store=store, open_cards=open_cards, operators=operators, now=now),
        }
        self._comments = Comments(store=store, tasks=self._tasks, now=now)
        self._pacing = Pacing(store=store, directory=directory, addresses=addresses, stand_ins=stand_ins, now=now)
        self._acts = Acts(doings, forms=self._forms, validation=validation, tasks=self._tasks)
        self._answers = Answers(
            store=store,
            open_cards=open_cards,
            staging=Staging(directory, addresses),
            forms=self._forms,
            validation=validation,
            tasks=self._tasks,
            now=now,
            watch=watch,
        )
        onlookers = Onlookers(store=store, directory=directory, entitlement=entitlement, operators=operators)
        self._together = AnsweringTogether(
            store=store, open_cards=open_cards, answers=self._answers, onlookers=onlookers
        )
        self._starting = Starting(
            store=store,
            registry=registry,
            entitlement=entitlement,
            forms=self._forms,
            validation=validation,
            engine=engine,
            addresses=addresses,
            executor=self._executor,
            tasks=self._tasks,
            now=now,
        )
        self._grants = StandingGrants(store=store, entitlement=entitlement, operators=operators, now=now)
        self._orders = Orders(
            store=store,
            addresses=addresses,
            executor=self._executor,
            requesters=Requesters(store=store, starting=self._starting, addresses=addresses, now=now),
            onlookers=onlookers,
            grants=self._grants,
            operators=operators,
            now=now,
        )
        self._lives = Lives(store, registry, entitlement, operators)
        self._reconciler = Reconciler(store=store, registry=registry, addresses=addresses, now=now)

    async def open(self) -> Reconciled:
        """Opens the team's resources, reconciles what is stored with the code, and executes what is queued.

        What others left is taken over at once, and not only by the first sweep. Raises what opening the resources raised.
        """
        await self._host.start()
        reconciled = await self._reconciler.reconcile()
        await self._engine.start(self._executor.execute)
        await self.recover()
        self._tasks.spawn(self._forms.prepare_all(self._registry.actions), "planning the forms")
        return reconciled

    async def close(self, grace: float = 10.0) -> bool:
        """Lets executions and checks finish for `grace` seconds each. False: a thread of an action did not end."""
        await self._engine.stop(grace)
        await self._tasks.drain(grace)
        return await self._host.stop()

    async def start(
        self,
        action_id: str,
        raw_input: Any,
        *,
        requester: str,
        origin: Origin,
        idempotency_key: str | None = None,
        request: str | None = None,
        webhook: RunHook | None = None,
    ) -> StartEnd:
        """Starts a run of a raw (JSON) input. The same key of the same requester and action finds its first run.

        `request` is a hash of all that is asked for: with it, a key that was used for something else is refused.
        `webhook` is told of this run; whoever passes it on has checked its URL.
        """
        return await self._starting.start(
            action_id,
            raw_input,
            requester=requester,
            origin=origin,
            idempotency_key=idempotency_key,
            request=request,
            webhook=webhook,
        )

    async def open_input(
        self, action_id: str, person: str, channel: str | None, *, given: Awaitable[dict[str, Any]] | None = None
    ) -> OpenInput | Refusal:
        """The form for a new run of an action, or why this person may not start one.

        `channel`: where it was asked for. `given`: what its fields hold at first, by their names; found out meanwhile.
        """
        return await self._starting.open(action_id, person, channel, given or _nothing())

    async def submit_start(self, submission: Submission) -> StartResult:
        """A submitted input form."""
        return await self._starting.submit(submission)

    async def click(self, click: Click) -> ClickResult:
        """A pressed choice of a card."""
        return await self._answers.click(click)

    async def answer_together(self, together: Together) -> tuple[Ended, ...]:
        """One choice for several questions of low risk; what became of each."""
        return await self._together.answer(together)

    async def submit_answer(self, submission: Submission) -> SubmitResult:
        """A submitted answer form."""
        return await self._answers.submit(submission)

    async def press(self, act: Act) -> OpenAct | ActDone | Refusal:
        """A pressed button for something else than an answer."""
        return await self._acts.press(act)

    async def submit_act(self, submission: Submission) -> ActResult:
        """A submitted form of such an act."""
        return await self._acts.submit(submission)

    async def comment(self, comment: Comment) -> None:
        """What somebody typed below one of our messages."""
        await self._comments.heard(comment)

    async def click_in_form(self, click: FormClick) -> FormResult:
        """Something in a form that redraws it: what was typed so far is on disk when this returns."""
        match click.target:
            case AnswerTarget() as target:
                return await self._answers.clicked_in_form(click, target)
            case StartTarget() as target:
                return await self._starting.clicked_in_form(click, target)
            case ActTarget() as target:
                return await self._acts.clicked_in_form(click, target)

    async def is_newest(self, shown: Shown, person: str) -> bool:
        """Whether a form is still to be drawn so: nothing was clicked or submitted in it since."""
        return await self._forms.is_newest(shown, person)

    async def suggest(self, asked: Suggestion) -> list[dict[str, Any]]:
        """Options of a searchable select for what somebody types; none where there is no such select, or not for them."""
        match asked.target:
            case AnswerTarget() as target:
                schema = await self._answers.schema_for(target, asked.person)
            case StartTarget() as target:
                schema = await self._starting.schema_for(target, asked.person)
            case ActTarget() as target:
                schema = await self._acts.schema_for(target, asked.person)
        if schema is None:
            return []
        return await self._forms.suggested(schema, asked)

    async def answer(self, given: Given) -> AnswerEnd:
        """An answer that a program gives in a person's name, with the very same checks as a click."""
        return await self._answers.answer(given)

    def unfit_answer(self, tried: Tried, places: Iterable[str]) -> None:
        """Notes an answer of a program's that was none, with the JSON pointers of what does not fit."""
        self._answers.unfit(tried, places)

    async def order(self, order: Order) -> OrderResult:
        """Run again, it happened, it did not, deliver again, cancel, nudge, ask again, show all."""
        return await self._orders.order(order)

    async def details(self, interrupt_id: str, person: str) -> Details | Refusal:
        """All of a card as it stands now, for somebody who may see it."""
        return await self._orders.details(interrupt_id, person)

    async def cancel(self, run_id: str, person: str, *, via: Via = "slack") -> CancelResult:
        """Cancels a run for its requester or an operator."""
        return await self._orders.cancel(run_id, person, via=via)

    async def life(self, given: str, person: str) -> Life | Refusal:
        """A run by its id or the beginning of it, for somebody who may see it."""
        return await self._lives.of(given, person)

    async def grants(self, person: str) -> tuple[GrantRecord, ...]:
        """The standing grants that concern a person, those that end soonest first."""
        return await self._grants.of(person)

    def is_operator(self, person: str) -> bool:
        return self._orders.is_operator(person)

    async def stuck(self, person: str, page: int, size: int) -> StuckRuns | Refusal:
        """One page of what is stuck, for an operator."""
        return await self._orders.stuck(person, page, size)

    async def expire(self) -> int:
        """Expires everything that is due; how many."""
        expired = 0
        while (found := await self._store.expire_due(now=self._now(), limit=SWEEP)) == SWEEP:
            expired += found
        return expired + found

    async def pace(self) -> int:
        """Reminds, warns and escalates where that is due; how often."""
        return await self._pacing.advance()

    async def end_grants(self) -> int:
        """Ends standing grants whose time has passed; how many. What is left is over already, and told of a little later."""
        return await self._grants.end_past()

    async def forget(self) -> int:
        """Throws away what was typed into forms that nobody has touched for a day; how many."""
        forgotten = 0
        while (found := await self._store.drafts.forget(now=self._now(), limit=SWEEP)) == SWEEP:
            forgotten += found
        return forgotten + found

    async def turn_absences(self) -> None:
        """Has Home tabs drawn again where somebody's absence began or was over since this was looked at last."""
        since, self._absences_seen = self._absences_seen, self._now()
        if await self._store.absences.turned(since, self._absences_seen):
            await self._store.homes.look_again_all(now=self._absences_seen)

    async def recover(self) -> Recovered:
        """Takes over what dead processes left, and wakes what was forgotten."""
        return await self._store.recover(now=self._now(), idempotent=self._is_idempotent, limit=SWEEP)

    def blocked(self) -> str | None:
        """The action that keeps its loop from anything else right now, if one does."""
        return self._host.blocked()

    def _tell_blocked(self, job: Job, where: str) -> None:
        limit = duration_words(job.time_limit)
        text = f"It blocks its thread ({where}), and will be cut off at its time limit of {limit}."
        self._tasks.spawn(self._store.blocked(job.run_id, where, text, now=self._now()), "a report")

    def _is_idempotent(self, action_id: str) -> bool:
        action = self._registry.executed(action_id)
        return action is not None and action.idempotent


async def _nothing() -> dict[str, Any]:
    return {}


@asynccontextmanager
async def _resources(
    registry: Registry, store: Store, now: Callable[[], datetime]
) -> AsyncIterator[tuple[object, ...]]:
    """What the team's set-up functions open, and what the bot itself lends to actions."""
    async with registry.resources() as opened:
        yield (*opened, store.checkpoints, GivingGrants(store, now), ReviewedGlass(store, now))
