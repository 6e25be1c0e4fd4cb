"""The packages beside the command line are ours, or the one that is not is named."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.siblings import intruders

ROOT = Path(__file__).parents[2]


def test_our_own_packages_are_ours():
    assert intruders() == []


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package that Python finds, and that no other test has."""
    (tmp_path / "elsewhere" / "acme_here").mkdir(parents=True)
    (tmp_path / "elsewhere" / "acme_here" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "elsewhere"))
    return "acme_here"


def test_an_intruder_is_named_by_its_file(package, tmp_path):
    (mistake,) = intruders(tmp_path, [package])
    assert f"not Signoff's but {tmp_path / 'elsewhere' / package / '__init__.py'}: uninstall or rename" in mistake
    assert intruders(tmp_path / "elsewhere", [package]) == []


def test_a_package_that_is_missing_is_named_with_where_it_belongs(tmp_path):
    (mistake,) = intruders(tmp_path, ["acme_nowhere"])
    assert mistake.startswith(f"the package 'acme_nowhere' is missing: it belongs into {tmp_path}.")


def test_a_folder_without_an_init_is_an_intruder_too(package, tmp_path):
    (tmp_path / "elsewhere" / package / "__init__.py").unlink()
    (mistake,) = intruders(tmp_path, [package])
    assert str(tmp_path / "elsewhere" / package) in mistake


def test_the_command_line_names_an_intruder_before_it_imports_it(tmp_path):
    (tmp_path / "blocks").mkdir()
    (tmp_path / "blocks" / "__init__.py").write_text("raise SystemExit('imported')")
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; from bot.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", code, "actions"], capture_output=True, text=True, check=False)  # noqa: S603
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert f"signoff: the package 'blocks' is not Signoff's but {tmp_path / 'blocks' / '__init__.py'}" in ended.stderr
