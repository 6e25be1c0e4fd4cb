"""`signoff workbench`: the local Slack alone, with the settings that connect a bot to it."""

from rich.markup import escape

from bot import logs
from bot.cli.serve import until_told
from bot.cli.show import fail, out
from bot.workbench.http_delivery import local_url
from bot.workbench.server import Workbench


async def run_workbench(port: int, request_url: str | None) -> None:
    """Serve it until Ctrl-C. Raises `PortError`."""
    if request_url is not None:
        try:
            local_url(request_url)
        except ValueError as error:
            fail(f"--request-url: {error}.")
    logs.set_up("console", "warning")
    async with until_told() as told, Workbench(port=port, request_url=request_url) as workbench:
        for line in _invitation(workbench):
            out.print(line)
        await told.wait()
    out.print("Bye: the workbench and all that was said in it are gone.")


def _invitation(workbench: Workbench) -> list[str]:
    way = (
        f"SLACK_SIGNING_SECRET={workbench.signing_secret}"
        if workbench.request_url
        else f"SLACK_APP_TOKEN={workbench.app_token}"
    )
    return [
        f"[bold]A local Slack[/] at [bold cyan]{escape(workbench.url)}?as=ann[/]. Each tab is one person.",
        "",
        "Connect a bot with these settings, in its environment or its .env; they last as long as this workbench:",
        "",
        f"SLACK_API_URL={workbench.api_url}",
        f"SLACK_BOT_TOKEN={workbench.bot_token}",
        way,
        *(
            [f"SIGNOFF_TRANSPORT=http  # it is called at {escape(workbench.request_url)}"]
            if workbench.request_url
            else []
        ),
        "",
        "Then start it: signoff serve. Ctrl-C ends the workbench.",
    ]
