"""Code that pages show, put where a reader puts it: a module that can be imported, a test that imports it."""

import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def code_of(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def put_in_place(name: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it the module of this name while the test runs."""
    module = ModuleType(name)
    monkeypatch.setitem(sys.modules, name, module)
    exec(code, vars(module))  # noqa: S102 - the page is ours


def names_of(code: str) -> dict[str, Any]:
    """What is there after a module of its own was executed, which knows nothing but what it imports."""
    space: dict[str, Any] = {"__name__": "shown"}
    exec(code, space)  # noqa: S102 - the page is ours
    return space


def shown_tests(code: str) -> list[Any]:
    return [value for name, value in names_of(code).items() if name.startswith("test_")]
