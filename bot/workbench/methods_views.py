"""views.*: modals that open on a trigger, stack up to three, and are updated under a hash; the Home tab."""

from typing import Any, Literal

from bot.workbench.bench import Bench
from bot.workbench.echo import echoed, echoed_state
from bot.workbench.given_views import given_view
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.slack_errors import SlackError, invalid_arguments
from bot.workbench.views import STACK_LIMIT, View


def open_view(call: MethodCall) -> Answer:
    """A modal in front of whoever acted: https://docs.slack.dev/reference/methods/views.open."""
    view = _given(call, "modal", None)
    trigger = call.bench.triggers.exchange(call.arguments.get("trigger_id"))
    return {"view": view_object(call.bench, call.bench.screens.open(trigger.person, view, place=trigger.place))}


def push(call: MethodCall) -> Answer:
    """One more on the stack, three at most: https://docs.slack.dev/reference/methods/views.push."""
    view = _given(call, "modal", None)
    trigger = call.bench.triggers.exchange(call.arguments.get("trigger_id"))
    stack = call.bench.screens.of(trigger.person).stack
    if not stack:
        raise SlackError("not_found")
    if len(stack) >= STACK_LIMIT:
        raise SlackError("push_limit_reached")
    return {"view": view_object(call.bench, call.bench.screens.push(trigger.person, view))}


def update(call: MethodCall) -> Answer:
    """Under a hash only as long as nobody else has updated it: https://docs.slack.dev/reference/methods/views.update.

    What becomes of a Home tab that is named here is not documented: it is refused, as a view that is no modal.
    """
    view = _existing(call)
    given = _given(call, "modal", view)
    if call.text("hash") and call.text("hash") != view.hash:
        raise SlackError("hash_conflict")
    call.bench.screens.update(view, given)
    return {"view": view_object(call.bench, view)}


def publish(call: MethodCall) -> Answer:
    """One person's Home tab, under a hash or not: https://docs.slack.dev/reference/methods/views.publish.

    That a second publish keeps the view's id is not documented.
    """
    if not call.bench.workspace.app.home_tab:
        raise SlackError("not_enabled")
    person = call.bench.workspace.people.get(call.text("user_id"))
    if person is None or person.is_bot:
        raise SlackError("invalid_arguments", response_metadata={"messages": ["invalid `user_id`"]})
    home = call.bench.screens.of(person.id).home
    given = _given(call, "home", home)
    if call.text("hash") and home is not None and call.text("hash") != home.hash:
        raise SlackError("hash_conflict")
    return {"view": view_object(call.bench, call.bench.screens.publish(person.id, given))}


def view_object(bench: Bench, view: View) -> dict[str, Any]:
    """A view as Slack gives it, with what is entered in it."""
    given, app, team = view.given, bench.workspace.app, bench.workspace.team_id
    return {
        "id": view.id,
        "team_id": team,
        "type": given["type"],
        "blocks": echoed(view.blocks),
        "private_metadata": given.get("private_metadata", ""),
        "callback_id": given.get("callback_id", ""),
        "state": {"values": echoed_state(view.values)},
        "hash": view.hash,
        "title": _text(given.get("title")),
        "clear_on_close": given.get("clear_on_close", False),
        "notify_on_close": given.get("notify_on_close", False),
        "close": _text(given.get("close")),
        "submit": _text(given.get("submit")),
        "previous_view_id": view.previous_id,
        "root_view_id": view.root_id,
        "app_id": app.id,
        "external_id": view.external_id,
        "app_installed_team_id": team,
        "bot_id": app.bot_id,
    }


def _text(text: Any) -> Any:
    return None if text is None else echoed([text])[0]


def _given(call: MethodCall, kind: Literal["modal", "home"], current: View | None) -> dict[str, Any]:
    return given_view(call.bench, call.arguments.get("view"), kind, current, scopes=call.token.scopes)


def _existing(call: MethodCall) -> View:
    screens = call.bench.screens
    if call.text("view_id"):
        view = screens.view(call.text("view_id"))
    elif call.text("external_id"):
        view = screens.view_with_external_id(call.text("external_id"))
    else:
        raise invalid_arguments(["missing required field: view_id or external_id [json-pointer:/view_id]"])
    if view is None:
        raise SlackError("not_found")
    return view


METHODS = (
    Method("views.open", open_view, required=frozenset({"view", "trigger_id"})),
    Method("views.push", push, required=frozenset({"view", "trigger_id"})),
    Method("views.update", update, frozenset({"view_id", "external_id", "hash"}), frozenset({"view"})),
    Method("views.publish", publish, frozenset({"hash"}), frozenset({"view", "user_id"})),
)
