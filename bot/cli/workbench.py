"""`signoff workbench`: the local Slack alone, with the settings that connect an app to it, whatever it is written in."""

from pathlib import Path

from rich.markup import escape

from actions.kit.counting import counted
from bot import logs
from bot.cli.show import fail, out, safe
from bot.cli.stopping import until_told
from bot.settings import Transport
from bot.workbench.config import Configured, load_workspace
from bot.workbench.http_delivery import local_url
from bot.workbench.seed import BOT_USER
from bot.workbench.server import Workbench
from bot.workbench.workspace import Workspace
from bot.yaml_file import FileError

REQUEST_URL = "http://127.0.0.1:3000/slack/events"


async def run_workbench(
    port: int,
    transport: Transport | None,
    request_url: str | None,
    config: Path | None,
    manifest: Path | None,
    *,
    strict: bool,
) -> None:
    """Serve it until Ctrl-C. Raises `PortError`."""
    url = _called_at(transport, request_url)
    configured = _configured(config, manifest)
    workspace = configured.workspace
    logs.set_up("console", "warning")
    async with (
        until_told() as told,
        Workbench(
            workspace=workspace,
            port=port,
            request_url=url,
            signing_secret=configured.signing_secret,
            strict=strict,
            hints=_hints(workspace),
        ) as workbench,
    ):
        for line in _invitation(workbench):
            out.print(line)
        await told.wait()
    out.print("Bye: the workbench and all that was said in it are gone.")


def _called_at(transport: Transport | None, request_url: str | None) -> str | None:
    """Where the app takes HTTP; `None` for Socket Mode."""
    if transport == "socket" and request_url is not None:
        fail("--request-url is for HTTP: leave it out, or take --transport http.")
    if request_url is None:
        return REQUEST_URL if transport == "http" else None
    try:
        return local_url(request_url)
    except ValueError as error:
        fail(f"--request-url: {error}.")


def _configured(config: Path | None, manifest: Path | None) -> Configured:
    try:
        return load_workspace(config, manifest)
    except FileError as error:
        fail(*error.mistakes)


def _is_signoff(workspace: Workspace) -> bool:
    return workspace.app.user == BOT_USER


def _hints(workspace: Workspace) -> list[str]:
    """What the page says can be tried."""
    commands = workspace.app.commands
    return [
        "Start your app with the settings that the terminal printed: it shows as *connected* below.",
        *([f"Type `{commands[0].command}` in the field below."] if commands else []),
        "Become somebody else (above, in a new tab): each tab is one person.",
        "Open the panel beside the page to see what goes over the line, and to let something go wrong.",
    ]


def _invitation(workbench: Workbench) -> list[str]:
    page = f"{escape(workbench.url)}?as={_somebody(workbench.workspace)}"
    return [
        f"[bold]A local Slack[/] at [bold cyan]{page}[/]. Each tab is one person.",
        f"{_installed(workbench.workspace)}.",
        "",
        "Put these settings into your app's environment or its .env. They count in this workbench alone:",
        "",
        *_settings(workbench),
        "",
        *_ways(workbench),
        "",
        f"Scripts act as people over {workbench.url}workbench/v1 (docs/workbench.md). Ctrl-C ends the workbench.",
    ]


def _somebody(workspace: Workspace) -> str:
    return next((person.name for person in workspace.people.values() if not person.is_bot), "")


def _installed(workspace: Workspace) -> str:
    app, bot = workspace.app, next(token for token in workspace.tokens.values() if token.kind == "bot")
    has = {"command": app.commands, "shortcut": app.shortcuts, "event": app.events, "scope": bot.scopes}
    listed = ", ".join(counted(len(each), noun) for noun, each in has.items())
    return f"{safe(app.name)} is installed in {safe(workspace.name)}: {listed}"


def _settings(workbench: Workbench) -> list[str]:
    """As a shell and an .env file take them."""
    http = workbench.request_url is not None
    transport = ["SIGNOFF_TRANSPORT=http"] if http and _is_signoff(workbench.workspace) else []
    return [
        f"SLACK_API_URL={workbench.api_url}",
        f"SLACK_BOT_TOKEN={workbench.bot_token}",
        f"SLACK_SIGNING_SECRET={workbench.signing_secret}" if http else f"SLACK_APP_TOKEN={workbench.app_token}",
        *transport,
    ]


def _ways(workbench: Workbench) -> list[str]:
    """How an app is told where Slack is."""
    called = [f"It is called at {escape(workbench.request_url)}."] if workbench.request_url else []
    if _is_signoff(workbench.workspace):
        return ["Then start it: signoff serve", *called]
    mode = "" if workbench.request_url else "socketMode: true, appToken: process.env.SLACK_APP_TOKEN, "
    return [
        "and point the app at SLACK_API_URL:",
        "",
        '  Python   App(client=WebClient(os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"]))',
        f"  Bolt JS  new App({{{mode}clientOptions: {{slackApiUrl: process.env.SLACK_API_URL}}, …}})",
        "  others   the base URL of the Web API client; everything else is as with Slack",
        *called,
    ]
