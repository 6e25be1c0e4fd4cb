"""The control API: scripts in any language act as people, wait for what they see, move the clock and plan faults.

Its routes lie below `/workbench/v1` and are documented in docs/workbench.md: within the version nothing is taken away
and nothing changes its meaning. Like all of the workbench it is for this machine alone (see `guards.py`): it takes JSON
bodies only, which no page of another origin can send here, and gives no other origin leave to read its answers.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

from aiohttp import web
from pydantic import ValidationError

from actions.kit.shapes.wording import problems_of
from bot.workbench import control_said as said
from bot.workbench.acting import ActError
from bot.workbench.acts import Acts
from bot.workbench.bench import Bench
from bot.workbench.cards import Card, NotThereError
from bot.workbench.control_acts import ACTS, Person
from bot.workbench.control_shown import Shown, overview_shown, view_shown
from bot.workbench.delivery import Courier
from bot.workbench.driver import Tab
from bot.workbench.traffic import entry_object

BASE = "/workbench/v1"
BAD, NOT_FOUND, CONFLICT = 400, 404, 409
Body = TypeVar("Body", bound=said.Said)
Handler = Callable[[web.Request], Awaitable[Shown]]


class Refusal(Exception):  # noqa: N818 - an answer, not a mistake of ours
    """Why nothing was done, in words for whoever writes the script."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Control:
    """The routes below `/workbench/v1`."""

    def __init__(self, bench: Bench, acts: Acts, courier: Courier) -> None:
        self._bench = bench
        self._acts = acts
        self._courier = courier

    def routes(self) -> list[web.AbstractRouteDef]:
        person = f"{BASE}/people/{{who}}"
        return [
            web.get(BASE, _answered(self._overview)),
            web.get(person, _answered(self._screen)),
            web.get(f"{person}/messages", _answered(self._messages)),
            web.get(f"{person}/modal", _answered(self._modal)),
            web.get(f"{person}/home", _answered(self._home)),
            web.post(f"{person}/{{act}}", _answered(self._act)),
            web.get(f"{BASE}/traffic", _answered(self._traffic)),
            web.get(f"{BASE}/faults", _answered(self._faults)),
            web.post(f"{BASE}/faults", _answered(self._plan_fault)),
            web.delete(f"{BASE}/faults", _answered(self._clear_faults)),
            web.delete(f"{BASE}/faults/{{id}}", _answered(self._cancel_fault)),
            web.post(f"{BASE}/clock", _answered(self._clock)),
            web.route("*", f"{BASE}/{{rest:.*}}", _answered(_unknown)),
        ]

    # --- looking

    async def _overview(self, _request: web.Request) -> Shown:
        return overview_shown(self._bench.workspace, self._courier, f"{self._bench.origin}/")

    async def _screen(self, request: web.Request) -> Shown:
        tab = self._tab(request)
        modal, home = tab.open_modal, tab.home_tab
        return {
            "person": tab.person.name,
            "modal": None if modal is None else view_shown(modal),
            "home": None if home is None else view_shown(home),
            "toasts": tab.toasts,
        }

    async def _messages(self, request: web.Request) -> Shown:
        person, asked = self._person(request), _query(request, said.AskMessages)

        def found() -> list[Card]:
            seen = person.tab.messages(asked.place)
            return [card for card in seen if card.says(asked.containing) and card.ts > asked.after]

        if asked.wait:
            what = f"a message containing {asked.containing!r} in {asked.place or 'any conversation'}"
            await person.tab.until(lambda: bool(found()), what, timeout=asked.wait)
        return {"messages": [person.shown(card) for card in found()]}

    async def _modal(self, request: web.Request) -> Shown:
        tab, asked = self._tab(request), _query(request, said.AskView)
        modal = await tab.modal(asked.title, timeout=asked.wait)
        await tab.until(lambda: modal.says(asked.containing), f"{asked.containing!r} in the modal", timeout=asked.wait)
        return {"modal": view_shown(modal)}

    async def _home(self, request: web.Request) -> Shown:
        tab, asked = self._tab(request), _query(request, said.AskView)
        return {"home": view_shown(await tab.home(asked.containing, timeout=asked.wait))}

    async def _traffic(self, request: web.Request) -> Shown:
        asked, journal = _query(request, said.AskTraffic), self._bench.journal
        if asked.wait:
            changes = self._bench.workspace.changes
            await changes.until(lambda: journal.rev > asked.since, timeout=asked.wait)
        return {"rev": journal.rev, "entries": [entry_object(entry) for entry in journal.since(asked.since)]}

    # --- acting

    async def _act(self, request: web.Request) -> Shown:
        act = ACTS.get(request.match_info["act"])
        if act is None:
            raise Refusal(NOT_FOUND, f"there is no act {request.match_info['act']!r}; there are: {', '.join(ACTS)}")
        person = self._person(request)
        return await act.do(person, await _body(request, act.body))

    async def _clock(self, request: web.Request) -> Shown:
        await self._acts.move_clock(timedelta(minutes=(await _body(request, said.MoveClock)).minutes))
        return {"moved_minutes": self._bench.moved.total_seconds() / 60}

    # --- faults

    async def _faults(self, _request: web.Request) -> Shown:
        return {"planned": self._bench.faults.planned(), "catalogue": self._bench.faults.catalogue}

    async def _plan_fault(self, request: web.Request) -> Shown:
        given = await _json(request)
        kind = given.pop("kind", None)
        if not isinstance(kind, str):
            raise Refusal(BAD, "kind is required; GET the faults for those that there are")
        try:
            self._bench.faults.plan(kind, **given)
        except ValueError as error:
            raise Refusal(BAD, str(error)) from None
        return {"planned": self._bench.faults.planned()}

    async def _clear_faults(self, _request: web.Request) -> Shown:
        self._bench.faults.clear()
        return {"planned": []}

    async def _cancel_fault(self, request: web.Request) -> Shown:
        which = request.match_info["id"]
        if not (which.isdecimal() and self._bench.faults.cancel(int(which))):
            raise Refusal(NOT_FOUND, f"no fault {which} is planned")
        return {"planned": self._bench.faults.planned()}

    # --- inside

    def _tab(self, request: web.Request) -> Tab:
        who = request.match_info["who"]
        person = self._bench.workspace.person(who)
        if person is None or person.is_bot or person.deactivated:
            people = [p.name for p in self._bench.workspace.people.values() if not (p.is_bot or p.deactivated)]
            raise Refusal(NOT_FOUND, f"nobody here is called {who!r}; there are: {', '.join(people)}")
        return Tab(self._bench, self._acts, person.id)

    def _person(self, request: web.Request) -> Person:
        return Person(self._bench.workspace, self._tab(request))


def _answered(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    """The handler with its answer as JSON, and whatever refuses or fails to appear in words with its status."""

    async def answer(request: web.Request) -> web.Response:
        try:
            return web.json_response({"ok": True, **await handler(request)})
        except Refusal as refusal:
            return _refused(refusal.status, str(refusal))
        except LookupError as error:
            return _refused(NOT_FOUND, str(error))
        except NotThereError as error:
            return _refused(NOT_FOUND if request.method == "GET" else CONFLICT, str(error))
        except ActError as error:
            return _refused(CONFLICT, str(error))

    return answer


async def _unknown(request: web.Request) -> Shown:
    raise Refusal(NOT_FOUND, f"{request.method} {request.path} is none of the control API's; see docs/workbench.md")


def _refused(status: int, words: str) -> web.Response:
    return web.json_response({"ok": False, "error": words}, status=status)


async def _json(request: web.Request) -> dict[str, Any]:
    """The body as an object. JSON alone is taken: a form of another web page cannot say that it is."""
    if request.content_type != "application/json":
        raise Refusal(BAD, "the body must be JSON, with the header Content-Type: application/json")
    try:
        said_so = await request.json() if request.can_read_body else {}
    except ValueError as error:
        raise Refusal(BAD, f"the body is not JSON: {error}") from None
    if not isinstance(said_so, dict):
        raise Refusal(BAD, "the body must be a JSON object")
    return said_so


async def _body(request: web.Request, model: type[Body]) -> Body:
    return _read(model, await _json(request))


def _query(request: web.Request, model: type[Body]) -> Body:
    return _read(model, dict(request.query))


def _read(model: type[Body], given: dict[str, Any]) -> Body:
    try:
        return model.model_validate(given)
    except ValidationError as error:
        problems = problems_of(error, given)
    raise Refusal(BAD, "; ".join(f"{'.'.join(map(str, each.path)) or 'the body'} {each.message}" for each in problems))
