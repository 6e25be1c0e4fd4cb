"""Why something did not count, in words for the one person who tried it. Mrkdwn."""

from collections.abc import Sequence
from datetime import datetime
from typing import assert_never

from actions.kit.errors import Problem, spell_path
from actions.kit.policies.policy import Policy, Refused
from actions.kit.policies.remarks import MOST, UNANSWERED, RemarkKind, is_full
from actions.kit.records.interrupts import Card, Cause, DecisionRecord, InterruptStatus
from actions.kit.records.runs import RunRecord, RunStatus
from blocks.deciding import deciders_listed
from blocks.people import deciders_words, title_of
from blocks.said import in_mrkdwn
from blocks.states import RUN_STATES, interrupt_state
from blocks.text import clean, date_token, escape, mention
from blocks.voices import agreed, voice_words

UNKNOWN = "This request is not known here (any more)."
COULD_NOT_VERIFY = "Slack did not tell in time whether you may do this, so nothing was changed. Please try again."
NOBODY_FOUND = "Nobody is found yet who may decide this, so there is nobody to deliver it to."
NO_GRANT = "There is no such standing grant (any more)."
NOT_YOUR_GRANT = "Only its holder, those who approved it or may decide about it, and the operators may revoke a grant."
GRANT_OVER = "This standing grant is over already: it is used up, revoked, or its time has passed."
NOT_A_STARTER = "is not yours to start, so it is not yours to ask for in advance either"
STARTER_NOT_VERIFIED = "could not be verified to be yours to start. Please try again in a moment"
NOBODY = "Slack knows nobody by this id, so nothing was changed."
OLDER_CARD = "This card was redrawn since you saw it. Please look at it as it is now, and answer again."
UNKNOWN_CHOICE = "This is not one of the answers to this question. Please use the card as it is now."
BROKE_OFF = "Something broke while this was checked. Please look whether it counts, and send it again if it does not."
KEY_REUSED = "This Idempotency-Key was used before, for another request."
DRAFT_GONE = (
    "What was typed here is not kept any more: that lasts a day. Nothing was sent. Please close this window, and open the "
    "form again from where you opened it."
)
FORM_CHANGED = "The form changed while it was sent. Please look at it as it is now, and send it again."
DRAFT_TOO_LARGE = (
    "This is more than a form can keep (256 KiB). Please shorten what you typed last; what stood here before is kept."
)
NOT_TO_SEE = "Only the requester of a run, those who decide it or did, and the operators may see it."
NOT_IN_CONVERSATION = (
    "Only those in a conversation where this card stands, and those whom it concerns, may see all of it."
)
NOT_YOURS = "Only the requester and the operators may do this."
NOT_TO_TAKE_BACK = "The bot asked for this, because of what you did, so it is not yours to take back."
OWN_REQUEST = "You asked for this, and nobody approves their own request."
NOT_ASKED_BY_YOU = "Only those who asked for this may do this."
OWN_EDIT = "You asked for this. Withdraw it, and ask for what you want instead; whoever decides it may edit it."
NOT_EDITABLE = (
    "This cannot be edited (any more): something was decided or done by what it says already. Answer it as it is, and say "
    "what should be different."
)
NOT_STANDING = "The card does not stand in Slack yet, so there is nobody to nudge."
NOT_OFFERED = "The policy of this card does not offer that. Please use the buttons that the card has now."
NOT_TAKEN_ON = "You have not taken this on, so there is nothing to let go."
NOTHING_ASKED = "Nobody waits for a reply here (any more)."
NO_MORE_TIME = (
    "It can be given no more time now: it was given some already, or its policy allows none. Please answer it in time."
)
NO_OPERATOR = "Only operators may see this. Whoever runs the bot names them in its setting `SIGNOFF_ADMINS`."


def settled(card: Card) -> str:
    """Who was first, how and when: "Already approved by @ann today at 10:42"."""
    interrupt = card.interrupt
    when = at(interrupt.settled_at)
    match interrupt.status:
        case InterruptStatus.ANSWERED | InterruptStatus.DECLINED:
            word = interrupt_state(card).word
            return f"Already {word[:1].lower()}{escape(word[1:])}{_by(card)}{when}."
        case InterruptStatus.EXPIRED:
            return expired(card)
        case InterruptStatus.CANCELLED:
            return f"This request was cancelled{_named(interrupt.settled_by)}{when}."
        case InterruptStatus.SUPERSEDED if edit := card.edited_away:
            return f"{voice_words(edit)} edited this{when}, so it is asked again in a newer card. Please answer there."
        case InterruptStatus.SUPERSEDED:
            return "This question was asked again in a newer card. Please answer there."
        case InterruptStatus.PENDING:
            return OLDER_CARD
    assert_never(interrupt.status)


def nudged_lately(again_at: datetime) -> str:
    """For a nudge that comes too soon after the last one."""
    return f"Those who must act were nudged already. You can nudge them again{at(again_at)}."


def expired(card: Card) -> str:
    return f"Too late: nobody answered in time, and the request expired{at(card.interrupt.expires_at)}."


def already_voted(card: Card, person: str, standing_for: str | None = None) -> str:
    """Whose answer it is that stands: this person's, one that was given in their place, or by whom they stand in for."""
    own = next((each for each in card.decisions if not each.voices.isdisjoint({person, standing_for})), None)
    choice = own and card.interrupt.shape.choice(own.choice)
    what = f" with “{escape(title_of(choice.title))}”" if choice else ""
    when = at(own.at if own else None)
    if own is None or own.person == person:
        return f"You have already answered{what}{when}{_in_place_of(own)}; your answer stands."
    if own.standing_for == person:
        return f"{mention(own.person)} has already answered in your place{what}{when}; that answer stands."
    whose = "" if own.person == standing_for else ", in whose place you would"
    return f"{mention(own.person)} has already answered{what}{when}{_in_place_of(own)}{whose}; that answer stands."


def too_much_said(run: RunRecord, kind: RemarkKind) -> str:
    """For a question or a reply that is one too many: for the run, or for those who are to reply."""
    if is_full(run.remarks, kind):
        return (
            f"{MOST} remarks are kept with this request already, and no more. Please say it in Slack beside the card."
        )
    return f"{UNANSWERED} questions wait for a reply already. Please wait for it, or decide."


def _in_place_of(own: DecisionRecord | None) -> str:
    return f" in the place of {mention(own.standing_for)}" if own and own.standing_for else ""


def not_allowed(refused: Refused, policy: Policy, requester: str) -> str:
    """Why this person may not answer, themselves or in somebody's place."""
    if refused.standing_for is not None:
        return f"You stand in for {mention(refused.standing_for)}, but {_not_in_a_place(refused)}."
    return _not_themselves(refused, policy, requester)


def may_not_break_glass(refused: Refused, card: Card) -> str:
    """Why this person may not break the glass."""
    glass = card.interrupt.policy.break_glass
    if refused.reason == "not_a_decider" and glass is not None:
        who = in_mrkdwn(deciders_listed(glass.who, card.run.requester))
        return f"You are not one of those who may break the glass: {who}."
    return _not_themselves(refused, card.interrupt.policy, card.run.requester)


def _not_themselves(refused: Refused, policy: Policy, requester: str) -> str:
    match refused.reason:
        case "requester":
            return OWN_REQUEST
        case "guest":
            return "Guests cannot answer this."
        case "bot":
            return "Only people can answer this."
        case "excluded":
            return "You are left out of this decision, by name or because you decided an earlier stage."
        case "not_any_more":
            return "You may not decide this any more: the policy of the action was changed since this was asked."
        case "not_a_decider" | "not_a_starter" | "no_stand_ins":
            return f"You are not one of those who may answer this: {deciders_words(policy, requester)}."
    assert_never(refused.reason)


def _not_in_a_place(refused: Refused) -> str:
    match refused.reason:
        case "no_stand_ins":
            return "by the policy of this action nobody decides in the place of somebody else"
        case "requester":
            return "whoever asked for this decides it in nobody's place, and nobody decides it in or through theirs"
        case "excluded":
            return "one of you is left out of this decision, by name or because of an earlier stage"
        case _:
            return "only a full member decides in the place of somebody else"


def may_not_start(refused: Refused, policy: Policy, name: str) -> str:
    """Why this person may not start an action."""
    match refused.reason:
        case "guest":
            return f"Guests cannot start “{escape(name)}”."
        case "bot":
            return f"Only people can start “{escape(name)}”."
        case "not_a_decider" | "not_a_starter" | "requester" | "excluded" | "not_any_more" | "no_stand_ins":
            starters = policy.model_copy(update={"deciders": policy.starters, "quorum": 1, "exclude": (), "stages": ()})
            return f"You may not start “{escape(name)}”. These may: {deciders_words(starters, '')}."
    assert_never(refused.reason)


def unknown_action(action_id: str) -> str:
    return f"There is no action “{escape(clean(action_id)[:80])}” here."


def unknown_run(given: str) -> str:
    shown = escape(clean(given)[:40])
    return f"There is no run “{shown}”. `/signoff mine` lists yours; at least six characters of an id stand for it."


def several_runs(given: str) -> str:
    return f"Several runs begin with “{escape(clean(given)[:40])}”. Please give more of the id."


def nobody_by(who: str) -> str:
    return f"Slack knows nobody by {who!r}"


def held(card: Card) -> str:
    name = escape(clean(card.run.action_name))
    return f"“{name}” is on hold: the running version of the bot does not know this action. Your answer was not taken."


def as_it_stands(run: RunRecord) -> str:
    """For an order that came too late, or to a run that never offered it."""
    state = RUN_STATES[run.status]
    return (
        f"This is no longer open: the run is now {state.emoji} *{state.word}*{_named(run.ended_by)}{at(run.ended_at)}."
    )


def may_not_order(run: RunRecord) -> str:
    """Why this person may not run it again or say what happened."""
    requester = "" if run.status is RunStatus.STALLED else "the requester, "
    return f"Only {requester}those who decided, and the operators may do this."


def delivered(card: Card) -> str:
    """For an order to deliver again what is not undeliverable (any more)."""
    if card.interrupt.status is not InterruptStatus.PENDING:
        return settled(card)
    return "This card stands in Slack or is on its way; there is nothing to deliver again."


def held_by(card: Card) -> str:
    """Somebody else has taken it on."""
    interrupt = card.interrupt
    until = f" until {date_token(interrupt.claimed_until)}" if interrupt.claimed_until else ""
    return f"{mention(interrupt.claimed_by or '')} has taken this on{until}. You may still decide it."


def of_problems(problems: Sequence[Problem]) -> str:
    """For an answer that was a mere click, so that no form can show what is wrong."""
    said = "; ".join(escape(clean(f"{spell_path(problem.path)} {problem.message}".strip())) for problem in problems)
    return f"This answer does not fit: {said}."


def not_checked(*, too_slow: bool) -> str:
    """For an answer or an input that the author's own validation neither took nor refused."""
    how = "took too long" if too_slow else "broke off"
    return f"Checking this {how}, so nothing was changed. Please try again, or tell whoever wrote the action."


def at(moment: datetime | None) -> str:
    """A space and the moment in the reader's own time: `today at 10:42`."""
    return f" {date_token(moment)}" if moment else ""


def _by(card: Card) -> str:
    if card.interrupt.cause is Cause.EXPIRED:
        return " by default, as nobody answered in time,"
    if card.interrupt.cause is Cause.BREAK_GLASS:
        return f"{_named(card.interrupt.settled_by)}, who broke the glass,"
    people = agreed(card)
    return f" by {', '.join(map(voice_words, people))}" if people else _named(card.interrupt.settled_by)


def _named(person: str | None) -> str:
    return f" by {mention(person)}" if person else ""
