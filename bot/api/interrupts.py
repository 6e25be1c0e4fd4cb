"""Questions that wait: those that a person may see, and their answers."""

import re
import secrets
from http import HTTPStatus

from actions.kit.records.interrupts import Card, InterruptStatus
from actions.kit.shapes.answers import MISSING
from bot.api import problems
from bot.api.access import LOOKING_UP, Access
from bot.api.calls import Call, Operation, Reply
from bot.api.problems import FieldProblem, ProblemError
from bot.api.runs import IDEMPOTENCY_KEY, idempotency_key
from bot.api.shapes import (
    INTERRUPT_ID,
    AnswerRequest,
    InterruptShown,
    InterruptsQuery,
    InterruptsShown,
)
from bot.api.tokens import Scope
from bot.api.views import interrupt_shown, pending_shown
from bot.engine.answers import Given
from bot.engine.facts import Budget
from bot.engine.refused import Tried
from bot.engine.results import Counted, FieldErrors, Refusal, Settled, Why
from bot.engine.runner import Runner
from storage.store import Store

LOOK_THROUGH = 100
"""Waiting questions that are looked through at a time for those that may be seen."""


class Interrupts:
    """`GET /v1/interrupts`, `POST /v1/interrupts/{interrupt}/answer`."""

    def __init__(self, runner: Runner, store: Store, access: Access) -> None:
        self._runner = runner
        self._store = store
        self._access = access

    def operations(self) -> list[Operation]:
        return [
            Operation(
                "GET", "/interrupts", "listInterrupts", "List the questions that wait, the oldest first", Scope.READ,
                self.listed, {HTTPStatus.OK: InterruptsShown}, query=InterruptsQuery,
            ),
            Operation(
                "POST", "/interrupts/{interrupt}/answer", "answerInterrupt", "Answer a question in the person's name",
                Scope.ANSWER, self.answer, {HTTPStatus.OK: InterruptShown},
                (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.GONE, HTTPStatus.SERVICE_UNAVAILABLE),
                body=AnswerRequest, unfit=self.unfit,
                request_headers={IDEMPOTENCY_KEY: "The same key finds the answer that it gave; 1 to 200 signs of ASCII"},
            ),
        ]  # fmt: skip

    async def listed(self, call: Call) -> Reply:
        asked = call.query(InterruptsQuery)
        if asked.action is not None:
            call.caller.require_action(asked.action)
        budget = Budget(LOOKING_UP)
        cards = await self._visible(call, asked, budget)
        page = cards[: asked.limit]
        answerable = [await self._access.may_answer(card, call.caller, budget) for card in page]
        shown = [pending_shown(card, may_answer=may) for card, may in zip(page, answerable, strict=True)]
        following = page[-1].interrupt.id if len(cards) > len(page) else None
        return Reply(InterruptsShown(interrupts=shown, next=following))

    async def answer(self, call: Call) -> Reply:
        given, interrupt_id = call.body(AnswerRequest), _interrupt_id(call)
        card = await self._store.card(interrupt_id)
        if card is None or not call.caller.may_touch(card.run.action_id):
            raise problems.not_found("interrupt of this id")
        if card.interrupt.status is not InterruptStatus.PENDING:
            await self._access.settled(card, call.caller)
        key = idempotency_key(call.headers) or f"http:{secrets.token_hex(16)}"
        result = await self._runner.answer(
            Given(
                interrupt_id=interrupt_id,
                choice=given.choice,
                value=given.value if "value" in given.model_fields_set else MISSING,
                person=call.caller.person,
                source=f"{call.caller.token.id} {key}",
                content_version=given.content_version,
            )
        )
        match result:
            case Settled(card) | Counted(card):
                return Reply(interrupt_shown(card))
            case FieldErrors(found):
                error = problems.invalid(problems.in_body(found, "value"), "The answer does not fit.")
                raise _with_expected(error, card)
            case Refusal() as refusal:
                raise _refused(refusal)

    async def unfit(self, call: Call, error: ProblemError) -> None:
        """A body that is no answer at all: noted for those who may see the question, and they are told what is expected."""
        card = (
            await self._store.card(call.path["interrupt"]) if re.match(INTERRUPT_ID, call.path["interrupt"]) else None
        )
        if card is None or not call.caller.may_touch(card.run.action_id):
            return
        if await self._access.sees(card, call.caller, Budget(LOOKING_UP)):
            tried = Tried(card.interrupt.id, call.caller.person, "http")
            self._runner.unfit_answer(tried, [each.pointer or "" for each in error.details.errors or ()])
            _with_expected(error, card)

    async def _visible(self, call: Call, asked: InterruptsQuery, budget: Budget) -> list[Card]:
        """One more than the page holds, where there are more."""
        found: list[Card] = []
        after = asked.cursor
        while cards := await self._store.pending_after(after, limit=LOOK_THROUGH):
            for card in cards:
                is_wanted = asked.action in {None, card.run.action_id} and call.caller.may_touch(card.run.action_id)
                if is_wanted and await self._access.sees(card, call.caller, budget):
                    found.append(card)
                if len(found) > asked.limit:
                    return found
            after = cards[-1].interrupt.id
        return found


def _interrupt_id(call: Call) -> str:
    interrupt_id = call.path["interrupt"]
    if not re.match(INTERRUPT_ID, interrupt_id):
        raise problems.not_found("interrupt of this id")
    return interrupt_id


def _refused(refusal: Refusal) -> ProblemError:
    if refusal.why is Why.NO_SUCH_CHOICE and refusal.card is not None:
        keys = ", ".join(choice.key for choice in refusal.card.interrupt.shape.choices)
        wrong = FieldProblem(pointer="/choice", message=f"must be one of: {keys}")
        return _with_expected(problems.of_refusal(refusal, errors=[wrong]), refusal.card)
    return problems.of_refusal(refusal)


def _with_expected(error: ProblemError, card: Card) -> ProblemError:
    error.details.expected = {choice.key: choice.json_schema for choice in card.interrupt.shape.choices}
    return error
