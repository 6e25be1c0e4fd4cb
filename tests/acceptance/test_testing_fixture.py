"""The fixture for teams does what its page and the README say: their files are written down, and pytest is run on them."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import SettingsError
from bot.workbench.server import Workbench
from bot.workbench.testing import LiveWorkbench, Setup

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(?:python|ini)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"# ([\w/]+\.\w+)\n")
PLUGIN = 'pytest_plugins = ["bot.workbench.testing"]\n'
INI = "[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function\npythonpath = .\nfilterwarnings = error\n"


def blocks(page: str) -> list[str]:
    return BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))


def pytest_in(folder: Path, *more: str) -> str:
    """What pytest printed in this folder, as a team runs it: in a process of its own, away from this repository."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *more]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=110)  # noqa: S603 - pytest
    return run.stdout + run.stderr


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_what_the_page_shows_passes_over_both_transports(tmp_path):
    files = {named[1]: block for block in blocks("docs/testing.md") if (named := NAMED.match(block))}
    assert set(files) == {"pytest.ini", "conftest.py", "our_team/deploys.py", "test_deploys.py"}
    write(tmp_path, files)
    printed = pytest_in(tmp_path)
    assert "8 passed" in printed, printed


def test_the_readmes_test_passes(tmp_path):
    (code,) = (block for block in blocks("README.md") if "(workbench)" in block)
    write(tmp_path, {"pytest.ini": INI, "conftest.py": PLUGIN, "test_readme.py": code})
    printed = pytest_in(tmp_path)
    assert "1 passed" in printed, printed


def test_a_company_of_ones_own_and_settings_of_the_bots_are_taken(tmp_path):
    write(
        tmp_path,
        {
            "pytest.ini": INI,
            "conftest.py": PLUGIN,
            "company.yml": "people: [{name: paula, email: dana@example.com}, {name: quentin}]\nworkspace: Foodies\n",
            "people.yml": "managers: {U0QUENTIN: dana@example.com}\ngroups: {finance: dana@example.com}\n"
            "rotas: {services: {people: dana@example.com}}\n",
            "test_company.py": """
from pathlib import Path
import pytest
from bot.workbench.testing import Setup

@pytest.fixture
def workbench_setup():
    here = Path(__file__).parent
    return Setup(config=here / "company.yml", settings={"admins": ("U0QUENTIN",), "people": here / "people.yml"})

async def test_paula_decides_and_quentin_is_an_operator(workbench):
    paula, quentin = workbench.person("paula"), workbench.person("quentin")
    given = {"amount": "5", "currency": "EUR", "vendor": "V", "justification": "Because it has to be bought."}
    await workbench.start("spend_request", given, by="quentin")
    await paula.sees("V", in_="dm")
    await quentin.command("/signoff stuck")
    await quentin.modal("What is stuck")
""",
        },
    )
    printed = pytest_in(tmp_path)
    assert "1 passed" in printed, printed


async def test_a_setting_that_is_none_is_told_with_the_nearest_one(tmp_path):
    async with Workbench() as slack:
        live = LiveWorkbench(slack, Setup(settings={"admin": ("U0BEN",)}), tmp_path)
        with pytest.raises(SettingsError, match="there is no setting 'admin'; did you mean 'admins'"):
            await live.open()


IN_VAIN = {
    'await workbench.start("nothing", {})': "There is no action",
    'await workbench.start("send_message", {"body": ""})': "recipient is required; body must not be empty",
    'await workbench.person("ann").sees("x", timeout=0.1)': "ann waited 0.1 s for 'x' in any conversation; there is",
    'workbench.person("bob")': "there is nobody called 'bob' at Acme",
    'await workbench.ends(await workbench.start("ask", ASKED), timeout=0.2)': "to be ended; it is ",
    "await workbench.newest_run()": "no run has been started",
}


def test_what_does_not_come_is_told_in_words(tmp_path):
    tests = [f"async def test_{number}(workbench):\n    {line}\n" for number, line in enumerate(IN_VAIN)]
    asked = 'ASKED = {"message": "Well?", "deciders": ["#approvals"]}\n'
    write(tmp_path, {"pytest.ini": INI, "conftest.py": PLUGIN, "test_it.py": "\n\n".join([asked, *tests])})
    printed = pytest_in(tmp_path)
    assert f"{len(IN_VAIN)} failed" in printed, printed
    assert [words for words in IN_VAIN.values() if words not in printed] == []
