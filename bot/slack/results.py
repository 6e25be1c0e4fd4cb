"""Opens the window with all that a run returned, turns its pages, and sends it as a file, to whoever may see it."""

from actions.kit.records.runs import RunRecord
from blocks.life import Life
from blocks.results import ResultClick, result_file, result_view
from blocks.views import notice_view
from bot.engine import refusals
from bot.engine.people import CouldNotVerify, Directory
from bot.engine.runner import Runner
from bot.slack.modals import Modals
from bot.slack.uploads import Uploads
from storage.store import Store

NOT_SHOWN = "Not shown"


class ResultModal:
    """Those whom a run concerns may see it, and whoever is in the conversation in which it was asked for and answered."""

    def __init__(self, store: Store, runner: Runner, directory: Directory, modals: Modals, uploads: Uploads) -> None:
        self._store = store
        self._runner = runner
        self._directory = directory
        self._modals = modals
        self._uploads = uploads

    async def pressed(self, click: ResultClick) -> None:
        """Who may see it is asked each time."""
        run = await self._run(click)
        if isinstance(run, str):
            view = notice_view(NOT_SHOWN, run)
        elif click.in_file:
            told = await self._uploads.send(result_file(run), click.person)
            view = result_view(run, page=click.page, told=told)
        else:
            view = result_view(run, page=click.page)
        if click.view_id is None:
            self._modals.open(click, view)
        else:
            await self._modals.replace(click.view_id, view)

    async def _run(self, click: ResultClick) -> RunRecord | str:
        """The run, or in words why it is not shown."""
        run = await self._store.run(click.run_id)
        if run is None:
            return refusals.UNKNOWN
        if run.origin.thread is not None and await self._is_in(run.origin.channel, click.person):
            return run
        found = await self._runner.life(run.id, click.person)
        return run if isinstance(found, Life) else found.text

    async def _is_in(self, channel: str | None, person: str) -> bool:
        """A look-up that fails lets nobody in."""
        try:
            return channel is not None and await self._directory.is_member(channel, person)
        except CouldNotVerify:
            return False
