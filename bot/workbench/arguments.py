"""Reads the arguments of a Web API call from wherever a client may put them: JSON body, form body or query string."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web

from bot.workbench.slack_errors import SlackError

_JSON_ARGUMENTS = frozenset({"blocks", "attachments", "message", "view", "metadata"})
_FLAGS = {"true": True, "1": True, "false": False, "0": False}
_FLAG_ARGUMENTS = frozenset(
    {
        "as_user",
        "exclude_archived",
        "exclude_muted",
        "force",
        "full",
        "include_all_metadata",
        "include_count",
        "include_disabled",
        "include_labels",
        "include_locale",
        "include_num_members",
        "include_users",
        "inclusive",
        "is_private",
        "link_names",
        "mrkdwn",
        "prevent_creation",
        "reply_broadcast",
        "return_im",
        "unfurl_links",
        "unfurl_media",
    }
)


async def read_arguments(request: web.Request) -> tuple[str | None, dict[str, Any]]:
    """The token and the arguments. JSON keeps its types; strings of a form or query are read as Slack reads them."""
    arguments = _from_strings(request.query)
    if request.can_read_body:
        arguments |= await _from_body(request)
    in_header = request.headers.get("Authorization", "")
    in_arguments = arguments.pop("token", None)
    token = in_header.removeprefix("Bearer ").strip() or in_arguments
    return (str(token) if token else None), arguments


async def _from_body(request: web.Request) -> dict[str, Any]:
    match request.content_type:
        case "multipart/form-data":
            form = await request.post()
            return _from_strings({key: value for key, value in form.items() if isinstance(value, str)})
        case "application/json":
            return _from_json(await request.read())
        case "application/x-www-form-urlencoded":
            body = (await request.read()).decode("utf-8", "replace")
            return _from_strings(dict(parse_qsl(body, keep_blank_values=True)))
        case _ if not await request.read():
            return {}
        case _:
            raise SlackError("invalid_post_type")


def _from_json(body: bytes) -> dict[str, Any]:
    try:
        arguments = json.loads(body)
    except ValueError:
        raise SlackError("invalid_json") from None
    if not isinstance(arguments, dict):
        raise SlackError("json_not_object")
    if isinstance(arguments.get("blocks"), str):
        raise SlackError("invalid_blocks_format")
    return arguments


def _from_strings(pairs: Mapping[str, str]) -> dict[str, Any]:
    return {key: _from_string(key, value) for key, value in pairs.items()}


def _from_string(key: str, value: str) -> Any:
    if key in _FLAG_ARGUMENTS:
        return _FLAGS.get(value.lower(), value)
    if key not in _JSON_ARGUMENTS:
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise SlackError("invalid_blocks_format" if key == "blocks" else "invalid_arguments") from None
