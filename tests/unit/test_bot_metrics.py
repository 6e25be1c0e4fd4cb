"""What is measured: with labels that nobody outside can make up, and at a cost that no acknowledgement feels."""

import time
from dataclasses import replace
from datetime import timedelta

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_slack_response import AsyncSlackResponse

from bot.metrics import Metrics
from tests.cards import send_message_card


def page(metrics, **looks):
    return metrics.text(None, **{"sweep_age": 0.5, "publisher_age": 0.1, "blocked": None, **looks}).decode()


def samples(metrics, name, **looks):
    """The values of one metric by their labels, in the order of the labels' names."""
    return {
        tuple(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(page(metrics, **looks))
        for sample in family.samples
        if sample.name == name
    }


def refused(word, status=200):
    response = AsyncSlackResponse(
        client=None, http_verb="POST", api_url="", req_args={}, data={"error": word}, headers={}, status_code=status
    )
    return SlackApiError(word, response)


def test_executions_are_counted_by_action_and_outcome():
    metrics = Metrics(["send_message"])
    for outcome in ("paused", "succeeded", "succeeded"):
        metrics.executed("send_message", outcome)
    assert samples(metrics, "signoff_executions_total") == {
        ("send_message", "paused"): 1,
        ("send_message", "succeeded"): 2,
    }


def test_an_action_that_this_bot_does_not_have_makes_no_label():
    metrics = Metrics(["send_message"])
    metrics.executed("x" * 500, "held")
    assert samples(metrics, "signoff_executions_total") == {("other", "held"): 1}
    assert samples(metrics, "signoff_action_blocked", blocked="gone") == {("other",): 1}


def test_a_decision_is_measured_from_the_post_of_its_card():
    metrics, asked = Metrics(["send_message"]), send_message_card()
    posted = asked.interrupt.created_at
    interrupt = replace(asked.interrupt, posted_at=posted, settled_at=posted + timedelta(hours=1))
    metrics.decided(replace(asked, interrupt=interrupt))
    assert set(samples(metrics, "signoff_decision_seconds_sum").values()) == {3600}


def test_an_acknowledgement_is_measured_under_a_kind_that_is_known():
    metrics = Metrics([])
    metrics.acknowledged("block_actions", 0.2)
    metrics.acknowledged("made_up_by_somebody", 0.1)
    assert samples(metrics, "signoff_ack_seconds_count") == {("block_actions",): 1, ("other",): 1}


@pytest.mark.parametrize(
    ("error", "labels"),
    [
        (refused("not_in_channel"), ("not_in_channel", "refused", "chat.postMessage")),
        (refused("ratelimited", 429), ("ratelimited", "passing", "chat.postMessage")),
        (refused("token_revoked"), ("token_revoked", "blocked", "chat.postMessage")),
        (refused("a new word of Slack's"), ("other", "refused", "chat.postMessage")),
        (aiohttp.ClientPayloadError("secret"), ("connection_lost", "passing", "chat.postMessage")),
    ],
)
def test_an_error_of_slack_is_counted_by_what_may_be_done_about_it(error, labels):
    metrics = Metrics([])
    metrics.slack_failed("chat.postMessage", error)
    assert samples(metrics, "signoff_slack_errors_total") == {labels: 1}


def test_every_method_that_the_bot_calls_is_counted_by_its_name():
    metrics = Metrics([])
    called = ("users.info", "users.conversations", "conversations.members", "views.open", "chat.update")
    for method in called:
        metrics.slack_failed(method, refused("fatal_error"))
    assert {method for *_, method in samples(metrics, "signoff_slack_errors_total")} == set(called)


def test_without_its_database_it_still_tells_what_it_knows_itself():
    metrics = Metrics(["send_message"])
    metrics.executed("send_message", "succeeded")
    assert samples(metrics, "signoff_database_up") == {(): 0}
    assert samples(metrics, "signoff_runs") == {}
    assert samples(metrics, "signoff_sweep_age_seconds") == {(): 0.5}
    assert "signoff_executions_total" in page(metrics)


def test_two_bots_in_one_process_count_apart():
    one, other = Metrics(["send_message"]), Metrics(["send_message"])
    one.executed("send_message", "succeeded")
    assert samples(other, "signoff_executions_total") == {}


def test_measuring_costs_an_acknowledgement_next_to_nothing():
    metrics = Metrics(["send_message"])
    began = time.perf_counter()
    for _ in range(1000):
        metrics.acknowledged("block_actions", 0.02)
        metrics.executed("send_message", "succeeded")
    assert time.perf_counter() - began < 0.5
