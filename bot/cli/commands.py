"""What `signoff` offers. A command reads its arguments, and leaves the work to the module of its name."""

import asyncio
import sys
from enum import StrEnum
from typing import Annotated

import typer

app = typer.Typer(
    name="signoff",
    help="Approvals in Slack: an action pauses, a person answers, the action finishes. Start with: signoff demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_show_locals=False,
    rich_markup_mode="markdown",
)


class Way(StrEnum):
    """How the bot and Slack, or the workbench, reach each other."""

    SOCKET = "socket"
    HTTP = "http"


AsPerson = Annotated[str, typer.Option("--as", metavar="PERSON", help="The Slack id of the person you act for, U….")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port of the page on 127.0.0.1; 0 takes a free one.")]


@app.command()
def serve() -> None:
    """Run the bot, until Ctrl-C or SIGTERM. Settings come from the environment and `.env`."""
    from bot.cli.serve import serve as run
    from bot.cli.show import told

    with told():
        asyncio.run(run())


@app.command()
def demo(
    once: Annotated[
        bool, typer.Option("--once", help="Play one approval without a browser, print it, and exit.")
    ] = False,
    transport: Annotated[Way, typer.Option(help="How the bot talks to the local Slack.")] = Way.SOCKET,
    port: Port = 8700,
) -> None:
    """Try everything on this machine: a local Slack in your browser, with the real bot behind it."""
    from bot.cli.demo import run_demo
    from bot.cli.play import play_once
    from bot.cli.show import told

    with told():
        if once:
            sys.exit(asyncio.run(play_once(transport.value)))
        asyncio.run(run_demo(transport.value, port))


@app.command()
def workbench(
    port: Port = 8700,
    request_url: Annotated[
        str | None,
        typer.Option(help="Where your bot listens, for signed HTTP; without it the bot connects by Socket Mode."),
    ] = None,
) -> None:
    """Run the local Slack alone, for a bot that you start yourself. Prints the settings that the bot needs."""
    from bot.cli.show import told
    from bot.cli.workbench import run_workbench

    with told():
        asyncio.run(run_workbench(port, request_url))


@app.command()
def actions(as_json: AsJson = False) -> None:
    """List the actions that this bot knows, who decides them, and how long they wait."""
    from bot.cli.runs import list_actions
    from bot.cli.show import told

    with told():
        list_actions(as_json=as_json)


@app.command()
def start(
    action: Annotated[str, typer.Argument(help="The action's id; `signoff actions` lists them.")],
    fields: Annotated[
        list[str] | None, typer.Argument(metavar="[FIELD=VALUE]...", help="The input, a field each.")
    ] = None,
    input_json: Annotated[
        str | None,
        typer.Option(
            "--input", metavar="JSON", help="The whole input as JSON; `@file` reads a file, `-` standard input."
        ),
    ] = None,
    person: AsPerson = "",
    as_json: AsJson = False,
) -> None:
    """Start a run for a person. The running bot takes it up within seconds."""
    from bot.cli.runs import start_run
    from bot.cli.show import told

    with told():
        asyncio.run(start_run(action, fields or [], input_json, person, as_json=as_json))


@app.command()
def runs(
    status: Annotated[
        list[str] | None, typer.Option(help="Only runs in this state; may be given several times.")
    ] = None,
    action: Annotated[str | None, typer.Option(help="Only runs of this action.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, the newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first."""
    from bot.cli.runs import list_runs
    from bot.cli.show import told

    with told():
        asyncio.run(list_runs(status or [], action, limit, as_json=as_json))


@app.command()
def show(
    run: Annotated[str, typer.Argument(help="The run's id, or the beginning of it.")], as_json: AsJson = False
) -> None:
    """Show one run's life: every transition with its time, and where its cards stand. Never its state."""
    from bot.cli.runs import show_run
    from bot.cli.show import told

    with told():
        asyncio.run(show_run(run, as_json=as_json))


@app.command()
def cancel(run: Annotated[str, typer.Argument(help="The run's id.")], person: AsPerson = "") -> None:
    """Cancel a run that has not ended. The card and the requester are told who did it."""
    from bot.cli.runs import cancel_run
    from bot.cli.show import told

    with told():
        asyncio.run(cancel_run(run, person))
