"""The people file as it is now: read again when it has changed, so that a new rota needs no restart."""

import asyncio
from pathlib import Path

import structlog

from bot.directory.people_file import PeopleFile, load_people
from bot.engine.people import CouldNotVerify
from bot.yaml_file import FileError

log = structlog.get_logger(__name__)

_Mark = tuple[int, int, int]


class PeopleBook:
    """The file, which may be none. A new version with mistakes in it verifies nobody, rather than the old one go on."""

    def __init__(self, path: Path | None) -> None:
        """Raises `FileError` with every mistake that the file has at the start."""
        self._path = path
        self._mark = _mark(path) if path else None
        self._file: PeopleFile | None = load_people(path) if path else PeopleFile()

    async def open(self) -> PeopleFile:
        """What the file says. Raises `CouldNotVerify` where it cannot be used as it is."""
        if self._path is not None and (mark := _mark(self._path)) != self._mark:
            self._mark, self._file = mark, await self._read(self._path)
        if self._file is None:
            raise CouldNotVerify("the people file has mistakes: see the log")
        return self._file

    async def _read(self, path: Path) -> PeopleFile | None:
        try:
            found = await asyncio.to_thread(load_people, path)
        except FileError as error:
            log.error("people_file_unusable", mistakes=error.mistakes)  # noqa: TRY400 - the sentences say it all
            return None
        log.info("people_file_read_again", path=str(path))
        return found


def _mark(path: Path) -> _Mark | None:
    """What changes with every new version of a file; `None` where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
