"""Words that come from anywhere: they call nobody, forge nothing and break nothing, wherever they are shown."""

from collections.abc import Iterator
from typing import Any

import pytest

from actions.kit.records.runs import RunStatus
from bot.workbench.cards import Card
from tests.acceptance.office import Office

pytestmark = pytest.mark.parametrize("transport", ["socket"])

NASTY = "<!channel> <!here> <@U0OMAR> <#C0OPS> <!subteam^S1> <https://evil.example|our page> &amp; *b* `c` ~d~ :tada:"
CRUEL = "\u202egnirts\u202c \u200bzero\u200b \x07bell \U0001f469\u200d\U0001f4bb @channel @here"
OURS = {"U0RITA", "U0ANN", "U0BEN", "U0DANA", "C0APPROVALS"}


def elements(node: Any) -> Iterator[dict[str, Any]]:
    """Every object of a message's blocks, whatever it lies in."""
    if isinstance(node, dict):
        yield node
    for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from elements(child)


def forged(card: Card) -> list[str]:
    """Where it says one thing and leads to another."""
    found = list(elements(card.blocks))
    markup = [each["text"] for each in found if each.get("type") == "mrkdwn"] + [card.fallback]
    links = [
        each["url"] for each in found if each.get("type") == "link" and each.get("text", each["url"]) != each["url"]
    ]
    return links + [text for text in markup if "<https://evil.example" in text]


def is_harmless(card: Card) -> bool:
    return set(card.pings) <= OURS and not forged(card)


@pytest.mark.parametrize("words", [NASTY, CRUEL], ids=["markup", "characters"])
async def test_data_is_shown_literally_on_cards_in_threads_in_notes_and_in_the_requesters_message(
    open_office: Office, words: str
):
    run = await open_office.start("repeats", {"words": words})
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Say", in_="#approvals")
    await ann.until(lambda: len(ann.thread(card)) == 1, "the reported line")
    assert is_harmless(card)
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.FAILED)
    told = await rita.sees("Failed", in_="dm")
    await ann.sees_on(card, "Failed")
    assert all(is_harmless(message) for message in [card, told, *ann.thread(card), *rita.messages("dm")])


@pytest.mark.parametrize("words", [NASTY, CRUEL], ids=["markup", "characters"])
async def test_a_note_is_shown_literally_and_so_are_the_facts_in_a_form(open_office: Office, words: str):
    await open_office.start("send_message", {"recipient": "press", "body": words})
    ann, rita = open_office.person("ann"), open_office.person("rita")
    card = await ann.sees("Approve sending", in_="#approvals")
    await ann.click(card, "Reject")
    modal = await ann.modal()
    await ann.submit(modal, {"Reason": words})
    await ann.sees_on(card, "Rejected")
    told = await rita.sees("Rejected", in_="dm")
    assert all(is_harmless(message) for message in [card, told, *ann.thread(card)])
    if words == NASTY:
        assert card.says("<!channel>")


async def test_a_whisper_repeats_words_literally(open_office: Office):
    ann = open_office.person("ann")
    await ann.command(f"/signoff {NASTY.replace(' ', '')}")
    whisper = await ann.is_told("There is no action")
    assert is_harmless(whisper)


async def test_what_is_posted_fits_slacks_rules_and_has_words_for_notifications(open_office: Office):
    """The workbench is strict: it refuses what breaks a limit or has no text."""
    run = await open_office.start("repeats", {"words": (NASTY + CRUEL) * 100})
    ann = open_office.person("ann")
    card = await ann.sees("Say", in_="#approvals")
    await ann.click(card, "Approve")
    await open_office.ends(run.id, RunStatus.FAILED)
    await open_office.person("rita").sees("Failed", in_="dm")
    assert [call for call in open_office.workbench.calls if not call.ok] == []
    posted = open_office.workbench.calls_of("chat.postMessage") + open_office.workbench.calls_of("chat.update")
    assert all(call.arguments["text"] for call in posted)
