"""`signoff runs`, `show` and `cancel`: where each run stands, its life, and an end to it."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest

from actions.kit.records.copies import CopyKind
from actions.kit.records.interrupts import Asker
from actions.kit.records.runs import Failure, RunRecord, RunStatus
from actions.kit.running.calls import CallEnding, CallStatus
from bot.clock import now
from storage.results import Lease
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import ME, Scene, new_run, question

SECRET = "checkpoint-that-nobody-sees"


async def waiting(scene: Scene) -> RunRecord:
    at = now()
    run = await scene.running(now=at)
    return (await scene.card((await scene.posted(run=run, now=at, state=f'"{SECRET}"')).id)).run


async def failed(scene: Scene) -> RunRecord:
    at = now()
    run = await scene.running(now=at)
    failure = Failure(kind="ValueError", message="no such\nplace [red]", advice="Name another.")
    ended = await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.FAILED, failure=failure, now=at)
    assert ended is not None
    return ended


async def executing(scene: Scene) -> RunRecord:
    return await scene.running(now=now())


async def queued(scene: Scene) -> RunRecord:
    at = now() - timedelta(minutes=1)
    return (await scene.store.start(new_run(), lease=None, now=at)).run


def test_a_list_says_of_each_run_where_it_stands(desk: Desk):
    first, second = desk.happens(waiting), desk.happens(failed)
    said = desk.signoff("runs")
    assert said.status == 0
    header, failing, why, waits = said.out.splitlines()
    assert header.split() == ["id", "action", "state", "requester", "started", "since"]
    assert failing.split()[:5] == [second.id, "send_message", "⚠️", "failed", "U0REQ"]
    assert why == "  ValueError: no such place [red] Name another."
    assert waits.split()[:5] == [first.id, "send_message", "🕐", "waiting", "U0REQ"]


def test_a_list_fits_eighty_columns_and_never_breaks_an_id(desk: Desk):
    run = desk.happens(waiting)
    desk.set(COLUMNS="40")
    said = desk.signoff("runs")
    assert any(line.startswith(f"{run.id}  send_message  ") for line in said.out.splitlines())
    assert max(map(len, said.out.splitlines())) < 80


def test_what_is_printed_is_plain_where_nobody_looks(desk: Desk):
    desk.happens(failed)
    assert "\x1b" not in desk.signoff("runs").out
    assert "\x1b" not in desk.process("runs").out


def test_an_action_that_blocks_its_thread_is_named_with_the_place(desk: Desk):
    run = desk.happens(executing)
    assert "blocks" not in desk.signoff("runs").out
    desk.happens(lambda scene: scene.store.blocked(run.id, "deploy.py, line 7", "It blocks.", now=now()))
    assert "send_message blocks its thread since" in desk.signoff("runs").out
    assert "at deploy.py, line 7" in desk.signoff("runs").out
    assert "blocked" in desk.signoff("show", run.id).out
    assert "where deploy.py, line 7" in desk.signoff("show", run.id).out


def test_an_action_that_ended_blocks_nothing_any_more(desk: Desk):
    run = desk.happens(failed)
    desk.happens(lambda scene: scene.store.blocked(run.id, "deploy.py, line 7", "It blocks.", now=now()))
    assert "deploy.py" not in desk.signoff("show", run.id).out


def test_a_run_that_nobody_takes_up_says_so(desk: Desk):
    desk.happens(queued)
    assert "No bot has taken it up since " in desk.signoff("runs").out


def test_a_run_whose_process_is_gone_says_so(desk: Desk):
    async def left(scene: Scene) -> None:
        at = now() - timedelta(minutes=1)
        await scene.store.start(new_run(), lease=Lease(ME, at), now=at)

    desk.happens(left)
    assert "gave no sign of life since" in desk.signoff("runs").out


def test_a_card_that_could_not_be_delivered_says_why(desk: Desk):
    async def undeliverable(scene: Scene) -> None:
        at = now()
        await scene.asked(now=at)
        (copy,) = await scene.take(at)
        await scene.store.copy_refused(copy.id, owner=ME, error="not_in_channel", fallbacks=(), now=at)

    desk.happens(undeliverable)
    assert "📪 Undeliverable: not_in_channel" in desk.signoff("runs").out


def test_a_list_can_be_narrowed(desk: Desk):
    first, second = desk.happens(waiting), desk.happens(failed)
    assert first.id not in desk.signoff("runs", "--status", "failed").out
    assert second.id in desk.signoff("runs", "--status", "FAILED", "--status", "held").out
    assert first.id in desk.signoff("runs", "--action", "send_message", "--requester", "U0REQ").out
    assert desk.signoff("runs", "--requester", "U0NOBODY").out == "No runs like that.\n"
    assert desk.signoff("runs", "--limit", "1").out.count("\n") == 3
    assert "--status takes one of queued, running, " in desk.signoff("runs", "--status", "done").one_error


def test_a_list_for_scripts_is_json(desk: Desk):
    run = desk.happens(failed)
    (found,) = json.loads(desk.signoff("runs", "--json").out)
    assert (found["id"], found["status"], found["input"]) == (run.id, "failed", {"to": "ana"})
    assert found["note"].startswith("ValueError: ")


def test_without_runs_there_is_nothing_to_list(desk: Desk):
    async def nothing(_: Scene) -> None:
        pass

    desk.happens(nothing)
    assert desk.signoff("runs").out == "No runs.\n"
    assert desk.signoff("runs", "--json").out == "[]\n"


def test_a_life_tells_question_decisions_transitions_and_messages(desk: Desk):
    async def approved(scene: Scene) -> RunRecord:
        interrupt = await scene.posted(run=await scene.running(now=now()), now=now())
        await scene.vote(interrupt.id, note="Go [bold]ahead", now=now())
        return (await scene.claimed(now())).run

    run = desk.happens(approved)
    shown = desk.signoff("show", run.id[:-4]).out
    assert shown.startswith(f"{run.id}  send_message  ⏳ running\nSend message, asked by U0REQ, slack, ")
    assert "Question 1  Approve sending this message?" in shown
    assert "    Draft: Hello" in shown
    assert "yes, by U0ANA, who says: Go [bold]ahead" in shown
    assert [line.split()[2] for line in shown.split("What happened\n")[1].splitlines()[:5]] == [
        "started", "paused", "posted", "voted", "interrupt",
    ]  # fmt: skip
    assert "card  C0APP ts of " in shown


def test_a_life_for_scripts_is_json_and_neither_has_the_state(desk: Desk):
    run = desk.happens(waiting)
    told = desk.signoff("show", run.id, "--json").out
    life = json.loads(told)
    assert (life["id"], life["questions"][0]["shown"]) == (run.id, {"draft": "Hello"})
    assert [entry["event"] for entry in life["trail"]] == ["started", "paused", "posted"]
    assert life["copies"][0]["kind"] == CopyKind.CARD
    assert SECRET not in told
    assert SECRET not in desk.signoff("show", run.id).out
    assert SECRET not in desk.signoff("runs", "--json").out


def test_what_people_wrote_cannot_move_the_cursor(desk: Desk):
    async def forged(scene: Scene) -> RunRecord:
        run = await scene.running(now=now(), text='{"to": "\\u001b[2J\\u202eana"}')
        await scene.asked(run, now=now(), message="\x1b[31mRed?", shown='"\\u001b[1m"')
        return run

    run = desk.happens(forged)
    assert "\x1b" not in desk.signoff("show", run.id).out
    assert "\u202e" not in desk.signoff("show", run.id).out


@pytest.mark.parametrize("command", [("show",), ("cancel", "--as", "U0ANA")])
def test_an_id_that_is_none_or_begins_several_is_told(desk: Desk, command: tuple[str, ...]):
    runs = [desk.happens(waiting), desk.happens(waiting)]
    assert "There is no run 'zzz'. `signoff runs` lists them." in desk.signoff(*command, "zzz").one_error
    assert "There is no run '%'." in desk.signoff(*command, "%").one_error
    told = desk.signoff(*command, runs[0].id[:2]).one_error
    assert f"Several runs begin with '{runs[0].id[:2]}'" in told
    assert all(run.id in told for run in runs)


def test_a_run_is_cancelled_for_a_person_and_the_trail_says_from_where(desk: Desk):
    run = desk.happens(waiting)
    said = desk.signoff("cancel", run.id.upper(), "--as", "U0ANA")
    assert said.out == f"Run {run.id} is cancelled. The running bot changes its card and tells the requester.\n"
    stored = desk.happens(lambda scene: scene.run(run.id))
    assert (stored.status, stored.ended_by) == (RunStatus.CANCELLED, "U0ANA")
    last = desk.happens(lambda scene: scene.store.trail(run.id))[-1]
    assert (last.event, last.via, last.details["cause"]) == ("cancelled", "command line", "admin")
    assert "as operator; was waiting" in desk.signoff("show", run.id).out


def test_to_cancel_the_whole_id_is_asked_for(desk: Desk):
    run = desk.happens(waiting)
    assert f"is only the beginning of {run.id}" in desk.signoff("cancel", run.id[:-1], "--as", "U0ANA").one_error
    assert desk.happens(lambda scene: scene.run(run.id)).status is RunStatus.WAITING


def test_a_run_that_executes_is_asked_to_stop(desk: Desk):
    run = desk.happens(executing)
    assert "is executing; the running bot stops it" in desk.signoff("cancel", run.id, "--as", "U0ANA").out
    assert "U0ANA asked to stop it" in desk.signoff("runs").out


def test_a_run_that_has_ended_says_how(desk: Desk):
    run = desk.happens(failed)
    told = desk.signoff("cancel", run.id, "--as", "U0ANA").one_error
    assert told.startswith(f"Run {run.id} has ended already: it is failed since ")


def test_cancelling_needs_a_person(desk: Desk):
    assert desk.signoff("cancel", "x").one_error.startswith("--as is missing: say for whom you act")
    assert "--as takes a Slack id" in desk.signoff("cancel", "x", "--as", "ann@example.com").one_error


@pytest.mark.parametrize("command", [("runs",), ("show", "x"), ("cancel", "x", "--as", "U0ANA")])
def test_a_directory_without_a_database_gets_none(desk: Desk, command: tuple[str, ...]):
    told = desk.signoff(*command).one_error
    assert f"is not there: no file '{desk.folder}/var/signoff.db'; start the bot" in told
    assert list(desk.folder.iterdir()) == []


def test_a_long_list_is_quick(desk: Desk):
    async def many(scene: Scene) -> None:
        for _ in range(60):
            await scene.asked(now=now())

    desk.happens(many)
    began = time.perf_counter()
    assert len(json.loads(desk.signoff("runs", "--limit", "1000", "--json").out)) == 60
    assert time.perf_counter() - began < 5
    assert question().message in desk.signoff("show", json.loads(desk.signoff("runs", "--json").out)[0]["id"]).out


def test_what_a_run_called_and_asked_is_drawn_as_a_tree_with_where_it_stands(desk: Desk):
    async def nested(scene: Scene) -> RunRecord:
        at = now()
        run = await scene.running(now=at, owner=ME)
        pay, ship = (Asker(action_id=id_, action_name=id_.title(), input="{}") for id_ in ("pay", "ship"))
        about: dict[str, Any] = {"owner": ME, "now": at}
        await scene.store.calls.begin(run.id, 1, path="first order", asker=pay, **about)
        ended = CallEnding(CallStatus.FINISHED, output="1")
        await scene.store.calls.end(run.id, 1, path="first order", ending=ended, **about)
        await scene.store.calls.begin(run.id, 1, path="ship", asker=ship, **about)
        await scene.asked(run, now=at, message="Ship [it]?", call_path="ship/sure", asker=ship, total=3)
        return run

    run = desk.happens(nested)
    tree = desk.signoff("show", run.id).out.partition("What it called and asked\n")[2].partition("\n\n")[0].splitlines()
    assert tree[0].split() == ["Send", "message", "🕐", "waiting"]
    assert tree[1].startswith("  ├─ first order (pay)  ✅ finished, ")
    assert tree[2:4] == ["  │    returned 1", "  └─ ship  🕐 waits for an answer"]
    assert tree[4].startswith("     └─ sure  “Ship [it]?” (1 of 3)  🕐 Waiting for an answer, ")
    assert [line.partition(",")[0].strip() for line in tree[5:]] == [
        "waits for members of #approvals",
        "expects “yes” · “no” with anything · “later”",
        "card is to be posted in #approvals",
    ]
    life = json.loads(desk.signoff("show", run.id, "--json").out)
    assert [(call["path"], call["status"]) for call in life["calls"]] == [
        ("first order", "finished"),
        ("ship", "paused"),
    ]
    assert [life["questions"][0][name] for name in ("call_path", "asked_by", "total")] == ["ship/sure", "ship", 3]
