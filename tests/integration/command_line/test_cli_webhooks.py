"""`signoff webhook`: added with a secret that is shown once, listed, removed, and what was told seen and sent again."""

import json

import pytest

from actions.kit.records.runs import RunStatus
from bot.clock import now
from storage.deliveries import HookEvent
from storage.hooks import Hooks
from tests.integration.command_line.desk import Desk
from tests.integration.scenes import ME, SECOND, Scene

URL = "https://ci.example.com/signoff"


async def nothing(_: Scene) -> None:
    """Only the database is made."""


async def ended(scene: Scene) -> str:
    at = now()
    run = await scene.running(now=at)
    await scene.store.finish(run.id, run.epoch, owner=ME, status=RunStatus.SUCCEEDED, output='"hidden"', now=at)
    return run.id


async def given_up(scene: Scene) -> str:
    """The first delivery that there is."""
    at = now()
    [parcel] = await scene.store.hooks.take(owner=ME, now=at, lease_until=at + SECOND, limit=1)
    await scene.store.hooks.give_up(parcel.delivery.id, owner=ME, error="it answered 404", response_status=404, now=at)
    return parcel.delivery.id


@pytest.fixture
def webhook(desk: Desk) -> str:
    """Its id; its secret is forgotten here as everywhere."""
    desk.happens(nothing)
    assert desk.signoff("webhook", "add", URL).status == 0
    (hook,) = json.loads(desk.signoff("webhook", "list", "--json").out)
    return str(hook["id"])


def test_a_webhook_is_added_with_a_secret_that_only_then_is_shown(desk: Desk):
    desk.happens(nothing)
    said = desk.signoff("webhook", "add", URL, "--name", "ci", "--action", "send_message", "--event", "ended")
    secret = said.out.strip()
    assert secret.startswith("whsec_")
    assert len(secret) > 40
    assert "shown once" in said.err
    listed, as_json = desk.signoff("webhook", "list"), desk.signoff("webhook", "list", "--json")
    for shown in (said.err, listed.out, as_json.out, desk.signoff("webhook", "deliveries").out):
        assert secret not in shown
        assert "whsec_" not in shown
    [hook] = json.loads(as_json.out)
    assert (hook["name"], hook["url"], hook["actions"], hook["events"]) == ("ci", URL, ["send_message"], ["ended"])
    assert hook["id"] in listed.out


def test_a_name_of_several_lines_is_listed_in_one(desk: Desk):
    desk.happens(nothing)
    assert desk.signoff("webhook", "add", URL, "--name", "[ci]\nand more").status == 0
    header, line = desk.signoff("webhook", "list").out.splitlines()
    assert header.startswith("id")
    assert f"  [ci] and more  {URL}  " in line


def test_as_json_the_secret_comes_with_the_id(desk: Desk):
    desk.happens(nothing)
    made = json.loads(desk.signoff("webhook", "add", URL, "--json").out)
    assert made["secret"].startswith("whsec_")
    assert (made["name"], made["url"]) == ("ci.example.com", URL)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["http://ci.example.com/"], "The URL must begin with https://."),
        (["ci.example.com"], "The URL is not a URL."),
        (["https://10.0.0.7/"], "The URL leads to '10.0.0.7', which is not on the public internet and not named in"),
        ([URL, "--event", "begun"], "--event takes one of started, waiting, decided, ended; 'begun' is none."),
        ([URL, "--action", "send_mesage"], "There is no action 'send_mesage'. Did you mean 'send_message'?"),
    ],
)
def test_what_cannot_work_is_said_in_one_line_and_nothing_is_added(desk: Desk, arguments, why):
    desk.happens(nothing)
    assert desk.signoff("webhook", "add", *arguments).one_error.startswith(why)
    assert "No webhooks" in desk.signoff("webhook", "list").out


def test_hosts_of_the_inside_are_taken_where_they_are_named(desk: Desk):
    desk.happens(nothing)
    desk.set(SIGNOFF_WEBHOOK_HOSTS="10.0.0.7, *.corp.example")
    assert desk.signoff("webhook", "add", "https://10.0.0.7/").status == 0
    desk.set(SIGNOFF_WEBHOOK_HOSTS="https://corp.example/")
    assert "SIGNOFF_WEBHOOK_HOSTS: takes names and addresses" in desk.signoff("webhook", "add", URL).one_error


def test_what_a_webhook_was_told_is_listed_without_what_was_in_it(desk: Desk, webhook: str):
    run = desk.happens(ended)
    said = desk.signoff("webhook", "deliveries")
    started, ending = said.out.splitlines()
    assert "ci.example.com  started  pending  0 tries" in started
    assert "ended" in ending
    told = json.loads(desk.signoff("webhook", "deliveries", "--json", "--webhook", webhook).out)
    assert [(each["run"], each["sequence"], each["event"]) for each in told] == [(run, 1, "started"), (run, 2, "ended")]
    assert "hidden" not in said.out + json.dumps(told)
    shown = desk.signoff("show", run)
    assert "Webhooks" in shown.out
    assert told[0]["id"] in shown.out
    assert [each["event"] for each in json.loads(desk.signoff("show", run, "--json").out)["deliveries"]] == [
        "started",
        "ended",
    ]


def test_what_failed_is_listed_and_sent_again(desk: Desk, webhook: str):
    run = desk.happens(ended)
    delivery = desk.happens(given_up)
    said = desk.signoff("webhook", "deliveries", "--failed", "--run", run[:12])
    assert said.out.count("\n") == 1
    assert delivery in said.out
    assert "it answered 404" in said.out
    assert "is sent again" in desk.signoff("webhook", "send-again", delivery).out
    assert "No deliveries have failed." in desk.signoff("webhook", "deliveries", "--failed").out
    assert "sent again" in desk.signoff("show", run).out


def test_a_removed_webhook_is_told_nothing_more(desk: Desk, webhook: str):
    desk.happens(ended)
    assert "is told nothing more" in desk.signoff("webhook", "remove", webhook).out
    assert "No webhooks" in desk.signoff("webhook", "list").out
    assert "There is no webhook" in desk.signoff("webhook", "remove", webhook).one_error
    first, *_ = json.loads(desk.signoff("webhook", "deliveries", "--failed", "--json").out)
    refused = desk.signoff("webhook", "send-again", first["id"]).one_error
    assert refused == f"Its webhook {webhook} is told nothing any more: it was removed."


def test_what_is_not_there_is_said(desk: Desk):
    desk.happens(nothing)
    assert "There is no delivery 'x.d1'" in desk.signoff("webhook", "send-again", "x.d1").one_error
    assert desk.signoff("webhook", "deliveries").out == "No deliveries.\n"


def test_a_disabled_webhook_says_why(desk: Desk, webhook: str):
    async def gone(scene: Scene) -> None:
        await ended(scene)
        hooks: Hooks = scene.store.hooks
        at = now()
        [parcel] = await hooks.take(owner=ME, now=at, lease_until=at + SECOND, limit=1)
        assert parcel.delivery.event is HookEvent.STARTED
        reason = "it answered 410 Gone"
        await hooks.give_up(parcel.delivery.id, owner=ME, error=reason, response_status=410, disables=reason, now=at)

    desk.happens(gone)
    assert "it answered 410 Gone" in desk.signoff("webhook", "list").out
    assert json.loads(desk.signoff("webhook", "list", "--json").out)[0]["disabled_reason"] == "it answered 410 Gone"
