"""What this process counts and measures, for Prometheus: `GET /metrics`.

In a registry of its own. Labels are words of this code or of Slack's reference, and ids of actions that this bot has: what
people type, or what the database holds, never becomes one.
"""

from collections.abc import Collection

from aiohttp import web
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from actions.kit.records.interrupts import Card
from bot.engine.watch import Watch
from bot.health import Vitals
from bot.slack import replies
from storage.figures import Figures

MINUTE, HOUR, DAY = 60.0, 3600.0, 86400.0
DECISION_BUCKETS = (10, 30, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, 3 * DAY, 7 * DAY)
ACK_BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Up to the three seconds after which Slack tells the person that it failed."""

OTHER = "other"
ACKED = frozenset({"block_actions", "view_submission", "slash_commands"})
# Beside those that the publisher treats in a way of their own: what a place can be refused for, and a late modal.
REFUSALS = frozenset(
    {
        "channel_not_found",
        "expired_trigger_id",
        "is_archived",
        "not_found",
        "not_in_channel",
        "restricted_action",
        "trigger_expired",
        "user_not_found",
        "users_not_found",
        "connection_lost",
        "internal_error",
        replies.UNREADABLE,
    }
)
KNOWN = REFUSALS.union(
    replies.PASSING, replies.AWAY, replies.UNSURE, replies.NOT_THE_BOT, replies.TOO_MUCH, replies.DELETED
)
METHODS = frozenset(
    {
        "apps.connections.open",
        "auth.test",
        "chat.delete",
        "chat.postMessage",
        "chat.update",
        "conversations.history",
        "conversations.info",
        "conversations.list",
        "conversations.members",
        "conversations.open",
        "conversations.replies",
        "users.conversations",
        "users.info",
        "users.lookupByEmail",
        "views.open",
        "views.update",
    }
)


class Metrics(Watch):
    """Everything that is measured. Counting costs microseconds; only `show` needs what the database says."""

    def __init__(self, actions: Collection[str]) -> None:
        self._actions = frozenset(actions)
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._runs = Gauge("signoff_runs", "Runs in the database by their state.", ["state"], registry=registry)
        self._database = Gauge("signoff_database_up", "Whether the database answered just now.", registry=registry)
        self._figures = {
            name: Gauge(f"signoff_{name}", text, registry=registry)
            for name, text in (
                ("interrupts_pending", "Questions that wait for people."),
                ("interrupts_undeliverable", "Questions that wait, and whose card could not be delivered."),
                ("messages_behind", "Slack messages that show less than the database does, or are not posted yet."),
                ("publisher_lag_seconds", "For how long a message has been due that no process took."),
                ("sweep_lag_seconds", "For how long the oldest deadline has been passed."),
            )
        }
        self._ages = {
            name: Gauge(f"signoff_{name}_age_seconds", text, registry=registry)
            for name, text in (
                ("sweep", "Since the sweep of this process that was done longest ago."),
                ("publisher", "Since the publisher of this process looked for what is due."),
            )
        }
        self._blocked = Gauge(
            "signoff_action_blocked", "1 for an action that blocks its thread.", ["action"], registry=registry
        )
        self._decisions = Histogram(
            "signoff_decision_seconds",
            "From the post of a card to the answer that settled it.",
            ["action"],
            buckets=DECISION_BUCKETS,
            registry=registry,
        )
        self._acks = Histogram(
            "signoff_ack_seconds",
            "From a request of Slack's to its acknowledgement.",
            ["kind"],
            buckets=ACK_BUCKETS,
            registry=registry,
        )
        self._errors = Counter(
            "signoff_slack_errors", "Calls of Slack that failed.", ["method", "kind", "error"], registry=registry
        )
        self._executions = Counter(
            "signoff_executions", "Executions by how they ended.", ["action", "outcome"], registry=registry
        )

    def executed(self, action_id: str, outcome: str) -> None:
        self._executions.labels(self._known(action_id), outcome).inc()

    def decided(self, card: Card) -> None:
        posted, settled = card.interrupt.posted_at, card.interrupt.settled_at
        if posted and settled:
            seconds = max((settled - posted).total_seconds(), 0.0)
            self._decisions.labels(self._known(card.run.action_id)).observe(seconds)

    def acknowledged(self, kind: str, seconds: float) -> None:
        """`kind` as Slack calls it; what the bot has no use for is counted together."""
        self._acks.labels(kind if kind in ACKED else OTHER).observe(seconds)

    def slack_failed(self, method: str, error: Exception) -> None:
        reply = replies.reply_of(error)
        word = reply.error if reply.error in KNOWN or reply.error.startswith("http_5") else OTHER
        self._errors.labels(method if method in METHODS else OTHER, type(reply).__name__.lower(), word).inc()

    def text(self, figures: Figures | None, *, sweep_age: float, publisher_age: float, blocked: str | None) -> bytes:
        """The page. Without an answer of the database, what only it knows is left out."""
        self._database.set(figures is not None)
        self._runs.clear()
        self._ages["sweep"].set(sweep_age)
        self._ages["publisher"].set(publisher_age)
        self._blocked.clear()
        if blocked is not None:
            self._blocked.labels(self._known(blocked)).set(1)
        for name, value in _values(figures).items():
            self._figures[name].set(value)
        for state, count in (figures.runs if figures else {}).items():
            self._runs.labels(state.value).set(count)
        return generate_latest(self._registry)

    def _known(self, action_id: str) -> str:
        return action_id if action_id in self._actions else OTHER


def _values(figures: Figures | None) -> dict[str, float]:
    unknown = float("nan")
    return {
        "interrupts_pending": figures.pending if figures else unknown,
        "interrupts_undeliverable": figures.undeliverable if figures else unknown,
        "messages_behind": figures.copies_behind if figures else unknown,
        "publisher_lag_seconds": figures.publisher_lag.total_seconds() if figures else unknown,
        "sweep_lag_seconds": figures.sweep_lag.total_seconds() if figures else unknown,
    }


def metrics_routes(metrics: Metrics, vitals: Vitals) -> list[web.RouteDef]:
    """`GET /metrics`, in Prometheus' text format."""

    async def on_metrics(_request: web.Request) -> web.Response:
        page = metrics.text(
            await vitals.figures(),
            sweep_age=vitals.sweep_age,
            publisher_age=vitals.publisher_age,
            blocked=vitals.blocked,
        )
        return web.Response(body=page, headers={"Content-Type": CONTENT_TYPE_LATEST})

    return [web.get("/metrics", on_metrics)]
