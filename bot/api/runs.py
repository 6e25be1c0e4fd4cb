"""Runs: started once for each key, read and waited for, listed, cancelled."""

import hashlib
import json
import re
from collections.abc import Mapping
from http import HTTPStatus

from actions.kit.records.runs import Origin
from bot.api import limits, problems
from bot.api.access import Access
from bot.api.authentication import Caller
from bot.api.calls import Call, Operation, Reply
from bot.api.limits import Seats
from bot.api.problems import FieldProblem, ProblemError
from bot.api.shapes import (
    RUN_ID,
    RunFound,
    RunQuery,
    RunRequest,
    RunShown,
    RunsQuery,
    RunsShown,
    RunStarted,
    WebhookRequest,
)
from bot.api.tokens import Scope
from bot.api.views import run_found, run_shown, run_started, run_summary
from bot.engine.changes import Changes
from bot.engine.results import FieldErrors, Refusal, Why
from bot.engine.runner import Runner
from bot.hooks.reach import Reach, ReachError
from bot.hooks.signing import new_secret
from storage.deliveries import RunHook
from storage.results import RunFilters, Started
from storage.store import Store

IDEMPOTENCY_KEY = "Idempotency-Key"
KEY = re.compile(r"[!-~](?:[ -~]{0,198}[!-~])?")
IF_NONE_MATCH = "If-None-Match"


class Runs:
    """`POST`, `GET /v1/runs`, `GET /v1/runs/{run}`, `POST /v1/runs/{run}/cancel`."""

    def __init__(self, runner: Runner, store: Store, access: Access, changes: Changes, reach: Reach) -> None:
        self._runner = runner
        self._store = store
        self._access = access
        self._changes = changes
        self._reach = reach
        self._seats = Seats()

    def operations(self) -> list[Operation]:
        ok, created, unchanged = HTTPStatus.OK, HTTPStatus.CREATED, HTTPStatus.NOT_MODIFIED
        return [
            Operation(
                "POST", "/runs", "startRun", "Start a run of an action", Scope.START, self.start,
                {created: RunStarted, ok: RunFound},
                (HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE),
                body=RunRequest,
                request_headers={
                    IDEMPOTENCY_KEY: "The same key and body find the run that they started; 1 to 200 signs of ASCII"
                },
                reply_headers={"Location": "Where the run can be read"},
            ),
            Operation(
                "GET", "/runs", "listRuns", "List runs, the newest first", Scope.READ, self.listed,
                {ok: RunsShown}, query=RunsQuery,
            ),
            Operation(
                "GET", "/runs/{run}", "readRun", "Read a run, or wait for a change of it", Scope.READ, self.read,
                {ok: RunShown, unchanged: None},
                (HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE),
                query=RunQuery,
                request_headers={IF_NONE_MATCH: "The `ETag` that is known: answers 304 unless the run has changed since"},
                reply_headers={"ETag": "Changes whenever anything of the run does"},
            ),
            Operation(
                "POST", "/runs/{run}/cancel", "cancelRun", "Cancel a run", Scope.CANCEL, self.cancel,
                {ok: RunShown, HTTPStatus.ACCEPTED: RunShown},
                (HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.SERVICE_UNAVAILABLE),
            ),
        ]  # fmt: skip

    async def start(self, call: Call) -> Reply:
        asked = call.body(RunRequest)
        key = idempotency_key(call.headers)
        call.caller.require_action(asked.action)
        webhook = None if asked.webhook is None else self._webhook(asked.webhook)
        started = await self._runner.start(
            asked.action,
            asked.input,
            requester=call.caller.person,
            origin=Origin(via="http"),
            idempotency_key=key,
            request=None if key is None else _fingerprint(asked),
            webhook=webhook,
        )
        match started:
            case FieldErrors(found):
                raise problems.invalid(problems.in_body(found, "input"), "The input does not fit.")
            case Refusal() as refusal if refusal.why is Why.UNKNOWN:
                wrong = FieldProblem(pointer="/action", message="is no action here")
                raise problems.invalid([wrong], "There is no such action.")
            case Refusal() as refusal:
                raise problems.of_refusal(refusal)
            case Started(run, created=created):
                cards, location = await self._store.cards(run.id), {"Location": f"/v1/runs/{run.id}"}
                made_secret = webhook.secret if webhook and not _has_own_secret(asked) else None
                if not created:
                    secret = made_secret if started.is_new else None
                    shown = run_found(run, cards, joined=started.joined, webhook_secret=secret)
                    return Reply(shown, HTTPStatus.OK, location)
                return Reply(run_started(run, cards, webhook_secret=made_secret), HTTPStatus.CREATED, location)

    async def read(self, call: Call) -> Reply:
        run_id, seconds = run_id_of(call), call.query(RunQuery).wait
        known = call.headers.get(IF_NONE_MATCH)
        shown = await self._shown(run_id, call.caller)
        if seconds and not shown.status.ended and known in {None, _etag(shown)}:
            shown = await self._changed(shown, call.caller, seconds)
        etag = {"ETag": _etag(shown)}
        if known == etag["ETag"]:
            return Reply(None, HTTPStatus.NOT_MODIFIED, etag)
        return Reply(shown, headers=etag)

    async def listed(self, call: Call) -> Reply:
        asked = call.query(RunsQuery)
        if asked.action is not None:
            call.caller.require_action(asked.action)
        filters = RunFilters(
            statuses=frozenset(asked.status),
            action_id=asked.action,
            requester=self._whose(call.caller, asked.requester),
            actions=call.caller.token.actions,
        )
        found = await self._store.runs(filters, limit=asked.limit + 1, before=asked.cursor)
        page = found[: asked.limit]
        following = page[-1].id if len(found) > len(page) else None
        return Reply(RunsShown(runs=[run_summary(run) for run in page], next=following))

    async def cancel(self, call: Call) -> Reply:
        run, _ = await self._access.run(run_id_of(call), call.caller)
        result = await self._runner.cancel(run.id, call.caller.person, via="http")
        if isinstance(result, Refusal):
            raise problems.of_refusal(result)
        shown = run_shown(result.run, await self._store.cards(run.id))
        return Reply(shown, HTTPStatus.ACCEPTED if result.asked else HTTPStatus.OK)

    def _webhook(self, asked: WebhookRequest) -> RunHook:
        try:
            self._reach.check(asked.url)
        except ReachError as error:
            wrong = FieldProblem(pointer="/webhook/url", message=str(error))
            raise problems.invalid([wrong], "The webhook cannot be told anything there.") from None
        return RunHook(asked.url, new_secret() if asked.secret is None else asked.secret)

    def _whose(self, caller: Caller, wanted: str | None) -> str | None:
        if self._access.is_operator(caller) or wanted in {None, caller.person}:
            return wanted if self._access.is_operator(caller) else caller.person
        detail = "Only operators may list the runs of others. What waits for you is in GET /v1/interrupts."
        raise ProblemError(HTTPStatus.FORBIDDEN, "not-allowed", detail)

    async def _shown(self, run_id: str, caller: Caller) -> RunShown:
        return run_shown(*await self._access.run(run_id, caller))

    async def _changed(self, before: RunShown, caller: Caller, seconds: float) -> RunShown:
        etag = _etag(before)
        with self._seats.seat(caller.token.id) as is_free:
            if not is_free:
                raise problems.too_many(f"A token may wait for {limits.WAITS} changes at a time.", 1)
            return await self._changes.until(
                before.id,
                lambda: self._shown(before.id, caller),
                lambda shown: _etag(shown) != etag,
                seconds=seconds,
            )


def run_id_of(call: Call) -> str:
    """The run that the path names. Raises `ProblemError` for what can be no id."""
    run_id = call.path["run"]
    if not re.match(RUN_ID, run_id):
        raise problems.not_found("run of this id")
    return run_id


def idempotency_key(headers: Mapping[str, str]) -> str | None:
    """The caller's key, under a name that no other way in uses. Raises `ProblemError`."""
    key = headers.get(IDEMPOTENCY_KEY)
    if key is None:
        return None
    if not KEY.fullmatch(key):
        wrong = FieldProblem(header=IDEMPOTENCY_KEY, message="must be 1 to 200 signs of ASCII")
        raise ProblemError(HTTPStatus.BAD_REQUEST, "malformed", "The key cannot be used.", errors=[wrong])
    return f"http:{key}"


def _has_own_secret(asked: RunRequest) -> bool:
    return asked.webhook is not None and asked.webhook.secret is not None


def _fingerprint(asked: RunRequest) -> str:
    """The same for the same request, in whichever order its keys were sent. It is stored: what is new must not change the old."""
    webhook = [] if asked.webhook is None else [asked.webhook.model_dump()]
    text = json.dumps([asked.action, asked.input, *webhook], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _etag(shown: RunShown) -> str:
    return f'"{hashlib.sha256(shown.model_dump_json().encode()).hexdigest()[:32]}"'
