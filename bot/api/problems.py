"""What is answered when something is wrong: problem details (RFC 9457) that name the field, and say who was first."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Final

from pydantic import BaseModel, Field, JsonValue

from actions.kit.errors import Problem
from actions.kit.records.interrupts import Card
from blocks.settled import agreeing
from bot.api.words import plain
from bot.engine.results import Refusal, Why

TYPE: Final = "urn:signoff:problem:"
MEDIA_TYPE: Final = "application/problem+json"
SOON: Final = 5
"""Seconds after which to try again what could not be told now."""


class FieldProblem(BaseModel):
    """One thing that is wrong: at a JSON pointer into the body, in a query parameter, or in a header."""

    pointer: str | None = Field(None, description="JSON pointer (RFC 6901) into the body", examples=["/input/amount"])
    parameter: str | None = Field(None, description="Name of a query parameter")
    header: str | None = Field(None, description="Name of a header")
    message: str = Field(description="In words for people", examples=["must be at most 500.00"])


class Decision(BaseModel):
    """How a question was settled."""

    status: str
    choice: str | None = None
    by: list[str] = Field(description="Slack ids")
    at: str | None = Field(None, description="ISO 8601")


class ProblemDetails(BaseModel):
    """Problem details for HTTP APIs (RFC 9457)."""

    type: str = Field(description="A URN that tells the kind of problem", examples=[f"{TYPE}invalid"])
    title: str
    status: int
    detail: str
    errors: list[FieldProblem] | None = None
    expected: dict[str, dict[str, JsonValue]] | None = Field(
        None, description="What can be answered instead: the JSON Schema of the value of each choice, by its key"
    )
    decision: Decision | None = Field(None, description="Who settled the question, where that is the reason")


class ProblemError(Exception):
    """Ends a request with problem details. `kind` is the last part of the type."""

    def __init__(
        self,
        status: HTTPStatus,
        kind: str,
        detail: str,
        *,
        errors: Iterable[FieldProblem] = (),
        decision: Decision | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = dict(headers or {})
        self.details = ProblemDetails(
            type=TYPE + kind,
            title=status.phrase,
            status=status,
            detail=detail,
            errors=list(errors) or None,
            decision=decision,
        )


KINDS: Final = {
    Why.NOT_ALLOWED: (HTTPStatus.FORBIDDEN, "not-allowed"),
    Why.UNKNOWN: (HTTPStatus.NOT_FOUND, "not-found"),
    Why.SETTLED: (HTTPStatus.CONFLICT, "already-decided"),
    Why.EXPIRED: (HTTPStatus.GONE, "expired"),
    Why.ALREADY_VOTED: (HTTPStatus.CONFLICT, "already-answered"),
    Why.OUTDATED: (HTTPStatus.CONFLICT, "outdated"),
    Why.NO_SUCH_CHOICE: (HTTPStatus.UNPROCESSABLE_ENTITY, "invalid"),
    Why.HELD: (HTTPStatus.CONFLICT, "on-hold"),
    Why.NOT_VERIFIED: (HTTPStatus.SERVICE_UNAVAILABLE, "could-not-verify"),
    Why.NOT_CHECKED: (HTTPStatus.SERVICE_UNAVAILABLE, "could-not-check"),
    Why.ENDED: (HTTPStatus.CONFLICT, "ended"),
    Why.KEY_REUSED: (HTTPStatus.CONFLICT, "key-reused"),
}


def of_refusal(refusal: Refusal, *, errors: Iterable[FieldProblem] = ()) -> ProblemError:
    """What the engine refused, with the reason that a person in Slack would read."""
    status, kind = KINDS[refusal.why]
    headers = {"Retry-After": str(SOON)} if status is HTTPStatus.SERVICE_UNAVAILABLE else {}
    is_told = refusal.card is not None and refusal.why in {Why.SETTLED, Why.EXPIRED}
    decision = decision_of(refusal.card) if refusal.card is not None and is_told else None
    return ProblemError(status, kind, plain(refusal.text), errors=errors, decision=decision, headers=headers)


def decision_of(card: Card) -> Decision:
    interrupt = card.interrupt
    by = agreeing(card) or ((interrupt.settled_by,) if interrupt.settled_by else ())
    at = interrupt.settled_at.isoformat() if interrupt.settled_at else None
    return Decision(status=interrupt.status.value, choice=interrupt.choice, by=list(by), at=at)


def invalid(problems: Iterable[FieldProblem], detail: str = "The request does not fit.") -> ProblemError:
    return ProblemError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", detail, errors=problems)


def in_body(problems: Iterable[Problem], *beneath: str) -> list[FieldProblem]:
    """Problems of a value at their JSON pointers; `beneath` is where in the body the value stands."""
    return [FieldProblem(pointer=pointer((*beneath, *problem.path)), message=problem.message) for problem in problems]


def in_query(problems: Iterable[Problem]) -> list[FieldProblem]:
    return [FieldProblem(parameter=str(problem.path[0]), message=problem.message) for problem in problems]


def pointer(path: Iterable[str | int]) -> str:
    """RFC 6901."""
    return "".join(f"/{str(key).replace('~', '~0').replace('/', '~1')}" for key in path)


def malformed(detail: str) -> ProblemError:
    return ProblemError(HTTPStatus.BAD_REQUEST, "malformed", detail)


def not_found(what: str) -> ProblemError:
    return ProblemError(HTTPStatus.NOT_FOUND, "not-found", f"There is no {what} here that you may see.")


def try_later(detail: str, seconds: int = SOON) -> ProblemError:
    headers = {"Retry-After": str(seconds)}
    return ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", detail, headers=headers)


def too_many(detail: str, seconds: int) -> ProblemError:
    headers = {"Retry-After": str(seconds)}
    return ProblemError(HTTPStatus.TOO_MANY_REQUESTS, "too-many-requests", detail, headers=headers)
