"""Every route by which something is decided goes through the same refusals: a table of all of them, each cell tried.

Where there is nothing to try, the cell says why: (holder) nobody grants something to themselves, and that question has a
card like any other; (shared) what others joined is asked always; (no-vote) who may not vote approves no grant; (lapsed) a
vote in somebody's place does not outlast the policy, as the first three lines show; (no-card) a grant answers before there
is a card; (no-run) what nobody knows is not started. Whoever has no direct messages with the bot is refused unheard.
"""

from dataclasses import dataclass, replace
from itertools import cycle
from typing import NamedTuple

import pytest

from actions.kit.records.audit import ANSWER_REFUSED
from actions.kit.records.runs import RunStatus
from bot.workbench.people import Person
from tests.acceptance.hindrances import (
    DANA,
    EDITED,
    FINANCE,
    HINDRANCES,
    PIA,
    RITA,
    SAM,
    SPEAKER,
    STANDS_FOR,
    Garden,
    Voice,
)
from tests.acceptance.office import Office
from tests.acceptance.routes import ROUTES, Route
from tests.waiting import until

TABLE = """
whom it is about  the card    a form      Home        together    HTTP        a grant

nothing
  themselves      counts      counts      counts      counts      counts      counts
  who is away     counts      counts      counts      counts      counts      asked
  the stand-in    counts      counts      counts      counts      counts      asked
they asked for it
  themselves      own         own         own         own         own         (holder)
  who is away     theirs      theirs      theirs      theirs      theirs      (holder)
  the stand-in    own         own         own         own         own         (holder)
they joined it
  themselves      own         own         own         own         own         (shared)
  who is away     theirs      theirs      theirs      theirs      theirs      (shared)
  the stand-in    own         own         own         own         own         (shared)
does not decide
  themselves      nobody      nobody      nobody      nobody      nobody      (no-vote)
  who is away     nobody      nobody      nobody      nobody      nobody      (no-vote)
is excluded by name
  themselves      left-out    left-out    left-out    left-out    left-out    (no-vote)
  who is away     either-out  either-out  either-out  either-out  either-out  (no-vote)
  the stand-in    left-out    left-out    left-out    left-out    left-out    (no-vote)
decided an earlier, separate stage
  themselves      left-out    left-out    left-out    left-out    left-out    (no-vote)
  who is away     either-out  either-out  either-out  either-out  either-out  (no-vote)
  the stand-in    left-out    left-out    left-out    left-out    left-out    (no-vote)
is no decider by today's policy
  themselves      any-more    any-more    any-more    any-more    any-more    asked
  who is away     nobody      nobody      nobody      nobody      nobody      (lapsed)
has left the group
  themselves      nobody      nobody      nobody      nobody      nobody      asked
  who is away     nobody      nobody      nobody      nobody      nobody      (lapsed)
became a guest
  themselves      guest       guest       guest       guest       guest       asked
  who is away     member      member      member      member      member      (lapsed)
  the stand-in    member      member      member      member      member      (lapsed)
is a bot
  themselves      bot         bot         unheard     bot         no-member   asked
  who is away     member      member      member      member      member      (lapsed)
  the stand-in    bot         bot         unheard     bot         no-member   (lapsed)
is deactivated
  themselves      nobody      nobody      unheard     nobody      no-member   asked
  who is away     nobody      nobody      nobody      nobody      nobody      (lapsed)
  the stand-in    nobody      nobody      unheard     nobody      no-member   (lapsed)
the group cannot be looked up
  themselves      unsure      unsure      unsure      unsure      unsure      asked
  who is away     unsure      unsure      unsure      unsure      unsure      (lapsed)
  the stand-in    unsure      unsure      unsure      unsure      unsure      (lapsed)
the person cannot be looked up
  themselves      unsure      unsure      unsure      unsure      unsure      asked
  who is away     unsure      unsure      unsure      unsure      unsure      (lapsed)
  the stand-in    unsure      unsure      unsure      unsure      unsure      (lapsed)
must decide in person
  who is away     in-person   in-person   in-person   in-person   in-person   (no-vote)
has answered
  themselves      twice       twice       twice       twice       twice       (no-card)
  who is away     spoke       spoke       spoke       spoke       spoke       (no-card)
  the stand-in    twice       twice       twice       twice       twice       (no-card)
somebody else settled it
  themselves      settled     settled     settled     settled     settled     (no-card)
  who is away     settled     settled     settled     settled     settled     (no-card)
it expired
  themselves      late        late        late        late        late        (no-card)
  who is away     late        late        late        late        late        (no-card)
the card was redrawn
  themselves      redrawn     redrawn     redrawn     redrawn     redrawn     (no-card)
  who is away     redrawn     redrawn     redrawn     redrawn     redrawn     (no-card)
the action is on hold
  themselves      hold        hold        hold        hold        hold        (no-run)
  who is away     hold        hold        hold        hold        hold        (no-run)
there is no such choice
  themselves      choice      choice      choice      choice      choice      (no-card)
  who is away     choice      choice      choice      choice      choice      (no-card)
"""


class Reason(NamedTuple):
    """How a cell is refused: in these words everywhere, over HTTP as this problem; and whether the trail notes it."""

    words: str
    problem: str = "not-allowed"
    is_noted: bool = True


REASONS = {
    "own": Reason("You asked for this, and nobody approves their own request"),
    "theirs": Reason("whoever asked for this decides it in nobody's place, and nobody decides it in or through theirs"),
    "nobody": Reason("You are not one of those who may answer this"),
    "left-out": Reason("You are left out of this decision"),
    "either-out": Reason("one of you is left out of this decision"),
    "any-more": Reason("You may not decide this any more: the policy of the action was changed"),
    "guest": Reason("Guests cannot answer this"),
    "member": Reason("only a full member decides in the place of somebody else"),
    "bot": Reason("Only people can answer this"),
    "unheard": Reason(""),
    "no-member": Reason("is no member of this Slack (any more)", "no-such-person", is_noted=False),
    "in-person": Reason("by the policy of this action nobody decides in the place of somebody else"),
    "unsure": Reason("Slack did not tell in time whether you may do this", "could-not-verify"),
    "twice": Reason("You have already answered with “Approve”", "already-answered", is_noted=False),
    "spoke": Reason("has already answered with “Approve”", "already-answered", is_noted=False),
    "settled": Reason("Already approved by", "already-decided", is_noted=False),
    "late": Reason("Too late: nobody answered in time, and the request expired", "expired", is_noted=False),
    "redrawn": Reason("This card was redrawn since you saw it", "outdated"),
    "hold": Reason("is on hold: the running version of the bot does not know this action", "on-hold"),
    "choice": Reason("This is not one of the answers to this question", "invalid"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: whose answer it is, and what becomes of it by each route, and of a grant."""

    voice: Voice
    routes: tuple[str, ...]
    grant: str


def lines_of(table: str) -> dict[str, list[Line]]:
    """By what stands in the way."""
    found: dict[str, list[Line]] = {}
    lines: list[Line] = []
    for line in table.splitlines()[3:]:
        if not line.startswith("  "):
            lines = found.setdefault(line, [])
        else:
            *routes, grant = line[18:].split()
            lines.append(Line(Voice(line[2:18].strip()), tuple(routes), grant))
    return found


LINES = lines_of(TABLE)


def test_the_table_has_everything_that_can_stand_in_the_way_and_every_route():
    assert list(LINES) == list(HINDRANCES)
    assert {len(line.routes) for lines in LINES.values() for line in lines} == {len(ROUTES)}
    assert {cell for lines in LINES.values() for line in lines for cell in line.routes} == {"counts", *REASONS}


@pytest.fixture
async def garden(closed_office: Office, monkeypatch: pytest.MonkeyPatch) -> Garden:
    """Finance are Ann, Ben, Dana and Pia. Dana and Pia are away, Omar and Sam decide in their place."""
    monkeypatch.setattr("bot.engine.sweeps.EXPIRY_EVERY", 3600.0)
    workspace = closed_office.workbench.workspace
    for person in (
        Person(PIA, "pia", "Pia Park", "pia@example.com"),
        Person(SAM, "sam", "Sam Seed", "sam@example.com"),
    ):
        workspace.people[person.id] = person
    workspace.groups["S0FINANCE"].members += [DANA, PIA]
    for speaker in SPEAKER.values():
        workspace.join("#approvals", speaker)
    return Garden(closed_office)


ALTERNATING = tuple(zip([name for name in HINDRANCES if name != "nothing"], cycle(("socket", "http")), strict=False))
"""Each hindrance over one transport, and so each route over both."""


async def test_where_nothing_stands_in_the_way_every_route_counts(garden: Garden):
    lines = LINES["nothing"]
    await garden.open(HINDRANCES["nothing"].policy)
    await garden.send_away()
    for number, route in enumerate(ROUTES):
        await garden.ask_all([line.voice for line in lines])
        for line in lines:
            assert line.routes[number] == "counts"
            taken = await taken_by(garden, line.voice, route)
            await taken.send(garden.speaker(line.voice))
        await all_count(garden)
        await garden.office.bot.runner.cancel(garden.runs[0].id, RITA)


@pytest.mark.parametrize("transport", ["socket"])
async def test_where_nothing_stands_in_the_way_a_grant_counts_until_its_vote_would_not(garden: Garden):
    await garden.open(FINANCE)
    await garden.send_away()
    for line in LINES["nothing"]:
        await garden.grant(line.voice)
    await garden.close()
    await garden.open(EDITED)
    await are_granted(garden, LINES["nothing"])


@pytest.mark.parametrize(("name", "transport"), ALTERNATING)
async def test_every_route_refuses_it_privately_and_nothing_is_decided(garden: Garden, name: str):
    hindrance, lines = HINDRANCES[name], LINES[name]
    judged = [line for line in lines if line.grant == "asked"]
    await garden.open(hindrance.policy, joins=hindrance.joins)
    await garden.send_away()
    await garden.ask_all([line.voice for line in lines], by_those_meant=hindrance.is_theirs)
    for line in judged:
        await garden.grant(line.voice)
    await hindrance.before(garden)
    taken = {
        line.voice: [await taken_by(garden, line.voice, route, misspelt=hindrance.misspelt) for route in ROUTES]
        for line in lines
    }
    await garden.close()
    hindrance.meanwhile(garden)
    await garden.open(hindrance.today, joins=hindrance.joins)
    await hindrance.after(garden)
    for line in lines:
        await are_refused(garden, line, taken[line.voice])
    assert not said_in_public(garden)
    await are_granted(garden, judged)


async def taken_by(garden: Garden, voice: Voice, route: type[Route], *, misspelt: bool = False) -> Route:
    """The route to this voice's question, as Ann has it before her."""
    taken = route(garden.office, await garden.question(garden.asked[voice]), misspelt=misspelt)
    await taken.look()
    return taken


async def all_count(garden: Garden) -> None:
    """What each said is decided, for whom they spoke."""
    (run,) = garden.runs

    async def decided() -> bool:
        found = [(each.person, each.standing_for) for each in await garden.office.decisions(run.id)]
        return found == [(person, STANDS_FOR.get(person)) for person in SPEAKER.values()]

    await until(decided, "everybody's answer")


async def are_refused(garden: Garden, line: Line, routes: list[Route]) -> None:
    """By each route in the words of its cell; what was decided and done stays as it was, and the trail says who tried."""
    run, speaker = garden.asked[line.voice], garden.speaker(line.voice)
    before, effects = await garden.today(run), garden.office.effects()
    for route, cell in zip(routes, line.routes, strict=True):
        await route.send(speaker)
        if REASONS[cell].words:
            await route.is_told(speaker, REASONS[cell].words, REASONS[cell].problem)
    status = RunStatus.EXPIRED if "late" in line.routes else before.status
    assert await garden.today(run) == replace(before, status=status)
    assert garden.office.effects() == effects
    noted = [route.via for route, cell in zip(routes, line.routes, strict=True) if REASONS[cell].is_noted]

    async def is_noted() -> bool:
        trail = await garden.office.store.trail(run.id)
        return [each.via for each in trail if (each.event, each.person) == (ANSWER_REFUSED, speaker.id)] == noted

    await until(is_noted, f"the trail to tell of {noted}")


def said_in_public(garden: Garden) -> list[str]:
    """What everybody in a channel could read of a refusal."""
    places = garden.office.workbench.workspace.conversations.values()
    public = [each.text for place in places if place.kind != "dm" for each in place.messages if each.only_for is None]
    return [text for text in public for reason in REASONS.values() if reason.words and reason.words in text]


async def are_granted(garden: Garden, lines: list[Line]) -> None:
    """What Rita was granted is done without asking where it counts, and asked where it does not."""
    for line in lines:
        run = await garden.ask(line.voice.value)
        await garden.office.ends(run, RunStatus.SUCCEEDED if line.grant == "counts" else RunStatus.WAITING)
