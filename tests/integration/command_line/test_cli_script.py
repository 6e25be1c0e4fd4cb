"""`signoff script`: what cannot be run is told before anything is stored."""

import json

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import Scene


@pytest.fixture(autouse=True)
def database(desk: Desk) -> None:
    async def made(_: Scene) -> None:
        pass

    desk.happens(made)


def stored(desk: Desk) -> tuple[RunRecord, ...]:
    runs: tuple[RunRecord, ...] = desk.happens(lambda scene: scene.store.runs())
    return runs


def test_a_script_is_stored_for_the_bot_with_its_variables_and_nobody_waits_for_it(desk: Desk):
    said = desk.signoff(
        "script", "-", "count=2", "who=Ben", "--as", "U0RITA", "--wait", "0", stdin="print(who * count)"
    )
    (run,) = stored(desk)
    assert (said.status, said.out, run.status, run.action_id) == (0, "", RunStatus.QUEUED, "execute_code")
    assert json.loads(run.input) == {"code": "print(who * count)", "inputs": {"count": 2, "who": "Ben"}}
    assert f"Run {run.id} is stored; no bot has taken it up yet. Is `signoff serve` running?" in said.err


def test_json_says_where_it_stands(desk: Desk):
    said = desk.signoff("script", "-", "--as", "U0RITA", "--wait", "0", "--json", stdin="1")
    facts = json.loads(said.out)
    assert (facts["id"], facts["status"], facts["question"]) == (stored(desk)[0].id, "queued", None)


@pytest.mark.parametrize(
    ("code", "arguments", "told"),
    [
        ("x = 1\ny = (", (), "Standard input, line 2: unexpected EOF while parsing."),
        ("yield 1", (), "Standard input, line 1: The monty syntax parser does not yet support yield expressions."),
        ("", (), "code must not be empty"),
        ("1", ("count",), "'count' is not FIELD=VALUE. Put the whole in quotes where the value has spaces."),
        ("1", ("--input", "[1]"), "inputs must be an object with named fields"),
    ],
)
def test_what_cannot_be_run_is_told_and_nothing_is_stored(desk: Desk, code: str, arguments: tuple[str, ...], told: str):
    said = desk.signoff("script", "-", *arguments, "--as", "U0RITA", stdin=code)
    assert told in said.one_error
    assert stored(desk) == ()


def test_a_file_that_is_missing_is_named(desk: Desk):
    said = desk.signoff("script", "nowhere.py", "--as", "U0RITA")
    assert said.one_error == "The file 'nowhere.py' cannot be read: No such file or directory."


def test_for_whom_it_is_must_be_said(desk: Desk):
    assert desk.signoff("script", "-", stdin="1").one_error.startswith("--as is missing")


def test_without_the_sandbox_it_says_how_to_install_it(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("actions.execute_code.execute_code", None)
    said = desk.signoff("script", "-", "--as", "U0RITA", stdin="1")
    assert said.one_error == (
        "This bot cannot run scripts: pydantic_monty is not installed; in the bot's checkout, its extra brings it: pip install '.[sandbox]'"
    )
