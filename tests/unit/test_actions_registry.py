"""Start-up finds every action, opens what they share, and tells every mistake at once."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from textwrap import dedent

import pytest

from actions import resources
from actions.kit.registry import Registry, RegistryError
from actions.kit.resources import ResourcesError, opened
from actions.ledger import Ledger
from tests.authors import declare
from tests.unit.test_actions_declaring import fine

GOOD = """
    from pydantic import BaseModel
    from actions import ChannelMembers, Context, Policy, action

    class Nothing(BaseModel):
        pass

    @action(id="{id}", name="{id}", description="D", policy=Policy(deciders=ChannelMembers("#approvals")))
    async def tried(input: Nothing, ctx: Context) -> None:
        return None
"""
NO_DECIDER = GOOD.replace(', policy=Policy(deciders=ChannelMembers("#approvals"))', "")


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Writes the modules of a team's package, under a name that no other test has."""
    name = f"acme_{tmp_path.name.replace('-', '_')}"
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**modules: str) -> str:
        (tmp_path / name).mkdir()
        for module, text in {"__init__": "", **modules}.items():
            (tmp_path / name / f"{module}.py").write_text(dedent(text))
        return name

    yield write
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        del sys.modules[module]


def mistakes_of(*modules: str) -> tuple[str, ...]:
    with pytest.raises(RegistryError) as caught:
        Registry.load(modules)
    return caught.value.mistakes


@pytest.mark.parametrize(
    ("decorator", "id_", "missing"),
    [
        ("@action", "tried", "no id and no name and no description"),
        ("@action()", "tried", "no id and no name and no description"),
        ('@action(id="send_it", description="D")', "send_it", "no name"),
    ],
)
def test_a_decorator_that_says_too_little_is_told_in_one_sentence(acme, decorator: str, id_: str, missing: str):
    given = '@action(id="{id}", name="{id}", description="D", policy=Policy(deciders=ChannelMembers("#approvals")))'
    assert given in GOOD
    name = acme(short=GOOD.replace(given, decorator))
    (mistake,) = mistakes_of(name)
    write_it = "write @action(id=..., name=..., description=..., policy=...) above it"
    assert mistake == f"{name}.short: action {id_!r}: tried() has {missing}: {write_it}"


def test_the_worked_actions_are_found_without_any_setting():
    registry = Registry.load()
    found = [each.id for each in registry.actions]
    refunds = ["order_total", "refund_order", "refund_orders"]
    flows = ["ask_location", "forecast", "weather", "connect_wallet", "place_crypto_order", "get_order_status"]
    worked = {"ask", "decision", *refunds, "restart_service", "send_message", "spend_request", *flows, "trade_crypto"}
    assert worked <= set(found)
    assert [each.name for each in registry.actions] == sorted(
        (each.name for each in registry.actions), key=str.casefold
    )
    assert registry.get("send_message") is registry.actions[found.index("send_message")]
    assert registry.get("unknown") is None


def test_a_module_that_the_setting_names_adds_its_actions(acme):
    name = acme(payments=GOOD.format(id="pay"))
    assert Registry.load([f"{name}.payments"]).get("pay") is not None


def test_a_package_that_the_setting_names_adds_those_of_its_modules(acme):
    name = acme(payments=GOOD.format(id="pay"), refunds=GOOD.format(id="refund"), _draft="raise ValueError")
    registry = Registry.load([name, name])
    assert registry.get("pay") is not None
    assert registry.get("refund") is not None


def test_an_action_that_another_module_imports_is_one_action(acme):
    name = acme(payments=GOOD.format(id="pay"))
    (Path(sys.path[0]) / name / "again.py").write_text(f"from {name}.payments import tried\n")
    assert len([each for each in Registry.load([name]).actions if each.id == "pay"]) == 1


def test_an_action_without_deciders_is_a_start_up_error(acme):
    name = acme(payments=NO_DECIDER.format(id="pay"))
    (mistake,) = mistakes_of(name)
    assert mistake.startswith(f"{name}.payments: action 'pay': nobody decides")


def test_two_actions_of_one_id_are_named_with_their_places(acme):
    name = acme(payments=GOOD.format(id="pay"), refunds=GOOD.format(id="pay"))
    (mistake,) = mistakes_of(name)
    assert "action 'pay' exists 2 times" in mistake
    assert f"{name}.payments.tried" in mistake
    assert f"{name}.refunds.tried" in mistake


def test_two_actions_of_one_id_are_refused_however_they_come():
    with pytest.raises(RegistryError, match="exists 2 times"):
        Registry([declare(fine), declare(fine)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import nowhere_at_all", "ModuleNotFoundError: No module named 'nowhere_at_all'"),
        ("1 / 0", "line 1: ZeroDivisionError: division by zero"),
        ("def half():\n    return 1 / 0\nhalf()", "line 2: ZeroDivisionError: division by zero"),
        (
            "from actions import action\n@action(title='T', id='t', name='N', description='D')\nasync def tried(): ...",
            "line 2: TypeError: action() got",
        ),
        ("from actions import Stage\nStage()", "line 2: Stage: deciders is required"),
        ("from actions import Warn\nWarn(at=80)", "line 2: Warn: at must be less than 1.0"),
        (
            "from actions import Policy, Requester\nPolicy(deciders=Requester(), reminds=1)",
            "line 2: Policy: reminds is not known here",
        ),
        (
            "from actions import Policy\nPolicy(deciders='#approvals')",
            'Policy: write Person("#approvals"), ChannelMembers(',
        ),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named_with_its_error(acme, text, words):
    name = acme(broken=text, fine=GOOD.format(id="pay"))
    (mistake,) = mistakes_of(name)
    assert f"the module '{name}.broken' cannot be imported: " in mistake
    assert words in mistake


def test_a_module_that_does_not_exist_is_told_from_one_that_fails():
    (mistake,) = mistakes_of("acme_nowhere.actions")
    assert "ACTIONS names 'acme_nowhere.actions', which cannot be found" in mistake


def test_a_module_without_actions_is_a_mistake(acme):
    name = acme(empty="x = 1")
    (mistake,) = mistakes_of(f"{name}.empty")
    assert f"ACTIONS names '{name}.empty', which has no action" in mistake


def test_every_mistake_is_told_at_once(acme):
    name = acme(broken="1 / 0", payments=NO_DECIDER.format(id="pay"), more=GOOD.format(id="send_message"))
    assert len(mistakes_of(name, "acme_nowhere")) == 4


async def test_the_resources_of_the_worked_actions_are_opened(monkeypatch, tmp_path):
    monkeypatch.setenv("SIGNOFF_LEDGER", str(tmp_path / "ledger.jsonl"))
    async with Registry.load().resources() as found:
        (ledger,) = (each for each in found if isinstance(each, Ledger))
    assert ledger.path == tmp_path / "ledger.jsonl"


async def test_resources_are_opened_in_order_and_closed_in_reverse():
    events = []

    @resources
    async def first() -> AsyncIterator[object]:
        events.append("open first")
        yield "a"
        events.append("close first")

    @resources
    async def second() -> AsyncIterator[object]:
        events.append("open second")
        yield ["b", 3]
        events.append("close second")

    async with opened([first, second]) as found:
        assert found == ("a", "b", 3)
    assert events == ["open first", "open second", "close second", "close first"]


async def test_a_set_up_that_fails_is_named_and_those_before_it_are_closed():
    closed = []

    @resources
    async def first() -> AsyncIterator[object]:
        try:
            yield "a"
        finally:
            closed.append("first")

    @resources
    async def broken() -> AsyncIterator[object]:
        if closed == []:
            raise ConnectionRefusedError("nobody listens")
        yield "b"

    with pytest.raises(ResourcesError, match=r"broken: ConnectionRefusedError: nobody listens"):
        async with opened([first, broken]):
            pass
    assert closed == ["first"]


async def test_a_set_up_that_never_yields_is_named_and_the_others_are_closed(monkeypatch):
    monkeypatch.setattr("actions.kit.resources.OPENS_WITHIN", 0.01)
    closed = []

    @resources
    async def first() -> AsyncIterator[object]:
        try:
            yield "a"
        finally:
            closed.append("first")

    @resources
    async def waiting() -> AsyncIterator[object]:
        await asyncio.Event().wait()
        yield "b"

    with pytest.raises(ResourcesError, match=r"waiting: it did not reach its `yield` within 0.01 seconds"):
        async with opened([first, waiting]):
            pass
    assert closed == ["first"]


def test_a_set_up_that_is_no_generator_is_refused():
    with pytest.raises(
        ResourcesError, match=r"the resources of tests\.unit\.test_actions_registry\..*\.returns: write"
    ):

        @resources  # type: ignore[arg-type]
        async def returns() -> str:
            return "a"

    with pytest.raises(ResourcesError, match="it takes no arguments"):

        @resources  # type: ignore[arg-type]
        async def asks(path: str) -> AsyncIterator[object]:
            yield path


def test_reading_a_record_does_not_load_everything():
    script = "import sys, actions.kit.records.interrupts; sys.exit('actions.kit.action' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0  # noqa: S603
