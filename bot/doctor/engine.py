"""Whether runs go on: what is stuck, and messages that do not get through."""

from datetime import datetime, timedelta

from actions.kit.counting import counted
from actions.kit.records.runs import Hindrance
from blocks.people import duration_words
from bot.doctor.findings import Finding, fail, ok, warn
from storage.results import Backlog, Behind

SERVE = "See that signoff serve runs with this database, and its log."
MEND = "Look at them with /signoff stuck, or signoff runs --status {}."

SEEN: dict[Hindrance, tuple[str, str | None]] = {
    Hindrance.STALLED: ("stalled, so nobody knows whether it happened", "stalled"),
    Hindrance.UNDELIVERABLE: ("waiting with a card that could not be delivered", "waiting"),
    Hindrance.LOST: ("left behind by a process that gave no sign of life", None),
    Hindrance.BLOCKED: ("keeping its thread to itself", "running"),
    Hindrance.LATE: ("queued for more than a minute", None),
    Hindrance.UNSEEN: ("waiting with a card that does not stand in Slack after a minute", None),
    Hindrance.HELD: ("held for an action, or a shape of input, that this code no longer knows", "held"),
    Hindrance.FAILED: ("failed within a day", "failed"),
}
"""What is seen of each, and the state by which people find it; without one, the bot itself does not do its work."""


def engine_findings(backlog: Backlog, now: datetime) -> list[Finding]:
    findings = [_stuck(why, count, now - since) for why, (count, since) in backlog.stuck.items()]
    findings += [_behind(behind, now) for behind in backlog.behind]
    return findings or [ok("engine", "nothing is stuck, and every message is in step")]


def _stuck(why: Hindrance, count: int, age: timedelta) -> Finding:
    words, status = SEEN[why]
    seen = f"{counted(count, 'run')} {words}; the first for {duration_words(age)}"
    if status is None:
        return fail("engine", seen, SERVE)
    return warn("engine", seen, MEND.format(status))


def _behind(behind: Behind, now: datetime) -> Finding:
    messages = f"{counted(behind.count, 'message')} behind"
    if behind.error is None:
        return warn("messages", f"{messages} for {duration_words(now - behind.since)}", SERVE)
    return fail("messages", f"{messages}; Slack says {behind.error}", "See what the checks above say of it.")
