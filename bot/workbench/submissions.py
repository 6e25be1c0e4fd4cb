"""What the bot's answer to a submitted modal does: close it, put errors under fields, update, push, or clear."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from bot.workbench.bench import Bench
from bot.workbench.given_views import given_view
from bot.workbench.journal import Ack
from bot.workbench.slack_errors import SlackError
from bot.workbench.views import STACK_LIMIT, View

TROUBLE = "We had some trouble connecting. Try again?"
Result = Literal["closed", "errors", "updated", "pushed", "cleared", "trouble"]


@dataclass(frozen=True, slots=True)
class Submitted:
    """What became of a submission. `errors` are by block id; `sent` is false where Slack's client complained itself."""

    result: Result
    errors: Mapping[str, str] = field(default_factory=dict)
    ack: Ack | None = None
    detail: str = ""

    @property
    def sent(self) -> bool:
        return self.ack is not None


def apply_answer(bench: Bench, view: View, ack: Ack) -> Submitted:
    """Do what the ack says; anything else than what Slack understands is "trouble connecting".

    https://docs.slack.dev/surfaces/modals, https://github.com/slackapi/bolt-js/issues/1208

    A person who has closed the modal meanwhile sees nothing more of it.
    """
    if not ack.ok:
        return _trouble(bench, view, ack, ack.detail)
    if ack.body in (None, "", {}) or bench.screens.view(view.id) is not view:
        bench.screens.close(view)
        return Submitted("closed", ack=ack)
    return _act_on(bench, view, ack, ack.body if isinstance(ack.body, Mapping) else {})


def _act_on(bench: Bench, view: View, ack: Ack, body: Mapping[str, Any]) -> Submitted:
    match body.get("response_action"):
        case "errors":
            return _errors(bench, view, ack, body.get("errors"))
        case "update":
            return _update(bench, view, ack, body.get("view"))
        case "push":
            return _push(bench, view, ack, body.get("view"))
        case "clear":
            bench.screens.clear(view.person)
            return Submitted("cleared", ack=ack)
        case other:
            return _trouble(bench, view, ack, f"response_action is {other!r}")


def _errors(bench: Bench, view: View, ack: Ack, errors: Any) -> Submitted:
    inputs = {block["block_id"] for block in view.blocks if block["type"] == "input"}
    if not isinstance(errors, Mapping) or not errors:
        return _trouble(bench, view, ack, "no errors given")
    strangers = sorted(errors.keys() - inputs)
    if strangers:
        return _trouble(bench, view, ack, f"no input block has the id {strangers[0]!r}")
    if not all(isinstance(text, str) and text for text in errors.values()):
        return _trouble(bench, view, ack, "an error has to be a text")
    bench.screens.complain(view, errors)
    return Submitted("errors", dict(errors), ack)


def _update(bench: Bench, view: View, ack: Ack, given: Any) -> Submitted:
    wrong = _what_is_wrong(bench, given, view)
    if wrong is not None:
        return _trouble(bench, view, ack, wrong)
    bench.screens.update(view, given)
    return Submitted("updated", ack=ack)


def _push(bench: Bench, view: View, ack: Ack, given: Any) -> Submitted:
    wrong = _what_is_wrong(bench, given, None)
    if wrong is None and len(bench.screens.of(view.person).stack) >= STACK_LIMIT:
        wrong = "push_limit_reached"
    if wrong is not None:
        return _trouble(bench, view, ack, wrong)
    bench.screens.push(view.person, given)
    return Submitted("pushed", ack=ack)


def _what_is_wrong(bench: Bench, given: Any, current: View | None) -> str | None:
    """Why this cannot be shown, by the rules of views.update and views.push."""
    try:
        given_view(bench, given, "modal", current, scopes=bench.workspace.scopes)
    except SlackError as error:
        messages = error.more.get("response_metadata", {}).get("messages", ())
        return "; ".join([error.error, *messages])
    return None


def _trouble(bench: Bench, view: View, ack: Ack, detail: str) -> Submitted:
    bench.screens.toast(view.person, TROUBLE)
    return Submitted("trouble", ack=ack, detail=detail)
