"""Serves the page, its stream of states, and the few things that a person can do in it."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from bot.workbench.acts import ActError, Acts
from bot.workbench.bench import Bench
from bot.workbench.delivery import Courier
from bot.workbench.files import file_object
from bot.workbench.page_panel import panel_entry, panel_state
from bot.workbench.page_state import page_state, people_to_choose
from bot.workbench.submissions import TROUBLE
from bot.workbench.workspace import Person

PAGE = Path(__file__).parent / "page"
COALESCE = 0.03  # seconds
MOST_MINUTES = 60 * 24 * 366

Said = Mapping[str, Any]


class PageServer:
    """The routes below `/`, `/page/` and `/workbench/`."""

    def __init__(self, bench: Bench, acts: Acts, courier: Courier) -> None:
        self._bench = bench
        self._acts = acts
        self._courier = courier
        self._tabs: dict[web.WebSocketResponse, str] = {}
        self._verbs: dict[str, Callable[[Said], Awaitable[Mapping[str, Any] | None]]] = {
            "click": self._click,
            "view_click": self._view_click,
            "submit": self._submit,
            "close": self._close,
            "command": self._command,
            "say": self._say,
            "dismiss": self._dismiss,
            "open_dm": self._open_dm,
            "open_home": self._open_home,
            "suggest": self._suggest,
            "shortcut": self._shortcut,
            "message_shortcut": self._message_shortcut,
            "clock": self._clock,
            "edit": self._edit,
            "delete": self._delete,
            "react": self._react,
            "plan_fault": self._plan_fault,
            "cancel_fault": self._cancel_fault,
            "clear_faults": self._clear_faults,
        }

    def routes(self) -> list[web.AbstractRouteDef]:
        return [
            web.get("/", _index),
            web.static("/page", PAGE),
            web.get("/workbench/people", self._people),
            web.get("/workbench/live", self._live),
            web.get("/workbench/panel", self._panel),
            web.get("/workbench/panel/{number}", self._entry),
            web.post("/workbench/upload", self._upload),
            web.post("/workbench/api/{verb}", self._act),
        ]

    async def close(self) -> None:
        for tab in list(self._tabs):
            await tab.close()

    @property
    def online(self) -> frozenset[str]:
        """Who has a tab open."""
        return frozenset(self._tabs.values())

    async def _people(self, _request: web.Request) -> web.Response:
        return web.json_response(people_to_choose(self._bench, self.online))

    async def _panel(self, _request: web.Request) -> web.Response:
        return web.json_response(panel_state(self._bench))

    async def _entry(self, request: web.Request) -> web.Response:
        entry = panel_entry(self._bench, request.match_info["number"])
        if entry is None:
            return web.json_response({"ok": False, "error": "There is no such entry."}, status=404)
        return web.json_response(entry, dumps=_readable)

    async def _live(self, request: web.Request) -> web.StreamResponse:
        person = self._bench.workspace.person(request.query.get("as", ""))
        if person is None or person.is_bot or person.deactivated:
            return web.json_response({"ok": False, "error": "There is nobody of that name."}, status=404)
        tab = web.WebSocketResponse(heartbeat=20, compress=False)
        await tab.prepare(request)
        self._tabs[tab] = person.id
        self._bench.workspace.changes.happened()
        traffic = request.query.get("traffic") == "yes"
        watching = asyncio.get_running_loop().create_task(self._watch(tab, person, traffic=traffic))
        try:
            async for frame in tab:
                if frame.type is WSMsgType.ERROR:
                    break
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            del self._tabs[tab]
            self._bench.workspace.changes.happened()
        return tab

    async def _watch(self, tab: web.WebSocketResponse, person: Person, *, traffic: bool) -> None:
        """Send the whole state now and whenever it changes; what changes within a moment goes out together.

        With `traffic` the tab also hears that there are new lines in it, where nothing else has changed.
        """
        changes, journal, shown = self._bench.workspace.changes, self._bench.journal, ""
        while not tab.closed:
            seen = changes.count
            state = json.dumps(page_state(self._bench, self._courier, person, self.online))
            if state != shown:
                await tab.send_str(state)
            elif traffic:
                await tab.send_json({"type": "traffic", "rev": journal.rev})
            shown = state
            await changes.after(seen)
            await asyncio.sleep(COALESCE)

    async def _act(self, request: web.Request) -> web.Response:
        verb = self._verbs.get(request.match_info["verb"])
        if verb is None or request.content_type != "application/json":
            return web.json_response({"ok": False, "error": "The workbench does not know that."}, status=404)
        try:
            said = await request.json()
            answer = await verb(said)
        except ActError as error:
            return web.json_response({"ok": False, "error": str(error)})
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            return web.json_response({"ok": False, "error": f"The page sent something odd: {error!r}"}, status=400)
        return web.json_response({**(answer or {}), "ok": True})

    async def _upload(self, request: web.Request) -> web.Response:
        """Take a file from the disk of whoever the tab is, for a `file_input`."""
        try:
            file = self._acts.upload(request.query["as"], request.query["name"], await request.read())
        except (ActError, KeyError) as error:
            return web.json_response({"ok": False, "error": str(error)}, status=400)
        given = file_object(file, origin=self._bench.origin, team_id=self._bench.workspace.team_id)
        return web.json_response({"ok": True, "file": given})

    async def _click(self, said: Said) -> None:
        ack = await self._acts.click(
            said["as"],
            said["channel"],
            said["ts"],
            said["block_id"],
            said["action_id"],
            chosen=said,
            state=said.get("state"),
        )
        _or_trouble(ack.ok)

    async def _view_click(self, said: Said) -> None:
        ack = await self._acts.view_click(
            said["as"],
            said["view_id"],
            said["block_id"],
            said["action_id"],
            chosen=said.get("element") or {},
            values=said.get("values"),
        )
        _or_trouble(ack.ok)

    async def _submit(self, said: Said) -> None:
        submitted = await self._acts.submit(said["as"], said["view_id"], said.get("values") or {})
        _or_trouble(submitted.result != "trouble")

    async def _close(self, said: Said) -> None:
        await self._acts.close(said["as"], said["view_id"], everything=said.get("everything") is True)

    async def _command(self, said: Said) -> None:
        await self._acts.command(said["as"], said["channel"], said["text"])

    async def _say(self, said: Said) -> None:
        self._acts.say(said["as"], said["channel"], said["text"], said.get("thread_ts"))

    async def _edit(self, said: Said) -> None:
        self._acts.edit(said["as"], said["channel"], said["ts"], said["text"])

    async def _delete(self, said: Said) -> None:
        self._acts.delete(said["as"], said["channel"], said["ts"])

    async def _react(self, said: Said) -> None:
        self._acts.react(said["as"], said["channel"], said["ts"], said["name"])

    async def _dismiss(self, said: Said) -> None:
        self._acts.dismiss(said["as"], said["toast"])

    async def _open_dm(self, said: Said) -> None:
        self._acts.open_dm(said["as"])

    async def _open_home(self, said: Said) -> None:
        self._acts.open_home(said["as"])

    async def _suggest(self, said: Said) -> Mapping[str, Any]:
        place = {name: said[name] for name in ("view_id", "channel", "ts") if name in said}
        return await self._acts.suggest(said["as"], said["block_id"], said["action_id"], str(said["typed"]), **place)

    async def _shortcut(self, said: Said) -> None:
        _or_trouble((await self._acts.shortcut(said["as"], said["callback_id"])).ok)

    async def _message_shortcut(self, said: Said) -> None:
        ack = await self._acts.message_shortcut(said["as"], said["channel"], said["ts"], said["callback_id"])
        _or_trouble(ack.ok)

    async def _clock(self, said: Said) -> None:
        minutes = float(said["minutes"])
        if not 0 < minutes <= MOST_MINUTES:
            raise ActError("The clock moves forward, by a year at most.")
        await self._acts.move_clock(timedelta(minutes=minutes))

    async def _plan_fault(self, said: Said) -> None:
        try:
            self._bench.faults.plan(str(said["kind"]), **dict(said["parameters"]))
        except ValueError as error:
            raise ActError(str(error)) from error

    async def _cancel_fault(self, said: Said) -> None:
        self._bench.faults.cancel(said["id"])

    async def _clear_faults(self, _said: Said) -> None:
        self._bench.faults.clear()


async def _index(_request: web.Request) -> web.FileResponse:
    return web.FileResponse(PAGE / "index.html")


def _readable(entry: Any) -> str:
    """JSON of anything: a bot of the tests may have sent what is none."""
    return json.dumps(entry, default=str)


def _or_trouble(ok: bool) -> None:
    if not ok:
        raise ActError(TROUBLE)
