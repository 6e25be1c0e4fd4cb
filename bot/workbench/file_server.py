"""The bytes of files: where they are uploaded to, and where they are fetched, by the app with its token or by a person."""

from urllib.parse import quote

from aiohttp import web

from bot.workbench.bench import Bench
from bot.workbench.files import File

INLINE = frozenset({"image/png", "image/jpeg", "image/gif"})


class FileServer:
    """The routes for bytes."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.post("/upload/{secret}", self._upload),
            web.get("/files-pri/{place}/{file}", self._for_app),
            web.get("/files-pri/{place}/download/{file}", self._for_app),
            web.get("/workbench/files/{file}", self._for_person),
        ]

    async def _upload(self, request: web.Request) -> web.Response:
        """The second step of an upload: the body, or the one file of a form, of the length that was announced."""
        file = self._bench.files.expected(request.match_info["secret"])
        if file is None:
            return web.Response(status=404, text="not found")
        content = await _content(request)
        if len(content) != file.length:
            return web.Response(status=400, text=f"expected {file.length} bytes, got {len(content)}")
        file.content = content
        self._bench.journal.noted(f"{len(content)} bytes of {file.name} were uploaded")
        return web.Response(text=f"OK - {len(content)}")

    async def _for_app(self, request: web.Request) -> web.Response:
        """For a token with `files:read` (https://docs.slack.dev/reference/objects/file-object), else the log-in page."""
        token = self._bench.workspace.tokens.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        allowed = token is not None and token.refusal is None and "files:read" in token.scopes
        file = self._bench.files.get(request.match_info["file"])
        if not allowed:
            return web.Response(text="<html><title>Sign in to Slack</title></html>", content_type="text/html")
        if file is None or file.content is None or not self._bench.app_may_see(file):
            return web.Response(status=404, text="not found")
        return web.Response(body=file.content, content_type=file.mimetype)

    async def _for_person(self, request: web.Request) -> web.Response:
        """For whoever is in a conversation where it was shared, `?as=` that person; nothing but pictures is shown inline."""
        file = self._bench.files.get(request.match_info["file"])
        if file is None or file.content is None or not self._may_see(request.query.get("as", ""), file):
            return web.Response(status=404, text="not found")
        shown = "inline" if file.mimetype in INLINE else "attachment"
        kind = file.mimetype if file.mimetype in INLINE else "application/octet-stream"
        disposition = {"Content-Disposition": f"{shown}; filename*=UTF-8''{quote(file.name, safe='')}"}
        return web.Response(body=file.content, content_type=kind, headers=disposition)

    def _may_see(self, who: str, file: File) -> bool:
        workspace = self._bench.workspace
        person = workspace.person(who)
        if person is None:
            return False
        places = (workspace.conversations.get(place) for place in file.shared)
        return file.author == person.id or any(p is not None and workspace.may_see(person, p) for p in places)


async def _content(request: web.Request) -> bytes:
    if request.content_type != "multipart/form-data":
        return await request.read()
    for part in (await request.post()).values():
        if isinstance(part, web.FileField):
            return part.file.read()
    return b""
