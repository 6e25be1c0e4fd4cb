"""What the command line prints of data steers no terminal, and stays as it is for another program."""

import json
import sys
from typing import Any

import pytest

from bot.cli.show import print_json, print_text

STEERING = "\x1b[2J\x9b31m\u202egnp.exe"


def test_json_is_printed_without_anything_that_a_terminal_obeys_and_is_the_same_json(capsys: Any):
    value = {STEERING: [f"{STEERING} for Zoë 👩‍👩‍👧\n"]}
    print_json(value)
    printed = capsys.readouterr().out
    assert json.loads(printed) == value
    assert "Zoë 👩‍👩‍👧" in printed
    assert not {"\x1b", "\x9b", "\u202e"} & set(printed)


@pytest.mark.parametrize("is_terminal", [True, False])
def test_text_steers_no_terminal_and_is_as_it_was_for_a_program(
    capsys: Any, monkeypatch: pytest.MonkeyPatch, is_terminal: bool
):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    print_text(f"{STEERING}\n")
    printed = capsys.readouterr().out
    assert (printed == f"{STEERING}\n") is not is_terminal
    assert bool({"\x1b", "\x9b", "\u202e"} & set(printed)) is not is_terminal
