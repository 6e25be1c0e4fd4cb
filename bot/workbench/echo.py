"""How Slack gives an app its own blocks back: ids filled in, defaults spelled out, text escaped."""

import re
import secrets
from collections.abc import Iterable, Mapping
from typing import Any

from bot.workbench.elements import BLOCKS_WITHIN

_ENTITY = re.compile(r"&(?!(?:amp|lt|gt);)")
_ID_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"
_WITHOUT_ACTION_ID = frozenset({"image", "mrkdwn", "plain_text"})


def with_ids(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A copy of the blocks in which every block and every interactive element has an id, as Slack stores them."""
    return [_block_with_ids(block) for block in blocks]


def echoed(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The blocks as they come back in payloads and history: text objects complete, `&`, `<` and `>` escaped.

    https://github.com/slackapi/bolt-python/issues/513
    """
    return [_echo(block, parent="") for block in blocks]


def echoed_state(values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """`state.values` as they come back: the texts of options complete and escaped, what people typed as it is."""
    return {
        block_id: {key: _echo(value, parent="") for key, value in block.items()} for block_id, block in values.items()
    }


def escaped(text: str) -> str:
    """Plain text as Slack returns it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_echoed(text: str) -> str:
    """Marked-up text as Slack returns it: tokens in angle brackets stay, a bare ampersand is escaped."""
    return _ENTITY.sub("&amp;", text)


def new_id(length: int = 5) -> str:
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(length))


def _block_with_ids(block: Mapping[str, Any]) -> dict[str, Any]:
    copy = {**block, "block_id": block.get("block_id") or new_id()}
    if copy["type"] == "actions":
        copy["elements"] = [_element_with_id(element) for element in block.get("elements", ())]
    if copy["type"] == "card" and "actions" in block:
        copy["actions"] = [_element_with_id(element) for element in block["actions"]]
    inside = BLOCKS_WITHIN.get(copy["type"], "")
    if inside in block:
        copy[inside] = with_ids(block[inside])
    for slot in ("accessory", "element"):
        if isinstance(block.get(slot), Mapping):
            copy[slot] = _element_with_id(block[slot])
    if copy["type"] == "input":
        copy = {"optional": False, "dispatch_action": False, **copy}
    return copy


def _element_with_id(element: Mapping[str, Any]) -> dict[str, Any]:
    if element.get("type") in _WITHOUT_ACTION_ID:
        return dict(element)
    return {**element, "action_id": element.get("action_id") or new_id()}


def _echo(node: Any, *, parent: str) -> Any:
    if isinstance(node, Mapping):
        return _echo_object(node, parent)
    if isinstance(node, list):
        return [_echo(item, parent=parent) for item in node]
    return node


def _echo_object(node: Mapping[str, Any], parent: str) -> dict[str, Any]:
    match node.get("type"):
        case "plain_text" if isinstance(node.get("text"), str):
            return {"emoji": True, **node, "text": escaped(node["text"])}
        case "mrkdwn" if isinstance(node.get("text"), str):
            return {"verbatim": False, **node, "text": text_echoed(node["text"])}
        case "text" if parent == "rich_text" and isinstance(node.get("text"), str):
            return {**node, "text": escaped(node["text"])}
        case kind:
            inside = "rich_text" if kind == "rich_text" or parent == "rich_text" else ""
            return {key: _echo(value, parent=inside) for key, value in node.items()}
