"""An answer that did not count, in words: whose, how it was shaped beside what is expected, and what to send instead."""

from actions.kit.records.audit import AuditRecord
from actions.kit.records.interrupts import Card
from blocks.deciding import policy_said
from blocks.expected import expected_words, given_words
from blocks.said import Who, Words, said

WHY = {
    "invalid": "it does not fit",
    "malformed": "it is no answer: that is a choice, and a value where the choice asks for one",
    "no_such_choice": "there is no such choice",
    "not_allowed": "they may not answer it",
    "outdated": "the question was asked anew meanwhile",
    "held": "the bot did not know the action",
    "not_verified": "Slack did not tell in time whether they may",
    "not_checked": "checking it broke off",
}


def refused_said(entry: AuditRecord) -> Words:
    """One answer that did not count: whose, when, how it was shaped, and why it was refused."""
    told = entry.details
    why = WHY.get(str(told.get("why")), str(told.get("why")))
    places = ", ".join(str(each) for each in told.get("places", ())) if told.get("places") else ""
    by = said("An answer by ", Who(entry.person)) if entry.person else said("An answer")
    gave = given_words(told.get("choice"), told.get("shape"))
    return said(by, " was refused, ", entry.at, f": {gave}; {why}", f" at {places}" if places else "", ".")


def what_to_send(entry: AuditRecord, card: Card) -> Words:
    """What would count, or what else to do."""
    expected = f"Expected is {expected_words(card.interrupt.shape)}."
    match entry.details.get("why"):
        case "not_allowed":
            return said("These may: ", policy_said(card.interrupt.policy, card.run.requester), ".")
        case "held" | "not_verified" | "not_checked":
            return said("Answer again; the question still waits.")
        case "outdated":
            return said("Answer the question as it is now. ", expected)
    return said(expected)
