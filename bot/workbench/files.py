"""The files of the workspace: what the app or a person uploads, and where it was shared."""

import itertools
import mimetypes
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, eq=False)
class File:
    """One file. `content` is `None` until its bytes have come; `shared` are the conversations that can see it."""

    id: str
    name: str
    author: str
    length: int
    title: str = ""
    alt_text: str = ""
    content: bytes | None = None
    completed: bool = False
    given_to_app: bool = False
    """Whether a person chose it in a `file_input` of the app's."""
    shared: list[str] = field(default_factory=list)
    made_at: int = field(default_factory=lambda: int(time.time()))

    @property
    def mimetype(self) -> str:
        return mimetypes.guess_type(self.name)[0] or "application/octet-stream"


class Files:
    """All files by id."""

    def __init__(self) -> None:
        self._files: dict[str, File] = {}
        self._expected: dict[str, File] = {}
        self._numbers = itertools.count(1)

    def new(self, name: str, author: str, length: int, *, title: str = "", alt_text: str = "") -> File:
        file = File(f"F0{next(self._numbers):08d}", name, author, length, title or name, alt_text)
        self._files[file.id] = file
        return file

    def get(self, file_id: str) -> File | None:
        return self._files.get(file_id)

    def expect(self, file: File) -> str:
        """The secret under which the bytes of this file may come."""
        secret = secrets.token_urlsafe(24)
        self._expected[secret] = file
        return secret

    def expected(self, secret: str) -> File | None:
        """The file whose bytes come now; until it is completed they may come again."""
        return self._expected.get(secret)

    def complete(self, file: File) -> None:
        """The file is there from now on, and its bytes cannot come again."""
        file.completed = True
        self._expected = {secret: other for secret, other in self._expected.items() if other is not file}

    def remove(self, file: File) -> None:
        self._files.pop(file.id, None)


def file_object(file: File, *, origin: str, team_id: str) -> dict[str, Any]:
    """A file as messages, `state.values` and files.info give it; its bytes are behind the token at `url_private`."""
    url = f"{origin}/files-pri/{team_id}-{file.id}"
    suffix = file.name.rpartition(".")[2] if "." in file.name else ""
    found: Mapping[str, Any] = {
        "id": file.id,
        "created": file.made_at,
        "timestamp": file.made_at,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": suffix or "binary",
        "pretty_type": suffix.upper() or "Binary",
        "user": file.author,
        "user_team": team_id,
        "editable": False,
        "size": file.length,
        "mode": "hosted",
        "is_external": False,
        "is_public": False,
        "url_private": f"{url}/{file.id}",
        "url_private_download": f"{url}/download/{file.id}",
        "file_access": "visible",
    }
    return dict(found) | ({"alt_txt": file.alt_text} if file.alt_text else {})
