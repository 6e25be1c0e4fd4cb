"""files.*: upload in three steps (ask for a URL, send the bytes there, complete), look at a file, delete it."""

import json
from collections.abc import Mapping
from typing import Any

from bot.workbench.block_checks import check_message
from bot.workbench.echo import with_ids
from bot.workbench.files import File, file_object
from bot.workbench.methods import Answer, Method, MethodCall
from bot.workbench.methods_chat import place_of, root_of
from bot.workbench.slack_errors import SlackError, invalid_arguments, missing_scope
from bot.workbench.workspace import Conversation, Message

ALT_TEXT = 1000  # https://docs.slack.dev/reference/methods/files.getUploadURLExternal


def get_upload_url(call: MethodCall) -> Answer:
    """Where to send the bytes, without a token, once; `length` is how many there will be."""
    length = _length(call)
    if len(call.text("alt_txt")) > ALT_TEXT:
        raise SlackError("alt_txt_too_large")
    files, app = call.bench.files, call.bench.workspace.app
    file = files.new(call.text("filename"), app.user, length, alt_text=call.text("alt_txt"))
    return {"upload_url": f"{call.bench.origin}/upload/{files.expect(file)}", "file_id": file.id}


def complete_upload(call: MethodCall) -> Answer:
    """Share files whose bytes have come, in one message for each conversation; without one they stay private.

    https://docs.slack.dev/reference/methods/files.completeUploadExternal

    Slack shares in the background and answers first; here the message is there with the answer.
    """
    files = [_uploaded(call, given) for given in _given_files(call)]
    places = [place_of(call, named, public_scope=None) for named in _places(call)]
    if call.text("thread_ts") and len(places) != 1:
        raise invalid_arguments(["must come with exactly one channel [json-pointer:/thread_ts]"])
    blocks = [] if call.text("initial_comment") else _blocks(call)
    for argument in ("username", "icon_emoji", "icon_url"):
        if call.arguments.get(argument) and "chat:write.customize" not in call.token.scopes:
            raise missing_scope("chat:write.customize", call.token.scopes)
    shared = [(place, root_of(call, place)) for place in places]
    for file, title in files:
        call.bench.files.complete(file)
        file.title = title or file.title
    for place, root in shared:
        _share(call, [file for file, _ in files], place, root, blocks)
    return {"files": [{"id": file.id, "title": file.title} for file, _ in files]}


def info(call: MethodCall) -> Answer:
    return {"file": _object(call, _visible(call)), "comments": [], "response_metadata": {"next_cursor": ""}}


def delete(call: MethodCall) -> Answer:
    """Only the app's own; it goes from the messages that showed it too."""
    file = _visible(call)
    if file.author != call.bench.workspace.app.user:
        raise SlackError("cant_delete_file")
    call.bench.files.remove(file)
    for conversation in call.bench.workspace.conversations.values():
        for message in conversation.messages:
            message.files = [kept for kept in message.files if kept is not file]
    call.bench.workspace.changes.happened()
    return {}


def _length(call: MethodCall) -> int:
    try:
        length = int(call.arguments["length"])
    except (TypeError, ValueError):
        length = 0
    if length < 1:
        raise invalid_arguments(["must be a whole number greater than 0 [json-pointer:/length]"])
    return length


def _given_files(call: MethodCall) -> list[Mapping[str, Any]]:
    given = call.arguments["files"]
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            given = None
    if not isinstance(given, list) or not given or not all(isinstance(one, Mapping) for one in given):
        raise invalid_arguments(["must be an array of files [json-pointer:/files]"])
    return given


def _uploaded(call: MethodCall, given: Mapping[str, Any]) -> tuple[File, str]:
    """A file of the app's own whose bytes have come and that was not completed before; with the title to give it."""
    file = call.bench.files.get(str(given.get("id")))
    own = file is not None and file.author == call.bench.workspace.app.user
    if file is None or not own or file.content is None or file.completed:
        raise SlackError("file_not_found")
    return file, str(given.get("title") or "")


def _places(call: MethodCall) -> list[str]:
    named = [call.text("channel_id"), *call.text("channels").split(",")]
    return list(dict.fromkeys(name.strip() for name in named if name.strip()))


def _blocks(call: MethodCall) -> list[dict[str, Any]]:
    blocks = call.arguments.get("blocks")
    if not blocks:
        return []
    check_message({"text": "-", "blocks": blocks}, strict=call.bench.strict)
    return with_ids(blocks)


def _share(
    call: MethodCall, files: list[File], place: Conversation, root: str | None, blocks: list[dict[str, Any]]
) -> None:
    workspace = call.bench.workspace
    message = Message(
        place.id,
        workspace.next_ts(),
        workspace.app.user,
        call.text("initial_comment"),
        blocks,
        thread_ts=root,
        files=files,
    )
    for file in files:
        file.shared.append(place.id)
    workspace.add(message)


def _visible(call: MethodCall) -> File:
    file = call.bench.files.get(call.text("file"))
    if file is None or not call.bench.app_may_see(file):
        raise SlackError("file_not_found")
    return file


def _object(call: MethodCall, file: File) -> Answer:
    return file_object(file, origin=call.bench.origin, team_id=call.bench.workspace.team_id)


_WRITE, _READ = frozenset({"files:write"}), frozenset({"files:read"})

METHODS = (
    Method(
        "files.getUploadURLExternal",
        get_upload_url,
        frozenset({"snippet_type", "alt_txt"}),
        frozenset({"filename", "length"}),
        _WRITE,
    ),
    Method(
        "files.completeUploadExternal",
        complete_upload,
        frozenset({"channel_id", "channels", "thread_ts", "initial_comment", "blocks"})
        | {"username", "icon_url", "icon_emoji"},
        frozenset({"files"}),
        _WRITE,
    ),
    Method("files.info", info, frozenset({"cursor", "limit"}), frozenset({"file"}), _READ),
    Method("files.delete", delete, required=frozenset({"file"}), scopes=_WRITE),
)
