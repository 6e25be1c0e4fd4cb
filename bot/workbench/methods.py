"""What a method of the Web API is here: which token and scopes it needs, which arguments it takes, what it does."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.workbench.bench import Bench
from bot.workbench.slack_errors import SlackError, invalid_arguments, missing_scope
from bot.workbench.workspace import Conversation, Person, Token

PAGE_LIMIT = 1000
READ_SCOPES: Mapping[str, str] = {"channel": "channels:read", "private": "groups:read", "dm": "im:read"}
HISTORY_SCOPES: Mapping[str, str] = {"channel": "channels:history", "private": "groups:history", "dm": "im:history"}


@dataclass(frozen=True, slots=True)
class MethodCall:
    """One call that has passed the checks common to all methods."""

    bench: Bench
    method: str
    token: Token
    arguments: Mapping[str, Any]

    def text(self, name: str) -> str:
        """An argument that has to be a string; absent is empty."""
        value = self.arguments.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise invalid_arguments([f"must be a string [json-pointer:/{name}]"])
        return value

    def flag(self, name: str) -> bool:
        return bool(self.arguments.get(name, False))

    def needs(self, scope: str) -> None:
        """`missing_scope`, with what is needed and what is provided, unless the token has it."""
        if scope not in self.token.scopes:
            raise missing_scope(scope, self.token.scopes)

    def needs_one_of(self, *scopes: str) -> None:
        """At least one of these; where there is none the first one is named as missing."""
        if not self.token.scopes.intersection(scopes):
            raise missing_scope(scopes[0], self.token.scopes)

    def visible_conversation(self, name: str = "channel") -> Conversation:
        """The conversation named by id; a private one that the bot is not in does not exist for it.

        The name of that error is not documented for private channels: `channel_not_found` tells least.
        """
        conversation = self.bench.workspace.conversations.get(self.text(name))
        if conversation is None:
            raise SlackError("channel_not_found")
        if conversation.kind != "channel" and not self.is_in(conversation):
            raise SlackError("channel_not_found")
        return conversation

    def is_in(self, conversation: Conversation) -> bool:
        return self.bench.workspace.app.user in conversation.members

    def person(self, name: str) -> Person:
        person = self.bench.workspace.people.get(self.text(name))
        if person is None:
            raise SlackError("user_not_found")
        return person


Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Method:
    """A row of the table of methods; `answer` returns the body without `ok`."""

    name: str
    answer: Callable[[MethodCall], Answer]
    optional: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    scopes: frozenset[str] = frozenset()
    token: Literal["bot", "app", "any", "none"] = "bot"  # noqa: S105 - the kind of token, not one


def page_of(items: list[Any], call: MethodCall, *, default: int = 100) -> tuple[list[Any], Answer]:
    """One page of a list, and the cursor of the next one in Slack's wrapping."""
    start = _whole(call.arguments.get("cursor") or 0, "invalid_cursor")
    limit = _whole(call.arguments.get("limit") or default, "invalid_limit")
    if start < 0:
        raise SlackError("invalid_cursor")
    if not 1 <= limit <= PAGE_LIMIT:
        raise SlackError("invalid_limit")
    following = str(start + limit) if start + limit < len(items) else ""
    return items[start : start + limit], {"response_metadata": {"next_cursor": following}}


def _whole(given: Any, error: str) -> int:
    try:
        return int(given)
    except (TypeError, ValueError, OverflowError):
        raise SlackError(error) from None
