"""What the README shows is what the code does: its tables and its example are made from the code, and its snippets run."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import actions
from actions import send_message
from actions.kit.action import Action
from actions.kit.policies.policy import Policy
from actions.ledger import Ledger
from actions.testing import run
from bot.cli.commands import app
from bot.cli.demo import STEPS
from bot.settings import Settings
from tests.made_parts import holds

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
SNIPPET = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def settings_table() -> str:
    lines = ["| setting | default | what it is |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        lines.append(f"| `{Settings.env_name(name)}` | {default_of(field.default)} | {field.description} |")
    return "\n".join(lines)


def default_of(value: Any) -> str:
    if value in (None, ()):
        return ""
    if isinstance(value, tuple):
        return f"`{','.join(value)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def commands_table() -> str:
    lines = ["| command | what it does | options |", "|---|---|---|"]
    for name, command in commands_of(typer.main.get_command(app)):
        arguments = [spelt(each) for each in command.params if each.param_type_name == "argument"]
        options = [f"`{each.opts[0]}`" for each in command.params if each.param_type_name == "option"]
        usage = " ".join(["signoff", name, *arguments])
        lines.append(f"| `{usage}` | {' '.join(command.help.split())} | {' '.join(options)} |")
    return "\n".join(lines)


def commands_of(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Each command by its words; those of a group stand where the group stands."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands_of(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def spelt(argument: Any) -> str:
    more = "..." if argument.nargs == -1 else ""
    return f"{argument.metavar if argument.required else f'[{argument.metavar}]'}{more}"


def example(name: str) -> str:
    text = (ROOT / "actions" / f"{name}.py").read_text(encoding="utf-8")
    return f"```python\n{text[text.index('from ') :]}```"


def steps() -> str:
    numbered = (f"{number}. {step}" for number, step in enumerate(STEPS, start=1))
    return "\n".join(textwrap.fill(each, 120, subsequent_indent="   ", break_on_hyphens=False) for each in numbered)


BLOCKS = {
    "steps of the demo": steps,
    "settings": settings_table,
    "commands": commands_table,
    "example: send_message": lambda: example("send_message"),
}


@pytest.mark.parametrize("marker", BLOCKS)
def test_what_is_made_from_the_code_is_up_to_date(marker):
    holds(README, marker, BLOCKS[marker]())


def snippets(word: str = "") -> Iterator[str]:
    yield from (code for code in SNIPPET.findall(README.read_text(encoding="utf-8")) if word in code)


def names() -> dict[str, Any]:
    """What somebody who copies a snippet has imported: everything of `actions`, and the worked action's own types."""
    return {name: getattr(actions, name) for name in actions._HOME_OF} | vars(send_message) | {"__name__": "readme"}


def test_each_snippet_is_python():
    for number, code in enumerate(snippets()):
        compile(code, f"snippet {number}", "exec")


async def test_the_first_snippet_is_an_action_that_works():
    delivered = []

    async def deliver(draft: Any, *, key: str) -> None:
        delivered.append((draft.text, key))

    code = next(snippets())
    space = names() | {"deliver": deliver}
    exec(code, space)  # noqa: S102 - the README is ours
    shown = space["send_message"]
    assert isinstance(shown, Action)
    paused = await run(shown, {"recipient": "Ben", "body": "We are live."})
    done = await paused.answer("approve")
    assert (done.output.recipient, [text for text, _ in delivered]) == ("Ben", ["We are live."])


def test_each_line_about_who_decides_is_a_policy():
    (code,) = snippets("quorum=2")
    policies = [line for line in re.split(r"^(?=Policy)", code, flags=re.MULTILINE) if line.strip()]
    assert [type(eval(f"({line})", names())) for line in policies] == [Policy] * 5  # noqa: S307 - as above


async def test_the_snippet_about_tests_passes(tmp_path):
    (code,) = snippets("actions.testing")
    space = names()
    exec(code, space)  # noqa: S102 - as above
    (test,) = (value for name, value in space.items() if name.startswith("test_"))
    await test(tmp_path)
    assert len(Ledger(tmp_path / "ledger.jsonl").entries()) == 1


def test_every_file_that_it_names_is_there():
    text = README.read_text(encoding="utf-8")
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    named = re.findall(r"`((?:actions|bot|blocks|storage|docs)/[\w/]+\.\w+)`", text)
    assert [name for name in {*linked, *named} if not (ROOT / name).exists()] == []
