"""What the bot answers outside the Web API: in the ack of a command, and through a response URL."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from bot.workbench.bench import Bench
from bot.workbench.block_checks import check_message
from bot.workbench.echo import with_ids
from bot.workbench.journal import Call
from bot.workbench.response_urls import ResponseUrl, ResponseUrlError
from bot.workbench.slack_errors import SlackError
from bot.workbench.workspace import Conversation, Message, Person

HTTP_OK, HTTP_BAD_REQUEST, HTTP_NOT_FOUND = 200, 400, 404
_KNOWN = frozenset(
    {"text", "blocks", "response_type", "replace_original", "delete_original", "thread_ts", "unfurl_links"}
    | {"unfurl_media", "metadata", "attachments", "mrkdwn", "parse", "link_names"}
)


def apply_reply(bench: Bench, person: Person, conversation: Conversation, body: Any) -> None:
    """Show what came with the ack of a command: to the person alone, or to all who are there."""
    if body in (None, "", {}):
        return
    try:
        reply = _known({"text": body} if isinstance(body, str) else body)
        _post(bench, person.id, conversation.id, None, reply)
    except SlackError as error:
        bench.screens.toast(person.id, f'The command failed with the error "{error.error}"')


async def handle_response_url(bench: Bench, request: web.Request) -> web.Response:
    """A POST to a response URL; what is wrong is said in plain text (400, or 404 for one that is no longer good).

    https://docs.slack.dev/interactivity/handling-user-interaction; the words for one that is used up or too old are not documented.
    """
    reply: dict[str, Any] = {}
    try:
        reply = await _read(request)
        await bench.faults.strike("response_url", "before", reply)
        _apply(bench, bench.response_urls.use(request.match_info["secret"]), reply)
    except ResponseUrlError as error:
        return _refused(bench, reply, str(error), HTTP_NOT_FOUND)
    except SlackError as error:
        return _refused(bench, reply, error.error, error.status if error.status != HTTP_OK else HTTP_BAD_REQUEST)
    bench.journal.called(Call("response_url", reply, {"ok": True}))
    return web.json_response({"ok": True})


async def _read(request: web.Request) -> dict[str, Any]:
    try:
        reply = await request.json()
    except ValueError:
        raise SlackError("invalid_payload") from None
    return _known(reply)


def _known(reply: Any) -> dict[str, Any]:
    if not isinstance(reply, dict) or reply.keys() - _KNOWN:
        raise SlackError("invalid_payload")
    return reply


def _apply(bench: Bench, target: ResponseUrl, reply: Mapping[str, Any]) -> None:
    original = _original(bench, target)
    if reply.get("delete_original"):
        if original is not None:
            bench.workspace.remove(original)
        return
    if reply.get("replace_original") and original is not None:
        _check(bench, reply)
        bench.workspace.edit(original, text=reply.get("text", ""), blocks=with_ids(reply.get("blocks") or ()))
        return
    _post(bench, target.person, target.channel, reply.get("thread_ts"), reply)


def _original(bench: Bench, target: ResponseUrl) -> Message | None:
    """The app's own message that was acted on; a person's, on which a shortcut was chosen, is theirs."""
    if target.message_ts is None:
        return None
    message = bench.workspace.conversations[target.channel].message(target.message_ts)
    return message if message is not None and message.author == bench.workspace.app.user else None


def _post(bench: Bench, person: str, channel: str, thread_ts: str | None, reply: Mapping[str, Any]) -> None:
    _check(bench, reply)
    public = reply.get("response_type") == "in_channel"
    message = Message(
        channel,
        bench.workspace.next_ts(),
        bench.workspace.app.user,
        str(reply.get("text") or ""),
        with_ids(reply.get("blocks") or ()),
        thread_ts=thread_ts,
        only_for=None if public else person,
        by_response=True,
    )
    bench.workspace.add(message)


def _check(bench: Bench, reply: Mapping[str, Any]) -> None:
    if not reply.get("text") and not reply.get("blocks"):
        raise SlackError("no_text")
    check_message({key: reply[key] for key in ("text", "blocks") if reply.get(key)}, strict=bench.strict)


def _refused(bench: Bench, reply: Mapping[str, Any], error: str, status: int) -> web.Response:
    bench.journal.called(Call("response_url", reply, {"ok": False, "error": error}, status))
    return web.Response(text=error, status=status)
