"""What each command does that starts a run: it checks the input and the person as far as that goes, and stores the run."""

from actions.kit.action import Action
from actions.kit.errors import AnswerError, Problem, spell_path
from actions.kit.policies.deciders import Person
from actions.kit.records.runs import Origin
from actions.kit.shapes.wording import UNKNOWN
from bot import clock
from bot.cli.catalogue import people_words
from bot.cli.show import err, fail, safe
from bot.cli.unasked import Unasked
from bot.engine.addresses import Addresses
from bot.engine.joining import joining
from bot.engine.offloop import NotCheckedError, Validation
from storage.results import NewRun, Started
from storage.store import Store

ORIGIN = Origin(via="command line")


async def stored(store: Store, action: Action, requester: str, text: str) -> Started:
    """A new run with a checked input, for the running bot to take up; or the one of an equal request that it joins."""
    new = NewRun(action.id, action.name, requester, ORIGIN, text)
    joined = await joining(store, Addresses(Unasked()), action, new)
    return await store.start(joined, lease=None, now=clock.now())


async def checked(action: Action, raw: object) -> str:
    """The input as it is stored; exits with every mistake."""
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
