"""Whether somebody is away and in whose places they decide, in words and in the Home tab; and the form in which they say so."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field, ValidationError

from actions.kit.policies.absences import Absence, Path
from blocks.payloads import BlockActions, Payload, PersonId, ViewSubmission
from blocks.said import Who, Words, said
from blocks.text import date_token, escape, mention, mrkdwn, plain
from blocks.views import form_modal

AWAY_VIEW = "away"
"""The `callback_id` of the form."""
STARTS, UNTIL, WHOM = "away:starts", "away:until", "away:whom"
"""The `block_id` and `action_id` of its inputs."""
SHOWN = 5
"""Ways that are told one by one."""


@dataclass(frozen=True, slots=True)
class Presence:
    """What one person said about being away, and whether it holds now; and the ways by which they decide for others now."""

    own: Absence | None = None
    is_away: bool = False
    places: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class AwayPressed:
    """Somebody wants to say that they are away, or that they are back."""

    what: Literal["open", "back"]
    person: str
    trigger_id: str
    response_url: str | None


@dataclass(frozen=True, slots=True)
class AwayForm:
    """Somebody said in the form from which day on (`None`: now), until which, and who decides meanwhile."""

    person: str
    starts: date | None
    until: date
    whom: str


class _Picked(Payload):
    selected_date: Annotated[date | None, Field(strict=False)] = None
    selected_user: PersonId | None = None


def local_words(moment: datetime, zone: ZoneInfo) -> str:
    """A moment in somebody's own time: "Friday 4 December 2026 18:00 (Europe/Berlin)"."""
    local = moment.astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y %H:%M} ({escape(zone.key)})"


def away_words(absence: Absence, zone: ZoneInfo) -> str:
    """Mrkdwn for whoever said so: what was understood."""
    meanwhile = f"{mention(absence.stand_in)} decides in your place"
    until = local_words(absence.until, zone)
    if absence.by_status:
        return f"While your Slack status says that you are away, {meanwhile}. This holds until {until}."
    begins = f"from {local_words(absence.starts, zone)} " if absence.starts > absence.at else ""
    return f"You are away {begins}until {until}; {meanwhile}."


def presence_lines(presence: Presence) -> list[str]:
    """Mrkdwn, a line each, with moments in the time of whoever reads it."""
    own = presence.own
    lines = [
        "You are here: nobody decides in your place." if own is None else _own_words(own, is_away=presence.is_away)
    ]
    lines += [_place_words(way) for way in presence.places[:SHOWN]]
    rest = len(presence.places) - SHOWN
    return [*lines, *([f"And you stand in for {rest} more."] if rest > 0 else [])]


def _own_words(own: Absence, *, is_away: bool) -> str:
    who, until = mention(own.stand_in), date_token(own.until)
    if own.by_status and is_away:
        return f"You are away, as your Slack status says; {who} decides in your place. This holds until {until}."
    if own.by_status:
        return f"While your Slack status says that you are away, {who} decides in your place. This holds until {until}."
    return f"You are away {_until(own, is_away=is_away)}; {who} decides in your place."


def _place_words(way: Path) -> str:
    """Of a way over others, the first of whom one decides for, and the next, who named the reader or another in turn."""
    away, over = way[0], [mention(each.person) for each in way[1:]]
    until = " (Slack status)" if away.by_status else f" until {date_token(min(each.until for each in way))}"
    through = f", by way of {' and '.join(over)}" if over else ""
    return f"You stand in for {mention(away.person)}{until}{through}."


def stands_in_words(absence: Absence, waiting: int) -> str:
    """Mrkdwn for the one who decides in somebody's place from now on: told once, with how many questions wait."""
    who = mention(absence.person)
    when = (
        "while their Slack status says that they are away"
        if absence.by_status
        else _until(absence, is_away=absence.starts <= absence.at)
    )
    told = f"{who} chose you to decide in their place {when}."
    count = "1 question waits" if waiting == 1 else f"{waiting:,} questions wait"
    more = f" {count} for you in their place: they are in the *Home* tab of this app." if waiting else ""
    return f"{told}{more} What you answer in their place says that it was for them."


def _until(absence: Absence, *, is_away: bool) -> str:
    """From when, where that is still to come, and until when, in the time of whoever reads it."""
    begins = "" if is_away else f"from {date_token(absence.starts)} "
    return f"{begins}until {date_token(absence.until)}"


def away_said(way: Path, stand_ins: bool) -> Words:
    """Of somebody who is away now, how, and who decides in their place where anybody may."""
    how = said("Slack status") if way[0].by_status else said("until ", min(each.until for each in way))
    return said("away (", how, ")", *((", and ", Who(way[-1].stand_in), " stands in") if stand_ins else ()))


def presence_blocks(presence: Presence) -> list[dict[str, Any]]:
    """The section of the Home tab, with a button that changes it."""
    is_here = presence.own is None
    button: dict[str, Any] = {
        "type": "button",
        "action_id": "away:open" if is_here else "away:back",
        "text": plain("I will be away…" if is_here else "I am back"),
    }
    lines = presence_lines(presence)
    return [
        {"type": "header", "text": plain("Away")},
        {"type": "section", "text": mrkdwn("\n".join(lines)), "accessory": button},
    ]


def away_view() -> dict[str, Any]:
    """The form behind *I will be away…*."""
    starts = {"type": "datepicker", "action_id": STARTS, "placeholder": plain("From now on")}
    until = {"type": "datepicker", "action_id": UNTIL}
    whom = {"type": "users_select", "action_id": WHOM, "placeholder": plain("A colleague…")}
    return form_modal(
        "Away",
        [
            _input(STARTS, "From", starts, hint="The beginning of that day. Left out: from now on.", optional=True),
            _input(UNTIL, "Until", until, hint="18:00 of that day, in your own time. At most 90 days."),
            _input(
                WHOM,
                "Who decides in your place",
                whom,
                hint="A full member of this workspace. They never decide your requests or theirs.",
            ),
        ],
        callback_id=AWAY_VIEW,
        metadata="",
        submit="I am away",
    )


def parse_away_click(body: Any) -> AwayPressed | None:
    """One of the two buttons; `None` for everything else that is pressed."""
    try:
        sent = BlockActions.model_validate(body)
    except ValidationError:
        return None
    pressed = {"away:open": "open", "away:back": "back"}.get(sent.actions[0].action_id)
    if pressed is None:
        return None
    what: Literal["open", "back"] = "open" if pressed == "open" else "back"
    return AwayPressed(what, sent.user.id, sent.trigger_id, sent.response_url)


def parse_away_form(body: Any) -> AwayForm | None:
    """The submission of the form, complete; `None` for every other one."""
    try:
        sent = ViewSubmission.model_validate(body)
        if sent.view.callback_id != AWAY_VIEW:
            return None
        starts, until, whom = (_Picked.model_validate(sent.view.values[each][each]) for each in (STARTS, UNTIL, WHOM))
    except (ValidationError, KeyError):
        return None
    if until.selected_date is None or whom.selected_user is None:
        return None
    return AwayForm(sent.user.id, starts.selected_date, until.selected_date, whom.selected_user)


def _input(block_id: str, label: str, element: dict[str, Any], *, hint: str, optional: bool = False) -> dict[str, Any]:
    return {
        "type": "input",
        "block_id": block_id,
        "label": plain(label),
        "element": element,
        "hint": plain(hint),
        "optional": optional,
    }
