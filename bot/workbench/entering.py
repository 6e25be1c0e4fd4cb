"""Turns what a test says a person answers (a label, a name, a date) into what an element's state holds."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from typing import Any

from bot.workbench.cards import NotThereError
from bot.workbench.elements import Offered, Placed, known_options, value_key
from bot.workbench.workspace import Workspace


def entered(workspace: Workspace, placed: Placed, answer: Any, offered: Offered) -> dict[str, Any]:
    """The answer as this element's state has it, without its type: options by text or value, people by name."""
    return {value_key(placed.type): _value(workspace, placed, answer, offered)}


def _value(workspace: Workspace, placed: Placed, answer: Any, offered: Offered) -> Any:  # noqa: PLR0911 - one for each kind of value
    key = value_key(placed.type)
    if answer is None:
        return [] if key == "files" or key.endswith("s") else None
    match key:
        case "selected_option":
            return _option(placed, answer, offered)
        case "selected_options":
            return [_option(placed, one, offered) for one in _several(answer)]
        case "selected_users":
            return [_person(workspace, one) for one in _several(answer)]
        case "selected_user":
            return _person(workspace, answer)
        case "selected_channel" | "selected_conversation":
            return _conversation(workspace, answer)
        case "selected_channels" | "selected_conversations":
            return [_conversation(workspace, one) for one in _several(answer)]
        case "selected_date_time":
            return _moment(answer)
        case "files":
            return list(_several(answer))
        case _:
            return _scalar(answer)


def _option(placed: Placed, answer: Any, offered: Offered) -> Mapping[str, Any]:
    options = known_options(placed, offered)
    for option in options:
        if answer in (option["text"]["text"], option.get("value")):
            return option
    raise NotThereError(f"{placed.label!r} has no option {answer!r}; it has {[o['text']['text'] for o in options]}")


def _person(workspace: Workspace, name: Any) -> str:
    person = workspace.person(str(name))
    return person.id if person else str(name)


def _conversation(workspace: Workspace, name: Any) -> str:
    conversation = workspace.conversation(str(name))
    return conversation.id if conversation else str(name)


def _several(answer: Any) -> Iterable[Any]:
    return answer if isinstance(answer, list | tuple | set | frozenset) else [answer]


def _moment(answer: Any) -> Any:
    """Seconds since 1970; a text such as `2026-11-30T09:00:00Z` is read."""
    if isinstance(answer, str) and not answer.isdecimal():
        try:
            answer = datetime.fromisoformat(answer)
        except ValueError:
            raise NotThereError(f"{answer!r} is no moment such as 2026-11-30T09:00:00Z") from None
    return int(answer.timestamp()) if isinstance(answer, datetime) else answer


def _scalar(answer: Any) -> Any:
    """Text, as Slack has it for numbers too; a rich text stays what it is."""
    match answer:
        case date():
            return answer.isoformat()
        case time():
            return answer.strftime("%H:%M")
        case dict():
            return answer
        case _:
            return str(answer)
