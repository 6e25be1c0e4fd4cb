"""The Home tab of one person: what waits for them, what they asked for, what was decided lately; answered right there.

A view, drawn from records like any card. States are words beside their emoji, and the section that is shown is marked by
a sign, so that nothing depends on colour.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from actions.kit.policies.granted import GrantRecord
from actions.kit.records.interrupts import Card
from blocks import limits
from blocks.choices import actions_block
from blocks.digest import DigestState, digest_section
from blocks.grants import grant_blocks
from blocks.home_clicks import EVERY_ACTION, HOME_VIEW, Looking, Section
from blocks.home_items import OwnRun, asked_blocks, decided_blocks, waiting_blocks
from blocks.presence import Presence, presence_blocks
from blocks.text import channel_mention, clip, mrkdwn, one_line, plain
from blocks.together import together_blocks

PAGE = 10
"""Entries on a page of one section: five blocks each at most, of the hundred that a view may have."""
IN_BRIEF = 5
"""Entries of each section where all are shown."""
BYTES = 200_000
"""What is drawn of the 250,000 bytes that a view may have."""
UNSURE = 5

TITLES: dict[Section, str] = {
    "all": "Everything",
    "waiting": "Waiting for me",
    "asked": "Asked by me",
    "decided": "Decided lately",
}
NOTHING: dict[Section, str] = {
    "waiting": "✅ Nothing waits for your answer.",
    "asked": "You have not asked for anything yet. *Start a request…* above does, and `/signoff` in any conversation.",
    "decided": "Nothing was decided lately that concerns you.",
}

Block = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Home:
    """What a Home tab shows: of each section the entries of its page, and how many there are.

    `asked_open` counts the runs that have not ended; of those that have, and of decisions, it is only known whether `more`
    follow. `actions` are the ids and names of what waits. `unsure` are channels of which Slack did not tell the members,
    or `None` where it did not tell who the reader is; `is_cut`: more waits than was looked at. `presence` says whether the
    reader is away, and in whose places they decide. Without a `digest` there are none.
    `grants` are those in force that the reader holds or approved.
    """

    looking: Looking
    waiting: tuple[Card, ...] = ()
    waiting_total: int = 0
    asked: tuple[OwnRun, ...] = ()
    asked_open: int = 0
    more_asked: bool = False
    decided: tuple[Card, ...] = ()
    more_decided: bool = False
    actions: tuple[tuple[str, str], ...] = ()
    unsure: tuple[str, ...] | None = ()
    is_cut: bool = False
    grants: tuple[GrantRecord, ...] = ()
    presence: Presence = field(default_factory=Presence)
    digest: DigestState | None = None


def home_view(home: Home) -> dict[str, Any]:
    """The view for views.publish. Where entries are too large together, they are drawn in brief."""
    view = _view(home, brief=False)
    return view if len(json.dumps(view)) <= BYTES else brief_home_view(home)


def brief_home_view(home: Home) -> dict[str, Any]:
    """The same with no more than questions and states, for when Slack refuses the whole one."""
    return _view(home, brief=True)


def _view(home: Home, *, brief: bool) -> dict[str, Any]:
    show = home.looking.show
    sections = (_waiting(home, brief=brief), _asked(home), _decided(home))
    wanted = [blocks for name, blocks in zip(NOTHING, sections, strict=True) if show in {"all", name}]
    beside = [*_grants(home), *presence_blocks(home.presence)] if show == "all" else []
    blocks = [*_navigation(home), *(block for section in wanted for block in section), *_digest(home), *beside]
    return {
        "type": "home",
        "callback_id": HOME_VIEW,
        "private_metadata": home.looking.text,
        "blocks": blocks[: limits.VIEW_BLOCKS],
    }


def _navigation(home: Home) -> list[Block]:
    counts = {"waiting": home.waiting_total, "asked": home.asked_open}
    buttons = [_tab(name, counts.get(name, 0), home.looking) for name in TITLES]
    start = {"type": "button", "action_id": "begin", "text": plain("Start a request…")}
    return [*actions_block("home", [*buttons, start]), *_filter(home)]


def _digest(home: Home) -> list[Block]:
    return [digest_section(home.digest)] if home.digest and home.looking.show == "all" else []


def _tab(name: Section, count: int, looking: Looking) -> Block:
    is_shown = name == looking.show
    title = f"{TITLES[name]} ({count:,})" if count else TITLES[name]
    button: Block = {
        "type": "button",
        "action_id": f"home:{name}",
        "text": plain(f"▸ {title}" if is_shown else title),
        "value": Looking(show=name).text,
    }
    if is_shown:
        button |= {
            "style": "primary",
            "accessibility_label": clip(f"{title}, shown", limits.BUTTON_ACCESSIBILITY_LABEL),
        }
    return button


def _filter(home: Home) -> list[Block]:
    """A select over the actions of what waits, where there are several."""
    chosen = home.looking.action
    if home.looking.show not in {"all", "waiting"} or (len(home.actions) <= 1 and chosen is None):
        return []
    options = [_option(EVERY_ACTION, "All actions"), *(_option(*each) for each in home.actions)][
        : limits.SELECT_OPTIONS
    ]
    select: Block = {
        "type": "static_select",
        "action_id": "home:action",
        "placeholder": plain("Only one action…"),
        "options": options,
    }
    if initial := next((each for each in options if each["value"] == (chosen or EVERY_ACTION)), None):
        select["initial_option"] = initial
    return actions_block("home:filter", [select])


def _option(value: str, title: str) -> Block:
    return {"text": plain(one_line(title), limits.OPTION_TEXT), "value": value}


def _waiting(home: Home, *, brief: bool) -> list[Block]:
    entries = [waiting_blocks(card, brief=brief) for card in home.waiting]
    first, last = home.looking.page * PAGE, home.looking.page * PAGE + len(home.waiting)
    return [
        _header("waiting", home.waiting_total, first, last, home.looking),
        *_unsure(home),
        *_entries("waiting", entries),
        *together_blocks(home.waiting),
        *_turns("waiting", home.looking, more=home.waiting_total > last),
    ]


def _asked(home: Home) -> list[Block]:
    entries = [asked_blocks(each) for each in home.asked]
    note = f"{home.asked_open:,} open" if home.asked_open else ""
    return [
        _title("asked", note),
        *_entries("asked", entries),
        *_turns("asked", home.looking, more=home.more_asked),
    ]


def _decided(home: Home) -> list[Block]:
    entries = [decided_blocks(card) for card in home.decided]
    return [
        _title("decided"),
        *_entries("decided", entries),
        *_turns("decided", home.looking, more=home.more_decided),
    ]


def _grants(home: Home) -> list[Block]:
    """What is allowed in advance and may be revoked by its reader; nothing where there is none."""
    head = {"type": "header", "text": plain(f"Standing grants · {len(home.grants):,}")}
    return [head, *grant_blocks(home.grants, most=IN_BRIEF)] if home.grants else []


def _header(name: Section, total: int, first: int, last: int, looking: Looking) -> Block:
    is_part = total > last - first > 0
    which = f"{first + 1:,} to {last:,} of {total:,}" if is_part and looking.show == name else f"{total:,}"
    return _title(name, which if total else "")


def _title(name: Section, note: str = "") -> Block:
    return {"type": "header", "text": plain(f"{TITLES[name]} · {note}" if note else TITLES[name])}


def _entries(name: Section, entries: Sequence[Iterable[Block]]) -> list[Block]:
    if not entries:
        return [{"type": "section", "text": mrkdwn(NOTHING[name])}]
    blocks: list[Block] = []
    for number, entry in enumerate(entries):
        blocks += [{"type": "divider"}] if number else []
        blocks += entry
    return blocks


def _unsure(home: Home) -> list[Block]:
    """What is not shown, and that this is not known to be right: less is shown, never more."""
    said = []
    if home.unsure is None:
        said.append("⚠️ Slack did not tell who you are, so nothing is shown that you might decide.")
    elif home.unsure:
        named = ", ".join(map(channel_mention, home.unsure[:UNSURE]))
        rest = f" and {len(home.unsure) - UNSURE} more" if len(home.unsure) > UNSURE else ""
        said.append(f"⚠️ Slack did not tell who is in {named}{rest}, so questions to its members are not shown.")
    if home.is_cut:
        said.append("Of what waits, only the questions with the soonest deadlines were looked at.")
    return [{"type": "context", "elements": [mrkdwn(line) for line in said]}] if said else []


def _turns(name: Section, looking: Looking, *, more: bool) -> list[Block]:
    """Back and on; where all sections are shown, the way to all of this one."""
    if looking.show != name:
        return actions_block(f"home:turn:{name}", [_turn("more", "See them all", Looking(show=name))]) if more else []
    turns = [("back", "Back", looking.page - 1)] if looking.page else []
    turns += [("more", "More", looking.page + 1)] if more else []
    buttons = [_turn(way, title, looking.model_copy(update={"page": page})) for way, title, page in turns]
    return actions_block(f"home:turn:{name}", buttons)


def _turn(way: str, title: str, looking: Looking) -> Block:
    return {"type": "button", "action_id": f"home:{way}", "text": plain(title), "value": looking.text}
