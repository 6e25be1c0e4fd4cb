"""What a policy does while nobody decides, in words: reminders, the warning, who decides as well later, and when time counts."""

from actions.kit.counting import counted
from actions.kit.policies.deciders import After, BreakGlass, Policy
from actions.kit.policies.pace import Every, Warn
from blocks.deciding import NAMED, deciders_listed
from blocks.people import duration_words, hours_words
from blocks.said import Words, said


def pacing_said(policy: Policy, requester: str | None, *, named: int = NAMED) -> list[Words]:
    """A part each; empty where nothing is set."""
    return [
        *([said(_reminded(policy.remind))] if policy.remind else []),
        *([said(_warned(policy.warn))] if policy.warn else []),
        *(_escalated(each, requester, named) for each in policy.escalate),
        *([_in_an_emergency(policy.break_glass, requester, named)] if policy.break_glass else []),
        *([said(f"time counts {hours_words(policy.hours)}")] if policy.hours else []),
    ]


def _reminded(every: Every) -> str:
    slower = f", each pause {every.backoff:g} times as long as the one before" if every.backoff > 1 else ""
    return f"reminded after {duration_words(every.interval)}{slower}, at most {counted(every.at_most, 'time')}"


def _warned(warn: Warn) -> str:
    more = (
        f", with up to {counted(warn.at_most, 'extension')} of {duration_words(warn.extend_by)}"
        if warn.extend_by
        else ""
    )
    return f"warned when {warn.at:.0%} of the time has passed{more}"


def _escalated(after: After, requester: str | None, named: int) -> Words:
    return said(f"after {duration_words(after.wait)} also ", deciders_listed(after.to, requester, named=named))


def _in_an_emergency(glass: BreakGlass, requester: str | None, named: int) -> Words:
    alone = deciders_listed(glass.who, requester, named=named)
    review = deciders_listed(glass.review, requester, named=named)
    return said("in an emergency ", alone, f" alone, reviewed within {duration_words(glass.review_in)} by ", review)
