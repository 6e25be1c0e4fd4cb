"""What the page on diagnosis shows is what is printed, but for ids and times."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from actions import Approve, Reject
from actions.kit.records.interrupts import Asker
from actions.kit.records.runs import RunRecord
from actions.kit.running.calls import CallEnding, CallStatus
from actions.kit.shapes.answers import Resume
from bot.clock import now
from storage.results import RefusedAnswer
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import ME, Scene, vote

PAGE = Path(__file__).parents[3] / "docs" / "diagnosis.md"
SHAPE = Resume.of(Approve | Reject).shape
ANN = "U012ANN"
ORDERS = {"action_id": "refund_orders", "action_name": "Refund orders"}


def asker(action_id: str, order: str = "A-1041") -> Asker:
    name = action_id.replace("_", " ").capitalize()
    return Asker(action_id=action_id, action_name=name, input=f'{{"order": "{order}"}}')


async def called(scene: Scene, run: RunRecord, path: str, what: Asker, ending: CallEnding | None = None) -> None:
    about: dict[str, Any] = {"path": path, "owner": ME, "now": now()}
    await scene.store.calls.begin(run.id, run.epoch, asker=what, **about)
    if ending:
        await scene.store.calls.end(run.id, run.epoch, ending=ending, **about)


async def refunds(scene: Scene) -> str:
    run, first, second = (
        await scene.running(now=now(), **ORDERS),
        asker("refund_order"),
        asker("refund_order", "A-1042"),
    )
    await called(scene, run, "total of A-1041", asker("order_total"), CallEnding(CallStatus.FINISHED, output='"71.25"'))
    await called(scene, run, "order A-1041", first)
    asked = await scene.posted(
        run=run, now=now(), message="Refund 71.25 EUR for order A-1041?", call_path="order A-1041", asker=first,
        shape=SHAPE, total=2,
    )  # fmt: skip
    given = vote(asked.id, ANN, SHAPE.choices[1], value='{"reason": "It was used"}', note="It was used")
    await scene.store.answer(given, now=now())
    run = (await scene.claimed(now())).run
    await called(scene, run, "order A-1042", second)
    await scene.posted(
        run=run, now=now(), message="Refund 71.50 EUR for order A-1042?", call_path="order A-1042", asker=second,
        shape=SHAPE, total=1,
    )  # fmt: skip
    return run.id


async def undelivered(scene: Scene) -> str:
    asked = await scene.asked(now=now())
    (copy,) = [each for each in await scene.take(now()) if each.run_id == asked.run_id]
    await scene.store.copy_refused(copy.id, owner=ME, error="not_in_channel", fallbacks=(), now=now())
    return asked.run_id


async def stacked(scene: Scene) -> str:
    equal = '{"orders": ["A-1041"], "reason": "Damaged"}'
    await scene.posted(run=await scene.running(now=now(), text=equal, **ORDERS), now=now())
    run, what = await scene.running(now=now(), text=equal, **ORDERS), asker("refund_order")
    for path in ("refund_order", "refund_order#2"):
        await called(scene, run, path, what)
    await scene.posted(run=run, now=now(), call_path="refund_order", asker=what, total=2)
    return run.id


async def unanswered(scene: Scene) -> str:
    run = await scene.running(now=now(), action_id="deploy", action_name="Deploy")
    asked = await scene.posted(run=run, now=now() - timedelta(minutes=1), shape=SHAPE)
    refused = RefusedAnswer(asked.id, ANN, "http", "invalid", "reject", {"reson": "text"}, ("/reason", "/reson"))
    await scene.store.answer_refused(refused, now=now())
    return run.id


STORIES = {"tree": refunds, "card": undelivered, "stack": stacked, "answer": unanswered}


def test_every_line_that_the_page_shows_is_printed(desk: Desk):
    page = PAGE.read_text("utf-8")
    shown = dict(re.findall(r"<!-- (\w+) -->\n```console\n\$ [^\n]*\n(.*?)```\n<!-- end -->", page, re.DOTALL))
    assert set(shown) == set(STORIES)
    for name, story in STORIES.items():
        said = alike(desk.signoff("show", desk.happens(story)).out)
        assert [line for line in alike(shown[name]) if line not in said] == [], name


def alike(text: str) -> list[str]:
    """Its lines, with any time and any id in place of those that differ."""
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME", text)
    return re.sub(r"\b1m[0-9a-z]{3,16}(?:…|\b)", "RUN", text).splitlines()
