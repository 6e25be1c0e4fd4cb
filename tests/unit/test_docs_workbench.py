"""The workbench's page is what the workbench is: its example, its keys, its faults and its acts are made from the code."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from bot.workbench.config_parts import ConfigFile
from bot.workbench.control_acts import ACTS
from bot.workbench.fault_catalogue import KINDS, Parameter
from bot.workbench.grants import EVERY_EVENT
from bot.workbench.methods_auth import auth_methods
from bot.workbench.server import Workbench
from bot.workbench.web_api import TABLES
from bot.yaml_file import models_in
from tests.made_parts import holds

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "workbench.md"
ADVERTISED = (PAGE, ROOT / "docs" / "testing.md")


def example() -> str:
    text = (ROOT / "docs" / "examples" / "workbench.yml").read_text(encoding="utf-8")
    return f"```yaml\n{text}```"


def keys() -> str:
    lines = ["| in | keys, and what they are where they are left out |", "|---|---|"]
    for place, model in parts(ConfigFile, ""):
        told = [f"`{name}`{without(name, info)}" for name, info in model.model_fields.items()]
        lines.append(f"| {place or 'the file'} | {', '.join(told)} |")
    return "\n".join(lines)


def parts(model: type[BaseModel], place: str) -> Iterator[tuple[str, type[BaseModel]]]:
    """The model of the file, and of each part below it, once."""
    yield f"`{place}`" if place else "", model
    for name, info in model.model_fields.items():
        for inner in models_in(info.annotation):
            yield from parts(inner, f"{place}.{name}".removeprefix("."))


SPELT = {
    "people": "Acme's people",
    "channels": "Acme's; with people of your own, `general`",
    "groups": "Acme's; with people of your own, none",
    "app": "Signoff",
    "members": "everybody but guests",
    "scopes": "every scope",
    "events": "every event",
    "bot": "the app's name",
    "team_id": "`T0` and the name",
    "id": "made of the name",
    "real_name": "the name",
    "bot_token": "a new one each time",
    "app_token": "a new one each time",
    "signing_secret": "a new one each time",
}


def without(name: str, info: FieldInfo) -> str:
    if info.is_required():
        return " (required)"
    if isinstance(info.default, bool):
        return f" ({'yes' if info.default else 'no'})"
    if isinstance(info.default, str) and info.default:
        return f" (`{info.default}`)"
    return f" ({SPELT[name]})" if info.default is None and name in SPELT else ""


def faults() -> str:
    head = ["| `kind` | what happens | parameters, and without them |", "|---|---|---|"]
    rows = [f"| `{k.kind}` | {k.words} | {', '.join(map(parameter, k.parameters))} |" for k in KINDS]
    return "\n".join([*head, *rows])


def parameter(known: Parameter) -> str:
    value = str(known.default).lower() if isinstance(known.default, bool) else known.default
    return f"`{known.name}` = `{value}`"


def acts() -> str:
    lines = ["| act | body | |", "|---|---|---|"]
    for name, act in ACTS.items():
        fields = [spelt(info.alias or key, info) for key, info in act.body.model_fields.items()]
        lines.append(f"| `{name}` | {', '.join(fields)} | {DONE[name]} |")
    return "\n".join(lines)


DONE = {
    "say": "writes a message, or a reply in a thread",
    "command": "runs a slash command",
    "shortcut": "by name or callback id; with `message` (`{channel, ts}`), one of its menu",
    "click": "presses a button",
    "choose": "chooses in an element; `ack` is null where Slack would tell the app nothing yet",
    "type": "types into a field, and presses Enter",
    "search": "types into an external select: `options`",
    "submit": "fills in the form on top and submits it: `result`, `errors` by label",
    "close": "cancels it; `everything`: the cross",
    "open-home": "opens the app's Home tab",
    "react": "an emoji by its name; once more takes it back",
    "edit": "changes a message of one's own",
    "delete": "deletes a message: of others, and the app's, where the person is no guest",
    "upload": "a file for a file field: `file`",
}


def spelt(key: str, info: FieldInfo) -> str:
    if info.is_required():
        return f"**`{key}`**"
    default = {"None": "null", "True": "true", "False": "false"}.get(str(info.default), str(info.default))
    return f"`{key}` = `{default}`"


def methods() -> str:
    """By their group: `chat`: `postMessage`, `update`, …"""
    workbench = Workbench()
    rows = [*auth_methods(workbench.sockets), *(row for table in TABLES for row in table.METHODS)]
    groups: dict[str, list[str]] = {}
    for name in sorted(row.name for row in rows):
        group, _, method = name.rpartition(".")
        groups.setdefault(group, []).append(method)
    listed = " · ".join(f"`{group}.` {', '.join(names)}" for group, names in groups.items())
    return textwrap.fill(listed, 120, break_long_words=False, break_on_hyphens=False)


def events() -> str:
    return textwrap.fill(", ".join(f"`{event}`" for event in EVERY_EVENT), 120, break_long_words=False)


BLOCKS = {
    "methods": methods,
    "events": events,
    "example: workbench.yml": example,
    "keys of the config": keys,
    "faults": faults,
    "acts": acts,
}


@pytest.mark.parametrize("marker", BLOCKS)
def test_what_is_made_from_the_code_is_up_to_date(marker):
    holds(PAGE, marker, BLOCKS[marker]())


@pytest.mark.parametrize("page", ADVERTISED)
def test_every_page_that_is_linked_is_there(page):
    linked = re.findall(r"\]\((?!http)([^)#]+)(#[^)]+)?\)", page.read_text(encoding="utf-8"))
    for name, anchor in linked:
        target = page.parent / name
        assert target.exists(), name
        if anchor:
            headings = re.findall(r"^#+ (.*)$", target.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor[1:] in {re.sub(r"[^a-z0-9 -]", "", each.lower()).replace(" ", "-") for each in headings}
