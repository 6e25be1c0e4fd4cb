"""The faults that can be asked for at runtime, by name: what each is called, what it takes, and what it does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.workbench.fault_plans import EVERYTHING
from bot.workbench.faults import Faults

MOST_TIMES = 1000
MOST_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a fault takes: its type is that of its default; a number lies between `least` and `most`."""

    name: str
    words: str
    default: str | int | float | bool
    least: float = 0
    most: float = MOST_SECONDS

    def read(self, value: Any) -> Any:
        """The value, in the parameter's type. Raises `ValueError` in words."""
        if isinstance(self.default, bool) or isinstance(value, bool):
            return self._flag(value)
        if isinstance(self.default, str):
            if not isinstance(value, str) or not value:
                raise ValueError(f"{self.name} has to be a text")
            return value
        return self._number(value)

    def _flag(self, value: Any) -> bool:
        if not isinstance(self.default, bool) or not isinstance(value, bool):
            raise ValueError(f"{self.name} has to be {self._wanted()}")  # noqa: TRY004 - said to people
        return value

    def _wanted(self) -> str:
        return "true or false" if isinstance(self.default, bool) else "something else than true or false"

    def _number(self, value: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} has to be a number") from None
        if not self.least <= number <= self.most:
            raise ValueError(f"{self.name} has to be between {self.least:g} and {self.most:g}")
        if isinstance(self.default, int) and number != int(number):
            raise ValueError(f"{self.name} has to be a whole number")
        return int(number) if isinstance(self.default, int) else number


@dataclass(frozen=True, slots=True)
class FaultKind:
    kind: str
    words: str
    parameters: tuple[Parameter, ...]
    plan: Callable[..., object]


_METHOD = Parameter("method", "Web API method, response_url, or * for all", "chat.postMessage")
_TIMES = Parameter("times", "How often", 1, least=1, most=MOST_TIMES)
_DELIVERY = Parameter(
    "delivery", "block_actions, view_submission, slash_commands, events_api, … or * for all", EVERYTHING
)
_AFTER = Parameter("after_commit", "After the call has taken effect", default=False)

KINDS: tuple[FaultKind, ...] = (
    FaultKind(
        "rate_limit",
        "429 with Retry-After",
        (_METHOD, Parameter("retry_after", "Retry-After in seconds", 1, least=1), _TIMES),
        Faults.rate_limit,
    ),
    FaultKind(
        "server_error",
        "5xx from the Web API",
        (_METHOD, Parameter("status", "HTTP status", 500, least=500, most=599), _AFTER, _TIMES),
        Faults.break_down,
    ),
    FaultKind(
        "error",
        "Refused with an error of Slack's",
        (_METHOD, Parameter("error", "The error", "fatal_error"), _TIMES),
        Faults.fail,
    ),
    FaultKind(
        "timeout",
        "No answer, though the call took effect",
        (_METHOD, Parameter("seconds", "Seconds until the connection breaks", 30.0), _TIMES),
        Faults.time_out,
    ),
    FaultKind("drop", "Connection dropped", (_METHOD, _AFTER, _TIMES), Faults.drop_connection),
    FaultKind(
        "delay", "Answered late", (_METHOD, Parameter("seconds", "Seconds late", 2.0), _AFTER, _TIMES), Faults.delay
    ),
    FaultKind("lose_acks", "Acks get lost", (_DELIVERY, _TIMES), Faults.withhold_acks),
    FaultKind("late_acks", "Acks come too late", (_DELIVERY, _TIMES), Faults.late_acks),
    FaultKind("duplicate", "Deliveries come twice", (_DELIVERY, _TIMES), Faults.duplicate),
    FaultKind(
        "reorder",
        "A delivery comes after the next one",
        (_DELIVERY, Parameter("seconds", "Seconds that it waits for the next one", 10.0), _TIMES),
        Faults.reorder,
    ),
    FaultKind(
        "slow",
        "Deliveries are slow",
        (_DELIVERY, Parameter("seconds", "Seconds on the way", 1.0), _TIMES),
        Faults.slow_down,
    ),
    FaultKind(
        "revoke",
        "The bot's token is refused until this is cancelled",
        (Parameter("error", "The error", "token_revoked"),),
        Faults.revoke,
    ),
    FaultKind(
        "refresh",
        "Socket Mode: the connections are refreshed now",
        (Parameter("warning", "Seconds of warning before", 0, most=60),),
        Faults.refresh,
    ),
)


class CataloguedFaults(Faults):
    """Faults that can also be planned by their name, as the page and scripts do."""

    @property
    def catalogue(self) -> list[dict[str, Any]]:
        """All kinds as JSON: `{kind, words, parameters: [{name, words, type, default, …}]}`.

        `type` is `text`, `int`, `float` (both with `least` and `most`) or `bool`.
        """
        return [
            {"kind": kind.kind, "words": kind.words, "parameters": [_described(p) for p in kind.parameters]}
            for kind in KINDS
        ]

    def plan(self, kind: str, **parameters: Any) -> None:
        """Plan a fault by its name. Raises `ValueError` in words where the name or a parameter is not right."""
        _plan(self, kind, parameters)


def _plan(faults: Faults, kind: str, parameters: Mapping[str, Any]) -> None:
    known = next((known for known in KINDS if known.kind == kind), None)
    if known is None:
        raise ValueError(f"there is no fault {kind!r}; there are {', '.join(known.kind for known in KINDS)}")
    strangers = sorted(parameters.keys() - {parameter.name for parameter in known.parameters})
    if strangers:
        raise ValueError(f"{kind} takes no {strangers[0]!r}")
    given = {p.name: p.read(parameters.get(p.name, p.default)) for p in known.parameters}
    if "delivery" in given:
        given["kind"] = given.pop("delivery")
    known.plan(faults, **given)


def _described(parameter: Parameter) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": parameter.name,
        "words": parameter.words,
        "type": _type_of(parameter.default),
        "default": parameter.default,
    }
    return described | ({} if described["type"] in ("text", "bool") else _bounds(parameter))


def _bounds(parameter: Parameter) -> dict[str, Any]:
    return {"least": parameter.least, "most": parameter.most}


def _type_of(default: str | float | bool) -> str:
    match default:
        case bool():
            return "bool"
        case str():
            return "text"
        case int():
            return "int"
        case _:
            return "float"
