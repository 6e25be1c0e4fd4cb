"""What the bot answers outside the Web API: in the ack of a command, and through a response URL."""

from collections.abc import Mapping
from typing import Any

from aiohttp import web

from bot.workbench.bench import Bench
from bot.workbench.block_checks import check_message
from bot.workbench.echo import with_ids
from bot.workbench.fault_plans import ConnectionDropped
from bot.workbench.journal import Call
from bot.workbench.message_content import attachments_of
from bot.workbench.response_urls import ResponseUrl, ResponseUrlError
from bot.workbench.slack_errors import SlackError, cut
from bot.workbench.workspace import Conversation, Message, Person

NAME = "response_url"
"""What faults and the journal call it."""

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


async def handle_response_url(bench: Bench, request: web.Request) -> web.StreamResponse:
    """A POST to a response URL; what is wrong is said in plain text (400, or 404 for one that is no longer good).

    https://docs.slack.dev/interactivity/handling-user-interaction; the words for one that is used up or too old are not
    documented.
    """
    reply: dict[str, Any] = {}
    try:
        reply = await _read(request)
        await bench.faults.strike(NAME, "before", reply)
        _apply(bench, bench.response_urls.use(request.match_info["secret"]), reply)
    except ConnectionDropped:
        bench.journal.called(Call(NAME, reply, {"ok": False}, dropped=True))
        return cut(request)
    except ResponseUrlError as error:
        return _refused(bench, reply, str(error), HTTP_NOT_FOUND)
    except SlackError as error:
        return _refused(bench, reply, error.error, _status(error))
    return await _taken(bench, reply, request)


async def _taken(bench: Bench, reply: Mapping[str, Any], request: web.Request) -> web.StreamResponse:
    """The answer to a reply that is shown already: a fault that strikes now leaves it so."""
    entry = bench.journal.called(Call(NAME, reply, {"ok": True}))
    try:
        await bench.faults.strike(NAME, "after", reply)
    except ConnectionDropped:
        bench.journal.corrected(entry, Call(NAME, reply, {"ok": True}, 0, dropped=True))
        return cut(request)
    except SlackError as error:
        bench.journal.corrected(entry, Call(NAME, reply, {"ok": True}, _status(error), dropped=True))
        return web.Response(text=error.error, status=_status(error))
    return web.json_response({"ok": True})


def _status(error: SlackError) -> int:
    return HTTP_BAD_REQUEST if error.status == HTTP_OK else error.status


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
        attached = _checked(bench, reply)
        blocks = with_ids(reply.get("blocks") or ())
        bench.workspace.edit(original, text=reply.get("text") or "", blocks=blocks, attachments=attached)
        return
    _post(bench, target.person, target.channel, reply.get("thread_ts"), reply)


def _original(bench: Bench, target: ResponseUrl) -> Message | None:
    """The app's own message that was acted on; a person's, on which a shortcut was chosen, is theirs."""
    if target.message_ts is None:
        return None
    message = bench.workspace.conversations[target.channel].message(target.message_ts)
    return message if message is not None and message.author == bench.workspace.app.user else None


def _post(bench: Bench, person: str, channel: str, thread_ts: Any, reply: Mapping[str, Any]) -> None:
    attached, root = _checked(bench, reply), _root(bench, channel, thread_ts)
    public = reply.get("response_type") == "in_channel"
    message = Message(
        channel,
        bench.workspace.next_ts(),
        bench.workspace.app.user,
        str(reply.get("text") or ""),
        with_ids(reply.get("blocks") or ()),
        attachments=attached,
        thread_ts=root,
        only_for=None if public else person,
        by_response=True,
    )
    bench.workspace.add(message)


def _root(bench: Bench, channel: str, thread_ts: Any) -> str | None:
    """The thread to answer in; how Slack refuses one that is not there is not documented."""
    if not thread_ts:
        return None
    root = bench.workspace.conversations[channel].message(str(thread_ts))
    if root is None or root.ephemeral:
        raise SlackError("cannot_reply_to_message")
    return root.thread_ts or root.ts


def _checked(bench: Bench, reply: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The attachments of a reply that can be shown."""
    attached = attachments_of(reply.get("attachments"), strict=bench.strict) or []
    said = {key: reply[key] for key in ("text", "blocks") if reply.get(key)}
    if not said and not attached:
        raise SlackError("no_text")
    if said:
        check_message(said, strict=bench.strict)
    return attached


def _refused(bench: Bench, reply: Mapping[str, Any], error: str, status: int) -> web.Response:
    bench.journal.called(Call("response_url", reply, {"ok": False, "error": error}, status))
    return web.Response(text=error, status=status)
