"""api.test and blocks.validate: the two methods that ask for no token."""

from typing import Any

from blocks.validate import Fault, validate_blocks, validate_message, validate_view
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.slack_errors import SlackError

_KINDS = ("blocks", "message", "view")


def api_test(call: MethodCall) -> Answer:
    """Gives back what it was given; fails with `error` where that is named."""
    given = dict(call.arguments)
    if call.text("error"):
        raise SlackError(call.text("error"), args=given)
    return {"args": given}


def validate(call: MethodCall) -> Answer:
    """Which rules of Block Kit are broken where: https://docs.slack.dev/reference/methods/blocks.validate."""
    given = [kind for kind in _KINDS if call.arguments.get(kind) is not None]
    if len(given) != 1:
        words = "must provide exactly one of `blocks`, `view`, or `message`"
        raise SlackError("invalid_arguments", response_metadata={"messages": [words]})
    (kind,) = given
    broken = [fault for fault in _faults(kind, call.arguments[kind]) if fault.code == "failed_constraint"]
    if broken:
        raise SlackError(f"invalid_{kind}", errors=[fault.as_json() for fault in broken])
    return {}


def _faults(kind: str, given: Any) -> list[Fault]:
    match kind:
        case "blocks":
            return validate_blocks(given, "message")
        case "message":
            return validate_message(given)
        case _:
            home = isinstance(given, dict) and given.get("type") == "home"
            return validate_view(given, "home" if home else "modal")


METHODS = (
    Method("api.test", api_test, frozenset({"error", "foo"}), token="none"),  # noqa: S106 - a kind of token
    Method("blocks.validate", validate, frozenset(_KINDS), token="none"),  # noqa: S106 - a kind of token
)
