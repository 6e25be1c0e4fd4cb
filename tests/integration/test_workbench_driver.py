"""The people of the tests: what they see, how long they wait, and what they say when it does not come."""

import asyncio
from datetime import UTC, date, datetime, time

import pytest

from bot.workbench.cards import NotThereError
from bot.workbench.server import Workbench
from tests.integration.workbench_bots import button, client_of, plain, question, section


@pytest.fixture
async def workbench():
    async with Workbench() as workbench:
        yield workbench


async def test_somebody_who_waits_sees_a_message_as_soon_as_it_is_there(workbench):
    waiting = asyncio.ensure_future(workbench.person("ann").sees("Approve", "#approvals"))
    await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    assert (await waiting).text == "Approve sending?"


async def test_somebody_who_waits_in_vain_says_what_there_was_instead(workbench):
    workbench.person("ann").say("Something else", "#general")
    with pytest.raises(NotThereError, match=r"ann waited 0.05 s for 'Approve'(.|\n)*Something else"):
        await workbench.person("ann").sees("Approve", timeout=0.05)


async def test_the_newest_message_counts_and_an_older_one_can_be_excluded(workbench):
    ann = workbench.person("ann")
    first = ann.say("Hello one")
    assert (await ann.sees("Hello")).ts == first.ts
    with pytest.raises(NotThereError):
        await ann.sees("Hello", after=first, timeout=0.02)
    second = ann.say("Hello two")
    assert (await ann.sees("Hello", after=first)).ts == second.ts


async def test_a_card_is_read_as_people_read_it(workbench):
    blocks = [
        section("*Ask* <@U0RITA> in <#C0OPS> &amp; <https://example.com|there>, by <!date^1^{time}|10:00 UTC>"),
        {"type": "context", "elements": [plain("small & plain")]},
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "<as is>"}]}],
        },
        {"type": "actions", "elements": [button("Yes", "yes")]},
    ]
    await client_of(workbench).chat_postMessage(channel="C0OPS", text="Ask", blocks=blocks)
    card = await workbench.person("omar").sees("10:00 UTC")
    assert card.text == "*Ask* @Rita Rossi in #ops & there, by 10:00 UTC\nsmall & plain\n<as is>"
    assert "<@U0RITA>" in card.markup
    assert str(card).endswith("[Yes]")


async def test_whom_a_message_calls_is_known():
    async with Workbench(strict=False) as workbench:
        loud = {"type": "section", "text": {"type": "mrkdwn", "text": "@here <@U0BEN> <!channel> &lt;@U0RITA&gt;"}}
        blocks = [loud, section("@everyone, me@here.example"), {"type": "header", "text": plain("<@U0OMAR>")}]
        await client_of(workbench).chat_postMessage(channel="C0GENERAL", text="For <@U0ANN>", blocks=blocks)
        assert workbench.person("ann").messages()[0].pings == ["U0ANN", "U0BEN", "!channel", "!here"]


async def test_a_label_that_is_not_there_is_answered_with_those_that_are(workbench):
    await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    ann = workbench.person("ann")
    with pytest.raises(NotThereError, match=r"'Maybe'; there are \['Approve', 'Reject'\]"):
        await ann.click(ann.messages()[0], "Maybe")


async def test_a_message_that_was_deleted_is_gone_for_everybody(workbench):
    await client_of(workbench).chat_postMessage(channel="C0APPROVALS", **question())
    ann = workbench.person("ann")
    card = ann.messages()[0]
    ann.delete(card)
    assert not card.exists
    assert not workbench.person("ben").messages()


async def test_every_kind_of_field_is_filled_in_by_its_label(workbench):
    options = [{"text": plain(name), "value": name.lower()} for name in ("Red", "Green", "Blue")]
    elements: dict[str, dict] = {
        "Text": {"type": "plain_text_input", "initial_value": "before"},
        "Number": {"type": "number_input", "is_decimal_allowed": True},
        "Colour": {"type": "static_select", "options": options},
        "Colours": {"type": "multi_static_select", "options": options},
        "Radio": {"type": "radio_buttons", "options": options},
        "Boxes": {"type": "checkboxes", "options": options},
        "Day": {"type": "datepicker"},
        "Hour": {"type": "timepicker", "timezone": "Europe/Paris"},
        "Moment": {"type": "datetimepicker"},
        "Who": {"type": "users_select"},
        "Where": {"type": "multi_conversations_select"},
        "Untouched": {"type": "email_text_input"},
    }
    blocks = [
        {
            "type": "input",
            "block_id": label.lower(),
            "label": plain(label),
            "optional": True,
            "element": {**element, "action_id": "v"},
        }
        for label, element in elements.items()
    ]
    view = {"type": "modal", "title": plain("All"), "submit": plain("Send"), "blocks": blocks}
    trigger_id = workbench.bench.triggers.new("U0ANN")
    await client_of(workbench).views_open(trigger_id=trigger_id, view=view)
    modal = await workbench.person("ann").modal("All")
    answers = {
        "Number": "12.50",
        "Colour": "Green",
        "Colours": ["red", "Blue"],
        "Radio": "blue",
        "Boxes": "Red",
        "Day": date(2026, 11, 30),
        "Hour": time(9, 5),
        "Moment": datetime(2026, 11, 30, tzinfo=UTC),
        "Who": "ben",
        "Where": ["#ops"],
    }
    modal.view.enter(modal.filled(answers))
    state = {block: entered["v"] for block, entered in modal.view.values.items()}
    assert state["text"] == {"type": "plain_text_input", "value": "before"}
    assert state["number"] == {"type": "number_input", "value": "12.50"}
    assert state["colour"]["selected_option"] == options[1]
    assert state["colours"]["selected_options"] == [options[0], options[2]]
    assert state["radio"]["selected_option"] == options[2]
    assert state["boxes"]["selected_options"] == [options[0]]
    assert state["day"]["selected_date"] == "2026-11-30"
    assert state["hour"] == {"type": "timepicker", "selected_time": "09:05", "timezone": "Europe/Paris"}
    assert state["moment"]["selected_date_time"] == 1795996800
    assert state["who"]["selected_user"] == "U0BEN"
    assert state["where"]["selected_conversations"] == ["C0OPS"]
    assert state["untouched"] == {"type": "email_text_input", "value": None}


@pytest.mark.parametrize(
    ("element", "typed", "complaint"),
    [
        ({"type": "number_input", "is_decimal_allowed": False}, "1.5", "Please enter a whole number."),
        ({"type": "number_input", "is_decimal_allowed": True}, "NaN", "Please enter a number."),
        ({"type": "number_input", "is_decimal_allowed": True}, "1e3", "Please enter a number."),
        ({"type": "number_input", "is_decimal_allowed": True, "min_value": "2"}, "1.99", "Please enter 2 or more."),
        ({"type": "number_input", "is_decimal_allowed": True, "max_value": "2"}, "2.01", "Please enter 2 or less."),
        ({"type": "plain_text_input", "min_length": 3}, "no", "Please enter at least 3 characters."),
        ({"type": "plain_text_input", "max_length": 3}, "nooo", "Please enter at most 3 characters."),
        ({"type": "email_text_input"}, "ann", "Please enter a valid email address."),
        ({"type": "url_text_input"}, "example", "Please enter a valid URL."),
    ],
)
async def test_slacks_client_checks_what_the_inputs_state(workbench, element, typed, complaint):
    block = {"type": "input", "block_id": "b", "label": plain("It"), "element": {**element, "action_id": "v"}}
    view = {"type": "modal", "title": plain("Check"), "submit": plain("Send"), "blocks": [block]}
    trigger_id = workbench.bench.triggers.new("U0ANN")
    await client_of(workbench).views_open(trigger_id=trigger_id, view=view)
    ann = workbench.person("ann")
    sent = await ann.submit(await ann.modal(), {"It": typed})
    assert (sent.errors, sent.ack) == ({"It": complaint}, None)
