"""The Home tab: every entry answerable or told where it stands, within Slack's limits, and nothing in it is read as markup."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actions.kit.policies.pace import Warn
from actions.kit.policies.remarks import Remark, RemarkKind
from actions.kit.records.interrupts import Card, Choice, Confirm, Shape
from actions.kit.records.runs import RunStatus
from blocks.acts import act_buttons
from blocks.clicks import Act, Click, parse_click
from blocks.digest import DigestState
from blocks.home import BYTES, PAGE, Home, brief_home_view, home_view
from blocks.home_clicks import (
    HomeOpened,
    HomeTurn,
    Looking,
    Section,
    parse_home_opened,
    parse_home_turn,
    read_looking,
    who_is_home,
)
from blocks.home_items import OwnRun
from blocks.presence import presence_blocks
from blocks.validate import all_text, validate_view
from tests.cards import ANN, AT_NINE, CARDS, FAILED, STATES, approved, voted, with_run
from tests.golden_files import assert_golden
from tests.unit.test_actions_grants import GRANT
from tests.unit.test_blocks_clicks import COMMON

HOSTILE = "<!channel> <@U0EVIL> <https://evil.example|bank> & `x` *b* _i_ ~s~ > @here \u202e\u200b\x00 😀"


def numbered(card: Card, number: int) -> Card:
    run = replace(card.run, id=f"{card.run.id}{number}")
    return Card(run, replace(card.interrupt, id=f"{card.interrupt.id}{number}", run_id=run.id), card.decisions)


def many(count: int, name: str = "spend_request") -> tuple[Card, ...]:
    return tuple(numbered(CARDS[name](), number) for number in range(count))


def drawn(home: Home) -> dict[str, Any]:
    view = home_view(home)
    assert validate_view(view, "home") == []
    assert validate_view(brief_home_view(home), "home") == []
    return view


def looking(show: Section = "all", **more: Any) -> Looking:
    return Looking(show=show, **more)


def elements(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for block in view["blocks"] if block["type"] == "actions" for each in block["elements"]]


def titles(view: dict[str, Any]) -> list[str]:
    return [each["text"]["text"] for each in elements(view) if each["type"] == "button"]


def words(view: dict[str, Any]) -> str:
    return json.dumps(view["blocks"], ensure_ascii=False)


def pressed(view: dict[str, Any], **element: Any) -> dict[str, Any]:
    return {
        **COMMON,
        "type": "block_actions",
        "container": {"type": "view", "view_id": "V0HOME"},
        "view": {"id": "V0HOME", "hash": "1.x", **view},
        "actions": [{"block_id": "b", "action_ts": "1796036712.345678", **element}],
    }


def press(view: dict[str, Any], title: str) -> dict[str, Any]:
    button = next(each for each in elements(view) if each["type"] == "button" and each["text"]["text"] == title)
    return pressed(view, **button)


FULL = Home(
    looking(),
    waiting=(CARDS["send_message"](), numbered(voted(CARDS["restart_service"]()), 1)),
    waiting_total=2,
    asked=(
        OwnRun(CARDS["spend_request"]().run, CARDS["spend_request"]()),
        OwnRun(with_run(approved(CARDS["send_message"]()), RunStatus.FAILED, failure=FAILED).run),
    ),
    asked_open=1,
    decided=(numbered(approved(CARDS["spend_request"]()), 2),),
    actions=(("send_message", "Send message"), ("restart_service", "Restart service")),
)


def test_the_home_tab_of_somebody_for_whom_nothing_is_there():
    assert_golden("home/nothing", drawn(Home(looking())))


def test_the_home_tab_in_brief():
    assert_golden("home/everything", drawn(FULL))


@pytest.mark.parametrize("show", [each for each in get_args(Section) if each != "all"])
def test_one_section_alone(show: Section):
    view = drawn(replace(FULL, looking=looking(show)))
    headers = [block["text"]["text"] for block in view["blocks"] if block["type"] == "header"]
    assert len(headers) == 1


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", CARDS)
def test_a_card_in_any_state_can_be_shown_in_every_section(name: str, state: str):
    card = STATES[state](CARDS[name]())
    own = (OwnRun(card.run, card),)
    for home in (
        Home(looking("waiting"), waiting=(card,), waiting_total=1),
        Home(looking("asked"), asked=own),
        Home(looking("decided"), decided=(card,)),
    ):
        drawn(home)


def test_a_waiting_question_has_the_very_buttons_of_its_card():
    card = CARDS["send_message"]()
    view = drawn(Home(looking("waiting"), waiting=(card,), waiting_total=1))
    click = parse_click(press(view, "Approve"))
    assert isinstance(click, Click)
    assert (click.interrupt_id, click.choice_key, click.channel) == (card.interrupt.id, "Approve", None)
    assert who_is_home(press(view, "Approve")) == click.person


def offering(card: Card, said: str = "Is it urgent?") -> Card:
    """With everything that a card may offer besides answers, taken on by somebody and talked about."""
    extending = Warn(at=0.5, extend_by=timedelta(hours=1))
    policy = card.interrupt.policy.model_copy(
        update={"claim_for": timedelta(hours=1), "may_ask": True, "warn": extending}
    )
    interrupt = replace(card.interrupt, policy=policy, editable=("body",), warned_at=AT_NINE)
    taken = replace(interrupt, claimed_by=ANN, claimed_until=AT_NINE + timedelta(hours=1))
    remarks = tuple(
        Remark(kind=RemarkKind.QUESTION, question=1, person=ANN, text=said, at=AT_NINE, source="x") for _ in "ab"
    )
    return Card(replace(card.run, remarks=remarks), taken, card.decisions)


def test_a_waiting_question_offers_what_its_card_offers_besides_answers():
    card = offering(CARDS["send_message"]())
    view = drawn(Home(looking("waiting"), waiting=(card,), waiting_total=1))
    offered = act_buttons(card)
    assert [each["text"]["text"] for each in offered] == ["Let it go", "Ask for more…", "Edit…", "Extend by 1 hour"]
    assert [each for each in elements(view) if each["action_id"].startswith("act:")] == offered
    act = parse_click(press(view, "Edit…"))
    assert isinstance(act, Act)
    assert (act.verb, act.interrupt_id, act.response_url) == ("edit", card.interrupt.id, None)
    assert who_is_home(press(view, "Edit…")) == act.person
    for said in ("is on it until", "asks: Is it urgent?", "Show all"):
        assert said in words(view)


def test_the_fullest_home_tab_leaves_nothing_out():
    cards = tuple(map(offering, many(5)))
    own = tuple(OwnRun(each.run, each) for each in cards)
    grants = tuple(replace(GRANT, id=f"{GRANT.id}{number}") for number in range(9))
    home = Home(
        looking(), cards, 500, own, 5, True, cards, True, FULL.actions, ("C0APPROVALS",), is_cut=True, grants=grants,
        digest=DigestState(True, 9),
    )  # fmt: skip
    assert drawn(home)["blocks"][-2:] == presence_blocks(home.presence)
    page = drawn(Home(looking("waiting"), tuple(map(offering, many(PAGE))), 500))
    assert "More" in titles(page)


def test_of_what_one_asked_for_only_what_is_open_can_be_withdrawn():
    card = CARDS["send_message"]()
    done = with_run(approved(card), RunStatus.SUCCEEDED)
    assert "Withdraw" in titles(drawn(Home(looking("asked"), asked=(OwnRun(card.run, card),))))
    assert "Withdraw" not in titles(drawn(Home(looking("asked"), asked=(OwnRun(done.run, done),))))


def test_what_was_decided_has_no_button_left():
    view = drawn(Home(looking("decided"), decided=(approved(CARDS["send_message"]()),)))
    assert [title for title in titles(view) if title in {"Approve", "Reject"}] == []


def test_an_answer_that_is_not_enough_is_told_with_how_many_are_needed():
    assert "1 of 2 answers so far" in words(drawn(Home(looking("decided"), decided=(voted(CARDS["send_message"]()),))))


def test_the_section_that_is_shown_is_marked_without_colour():
    view = drawn(replace(FULL, looking=looking("asked")))
    assert [title for title in titles(view) if title.startswith("▸")] == ["▸ Asked by me (1)"]


def test_five_hundred_questions_are_turned_page_by_page():
    page = Home(
        looking("waiting", page=3), waiting=many(PAGE), waiting_total=500, actions=(("spend_request", "Spend"),)
    )
    view = drawn(page)
    assert "31 to 40 of 500" in words(view)
    turns = {title: parse_home_turn(press(view, title)) for title in ("Back", "More")}
    assert {title: turn and turn.looking.page for title, turn in turns.items()} == {"Back": 2, "More": 4}
    last = drawn(replace(page, looking=looking("waiting", page=49)))
    assert "More" not in titles(last)


def test_in_brief_more_leads_to_the_whole_section():
    view = drawn(Home(looking(), waiting=many(5), waiting_total=500))
    turn = parse_home_turn(press(view, "See them all"))
    assert turn is not None
    assert turn.looking == looking("waiting")


def test_one_action_can_be_chosen_among_several_and_let_go_of_again():
    view = drawn(FULL)
    (select,) = [each for each in elements(view) if each["type"] == "static_select"]
    assert [each["text"]["text"] for each in select["options"]] == ["All actions", "Send message", "Restart service"]
    chosen = pressed(view, type="static_select", action_id="home:action", selected_option=select["options"][2])
    assert parse_home_turn(chosen) == HomeTurn(person="U0BOB", looking=looking("waiting", action="restart_service"))
    filtered = drawn(replace(FULL, looking=looking("waiting", action="restart_service")))
    (select,) = [each for each in elements(filtered) if each["type"] == "static_select"]
    assert select["initial_option"]["text"]["text"] == "Restart service"
    everything = pressed(filtered, type="static_select", action_id="home:action", selected_option=select["options"][0])
    turn = parse_home_turn(everything)
    assert turn is not None
    assert turn.looking == looking("waiting")


def test_what_slack_did_not_tell_is_said():
    assert "did not tell who is in &lt;" not in words(drawn(Home(looking(), unsure=("C0APPROVALS",))))
    assert "Slack did not tell who is in <#C0APPROVALS>" in words(drawn(Home(looking(), unsure=("C0APPROVALS",))))
    assert "Slack did not tell who you are" in words(drawn(Home(looking("waiting"), unsure=None)))
    assert "did not tell" not in words(drawn(Home(looking("asked"), unsure=None)))


def with_text(card: Card, text: str) -> Card:
    choices = tuple(Choice(key=f"k{n}", title=text or "x", json_schema={}, has_form=False, value={}) for n in range(5))
    run = replace(card.run, action_name=text, failure=FAILED.model_copy(update={"message": text}))
    shown = json.dumps({text: text, "amount": text, "more": [text] * 3, "deep": {text: {text: text}}})
    interrupt = replace(card.interrupt, message=text, shown=shown, shape=Shape(choices=choices), undeliverable=text)
    return offering(Card(run, interrupt, card.decisions), said=text)


@settings(max_examples=30, deadline=None)
@given(
    st.text(max_size=300) | st.sampled_from([HOSTILE, HOSTILE * 60, "😀" * 2_000, "&" * 2_000]),
    st.sampled_from(sorted(STATES)),
)
def test_whatever_people_wrote_neither_pings_nor_breaks_a_home_tab(text: str, state: str):
    card = with_text(STATES[state](CARDS["send_message"]()), text)
    cards = tuple(numbered(card, number) for number in range(PAGE))
    asked = tuple(OwnRun(each.run, each) for each in cards)
    for show in get_args(Section):
        view = drawn(Home(looking(show), cards, 500, asked, 5, True, cards, True, (("a", text), ("b", text)), (text,)))
        assert len(json.dumps(view)) <= BYTES + 50_000
        markup = [each["text"] for each in _objects(view) if each.get("type") == "mrkdwn"]
        assert not [each for each in markup if "<!channel" in each or "<@U0EVIL" in each or "<https://evil" in each]
    assert all_text(view["blocks"]) > 0


def _objects(value: Any) -> list[dict[str, Any]]:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [*([value] if isinstance(value, dict) else []), *(each for part in inner for each in _objects(part))]


def test_entries_that_are_too_large_together_are_drawn_in_brief_and_can_still_be_answered():
    asks = Confirm(title="ü" * 100, text="ü" * 300, confirm="ü" * 30, deny="ü" * 30)
    keys = [f"{number}{'ü' * 59}" for number in range(5)]
    choices = (Choice(key=key, title="ü" * 75, json_schema={}, has_form=False, confirm=asks) for key in keys)
    shape, shown = Shape(choices=tuple(choices)), json.dumps({f"{number}": "ü" * 120 for number in range(4)})
    cards = tuple(replace(each, interrupt=replace(each.interrupt, shape=shape, shown=shown)) for each in many(PAGE))
    view = drawn(Home(looking("waiting"), waiting=cards, waiting_total=PAGE))
    assert titles(view).count("Answer…") == PAGE
    click = parse_click(press(view, "Answer…"))
    assert isinstance(click, Click)
    assert click.choice_key == ""


# What Slack sends


def opening(**more: Any) -> dict[str, Any]:
    event = {"type": "app_home_opened", "user": "U0ANN", "channel": "D0ANN", "tab": "home", "event_ts": "1.2", **more}
    return {"type": "event_callback", "event": event, "team_id": "T0ACME", "event_id": "Ev1"}


def test_an_opened_home_tab_says_whose_it_is_and_whether_it_shows_anything():
    assert parse_home_opened(opening()) == HomeOpened(user="U0ANN", tab="home")
    again = parse_home_opened(opening(view={"id": "V1", "hash": "1.x"}))
    assert again is not None
    assert again.view is not None


@pytest.mark.parametrize(
    "body",
    [opening(tab="messages"), opening(type="message"), opening(user=5), opening(user="nobody"), {"event": 5}, [], None],
)
def test_what_is_no_opened_home_tab_is_none(body: Any):
    assert parse_home_opened(body) is None


@pytest.mark.parametrize("value", ["", "{", '{"show":"x"}', '{"page":-1}', '{"show":"all","show":"asked"}', "[]", None])
def test_a_turn_that_makes_no_sense_leads_to_everything(value: Any):
    turn = parse_home_turn(pressed(drawn(FULL), type="button", action_id="home:asked", value=value))
    assert turn == HomeTurn(person="U0BOB", looking=Looking())


def test_only_what_is_pressed_in_the_home_tab_turns_it():
    modal = press(drawn(FULL), "Asked by me (1)")
    modal["view"] = {**modal["view"], "type": "modal"}
    assert parse_home_turn(modal) is None
    assert who_is_home(modal) is None


@given(
    st.sampled_from([*get_args(Section)]),
    st.none() | st.text(st.characters(min_codepoint=33), min_size=1, max_size=60),
    st.integers(0, 10**6),
)
def test_what_a_home_tab_looks_at_is_read_back_as_it_was_stored(show: Section, action: str | None, page: int):
    kept = Looking.model_construct(show=show, action=action, page=page)
    try:
        Looking.model_validate(kept.model_dump())
    except ValueError:
        return
    assert read_looking(kept.text) == kept


@pytest.mark.parametrize("text", ["", "null", '{"show":"tomorrow"}', "{}"])
def test_what_another_version_stored_is_everything(text: str):
    assert read_looking(text) == Looking()
