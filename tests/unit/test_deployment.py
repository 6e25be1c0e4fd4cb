"""What the files for deploying say is what the program is: commands, settings, ports, packages, versions, users."""

import configparser
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from bot.cli.commands import app
from bot.server import MOST_BYTES
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "docs" / "deploy"
PAGES = sorted(DEPLOY.glob("*.md"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = {Settings.env_name(name) for name in Settings.model_fields}
OF_PYTHON = {
    "PATH",
    "PYTHONPATH",
    "PYTHONSAFEPATH",
    "PYTHONUNBUFFERED",
    "PIP_NO_CACHE_DIR",
    "PIP_DISABLE_PIP_VERSION_CHECK",
}
OF_POSTGRESQL = {"POSTGRES_DB", "POSTGRES_PASSWORD", "POSTGRES_USER"}
TEXTS = (*PAGES, ROOT / "Dockerfile", ROOT / "compose.yml", DEPLOY / "signoff.service")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's, each with its words, of all stages."""
    text = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines if line.strip())]


def of_the_image(word: str) -> list[str]:
    """What the last stage says."""
    last = [number for number, (each, _) in enumerate(instructions()) if each == "FROM"][-1]
    return [rest for each, rest in instructions()[last:] if each == word]


def environment() -> dict[str, str]:
    return dict(pair.split("=", 1) for line in of_the_image("ENV") for pair in shlex.split(line))


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yml").read_text(encoding="utf-8"))
    return found


def unit() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(delimiters="=", interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(DEPLOY / "signoff.service", encoding="utf-8")
    return parser["Service"]


def commands() -> dict[str, set[str]]:
    """Each command of the program with its options."""
    group: Any = typer.main.get_command(app)
    return {
        name: {option for each in command.params for option in each.opts} | {"--help"}
        for name, command in group.commands.items()
    }


def is_fine(words: list[str]) -> bool:
    """Whether the program has this command, and the options that it is given."""
    name, *rest = words
    known = commands().get(name.strip(","), set())
    return bool(known) and all(each.partition("=")[0] in known for each in rest if each.startswith("--"))


@pytest.mark.parametrize("file", TEXTS, ids=lambda path: path.name)
def test_each_command_of_the_program_exists(file: Path):
    text = file.read_text(encoding="utf-8")
    spoken = re.findall(r"(?:`|\$ |dev |bin/|exec bot )signoff ([a-z][^`\n|#&>]*)", text)
    assert [words for words in spoken if not is_fine(shlex.split(words))] == []


@pytest.mark.parametrize("file", TEXTS, ids=lambda path: path.name)
def test_each_variable_is_a_setting(file: Path):
    text = file.read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:SIGNOFF|SLACK|POSTGRES|PYTHON|PIP)_?[A-Z_]+\b|\bDATABASE_URL\b", text))
    assert named - SETTINGS - OF_PYTHON - OF_POSTGRESQL == set()


def test_what_they_set_is_taken_by_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    for name, value in (environment() | compose()["services"]["bot"]["environment"]).items():
        monkeypatch.setenv(name, value)
    settings = Settings.load()
    assert (settings.host, settings.port, settings.log_format) == ("0.0.0.0", 3000, "json")  # noqa: S104 - in a container
    assert settings.database_url.startswith("postgresql://signoff:")


def test_the_ports_are_one():
    port = environment()["SIGNOFF_PORT"]
    assert of_the_image("EXPOSE") == [port]
    (check,) = of_the_image("HEALTHCHECK")
    assert f"http://127.0.0.1:{port}/healthz" in check
    bot = compose()["services"]["bot"]
    assert bot["environment"]["SIGNOFF_PORT"] == port
    assert [each.split(":") for each in bot["ports"]] == [["127.0.0.1", port, port]]
    proxy = (DEPLOY / "reverse-proxy.md").read_text(encoding="utf-8")
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", proxy)) == {port}


def test_the_health_check_is_python_and_runs_without_a_shell():
    (check,) = of_the_image("HEALTHCHECK")
    program, flag, code = json.loads(check.partition("CMD ")[2])
    assert (program, flag) == ("python", "-c")
    compile(code, "health check", "exec")


def test_the_images_python_is_one_that_the_program_runs_on():
    versions = {
        match[1]
        for each, rest in instructions()
        if each == "FROM" and (match := re.match(r"python:([\d.]+)-slim", rest))
    }
    (version,) = versions
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert tuple(map(int, version.split("."))) >= (3, 11) <= sys.version_info[:2]


def test_the_image_runs_the_bot_as_nobody_in_particular():
    assert of_the_image("USER") == ["signoff"]
    assert any("useradd" in each and "--uid 10001" in each for each in of_the_image("RUN"))
    assert json.loads(of_the_image("CMD")[0]) == ["signoff", "serve"]
    assert environment()["PYTHONSAFEPATH"] == "1"


def test_the_image_is_built_from_what_is_there_and_not_ignored():
    copied = [rest.split()[:-1] for each, rest in instructions() if each == "COPY" and "--from" not in rest]
    paths = [path for paths in copied for path in paths]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    let_in = {
        line[1:] for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line.startswith("!")
    }
    assert set(paths) == let_in
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) <= set(paths)
    assert {PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]} <= set(paths)


def test_the_image_has_what_the_lock_says_with_every_extra_and_without_the_tools():
    (install,) = [rest for each, rest in instructions() if each == "RUN" and "requirements.lock" in rest]
    assert "--require-hashes" in install
    (taken_out,) = [rest.partition("uninstall --yes ")[2].split() for _, rest in instructions() if "uninstall" in rest]
    extras = PROJECT["project"]["optional-dependencies"].values()
    needed = names(PROJECT["project"]["dependencies"]).union(*map(names, extras))
    assert set(taken_out) - {"pip"} == names(PROJECT["dependency-groups"]["dev"]) - needed
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert [name for name in (*needed, "psycopg-binary") if not re.search(rf"^{name}==", lock, re.MULTILINE)] == []


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[<>=! ;]", each)[0] for each in requirements}


def test_compose_waits_for_a_database_that_is_healthy():
    services = compose()["services"]
    assert services["bot"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert services["database"]["healthcheck"]["test"][1] == "pg_isready"
    assert services["bot"]["env_file"] == ".env"
    for service in services.values():
        assert {volume.partition(":")[0] for volume in service["volumes"]} <= set(compose()["volumes"])


def test_whoever_stops_it_waits_longer_than_it_drains():
    assert compose()["services"]["bot"]["stop_grace_period"] == "60s"
    assert unit()["TimeoutStopSec"] == "60"


def test_the_unit_runs_the_bot_as_nobody_in_particular_where_it_may_write():
    assert unit()["ExecStart"] == "/opt/signoff/bin/signoff serve"
    assert unit()["DynamicUser"] == "yes"
    assert unit()["WorkingDirectory"] == f"/var/lib/{unit()['StateDirectory']}"
    assert "PYTHONSAFEPATH=1" in unit()["Environment"].split()


def test_a_proxy_lets_through_what_the_bot_lets_in():
    proxy = (DEPLOY / "reverse-proxy.md").read_text(encoding="utf-8")
    assert f"client_max_body_size {MOST_BYTES // 1024**2}m;" in proxy


def test_each_page_is_linked_and_links_to_what_is_there():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"(docs/deploy/{page.name})" not in readme] == []
    for page in PAGES:
        links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (DEPLOY / link).resolve().exists()] == [], page.name
