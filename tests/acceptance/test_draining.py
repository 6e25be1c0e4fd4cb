"""SIGTERM under load: what was acknowledged is there, the process ends in time, and the next one carries on.

Draining and leases last seconds, so all the stories are played at the same time, each in an office of its own, and every
one is a test.
"""

import asyncio
import json
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest

from actions.kit.records.runs import Origin, RunStatus
from bot import clock
from bot.workbench.cards import Card, NotThereError
from bot.workbench.driver import Tab
from storage.results import NewRun
from storage.store import Store
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office, office
from tests.postgresql import HINT, NoServerError, a_cluster
from tests.requirements import lacking
from tests.waiting import until

PATIENCE = 60.0
"""Seconds: a lease, a drain, and a machine that is busy with the other stories."""
DRAINED_WITHIN = 40.0
"""Seconds from SIGTERM to the end, of which an action that does not end gets ten."""
QUESTION, CHANNEL = "Go through the gate?", "#approvals"


class Story:
    """One office, and bots in processes of their own that are told to stop."""

    def __init__(self, opened: Office, store: Store) -> None:
        self.office = opened
        self.store = store
        self.ann = opened.person("ann")
        self.bots: list[Process] = []

    async def serve(self) -> Process:
        """One more bot; the office knows only the newest."""
        bot = await self.office.serve()
        self.bots.append(bot)
        return bot

    async def ask(self, action: str, text: str = "{}") -> str:
        """A run that the bot finds in its database."""
        new = NewRun(action, action, "U0RITA", Origin(via="command line"), text)
        return (await self.store.start(new, lease=None, now=clock.now())).run.id

    async def cards(self, question: str, channel: str, count: int) -> list[Card]:
        def there() -> list[Card]:
            return [card for card in self.ann.messages(channel) if card.says(question) and card.buttons]

        await self.ann.until(lambda: len(there()) == count, f"{count} cards", timeout=PATIENCE)
        return there()

    async def stop(self, bot: Process) -> None:
        bot.terminate()
        async with asyncio.timeout(DRAINED_WITHIN):
            assert await bot.wait() == 0, self.log()

    async def reaches(self, run_id: str, *statuses: RunStatus) -> None:
        async def reached() -> bool:
            run = await self.store.run(run_id)
            return run is not None and run.status in statuses

        await until(reached, f"{run_id} to be {statuses}", timeout=PATIENCE)

    async def decided(self, run_id: str) -> bool:
        card = await self.store.latest_card(run_id)
        return card is not None and len(card.decisions) == 1

    def gate(self, name: str) -> Gate:
        return Gate(self.office.folder, name)

    def log(self) -> str:
        return (self.office.folder / "bot.log").read_text(encoding="utf-8")


Play = Callable[[Story], Awaitable[None]]


async def every_acknowledged_decision_and_start_is_kept(story: Story) -> None:
    runs = [await story.ask("gated") for _ in range(6)]
    bot = await story.serve()
    cards = await story.cards(QUESTION, CHANNEL, len(runs))
    people = [story.office.person(name) for name in ("rita", "ben", "dana")]
    clicking = [asyncio.create_task(story.ann.click(card, "Approve")) for card in cards]
    starting = [asyncio.create_task(starts(person)) for person in people]
    await asyncio.wait(clicking, return_when=asyncio.FIRST_COMPLETED)
    await story.stop(bot)
    clicked, started = await asyncio.gather(*clicking), await asyncio.gather(*starting)
    assert any(ack.ok for ack in clicked)
    assert [
        ack for card, ack in zip(cards, clicked, strict=True) if ack.ok and not await story.decided(run_of(card))
    ] == []
    assert len(await story.store.runs()) >= len(runs) + sum(started)

    await story.serve()
    for card, ack in zip(cards, clicked, strict=True):
        if not ack.ok and card.buttons:
            await story.ann.click(card, "Approve")
    for run in runs:
        await story.reaches(run, RunStatus.SUCCEEDED)
        assert await story.decided(run)


async def past_the_bound_the_unanswered_are_queued_again_and_the_answered_are_stalled(story: Story) -> None:
    unanswered = await story.ask("gated", '{"stops": "before"}')
    answered = await story.ask("gated", '{"stops": "after"}')
    bot = await story.serve()
    await story.gate("before").reached(timeout=PATIENCE)
    [card] = await story.cards(QUESTION, CHANNEL, 1)
    await story.ann.click(card, "Approve")
    await story.gate("after").reached(timeout=PATIENCE)
    await story.stop(bot)
    for name in ("before", "after"):
        story.gate(name).open()
    await story.serve()
    await story.reaches(unanswered, RunStatus.WAITING)
    await story.reaches(answered, RunStatus.STALLED)
    events = [entry.event for entry in await story.store.trail(unanswered)]
    assert events.count("claimed") == 2
    assert len(story.office.effects("begun")) == 1
    assert story.office.effects("done") == []


async def what_runs_when_it_is_told_to_stop_may_finish(story: Story) -> None:
    run = await story.ask("gated", '{"stops": "after"}')
    bot = await story.serve()
    [card] = await story.cards(QUESTION, CHANNEL, 1)
    await story.ann.click(card, "Approve")
    await story.gate("after").reached(timeout=PATIENCE)
    bot.terminate()
    assert await story.office.workbench.workspace.changes.until(
        lambda: story.office.workbench.sockets.connections == 0, timeout=PATIENCE
    )
    story.gate("after").open()
    await story.stop(bot)
    await story.reaches(run, RunStatus.SUCCEEDED)
    assert len(story.office.effects("done")) == 1


async def a_thread_that_never_ends_does_not_keep_the_process(story: Story) -> None:
    await story.ask("keep_thread")
    bot = await story.serve()
    await story.gate("thread").reached(timeout=PATIENCE)
    await story.stop(bot)
    assert "threads_left_behind" in story.log()


async def a_rolling_restart_of_two_replicas_loses_no_click(story: Story) -> None:
    runs = [await story.ask("gated") for _ in range(8)] + [await story.ask("ask_everybody") for _ in range(8)]
    old = [await story.serve() for _ in range(2)]
    assert await story.office.workbench.connected(connections=2, timeout=PATIENCE)
    cards = await story.cards(QUESTION, CHANNEL, 8) + await story.cards("May the party begin?", "#general", 8)
    rolled = asyncio.create_task(roll(story, old))
    clicked = []
    for number, card in enumerate(cards):
        clicked.append(asyncio.create_task(story.ann.click(card, "Approve")))
        await asyncio.wait({rolled}, timeout=0.05 if number % 4 else 1.0)
    acks = await asyncio.gather(*clicked)
    await rolled
    for run in runs:
        await story.reaches(run, RunStatus.SUCCEEDED)
        assert await story.decided(run)
    assert [ack.outcome for ack in acks if not ack.ok] == []


async def roll(story: Story, old: list[Process]) -> None:
    """One after the other: told to stop, waited for, and replaced."""
    for bot in old:
        await story.stop(bot)
        await story.serve()
        assert await story.office.workbench.connected(connections=2, timeout=PATIENCE)


async def starts(person: Tab) -> bool:
    """Whether a form was opened, sent and acknowledged, from which a bot that stops may well keep this person."""
    try:
        await person.command("/signoff gated")
        sent = await person.submit(await person.modal(timeout=2), {"Stops": "never"})
    except NotThereError:
        return False
    return sent.closed


def run_of(card: Card) -> str:
    """By what its buttons carried when it was found."""
    [buttons] = [block["elements"] for block in card.as_seen if block["type"] == "actions"]
    interrupt: str = json.loads(buttons[0]["value"])["interrupt"]
    return interrupt.partition(".")[0]


STORIES: tuple[Play, ...] = (
    every_acknowledged_decision_and_start_is_kept,
    past_the_bound_the_unanswered_are_queued_again_and_the_answered_are_stalled,
    what_runs_when_it_is_told_to_stop_may_finish,
    a_thread_that_never_ends_does_not_keep_the_process,
    a_rolling_restart_of_two_replicas_loses_no_click,
)
ON_POSTGRESQL = "a_rolling_restart_of_two_replicas_on_postgresql_loses_no_click"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, BaseException | None]]:
    """How each story ended: with `None`, or with what went wrong."""
    with ExitStack() as stack:
        roles: dict[str, tuple[Play, str | None]] = {story.__name__: (story, None) for story in STORIES}
        try:
            url = stack.enter_context(stack.enter_context(a_cluster()).database())
        except NoServerError:
            pass
        else:
            roles[ON_POSTGRESQL] = a_rolling_restart_of_two_replicas_loses_no_click, url
        yield asyncio.run(play_all(roles, tmp_path_factory.mktemp("draining")))


async def play_all(roles: dict[str, tuple[Play, str | None]], folder: Path) -> dict[str, BaseException | None]:
    opening = asyncio.Lock()
    for name in roles:
        (folder / name).mkdir()
    plays = (play(story, url, folder / name, opening) for name, (story, url) in roles.items())
    return dict(zip(roles, await asyncio.gather(*plays, return_exceptions=True), strict=True))


async def play(story: Play, url: str | None, folder: Path, opening: asyncio.Lock) -> None:
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(office("socket", folder))
        opened.database_url = url
        async with opening:  # Alembic migrates one database at a time
            store = await stack.enter_async_context(opened.reading())
        told = Story(opened, store)
        try:
            await story(told)
        finally:
            for bot in told.bots:
                await ended(bot)


async def ended(bot: Process) -> None:
    if bot.returncode is None:
        bot.kill()
    await bot.wait()


@pytest.mark.timeout(240)
@pytest.mark.parametrize("story", [*(story.__name__ for story in STORIES), ON_POSTGRESQL])
def test_a_bot_that_is_told_to_stop_drains(story: str, played: dict[str, BaseException | None]):
    if story not in played:
        lacking("postgres", HINT)
    result = played[story]
    if result is not None:
        raise result
