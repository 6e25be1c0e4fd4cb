"""The bot's process is killed at each seam between start, pause, post, click, decision, re-run, outcome and edit.

After the next start each run finishes exactly once, or stands there as stalled; the card and the requester's message say
so, and no button is left alive. Leases last fifteen seconds, so all the stories are played at the same time, each in an
office of its own, and every one is a test.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path
from typing import Any

import pytest

from actions.kit.records.runs import RunRecord, RunStatus
from bot.workbench.cards import Card
from bot.workbench.faults import Hold
from storage.store import Store
from tests.acceptance.gates import Gate
from tests.acceptance.office import Office, office
from tests.postgresql import Cluster
from tests.waiting import until

AT_ONCE = 3
"""Bots that start at the same time."""
PATIENCE = 60.0
"""Seconds: two leases, and a machine that is busy with the other stories."""
ORDERS = ("Run again", "It happened", "It did not")
AGAIN = ("Ask again…",)
QUESTION = "Go through the gate?"
CHANNEL, REQUESTER = "C0APPROVALS", "U0RITA"


class Story:
    """One office whose bot runs in a process of its own and is killed."""

    def __init__(self, opened: Office, store: Store, starting: asyncio.Semaphore) -> None:
        self.office = opened
        self.store = store
        self.ann = opened.person("ann")
        self.rita = opened.person("rita")
        self._starting = starting

    async def serve(self) -> None:
        async with self._starting:
            await self.office.serve()

    async def kill(self, *holds: Hold) -> None:
        """And what Slack was doing for it at that moment comes to its end without it."""
        await self.office.kill()
        for hold in holds:
            hold.release()
        self.office.workbench.faults.clear()

    def gate(self, name: str) -> Gate:
        return Gate(self.office.folder, name)

    def cut_before(self, method: str, where: Callable[[Any], bool]) -> Hold:
        """A call that stands before Slack when the bot dies, and never takes effect."""
        hold = self.office.workbench.faults.hold(method, after_commit=False, where=where)
        self.office.workbench.faults.drop_connection(method, after_commit=False, where=where)
        return hold

    def cut_after(self, method: str, where: Callable[[Any], bool]) -> Hold:
        """A call that has taken effect when the bot dies, without the bot knowing."""
        return self.office.workbench.faults.hold(method, after_commit=True, where=where)

    async def start(self, stops: str = "never", action: str = "gated") -> None:
        await self.rita.command(f"/signoff {action}")
        sent = await self.rita.submit(await self.rita.modal(timeout=PATIENCE), {"Stops": stops})
        assert sent.closed, sent

    async def card(self) -> Card:
        return await self.ann.sees(QUESTION, in_="#approvals", timeout=PATIENCE)

    async def standing_card(self) -> Card:
        """The card, and the bot knows that it stands."""
        card = await self.card()

        async def in_step() -> bool:
            copies = await self.store.copies((await self.run()).id)
            return bool(copies) and all(each.shown_version == each.wanted_version for each in copies)

        await until(in_step, "the bot to know its card", timeout=PATIENCE)
        return card

    async def run(self) -> RunRecord:
        """The one run that there is."""
        [run] = await self.store.runs()
        return run

    async def ends(self, *statuses: RunStatus) -> RunRecord:
        async def reached() -> RunRecord | None:
            run = await self.run()
            return run if run.status in statuses else None

        return await until(reached, f"the run to be {statuses}", timeout=PATIENCE)

    async def decided(self) -> int:
        card = await self.store.latest_card((await self.run()).id)
        return len(card.decisions) if card else 0

    def counts(self) -> tuple[int, int]:
        """How often the action began after the answer, and how often it came to its end."""
        return len(self.office.effects("begun")), len(self.office.effects("done"))

    async def finished(self) -> None:
        """Done once, and everybody sees it once."""
        await self.ends(RunStatus.SUCCEEDED)
        assert await self.decided() == 1
        assert self.counts()[1] == 1
        await self.shown("Done", [])

    async def shown(self, word: str, buttons: list[str], ordering: Sequence[str] = AGAIN) -> None:
        """One card and one message to the requester say so, with these buttons and no others; only the message orders."""
        card = await self.card()
        await self.ann.sees_on(card, word, timeout=PATIENCE)
        told = await self.rita.sees(word, in_="dm", timeout=PATIENCE)
        assert (card.buttons, told.buttons) == (buttons, [*ordering])
        asked = [each for each in self.ann.messages("#approvals") if each.says(QUESTION) and not each.message.thread_ts]
        assert [each.ts for each in asked] == [card.ts]
        assert [each.ts for each in self.rita.messages("dm")] == [told.ts]


Play = Callable[[Story], Awaitable[None]]


async def right_after_the_start(story: Story) -> None:
    await story.start()
    await story.kill()
    await story.serve()
    await story.ann.click(await story.card(), "Approve")
    await story.finished()


async def during_the_first_pass(story: Story) -> None:
    await story.start("before")
    await story.gate("before").reached(timeout=PATIENCE)
    await story.kill()
    story.gate("before").open()
    await story.serve()
    await story.ann.click(await story.card(), "Approve")
    await story.finished()
    assert len(story.office.effects("asking")) == 2


async def after_the_pause_before_the_post(story: Story) -> None:
    hold = story.cut_before("chat.postMessage", lambda call: call["channel"] == CHANNEL)
    await story.start()
    await hold.arrived.wait()
    await story.kill(hold)
    assert story.ann.messages("#approvals") == []
    await story.serve()
    await story.ann.click(await story.card(), "Approve")
    await story.finished()


async def after_the_post_before_the_bot_knew(story: Story) -> None:
    hold = story.cut_after("chat.postMessage", lambda call: call["channel"] == CHANNEL)
    await story.start()
    await hold.arrived.wait()
    await story.kill(hold)
    await story.serve()
    await story.standing_card()
    await story.ann.click(await story.card(), "Approve")
    await story.finished()


async def after_the_post_with_a_click_before_the_bot_found_its_card(story: Story) -> None:
    hold = story.cut_after("chat.postMessage", lambda call: call["channel"] == CHANNEL)
    await story.start()
    await hold.arrived.wait()
    await story.kill(hold)
    await story.serve()
    await story.ann.click(await story.card(), "Approve")
    await story.finished()


async def between_the_click_and_the_decision(story: Story) -> None:
    await story.start()
    card = await story.standing_card()
    hold = story.office.workbench.faults.hold("conversations.members", after_commit=False)
    clicking = asyncio.create_task(story.ann.click(card, "Approve"))
    await hold.arrived.wait()
    await story.kill(hold)
    assert not (await clicking).ok
    await story.serve()
    assert (await story.run()).status is RunStatus.WAITING
    assert await story.decided() == 0
    await story.ann.click(card, "Approve")
    await story.finished()


async def right_after_the_decision_was_acknowledged(story: Story) -> None:
    await story.start()
    card = await story.standing_card()
    assert (await story.ann.click(card, "Approve")).ok
    await story.kill()
    assert await story.decided() == 1
    await story.serve()
    run = await story.ends(RunStatus.SUCCEEDED, RunStatus.STALLED)
    begun, done = story.counts()
    assert begun <= 1
    if run.status is RunStatus.STALLED:
        await story.shown("we do not know whether it happened", ["What can be done"], ORDERS)
    else:
        assert (begun, done) == (1, 1)
        await story.shown("Done", [])


async def during_the_re_run(story: Story) -> None:
    await story.start("after")
    await story.ann.click(await story.card(), "Approve")
    await story.gate("after").reached(timeout=PATIENCE)
    await story.kill()
    story.gate("after").open()
    await story.serve()
    await story.ends(RunStatus.STALLED)
    await story.shown("we do not know whether it happened", ["What can be done"], ORDERS)
    assert (await story.decided(), story.counts()) == (1, (1, 0))

    card = await story.ann.sees(QUESTION, in_="#approvals")
    await story.ann.click(card, "What can be done")
    await story.ann.click(await story.ann.modal(), "It happened")
    await story.ends(RunStatus.SUCCEEDED)
    await story.ann.sees_on(card, "marked by @Ann Archer", timeout=PATIENCE)
    assert card.buttons == []
    assert story.counts() == (1, 0)


async def during_the_re_run_of_an_idempotent_action(story: Story) -> None:
    await story.start("after", action="gated_idempotent")
    await story.ann.click(await story.card(), "Approve")
    await story.gate("after").reached(timeout=PATIENCE)
    await story.kill()
    story.gate("after").open()
    await story.serve()
    await story.finished()
    assert story.counts() == (2, 1)
    assert len({entry.key for entry in story.office.effects("begun")}) == 1


async def after_the_outcome_before_the_edit(story: Story) -> None:
    await story.start()
    card = await story.standing_card()
    hold = story.cut_before("chat.update", lambda call: call["ts"] == card.ts)
    await story.ann.click(card, "Approve")
    await hold.arrived.wait()
    await story.ends(RunStatus.SUCCEEDED)
    assert card.buttons
    await story.kill(hold)
    await story.serve()
    await story.finished()


async def after_the_edit_before_the_bot_knew(story: Story) -> None:
    await story.start()
    card = await story.standing_card()
    hold = story.cut_after("chat.update", lambda call: call["ts"] == card.ts)
    await story.ann.click(card, "Approve")
    await hold.arrived.wait()
    await story.ends(RunStatus.SUCCEEDED)
    await story.kill(hold)
    await story.serve()
    await story.finished()


async def after_the_requester_was_told_before_the_bot_knew(story: Story) -> None:
    await story.start()
    card = await story.standing_card()
    hold = story.cut_after("chat.postMessage", lambda call: call["channel"] == REQUESTER)
    await story.ann.click(card, "Approve")
    await hold.arrived.wait()
    await story.kill(hold)
    await story.serve()
    await story.finished()
    await story.standing_card()
    assert len(story.rita.messages("dm")) == 1


STORIES: tuple[Play, ...] = (
    right_after_the_start,
    during_the_first_pass,
    after_the_pause_before_the_post,
    after_the_post_before_the_bot_knew,
    after_the_post_with_a_click_before_the_bot_found_its_card,
    between_the_click_and_the_decision,
    right_after_the_decision_was_acknowledged,
    during_the_re_run,
    during_the_re_run_of_an_idempotent_action,
    after_the_outcome_before_the_edit,
    after_the_edit_before_the_bot_knew,
    after_the_requester_was_told_before_the_bot_knew,
)


Ended = dict[str, BaseException | None]
"""How each story ended: with `None`, or with what went wrong."""
ON_SQLITE, ON_POSTGRESQL = STORIES[::2], STORIES[1::2]
"""Every other one: what the store does at a seam is tested on both databases by tests of its own."""


@pytest.fixture(scope="module")
def played_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    return asyncio.run(play_all(dict.fromkeys(ON_SQLITE), tmp_path_factory.mktemp("killed")))


@pytest.fixture(scope="module")
def played_on_postgresql(cluster: Cluster, migrated: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ended]:
    with ExitStack() as stack:
        urls = {story: stack.enter_context(cluster.database(migrated)) for story in ON_POSTGRESQL}
        yield asyncio.run(play_all(urls, tmp_path_factory.mktemp("killed")))


async def play_all(urls: Mapping[Play, str | None], folder: Path) -> Ended:
    starting = asyncio.Semaphore(AT_ONCE)
    for story in urls:
        (folder / story.__name__).mkdir()
    plays = (play(story, folder / story.__name__, url, starting) for story, url in urls.items())
    ended = await asyncio.gather(*plays, return_exceptions=True)
    return {story.__name__: result for story, result in zip(urls, ended, strict=True)}


async def play(story: Play, folder: Path, url: str | None, starting: asyncio.Semaphore) -> None:
    async with AsyncExitStack() as stack:
        opened = await stack.enter_async_context(office("socket", folder))
        opened.database_url = url
        async with starting:
            await opened.serve()
        store = await stack.enter_async_context(opened.reading())
        await story(Story(opened, store, starting))


@pytest.mark.timeout(240)
@pytest.mark.parametrize("seam", [story.__name__ for story in ON_SQLITE])
def test_a_bot_that_is_killed_finishes_or_shows_what_it_began(seam: str, played_on_sqlite: Ended):
    if (wrong := played_on_sqlite[seam]) is not None:
        raise wrong


@pytest.mark.timeout(240)
@pytest.mark.parametrize("seam", [story.__name__ for story in ON_POSTGRESQL])
def test_on_postgresql_it_does_the_same(seam: str, played_on_postgresql: Ended):
    if (wrong := played_on_postgresql[seam]) is not None:
        raise wrong
