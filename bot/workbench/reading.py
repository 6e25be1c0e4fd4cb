"""Turns blocks and marked-up text into the words that a person reads."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bot.workbench.workspace import Workspace

_TOKEN = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")
_CALL = re.compile(r"@|!(?:here|channel|everyone|subteam)")
_BARE_CALL = re.compile(r"(?<!\w)@(here|channel|everyone)\b")
_UNREAD = frozenset({"accessory", "actions", "element", "url", "image_url", "value"})
_LITERAL, _MARKED_UP = frozenset({"plain_text", "raw_text"}), frozenset({"mrkdwn", "markdown"})


def words_of_blocks(workspace: Workspace, blocks: Iterable[Mapping[str, Any]]) -> str:
    """All text of the blocks, a line per text; what stands on buttons and in inputs is not part of it."""
    return "\n".join(line for line in _lines(workspace, blocks) if line)


def words_of_attachments(workspace: Workspace, attachments: Iterable[Mapping[str, Any]]) -> str:
    """What is read of legacy attachments, a line per part."""
    lines: list[str] = []
    for attachment in attachments:
        parts = (attachment.get(part) for part in ("pretext", "author_name", "title", "text", "footer"))
        lines += [words(workspace, str(part)) for part in parts if part]
        lines += [f"{field.get('title', '')}: {field.get('value', '')}" for field in attachment.get("fields", ())]
        lines += _lines(workspace, attachment.get("blocks", ()))
    return "\n".join(line for line in lines if line)


def words(workspace: Workspace, markup: str) -> str:
    """Marked-up text as it is read: mentions by name, links by label, dates by their fallback, entities decoded."""
    read = _TOKEN.sub(lambda token: _read_token(workspace, token), markup)
    return read.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def markup_of_blocks(blocks: Iterable[Mapping[str, Any]]) -> str:
    """All text of the blocks as the bot wrote it."""
    return "\n".join(str(text["text"]) for text in _texts(list(blocks)))


def pings(blocks: Iterable[Mapping[str, Any]], text: str) -> list[str]:
    """Whom a message calls, in reading order: `U…` of people, `!channel` and the like of many at once."""
    found = _called(text)
    for block in blocks:
        found += _called_in_rich_text(block) if block["type"] == "rich_text" else []
        found += [name for written in _texts(block) if written["type"] in _MARKED_UP for name in _called_by(written)]
    return list(dict.fromkeys(found))


def _called_by(written: Mapping[str, Any]) -> list[str]:
    bare = [] if written.get("verbatim") else [f"!{name}" for name in _BARE_CALL.findall(written["text"])]
    return _called(written["text"]) + bare


def _called(markup: str) -> list[str]:
    targets = (token.group(1) for token in _TOKEN.finditer(markup))
    return [target.removeprefix("@") for target in targets if _CALL.match(target)]


def _called_in_rich_text(node: Mapping[str, Any]) -> list[str]:
    match node.get("type"):
        case "user":
            return [str(node["user_id"])]
        case "usergroup":
            return [f"!subteam^{node['usergroup_id']}"]
        case "broadcast":
            return [f"!{node['range']}"]
        case _:
            return [name for element in node.get("elements", ()) for name in _called_in_rich_text(element)]


def _lines(workspace: Workspace, blocks: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for block in blocks:
        if block["type"] == "rich_text":
            yield _rich(workspace, block)
        elif block["type"] == "image":
            yield str(block.get("alt_text", ""))
        elif block["type"] == "table":
            for row in block.get("rows", ()):
                yield " | ".join(_cell(workspace, cell) for cell in row)
        else:
            for text in _texts(block):
                yield text["text"] if text["type"] in _LITERAL else words(workspace, text["text"])


def _cell(workspace: Workspace, cell: Mapping[str, Any]) -> str:
    return _rich(workspace, cell) if cell.get("type") == "rich_text" else str(cell.get("text", cell.get("value", "")))


def _texts(node: Any) -> Iterator[Mapping[str, Any]]:
    """The text objects in a block, without those of its interactive elements."""
    if isinstance(node, list):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, Mapping):
        if node.get("type") in _LITERAL | _MARKED_UP and isinstance(node.get("text"), str):
            yield node
        elif node.get("type") != "actions":
            for key, value in node.items():
                if key not in _UNREAD:
                    yield from _texts(value)


def _rich(workspace: Workspace, node: Mapping[str, Any]) -> str:  # noqa: PLR0911 - one for each kind of element
    match node.get("type"):
        case "text":
            return str(node["text"])
        case "link":
            return str(node.get("text") or node["url"])
        case "user":
            return _name(workspace, str(node["user_id"]))
        case "usergroup":
            return _group(workspace, str(node["usergroup_id"]))
        case "broadcast":
            return f"@{node['range']}"
        case "channel":
            return _channel(workspace, str(node["channel_id"]))
        case "emoji":
            return f":{node['name']}:"
        case "date":
            return str(node.get("fallback", ""))
        case "rich_text" | "rich_text_list":
            return "\n".join(_rich(workspace, element) for element in node.get("elements", ()))
        case _:
            return "".join(_rich(workspace, element) for element in node.get("elements", ()))


def _read_token(workspace: Workspace, token: re.Match[str]) -> str:
    target, label = token.groups()
    if target.startswith("@"):
        return _name(workspace, target[1:])
    if target.startswith("#"):
        return _channel(workspace, target[1:])
    if target.startswith("!subteam^"):
        return _group(workspace, target.removeprefix("!subteam^"))
    if target.startswith("!"):
        return label or f"@{target[1:]}"
    return label or target


def _name(workspace: Workspace, person_id: str) -> str:
    person = workspace.people.get(person_id)
    return f"@{person.real_name}" if person else f"@{person_id}"


def _group(workspace: Workspace, group_id: str) -> str:
    group = workspace.groups.get(group_id)
    return f"@{group.handle}" if group else f"@{group_id}"


def _channel(workspace: Workspace, channel_id: str) -> str:
    conversation = workspace.conversations.get(channel_id)
    return f"#{conversation.name}" if conversation else f"#{channel_id}"
