"""The traffic as JSON: each line once, changed lines again, and nothing secret in any of them."""

import json
from dataclasses import replace

import pytest

from bot.workbench.journal import Ack, Call, Delivery, Journal
from bot.workbench.traffic import entry_object, redacted

SECRETS = (
    "xoxb-1234-abcd",
    "xapp-1-A1-2-ffff",
    "xoxe.xoxb-1-Mi0y",
    "xwfp-55-66",
    "http://127.0.0.1:1/actions/s3cr3t-_x",
    "http://127.0.0.1:1/upload/s3cr3t-_x",
    "ws://127.0.0.1:1/link/?ticket=s3cr3t-_x&app_id=A1",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_cut_out_wherever_it_stands(secret):
    shown = json.dumps(redacted({"deep": [{"text": f"before {secret} after"}], "token": "verification"}))
    for part in ("1234", "ffff", "Mi0y", "55-66", "s3cr3t", "verification"):
        assert part not in shown
    assert "before" in shown
    assert "after" in shown


def test_what_is_no_secret_stays_as_it_is():
    value = {"channel": "C0OPS", "n": [1, None, True], "url": "https://x.example/actions", "text": "xoxo, Ann"}
    assert redacted(value) == value


def test_a_delivery_is_listed_when_it_is_sent_and_again_with_its_ack():
    journal = Journal()
    delivery = Delivery("interactive", {"type": "block_actions", "token": "t"}, "e1", accepts_response=False)
    first, second = journal.sent(delivery), journal.sent(delivery)
    seen = journal.rev
    assert [entry_object(entry)["outcome"] for entry in journal.since(0)] == ["waiting", "waiting"]
    journal.acked(second, Ack("block_actions", "late", 3001.26, detail="no ack"))
    (line,) = [entry_object(entry) for entry in journal.since(seen)]
    assert (line["n"], line["name"], line["outcome"], line["ok"], line["ms"]) == (
        2,
        "block_actions",
        "late",
        False,
        3001.3,
    )
    assert (line["envelope_id"], line["payload"]["token"]) == ("e1", "…")
    assert first.ack is None


def test_a_call_that_ended_otherwise_is_corrected_in_its_place():
    journal = Journal()
    call = Call("chat.postMessage", {"channel": "C1"}, {"ok": True})
    entry = journal.called(call)
    journal.called(Call("auth.test", {}, {"ok": False, "error": "invalid_auth"}))
    journal.corrected(entry, replace(call, status=500, dropped=True))
    lines = [entry_object(line) for line in journal.since(0)]
    assert [(line["name"], line["ok"], line["error"], line["status"]) for line in lines] == [
        ("chat.postMessage", False, None, 500),
        ("auth.test", False, "invalid_auth", 200),
    ]
    assert journal.calls[0].dropped


def test_events_and_commands_go_by_their_own_names():
    journal = Journal()
    journal.sent(
        Delivery(
            "events_api", {"type": "event_callback", "event": {"type": "app_mention"}}, "e", accepts_response=False
        )
    )
    journal.sent(Delivery("slash_commands", {"command": "/ask"}, "e", accepts_response=True))
    journal.noted("Socket Mode: a connection opened, 1 in all")
    assert [entry_object(entry)["name"] for entry in journal.since(0)] == [
        "app_mention",
        "/ask",
        "Socket Mode: a connection opened, 1 in all",
    ]


def test_whoever_watches_hears_of_every_line():
    journal, heard = Journal(), []
    journal.changed = lambda: heard.append(journal.rev)
    entry = journal.sent(Delivery("interactive", {}, "e", accepts_response=False))
    journal.acked(entry, Ack("x", "acked", 1))
    assert heard == [1, 2]
