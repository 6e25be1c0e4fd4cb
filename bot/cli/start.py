"""`signoff start`: a run for a person, stored for the running bot to take up."""

from collections.abc import Sequence

from actions.kit.registry import Registry
from bot.cli.catalogue import unknown_action
from bot.cli.fields import read_input
from bot.cli.records import opened, person_id
from bot.cli.show import err, out, print_json, safe
from bot.cli.starting import check_starter, checked, stored
from bot.settings import Settings


async def start_run(
    action_id: str, fields: Sequence[str], input_json: str | None, person: str, *, as_json: bool
) -> None:
    """Check the input and the person as far as that goes without Slack, store the run, and print its id."""
    settings = Settings.load()
    registry = Registry.load(settings.actions)
    action = registry.get(action_id) or unknown_action(action_id, registry)
    requester = person_id(person)
    check_starter(action, requester)
    text = await checked(action, read_input(fields, input_json, action.input_schema))
    async with opened(settings) as store:
        started = await stored(store, action, requester, text)
    run = started.run
    if as_json:
        told = {"run": run.id, "action": run.action_id, "status": run.status, "requester": run.requester}
        print_json(told | {"joined": started.joined})
        return
    out.print(run.id)
    if started.joined:
        err.print(f"{safe(run.requester)} asked for the same, and that is still open: joined. signoff show {run.id}")
        return
    err.print(f"Stored for {safe(requester)}. The running bot takes it up within 5 seconds: signoff show {run.id}")
