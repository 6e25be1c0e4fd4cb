"""The app's answer to what was typed into an external select: a hundred options or groups at most, each as Slack allows."""

from collections.abc import Mapping
from typing import Any

from bot.workbench.block_checks import check_view
from bot.workbench.elements import Offered, Placed, options_of
from bot.workbench.slack_errors import SlackError

MIN_QUERY_LENGTH = 3  # the default: https://docs.slack.dev/reference/block-kit/block-elements


def asks_for(placed: Placed, typed: str) -> bool:
    """Whether enough was typed for Slack's client to ask the app."""
    return len(typed) >= int(placed.element.get("min_query_length", MIN_QUERY_LENGTH))


def suggested(body: Any, *, strict: bool) -> dict[str, Any] | None:
    """The options or groups of an answer, `None` where Slack would not show them.

    https://docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
    """
    if not isinstance(body, Mapping):
        return None
    given = {key: body[key] for key in ("options", "option_groups") if key in body}
    if len(given) != 1 or len(given) != len(body):
        return None
    ((key, choices),) = given.items()
    if choices == []:
        return {key: []}
    try:
        check_view(_view_with(given), "modal", strict=strict)
    except SlackError:
        return None
    return {key: choices}


def offer(offered: Offered, placed: Placed, answer: Mapping[str, Any]) -> None:
    """Remember what was suggested: all of it may be chosen, also after something else was typed."""
    known = offered.setdefault((placed.block_id, placed.action_id), [])
    known.extend(option for option in options_of(answer) if option not in known)


def _view_with(given: Mapping[str, Any]) -> dict[str, Any]:
    """A form with a select that has these options, for the rules that hold for them."""
    plain = {"type": "plain_text", "text": "-"}
    element = {"type": "static_select", "action_id": "select", **given}
    block = {"type": "input", "block_id": "input", "label": plain, "element": element}
    return {"type": "modal", "title": plain, "submit": plain, "blocks": [block]}
