"""`signoff start`: what fits is stored for the running bot; what does not is told, and nothing is stored."""

import json
from textwrap import dedent

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from tests.integration.command_line.desk import Desk, Said
from tests.integration.scenes import Scene

MESSAGE = {"recipient": "press@example.com", "body": "We are live."}
STARTERS = """
    from enum import IntEnum
    from pydantic import BaseModel
    from actions import ChannelMembers, Context, Person, Policy, action

    class Size(IntEnum):
        SMALL = 1
        LARGE = 2

    class Order(BaseModel):
        size: Size
        count: int = 1
        urgent: bool = False
        notes: list[str] = []
        limit: int | None = None
        code: str | int = ""

    def order(id, *starters):
        @action(id=id, name="Order", description="D",
                policy=Policy(deciders=ChannelMembers("#approvals"), starters=starters))
        async def ordered(input: Order, ctx: Context) -> None:
            return None
        return ordered

    anybody = order("anybody")
    named = order("named", Person("U0ANN"), Person("U0BEN"))
    unsure = order("unsure", Person("ann@example.com"), ChannelMembers("#ops"))
"""


@pytest.fixture(autouse=True)
def database(desk: Desk) -> None:
    async def made(_: Scene) -> None:
        pass

    desk.happens(made)


@pytest.fixture
def orders(desk: Desk) -> None:
    """A team's module with actions that take more than text."""
    name = f"orders_{desk.folder.name}".replace("-", "_")
    (desk.folder / f"{name}.py").write_text(dedent(STARTERS))
    desk.monkeypatch.syspath_prepend(str(desk.folder))
    desk.set(ACTIONS=name)


def stored(desk: Desk) -> tuple[RunRecord, ...]:
    runs: tuple[RunRecord, ...] = desk.happens(lambda scene: scene.store.runs())
    return runs


def start(desk: Desk, *arguments: str, stdin: str | None = None) -> Said:
    return desk.signoff("start", *arguments, "--as", "U0RITA", stdin=stdin)


def refused(desk: Desk, said: Said) -> list[str]:
    """The lines that say why; nothing was stored."""
    assert (said.status, said.out) == (2, "")
    assert stored(desk) == ()
    return [line.removeprefix("signoff: ") for line in said.err.splitlines()]


def test_a_run_is_stored_for_the_bot_to_take_up_and_its_id_printed(desk: Desk):
    said = start(desk, "send_message", "recipient=press@example.com", "body=We are live = now.")
    (run,) = stored(desk)
    assert said.status == 0
    assert said.out == f"{run.id}\n"
    assert "takes it up within 5 seconds" in said.err
    assert (run.status, run.requester, run.origin.via) == (RunStatus.QUEUED, "U0RITA", "command line")
    assert json.loads(run.input) == {"recipient": "press@example.com", "body": "We are live = now."}


def test_the_whole_input_comes_as_json_from_the_line_a_file_or_standard_input(desk: Desk):
    text = json.dumps(MESSAGE)
    (desk.folder / "message.json").write_text(f"\ufeff{text}", encoding="utf-8")
    for given in (text, "@message.json", "-"):
        assert start(desk, "send_message", "--input", given, stdin=text).status == 0
    assert [json.loads(run.input) for run in stored(desk)] == [MESSAGE] * 3


def test_a_script_gets_json(desk: Desk):
    said = start(desk, "send_message", "--input", json.dumps(MESSAGE), "--json")
    assert json.loads(said.out) == {
        "run": stored(desk)[0].id, "action": "send_message", "status": "queued", "requester": "U0RITA",
        "joined": False,
    }  # fmt: skip
    assert said.err == ""


@pytest.mark.usefixtures("orders")
def test_fields_that_are_no_text_are_read_as_json(desk: Desk):
    fields = ("size=2", "count=3", "urgent=true", 'notes=["a", "b"]', "limit=null", "code=17")
    assert start(desk, "anybody", *fields).status == 0
    (run,) = stored(desk)
    expected = {"size": 2, "count": 3, "urgent": True, "notes": ["a", "b"], "limit": None, "code": "17"}
    assert json.loads(run.input) == expected


def test_each_field_that_does_not_fit_is_told_in_words(desk: Desk):
    said = start(desk, "spend_request", "amount=lots", "currency=EUR", "vendor=K", "foo=1")
    assert refused(desk, said) == [
        "amount must be a number such as 12.50",
        "justification is required",
        "foo is not known here; spend_request takes amount, currency, vendor, justification, receipt_link",
    ]


def test_an_unknown_action_is_told_with_what_was_meant(desk: Desk):
    assert refused(desk, start(desk, "send_mesage")) == [
        "There is no action 'send_mesage'. Did you mean 'send_message'?"
    ]
    (line,) = refused(desk, start(desk, "zzz"))
    assert line.startswith("There is no action 'zzz'. There are: ")
    assert ", send_message, spend_request" in line


def test_a_person_is_needed_by_id(desk: Desk):
    (line,) = refused(desk, desk.signoff("start", "send_message"))
    assert line.startswith("--as is missing: say for whom you act, by their Slack id")
    (line,) = refused(desk, desk.signoff("start", "send_message", "--as", "@ann"))
    assert line.startswith("--as takes a Slack id such as U012ABCDEF, and '@ann' is none. Names and e-mails cannot")


@pytest.mark.usefixtures("orders")
def test_named_starters_are_held_and_what_only_slack_knows_is_said(desk: Desk):
    assert refused(desk, start(desk, "named", "size=1")) == ["U0RITA may not start 'named'. These may: U0ANN, U0BEN."]
    said = start(desk, "unsure", "size=1")
    assert said.status == 0
    assert "Not checked, as only Slack knows: whether U0RITA is one of ann@example.com, members of #ops." in said.err


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("{", "--input is no JSON: Expecting property name enclosed in double quotes, in line 1, column 2."),
        ("", "--input is no JSON: Expecting value, in line 1, column 1."),
        ('{"a": NaN}', "--input is no JSON: NaN is no number that JSON knows."),
        ('{"a": -Infinity}', "--input is no JSON: -Infinity is no number that JSON knows."),
        ("[" * 100_000, "--input is nested too deeply."),
        ("9" * 5_000, "--input is no JSON: Exceeds the limit (4300 digits)"),
        ("@nowhere.json", "The file 'nowhere.json' cannot be read: No such file or directory."),
        ("@var", "The file 'var' cannot be read: Is a directory."),
        ("null", "the input must be"),
        ("[]", "the input must be"),
        ('"text"', "the input must be"),
        ("1e999", "the input "),
        ('{"recipient": "a\\u0000b", "body": "b"}', "recipient "),
        ('{"recipient": "a", "body": "\\ud800"}', "body "),
        ('{"recipient": "a", "body": "b", "__proto__": {"x": 1}}', "__proto__ is not known here"),
        ('{"recipient": {"id": 1}, "body": "b"}', "recipient must be"),
    ],
)
def test_what_is_no_input_is_told_in_one_line(desk: Desk, given: str, why: str):
    (line,) = refused(desk, start(desk, "send_message", "--input", given))
    assert line.startswith(why)


@pytest.mark.parametrize("field", ["body=a\x00b", "body=\udcff", "body=x\ud800"])
def test_text_that_cannot_be_stored_is_told(desk: Desk, field: str):
    (line,) = refused(desk, start(desk, "send_message", "recipient=a", field))
    assert line.startswith("body ")


@pytest.mark.parametrize("field", ["body", "=x", "recipient=again"])
def test_what_is_no_field_is_told(desk: Desk, field: str):
    (line,) = refused(desk, start(desk, "send_message", "recipient=a", field))
    assert "is not FIELD=VALUE" in line or "is given twice" in line


def test_five_megabytes_are_told_with_the_limit(desk: Desk):
    (desk.folder / "large.json").write_text(json.dumps({"recipient": "a", "body": "x" * 5 * 1024 * 1024}))
    (line,) = refused(desk, start(desk, "send_message", "--input", "@large.json"))
    assert "1 MiB" in line
    assert len(line) < 300


def test_what_is_far_too_large_is_not_even_read(desk: Desk):
    with (desk.folder / "huge.json").open("wb") as file:
        file.truncate(1 << 34)
    (line,) = refused(desk, start(desk, "send_message", "--input", "@huge.json"))
    assert line == "The file 'huge.json' is larger than 16 MiB, which no action takes."


def test_what_is_no_text_is_told(desk: Desk):
    (desk.folder / "latin.json").write_bytes(b'{"recipient": "K\xf6hler"}')
    (line,) = refused(desk, start(desk, "send_message", "--input", "@latin.json"))
    assert line == "The file 'latin.json' is not UTF-8 at byte 16."


def test_ten_thousand_fields_are_told_without_flooding_the_screen(desk: Desk):
    fields = {f"field_{number}": number for number in range(10_000)}
    lines = refused(desk, start(desk, "send_message", "--input", json.dumps(MESSAGE | fields)))
    assert lines[0] == "field_0 is not known here; send_message takes recipient, body"
    assert len(lines) == 11
    assert lines[-1] == "… and 9,990 more."


def test_fields_and_json_together_are_refused(desk: Desk):
    (line,) = refused(desk, start(desk, "send_message", "body=x", "--input", "{}"))
    assert line == "Give the input either as FIELD=VALUE or with --input, not both."


def test_without_a_database_nothing_is_made(desk: Desk):
    desk.set(DATABASE_URL="sqlite:///elsewhere/signoff.db")
    told = start(desk, "send_message", "--input", json.dumps(MESSAGE)).one_error
    assert "is not there: no file" in told
    assert not (desk.folder / "elsewhere").exists()


def test_the_settings_come_from_the_working_directory(desk: Desk):
    (desk.folder / ".env").write_text("DATABASE_URL=sqlite:///var/another.db\n")
    assert "var/another.db" in start(desk, "send_message", "--input", json.dumps(MESSAGE)).one_error
