"""A wire between the store and a PostgreSQL server that breaks exactly where a test wants it to."""

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum, auto
from pathlib import Path

# As it ends on the wire; a transaction that begins is told that it is READ COMMITTED.
COMMIT = b"COMMIT\0"


class Cut(Enum):
    """Where the wire breaks: as the next commit is on its way, or when the server has confirmed it."""

    BEFORE_COMMIT = auto()
    AFTER_COMMIT = auto()


class Wire:
    """Listens on a port of this machine, and hands everything on to the socket of a server."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.cut: Cut | None = None
        self.cuts = 0
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        server.connect(str(self._server))
        with client, server, suppress(OSError):
            while self._pass_on(client, server):
                pass

    def _pass_on(self, client: socket.socket, server: socket.socket) -> bool:
        """False: the wire is broken, or somebody hung up."""
        ready, _, _ = select.select([client, server], [], [])
        for source, target in ((client, server), (server, client)):
            if source not in ready:
                continue
            data = source.recv(65536)
            if not data or (source is client and COMMIT in data and self._breaks(data, server)):
                return False
            target.sendall(data)
        return True

    def _breaks(self, data: bytes, server: socket.socket) -> bool:
        cut, self.cut = self.cut, None
        if cut is Cut.AFTER_COMMIT:
            server.sendall(data)
            server.recv(65536)
        self.cuts += cut is not None
        return cut is not None


@contextmanager
def a_wire(server: Path) -> Iterator[Wire]:
    wire = Wire(server)
    try:
        yield wire
    finally:
        wire.close()
