"""What a person may choose in an element: its own options, people and conversations that they can see, real dates."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from bot.workbench.acting import ActError
from bot.workbench.bench import Bench
from bot.workbench.elements import Offered, Placed, known_options, once, option_with_value, value_key
from bot.workbench.files import file_object
from bot.workbench.workspace import Conversation, Person

_FILTERED = {"channel": "public", "private": "private", "dm": "im"}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HOUR = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def chosen_in(
    bench: Bench, person: Person, placed: Placed, chosen: Mapping[str, Any], offered: Offered
) -> dict[str, Any]:
    """What was chosen, in the shape of `state.values` without its type; empty for a button.

    Raises `ActError` for what Slack's own client would not have let the person choose.
    """
    if placed.type in ("button", "workflow_button"):
        return {}
    key = value_key(placed.type)
    value = chosen.get(key)
    if value is None:
        return {key: [] if key == "files" or key.endswith("s") else None}
    _check_count(placed, value)
    match key:
        case "selected_option":
            return {key: _option(placed, value, offered)}
        case "selected_options":
            return {key: once(_option(placed, one, offered) for one in value)}
        case "files":
            return {key: [_file(bench, person, one) for one in value]}
        case _:
            _check(bench, person, placed, key, value)
            return {key: value} | ({"timezone": placed.element["timezone"]} if "timezone" in placed.element else {})


def _option(placed: Placed, chosen: Mapping[str, Any], offered: Offered) -> Mapping[str, Any]:
    """The option as the app wrote it; one that it does not have was not chosen."""
    option = option_with_value(known_options(placed, offered), chosen.get("value"))
    if option is None:
        raise ActError("There is no such option.")
    return option


def _check(bench: Bench, person: Person, placed: Placed, key: str, value: Any) -> None:
    match key:
        case "selected_user" | "selected_users":
            _check_people(bench, _several(value))
        case "selected_channel" | "selected_channels" | "selected_conversation" | "selected_conversations":
            _check_conversations(bench, person, placed, _several(value))
        case "selected_date":
            _check_date(value)
        case "selected_time" if not _HOUR.fullmatch(str(value)):
            raise ActError("That is not a time of day.")
        case "selected_date_time" if isinstance(value, bool) or not isinstance(value, int):
            raise ActError("That is not a moment.")
        case "value" if not isinstance(value, str):
            raise ActError("That is not a text.")
        case "rich_text_value" if not isinstance(value, Mapping) or value.get("type") != "rich_text":
            raise ActError("That is not a rich text.")
        case _:
            return


def _check_people(bench: Bench, ids: Iterable[str]) -> None:
    people = bench.workspace.people
    if any(who not in people or people[who].deactivated for who in ids):
        raise ActError("There is no such person.")


def _check_conversations(bench: Bench, person: Person, placed: Placed, ids: Iterable[str]) -> None:
    """What is listed for this person: https://docs.slack.dev/reference/block-kit/composition-objects."""
    for which in ids:
        conversation = bench.workspace.conversations.get(which)
        if conversation is None or not bench.workspace.may_see(person, conversation):
            raise ActError("There is no such conversation.")
        if not _is_listed(placed, conversation):
            raise ActError("That conversation cannot be chosen here.")


def _is_listed(placed: Placed, conversation: Conversation) -> bool:
    """`channels_select` lists public channels alone; the `filter` of a `conversations_select` says what it lists.

    The only direct messages here are those with the app, which is a bot.
    """
    if placed.type.endswith("channels_select"):
        return conversation.kind == "channel"
    wanted = placed.element.get("filter") or {}
    if conversation.kind == "dm" and wanted.get("exclude_bot_users"):
        return False
    return "include" not in wanted or _FILTERED[conversation.kind] in wanted["include"]


def _check_date(value: Any) -> None:
    """`YYYY-MM-DD`: https://docs.slack.dev/reference/block-kit/block-elements/date-picker-element."""
    written = str(value) if _DAY.fullmatch(str(value)) else ""
    try:
        date.fromisoformat(written)
    except ValueError:
        raise ActError("That is not a date.") from None


def _check_count(placed: Placed, value: Any) -> None:
    """Slack's client lets nobody choose more than `max_selected_items`; in a form it says so under the field."""
    most = placed.element.get("max_selected_items")
    if placed.block["type"] != "input" and most is not None and len(value) > most:
        raise ActError(f"Please choose at most {most}.")


def _file(bench: Bench, person: Person, given: Mapping[str, Any]) -> dict[str, Any]:
    file = bench.files.get(str(given.get("id")))
    if file is None or file.author != person.id:
        raise ActError("There is no such file.")
    file.given_to_app = True
    return file_object(file, origin=bench.origin, team_id=bench.workspace.team_id)


def _several(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
