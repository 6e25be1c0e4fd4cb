"""What `signoff` offers. A command reads its arguments, and leaves the work to the module of its name."""

import asyncio
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.show import told

app = typer.Typer(
    name="signoff",
    help="Approvals in Slack: an action pauses, a person answers, the action finishes. Start with: signoff demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain help answers in half the time
)


class Way(StrEnum):
    """How the bot and Slack, or the workbench, reach each other."""

    SOCKET = "socket"
    HTTP = "http"


tokens = typer.Typer(
    name="token",
    help="The keys with which programs come in over HTTP, each bound to a person of Slack's.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(tokens)

webhooks = typer.Typer(
    name="webhook",
    help="Where it is told over HTTP what happens to runs: signed, in order, until it arrives.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(webhooks)

grants = typer.Typer(
    name="grants",
    help="What is allowed in advance, without asking each time, until when and how often.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(grants)

AsPerson = Annotated[str, typer.Option("--as", metavar="PERSON", help="The Slack id of the person you act for, U….")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port of the page on 127.0.0.1; 0 takes a free one.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"signoff {version('signoff')}")
        raise typer.Exit


@app.callback()
def signoff(
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and exit.")
    ] = False,
) -> None:
    """What all commands share."""


@app.command(epilog="Example: SIGNOFF_LOG_FORMAT=json signoff serve")
def serve() -> None:
    """Run the bot, until Ctrl-C or SIGTERM. Settings come from the environment and `.env`."""
    with told():
        from bot.cli.serve import serve as run

        run()


@app.command(epilog="Examples: signoff demo --port 0 · signoff demo --once --transport http")
def demo(
    once: Annotated[
        bool, typer.Option("--once", help="Play one approval without a browser, print it, and exit.")
    ] = False,
    transport: Annotated[Way, typer.Option(help="How the bot talks to the local Slack.")] = Way.SOCKET,
    port: Port = 8700,
) -> None:
    """Try everything on this machine. A local Slack in your browser, with the real bot behind it."""
    with told():
        from bot.cli.demo import run_demo
        from bot.cli.play import play_once

        if once:
            sys.exit(asyncio.run(play_once(transport.value)))
        asyncio.run(run_demo(transport.value, port))


@app.command(
    epilog="Examples: signoff workbench --manifest manifest.json · signoff workbench --config workbench.yml --port 0 · "
    "signoff workbench --transport http --request-url http://127.0.0.1:3000/slack/events"
)
def workbench(
    *,
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="YAML with people, channels, groups and the app; without it: Acme."),
    ] = None,
    manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The Slack app's manifest, YAML or JSON; without it: Signoff.")
    ] = None,
    port: Port = 8700,
    transport: Annotated[
        Way | None, typer.Option(help="How your app talks to it; without it: http where --request-url is given.")
    ] = None,
    request_url: Annotated[
        str | None,
        typer.Option(
            metavar="URL", help="Where your app takes signed HTTP, if not at http://127.0.0.1:3000/slack/events."
        ),
    ] = None,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict", help="Refuse what Slack lets pass to people's harm too: unknown arguments, pings of all."
        ),
    ] = False,
) -> None:
    """Run the local Slack alone, for any Slack app that you start yourself. Prints the settings that it needs."""
    with told():
        from bot.cli.workbench import run_workbench

        asyncio.run(
            run_workbench(port, transport.value if transport else None, request_url, config, manifest, strict=strict)
        )


@app.command(epilog="Example: signoff actions --json")
def actions(as_json: AsJson = False) -> None:
    """List the actions: who decides, how long they wait."""
    with told():
        from bot.cli.catalogue import list_actions

        list_actions(as_json=as_json)


@app.command(epilog="Example: signoff cards --json")
def cards(as_json: AsJson = False) -> None:
    """List the kinds of cards: what each shows, which answers it takes."""
    with told():
        from bot.cli.cards import list_cards

        list_cards(as_json=as_json)


@app.command(
    epilog="Examples: signoff start restart_service service=checkout reason='Orders time out' --as U012ABCDEF · "
    "signoff start spend_request --input @request.json --as U012ABCDEF"
)
def start(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="The action's id; `signoff actions` lists them.")],
    fields: Annotated[list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="The input, a field each.")] = None,
    input_json: Annotated[
        str | None,
        typer.Option(
            "--input", metavar="JSON", help="The whole input as JSON; `@file` reads a file, `-` standard input."
        ),
    ] = None,
    person: AsPerson = "",
    as_json: AsJson = False,
) -> None:
    """Start a run for a person. The running bot takes it up within 5 seconds."""
    with told():
        from bot.cli.start import start_run

        asyncio.run(start_run(action, fields or [], input_json, person, as_json=as_json))


@app.command(
    epilog="Examples: signoff who spend_request --input @request.json --as rita@example.com · "
    "signoff who restart_service service=checkout reason='Orders time out' --as U012ABCDEF"
)
def who(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="The action's id; `signoff actions` lists them.")],
    fields: Annotated[list[str] | None, typer.Argument(metavar="FIELD=VALUE", help="The input, a field each.")] = None,
    input_json: Annotated[
        str | None,
        typer.Option(
            "--input", metavar="JSON", help="The whole input as JSON; `@file` reads a file, `-` standard input."
        ),
    ] = None,
    person: Annotated[
        str, typer.Option("--as", metavar="PERSON", help="Who would ask: a Slack id, U…, or an e-mail address.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say who would decide, stage by stage, and why. Everybody is looked up now; nothing is started."""
    with told():
        from bot.cli.who import tell_who

        asyncio.run(tell_who(action, fields or [], input_json, person, as_json=as_json))


@app.command(epilog="Example: signoff agent 'refund A-1041, it came broken' --as U012ABCDEF")
def agent(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="What is to be done, in your own words.")],
    agent: Annotated[str | None, typer.Option(metavar="ID", help="Which agent; without it, SIGNOFF_AGENT.")] = None,
    person: AsPerson = "",
    detach: Annotated[bool, typer.Option("--detach", help="Print the run's id at once, and do not wait.")] = False,
    as_json: AsJson = False,
) -> None:
    """Ask an agent, and wait for what it says. People decide in Slack meanwhile; Ctrl-C leaves it at work."""
    with told():
        from bot.cli.agent import ask_agent

        asyncio.run(ask_agent(prompt, agent, person, detach=detach, as_json=as_json))


@app.command(
    epilog="Examples: signoff script refunds.py --as U012ABCDEF · "
    "signoff script - order=A-1041 --as U012ABCDEF --wait 0 < refund.py"
)
def script(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The script, in Python; `-` reads standard input.")],
    fields: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Its variables, one each.")] = None,
    input_json: Annotated[
        str | None,
        typer.Option("--input", metavar="JSON", help="Its variables as a JSON object; `@file` reads a file."),
    ] = None,
    person: AsPerson = "",
    wait: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="How long to watch it; 0 starts it and returns.")
    ] = 60.0,
    as_json: AsJson = False,
) -> None:
    """Run a script for a person. Its functions are the actions; people answer in Slack where these ask."""
    with told():
        from bot.cli.script import run_script_file

        asyncio.run(run_script_file(file, fields or [], input_json, person, wait, as_json=as_json))


@app.command(epilog="Examples: signoff runs --status waiting --status stalled · signoff runs --action send_message")
def runs(
    status: Annotated[
        list[str] | None, typer.Option(help="Only runs in this state; may be given several times.")
    ] = None,
    action: Annotated[str | None, typer.Option(help="Only runs of this action.")] = None,
    requester: Annotated[str | None, typer.Option(metavar="PERSON", help="Only runs of this person, U….")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, the newest first.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List runs, the newest first. Each with what keeps it from going on, or why it failed."""
    with told():
        from bot.cli.runs import list_runs

        asyncio.run(list_runs(status or [], action, requester, limit, as_json=as_json))


@app.command(epilog="Example: signoff show 1m8p3e")
def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or the beginning of it.")],
    as_json: AsJson = False,
) -> None:
    """Show one run's life. Every transition with its time, and where its cards stand; never its state."""
    with told():
        from bot.cli.life import show_run

        asyncio.run(show_run(run, as_json=as_json))


@app.command(epilog="Example: signoff cancel 1m8p3e1zwntgbcd1sc --as U012ABCDEF")
def cancel(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's whole id.")], person: AsPerson = ""
) -> None:
    """Cancel a run that has not ended. The card and the requester are told who did it."""
    with told():
        from bot.cli.runs import cancel_run

        asyncio.run(cancel_run(run, person))


@app.command(epilog="Examples: signoff doctor · signoff doctor 1m8p3e · signoff doctor --json")
def doctor(
    run: Annotated[
        str | None,
        typer.Argument(metavar="RUN", help="Only this run: why its card does not appear, or an answer does nothing."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check everything that the bot needs, or one run, and say how to mend it. Status 1 where something fails; warnings are 0."""
    with told():
        from bot.cli.doctor import run_doctor

        sys.exit(asyncio.run(run_doctor(run, as_json=as_json)))


@app.command(epilog="Example: signoff migrate --check || signoff migrate")
def migrate(
    check: Annotated[bool, typer.Option("--check", help="Change nothing; status 1 where it is behind.")] = False,
) -> None:
    """Bring the database's schema up to date. Make a backup first; a running bot of an older version may stop."""
    with told():
        from bot.cli.migrate import migrate as run

        asyncio.run(run(check=check))


@app.command(epilog="Example: signoff backup var/backups/$(date +%F).db")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Where the copy goes; only you may read it.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Copy the database while the bot runs, and check the copy. For PostgreSQL it names the command to use."""
    with told():
        from bot.cli.backup import make_backup

        asyncio.run(make_backup(file, force=force))


@app.command(epilog="Examples: signoff purge --older-than 90d --dry-run · signoff purge --older-than 90d")
def purge(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Only what ended longer ago: 90d, 12w, 36h.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
) -> None:
    """Delete ended runs for good, with their audit. One row stays that says how many, and until when."""
    with told():
        from bot.cli.purge import purge as run

        asyncio.run(run(older_than, dry_run=dry_run))


@app.command(epilog="Example: signoff manifest --url https://signoff.example.com")
def manifest(
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="For HTTP: the https address at which Slack reaches the bot.")
    ] = None,
) -> None:
    """Print the manifest from which the Slack app is made, for Socket Mode or, with `--url`, for HTTP."""
    with told():
        from bot.cli.manifest import print_manifest

        print_manifest(url)


@tokens.command(
    "create", epilog="Example: signoff token create --for U012ABCDEF --name deploys --action ask --expires 90d"
)
def token_create(
    *,
    person: Annotated[
        str, typer.Option("--for", metavar="PERSON", help="In whose name it acts, with their rights: a Slack id, U….")
    ] = "",
    name: Annotated[str, typer.Option(help="What it is used by, to know it again.")] = "",
    scopes: Annotated[
        list[str] | None,
        typer.Option("--scope", help="read, start, cancel or answer; several times. Without it: all but answer."),
    ] = None,
    actions: Annotated[
        list[str] | None, typer.Option("--action", help="Only for this action; several times. Without it: for all.")
    ] = None,
    expires: Annotated[
        str | None, typer.Option(metavar="AGE", help="When it ends: 90d, 12w, 36h. Without it: when it is revoked.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make a token for a program. It is printed once, and kept nowhere."""
    with told():
        from bot.cli.tokens import create_token

        asyncio.run(create_token(person, name, scopes or [], actions or [], expires, as_json=as_json))


@tokens.command("list", epilog="Example: signoff token list")
def token_list(as_json: AsJson = False) -> None:
    """List the tokens: whose, for what, used when. Never their secrets."""
    with told():
        from bot.cli.tokens import list_tokens

        asyncio.run(list_tokens(as_json=as_json))


@tokens.command("revoke", epilog="Example: signoff token revoke 1f0c9a7be2d4")
def token_revoke(token: Annotated[str, typer.Argument(metavar="ID", help="`signoff token list` shows it.")]) -> None:
    """Revoke a token, from its very next request on."""
    with told():
        from bot.cli.tokens import revoke_token

        asyncio.run(revoke_token(token))


@webhooks.command(
    "add", epilog="Example: signoff webhook add https://ci.example.com/signoff --action deploy --event ended"
)
def webhook_add(
    url: Annotated[str, typer.Argument(metavar="URL", help="Where it is told, by POST: https://…")],
    name: Annotated[str, typer.Option(help="To know it again; without it, the URL's host.")] = "",
    actions: Annotated[
        list[str] | None, typer.Option("--action", help="Only of this action; several times. Without it: of all.")
    ] = None,
    events: Annotated[
        list[str] | None,
        typer.Option("--event", help="started, waiting, decided or ended; several times. Without it: all."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a webhook. The secret that signs what it is told is printed once."""
    with told():
        from bot.cli.webhooks import add_webhook

        asyncio.run(add_webhook(url, name, actions or [], events or [], as_json=as_json))


@webhooks.command("list", epilog="Example: signoff webhook list")
def webhook_list(as_json: AsJson = False) -> None:
    """List the webhooks, and why one was disabled. Never their secrets."""
    with told():
        from bot.cli.webhooks import list_webhooks

        asyncio.run(list_webhooks(as_json=as_json))


@webhooks.command("remove", epilog="Example: signoff webhook remove hook_3hmvk7qq0hqy")
def webhook_remove(
    webhook: Annotated[str, typer.Argument(metavar="ID", help="`signoff webhook list` shows it.")],
) -> None:
    """Remove a webhook. What still waits for it is not sent."""
    with told():
        from bot.cli.webhooks import remove_webhook

        asyncio.run(remove_webhook(webhook))


@webhooks.command(
    "deliveries", epilog="Examples: signoff webhook deliveries --failed · signoff webhook deliveries --run 1m8p3e"
)
def webhook_deliveries(
    failed: Annotated[bool, typer.Option("--failed", help="Only those that were given up.")] = False,
    run: Annotated[
        str | None, typer.Option(metavar="RUN", help="Only of this run, or the beginning of its id.")
    ] = None,
    webhook: Annotated[str | None, typer.Option(metavar="ID", help="Only to this webhook.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, the newest last.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List what webhooks were told, what they answered, and what is tried again."""
    with told():
        from bot.cli.webhooks import list_deliveries

        asyncio.run(list_deliveries(failed=failed, run=run, hook_id=webhook, limit=limit, as_json=as_json))


@webhooks.command("send-again", epilog="Example: signoff webhook send-again 1m8p570g0fms981rjk.d87f0d32aaf47")
def webhook_send_again(
    delivery: Annotated[str, typer.Argument(metavar="DELIVERY", help="`signoff webhook deliveries` shows it.")],
) -> None:
    """Send a delivery again, whatever became of it. The running bot does it at once."""
    with told():
        from bot.cli.webhooks import send_again

        asyncio.run(send_again(delivery))


@grants.command("list", epilog="Example: signoff grants list --json")
def grants_list(as_json: AsJson = False) -> None:
    """List the standing grants that are in force: whose, for what, how often used."""
    with told():
        from bot.cli.grants import list_grants

        asyncio.run(list_grants(as_json=as_json))


@grants.command("revoke", epilog="Example: signoff grants revoke 1m8p3e1zwntgbcd1sc --as U012ABCDEF")
def grants_revoke(
    grant: Annotated[str, typer.Argument(metavar="ID", help="`signoff grants list` shows it.")], person: AsPerson = ""
) -> None:
    """Revoke a standing grant, from the very next request on. Its holder and approvers are told who did it."""
    with told():
        from bot.cli.grants import revoke_grant

        asyncio.run(revoke_grant(grant, person))
