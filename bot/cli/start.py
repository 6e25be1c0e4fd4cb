"""`signoff start`: a run for a person, stored for the running bot to take up."""

from collections.abc import Sequence

from actions.kit.action import Action
from actions.kit.deciders import Person
from actions.kit.errors import AnswerError, spell_path
from actions.kit.records import Origin, Problem
from actions.kit.registry import Registry
from actions.kit.wording import UNKNOWN
from bot import clock
from bot.cli.catalogue import people_words, unknown_action
from bot.cli.fields import read_input
from bot.cli.records import opened, person_id
from bot.cli.show import err, fail, out, print_json, safe
from bot.cli.unasked import Unasked
from bot.engine.addresses import Addresses
from bot.engine.joining import joining
from bot.engine.offloop import NotCheckedError, Validation
from bot.settings import Settings
from storage.results import NewRun

ORIGIN = Origin(via="command line")


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
        new = await joining(
            store, Addresses(Unasked()), action, NewRun(action.id, action.name, requester, ORIGIN, text)
        )
        started = await store.start(new, lease=None, now=clock.now())
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


async def checked(action: Action, raw: object) -> str:
    try:
        return await Validation().run(lambda: action.validate_input(raw))
    except AnswerError as error:
        fail(*(_told(problem, action) for problem in error.problems))
    except NotCheckedError as error:
        how = "takes too long" if error.too_slow else "asked the process to exit"
        fail(f"Checking this input {how}, so nothing was started. Tell whoever wrote the action {action.id!r}.")


def _told(problem: Problem, action: Action) -> str:
    hint = ""
    if problem.message == UNKNOWN and len(problem.path) == 1:
        hint = f"; {action.id} takes {', '.join(action.input_schema.get('properties', {}))}"
    return f"{spell_path(problem.path) or 'the input'} {problem.message}{hint}"


def check_starter(action: Action, person: str) -> None:
    """Refuse whom the named starters leave out. Guests, e-mails and members of channels are known to Slack alone."""
    starters = action.policy.starters
    known = {each.id for each in starters if isinstance(each, Person) and each.id}
    if not starters or person in known:
        return
    if len(known) == len(starters):
        fail(f"{person} may not start {action.id!r}. These may: {people_words(starters)}.")
    err.print(f"Not checked, as only Slack knows: whether {safe(person)} is one of {safe(people_words(starters))}.")
