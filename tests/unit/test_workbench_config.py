"""The workbench's config file: a company and an app as somebody describes them, and every mistake with its line."""

import re
from pathlib import Path
from textwrap import dedent

import pytest

import bot.workbench
from bot.workbench.config import load_workspace
from bot.workbench.config_parts import CASED, PersonPart
from bot.workbench.events import subscription_of
from bot.workbench.grants import EVERY_EVENT, EVERY_SCOPE
from bot.workbench.installed_app import Command, Shortcut, Token
from bot.workbench.seed import BOT_SCOPES, acme
from bot.workbench.workspace import Workspace
from bot.yaml_file import FileError

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "examples"


@pytest.fixture
def written(tmp_path: Path):
    """Writes a file and gives its path."""

    def write(text: str, name: str = "workbench.yml") -> Path:
        path = tmp_path / name
        path.write_text(dedent(text), encoding="utf-8")
        return path

    return write


def mistakes_of(config: Path | None, manifest: Path | None = None) -> list[str]:
    """Without the folder, which is the test's own."""
    with pytest.raises(FileError) as caught:
        load_workspace(config, manifest)
    return [re.sub(r"^\S*/", "", mistake) for mistake in caught.value.mistakes]


def bot_token(workspace: Workspace) -> Token:
    return next(token for token in workspace.tokens.values() if token.kind == "bot")


def test_the_example_describes_a_company_with_its_app():
    configured = load_workspace(EXAMPLES / "workbench.yml")
    workspace = configured.workspace
    assert (workspace.name, workspace.team_id, workspace.domain) == ("Foodies", "T0FOODIES", "foodies")
    paula, quentin, vera, bot = workspace.people.values()
    assert (paula.id, paula.real_name, paula.title, paula.tz) == ("U0PAULA", "Paula Park", "Cook", "Europe/Rome")
    assert paula.fields == {"Xf0MANAGER": quentin.id}
    assert (vera.is_guest, bot.is_bot, bot.name) == (True, True, "lunch")
    general, kitchen = (c for c in workspace.conversations.values() if c.kind != "dm")
    assert general.members == [paula.id, quentin.id, bot.id]
    assert (kitchen.kind, kitchen.members) == ("private", [paula.id, vera.id])
    (cooks,) = workspace.groups.values()
    assert (cooks.id, cooks.handle, cooks.members) == ("S0COOKS", "cooks", [paula.id])
    assert set(workspace.tokens) == {"xoxb-foodies", "xapp-foodies"}
    assert configured.signing_secret == "foodies-secret"


def test_the_manifest_beside_it_says_what_the_app_is_and_may_do():
    workspace = load_workspace(EXAMPLES / "workbench.yml").workspace
    app = workspace.app
    assert (app.name, app.user, app.home_tab, app.messages_tab) == ("Lunch", "U0LUNCH", True, True)
    assert app.command("/lunch") == Command("/lunch", "Suggest where to have lunch", "[help]")
    assert app.shortcut("message", "remember_place") == Shortcut(
        "message", "Remember place", "remember_place", "Keep what this message says about a place"
    )
    assert bot_token(workspace).scopes == {
        "app_mentions:read", "channels:history", "chat:write", "commands", "im:history",
    }  # fmt: skip
    assert app.events == ("app_home_opened", "app_mention", "message.channels", "message.im")


def test_without_a_file_it_is_acme_with_signoff():
    workspace, known = load_workspace().workspace, acme()
    assert workspace.app == known.app
    assert list(workspace.people) == list(known.people)
    assert {c.id: c.members for c in workspace.conversations.values()} == {
        c.id: c.members for c in known.conversations.values()
    }
    assert bot_token(workspace).scopes == BOT_SCOPES


def test_signoffs_own_manifest_makes_the_app_that_is_there_without_one():
    workspace, known = load_workspace(None, ROOT / "manifest.yml").workspace, acme()
    assert workspace.app == known.app
    assert bot_token(workspace).scopes == BOT_SCOPES


def test_an_app_that_says_nothing_of_scopes_and_events_may_do_everything_and_hears_everything(written):
    workspace = load_workspace(written("app: {name: Helper Bot}")).workspace
    assert bot_token(workspace).scopes == EVERY_SCOPE
    assert workspace.app.events == EVERY_EVENT
    assert workspace.people[workspace.app.user].name == "helper-bot"
    assert "U0ANN" in workspace.people
    named = [c for c in workspace.conversations.values() if c.kind != "dm"]
    assert all(workspace.app.user in conversation.members for conversation in named)


def test_one_that_asks_for_none_has_none(written):
    workspace = load_workspace(written("app: {scopes: [], events: []}")).workspace
    assert (bot_token(workspace).scopes, workspace.app.events) == (frozenset(), ())


def test_people_without_channels_meet_in_general(written):
    workspace = load_workspace(written("people: [{name: rita}, {name: gus, guest: true}]")).workspace
    (general,) = (c for c in workspace.conversations.values() if c.kind != "dm")
    assert (general.id, general.members) == ("C0GENERAL", ["U0RITA", "U0SIGNOFF"])
    assert workspace.dm_of("U0GUS").members == ["U0GUS", "U0SIGNOFF"]


def test_a_manifest_may_be_json_with_tabs(written):
    manifest = '{\n\t"display_information": {\n\t\t"name": "Tabs"\n\t}\n}\n'
    assert load_workspace(None, written(manifest, "manifest.json")).workspace.app.name == "Tabs"


def test_what_a_manifest_says_beyond_what_is_heeded_is_overlooked(written):
    manifest = written("display_information: {name: Wide, long_description: x}\nfunctions: {}\n", "manifest.yml")
    assert load_workspace(None, manifest).workspace.app.name == "Wide"


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("wrokspace: Acme", "workbench.yml:1: wrokspace is not known here; did you mean 'workspace'?"),
        (
            "people:\n  - name: rita\n    emial: x@example.com",
            "workbench.yml:3: people[1].emial is not known here; did you mean 'email'?",
        ),
        (
            "people:\n  - name: rita\n    xyzzy: 1",
            f"workbench.yml:3: people[1].xyzzy is not known here; there are: {', '.join(PersonPart.model_fields)}",
        ),
        ("app:\n  comands: []", "workbench.yml:2: app.comands is not known here; did you mean 'commands'?"),
        (
            "people: [{name: Rita Rossi}]",
            f"workbench.yml:1: people[1].name {CASED}",
        ),
        ("people:\n- {real_name: Rita}", "workbench.yml:2: people[1].name is required"),
        (
            "people:\n- {name: rita}\n- {name: rita}",
            "workbench.yml:3: people[2].name is 'rita', too much like the one on line 2: give it an `id`",
        ),
        (
            "people: [{name: rita}]\nchannels:\n- name: x\n  members: [rita, bob]",
            "workbench.yml:4: channels[1].members[2] is 'bob', and there is nobody of that name; there are: rita",
        ),
        (
            "people: [{name: rita, profile: {Boss: x}}]",
            "workbench.yml:1: people[1].profile.Boss is not among the profile_fields",
        ),
        (
            "people: [{name: rita, timezone: Rome}]",
            "workbench.yml:1: people[1].timezone must be a time zone such as Europe/Rome",
        ),
        ("secrets: {bot_token: abc}", "workbench.yml:1: secrets.bot_token must begin with xoxb-"),
        ("people: []", "workbench.yml:1: people must not be empty"),
        ("workspace: A\nworkspace: B", "workbench.yml:2: workspace stands here for the second time, first on line 1"),
        ("people: [\n - x", "workbench.yml:2: is not YAML: expected the node content, but found '-'"),
        ("- a list", "workbench.yml:1: must be an object with named fields"),
        (
            "manifest: m.yml\napp: {name: X}",
            "workbench.yml:2: app describes the app, and so does a manifest: keep one of them",
        ),
        (
            "app: {commands: [{command: lunch}]}",
            "workbench.yml:1: app.commands[1].command must begin with / and have at most 32 characters, without spaces",
        ),
    ],
)
def test_a_mistake_is_told_in_words_with_its_file_and_line(written, text, mistake):
    assert mistakes_of(written(text)) == [mistake]


def test_all_mistakes_are_told_at_once_in_the_order_of_the_file(written):
    text = "app:\n  nmae: x\npeople:\n- name: RITA\n- name: ok\n  guest: perhaps\nzzz: 1"
    assert [mistake.split(":")[1] for mistake in mistakes_of(written(text))] == ["2", "4", "6", "7"]


def test_names_that_make_the_same_id_are_told_apart_by_an_id_of_their_own(written):
    text = "people:\n- {name: annb}\n- {name: ann-b%s}"
    assert "give it an `id`" in mistakes_of(written(text % ""))[0]
    assert list(load_workspace(written(text % ", id: U0OTHER")).workspace.people)[:2] == ["U0ANNB", "U0OTHER"]


def test_a_file_that_is_not_there_is_named(tmp_path):
    assert mistakes_of(tmp_path / "none.yml") == ["none.yml: no such file or directory"]


def test_the_manifests_mistakes_name_the_manifest(written):
    manifest = written("display_information: {}\nfeatures: {slash_commands: [{command: /x, usage_hint: 3}]}", "m.json")
    assert mistakes_of(None, manifest) == [
        "m.json:1: display_information.name is required",
        "m.json:2: features.slash_commands[1].usage_hint must be text",
    ]


def test_every_scope_and_event_that_the_workbench_knows_is_among_those_of_an_app_that_may_do_everything():
    (package,) = bot.workbench.__path__
    texts = [path.read_text(encoding="utf-8") for path in Path(package).glob("*.py")]
    named = {
        scope
        for text in texts
        for scope in re.findall(r'"([a-z_.]+:(?:read|write|history|join|manage)[a-z._]*)"', text)
    }
    assert named - {"connections:write"} <= EVERY_SCOPE
    kinds = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}
    assert {subscription_of({"type": "message", "channel_type": kind}) for kind in kinds} <= set(EVERY_EVENT)
