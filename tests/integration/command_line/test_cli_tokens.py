"""`signoff token`: keys for programs, made at the command line."""

import json
import sqlite3
from contextlib import closing
from typing import Any

import pytest

from tests.integration.command_line.desk import Desk
from tests.integration.scenes import Scene


async def nothing(_: Scene) -> None:
    """A bot that was here makes the database."""


@pytest.fixture
def office(desk: Desk) -> Desk:
    desk.happens(nothing)
    return desk


def made(desk: Desk, *more: str) -> dict[str, Any]:
    said = desk.signoff("token", "create", "--for", "U0RITA", "--name", "deploys", "--json", *more)
    assert said.status == 0, said
    facts: dict[str, Any] = json.loads(said.out)
    return facts


def test_a_token_is_printed_once_and_only_its_hash_is_kept(office: Desk):
    said = office.signoff("token", "create", "--for", "U0RITA", "--name", "deploys")
    token = said.out.strip()
    assert (said.status, token.startswith("signoff_"), token in said.err) == (0, True, False)
    assert "It acts as U0RITA" in said.err
    secret = token.split("_", 2)[2]
    with closing(sqlite3.connect(office.folder / "var" / "signoff.db")) as database:
        assert secret not in "\n".join(database.iterdump())
    assert secret not in office.signoff("token", "list").out


def test_without_scopes_it_does_everything_but_answer(office: Desk):
    facts = made(office)
    assert (facts["scopes"], facts["actions"], facts["expires_at"]) == (["cancel", "read", "start"], [], None)


def test_scopes_actions_and_an_end_are_kept(office: Desk):
    facts = made(office, "--scope", "answer", "--scope", "read", "--action", "ask", "--expires", "90d")
    assert (facts["scopes"], facts["actions"], facts["valid"]) == (["answer", "read"], ["ask"], True)
    (listed,) = json.loads(office.signoff("token", "list", "--json").out)
    assert listed == {name: value for name, value in facts.items() if name != "token"}


@pytest.mark.parametrize("name", ["[prod] deploys", "[/red]"])
def test_a_name_is_listed_as_it_was_given(office: Desk, name: str):
    assert office.signoff("token", "create", "--for", "U0RITA", "--name", name).status == 0
    assert f"  {name}  U0RITA  " in office.signoff("token", "list").out


def test_a_revoked_token_says_since_when(office: Desk):
    token_id = made(office)["id"]
    assert office.signoff("token", "revoke", token_id).status == 0
    assert "revoked" in office.signoff("token", "list").out
    assert office.signoff("token", "revoke", "nobody").one_error.startswith("There is no token 'nobody'.")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--for", "rita", "--name", "x"), "--for takes the Slack id of a person"),
        (("--name", "x"), "--for takes the Slack id of a person"),
        (("--for", "U0RITA"), "--name is missing"),
        (("--for", "U0RITA", "--name", "x", "--scope", "write"), "--scope takes one of read, start, cancel, answer"),
        (("--for", "U0RITA", "--name", "x", "--action", "aks"), "There is no action 'aks'. Did you mean 'ask'?"),
        (("--for", "U0RITA", "--name", "x", "--expires", "soon"), "--expires takes an age such as 90d"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_made(office: Desk, arguments, told):
    assert office.signoff("token", "create", *arguments).one_error.startswith(told)
    assert office.signoff("token", "list").out.startswith("No tokens.")
