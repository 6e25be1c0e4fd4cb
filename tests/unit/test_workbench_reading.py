"""What a person reads of blocks, and whom they call."""

import pytest

from bot.workbench.echo import with_ids
from bot.workbench.elements import elements_of
from bot.workbench.reading import pings, words, words_of_blocks
from bot.workbench.seed import acme
from bot.workbench.workspace import Group

WORKSPACE = acme()
WORKSPACE.groups["S0LEADS"] = Group("S0LEADS", "leads", "Team leads")


def mrkdwn(text: str) -> dict:
    return {"type": "mrkdwn", "text": text}


def rich(*elements: dict) -> dict:
    return {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": list(elements)}]}


BUTTON = {"type": "button", "text": {"type": "plain_text", "text": "Go"}, "action_id": "go"}


@pytest.mark.parametrize(
    ("markup", "read"),
    [
        ("<@U0ANN> and <@U0NOBODY>", "@Ann Archer and @U0NOBODY"),
        ("<!subteam^S0LEADS> and <!subteam^S0NONE>", "@leads and @S0NONE"),
        ("<#C0OPS> &lt;!here&gt; <!here>", "#ops <!here> @here"),
        ("<https://x.example|a &amp; b>", "a & b"),
    ],
)
def test_markup_is_read_by_names_and_labels(markup, read):
    assert words(WORKSPACE, markup) == read


@pytest.mark.parametrize(
    ("block", "read"),
    [
        ({"type": "markdown", "text": "# A <@U0ANN>"}, "# A @Ann Archer"),
        ({"type": "card", "title": mrkdwn("Title"), "body": mrkdwn("Body"), "actions": [BUTTON]}, "Title\nBody"),
        ({"type": "carousel", "elements": [{"type": "card", "title": mrkdwn("One")}]}, "One"),
        ({"type": "alert", "text": mrkdwn("Careful"), "level": "warning"}, "Careful"),
        ({"type": "container", "child_blocks": [{"type": "section", "text": mrkdwn("Inside")}]}, "Inside"),
        (
            {
                "type": "table",
                "rows": [
                    [
                        {"type": "raw_text", "text": "a"},
                        {"type": "raw_number", "value": 2},
                        rich({"type": "text", "text": "c"}),
                    ]
                ],
            },
            "a | 2 | c",
        ),
        (rich({"type": "usergroup", "usergroup_id": "S0LEADS"}, {"type": "broadcast", "range": "here"}), "@leads@here"),
    ],
)
def test_every_block_with_words_is_read(block, read):
    assert words_of_blocks(WORKSPACE, [block]) == read


@pytest.mark.parametrize(
    ("block", "called"),
    [
        ({"type": "markdown", "text": "<!channel> &lt;!here&gt;"}, ["!channel"]),
        ({"type": "card", "title": mrkdwn("<@U0ANN>"), "actions": [BUTTON]}, ["U0ANN"]),
        ({"type": "table", "rows": [[{"type": "raw_text", "text": "<!channel>"}]]}, []),
        (
            rich({"type": "usergroup", "usergroup_id": "S0LEADS"}, {"type": "text", "text": "<!here>"}),
            ["!subteam^S0LEADS"],
        ),
    ],
)
def test_whom_a_block_calls_is_found_wherever_markup_counts(block, called):
    assert pings([block], "") == called


@pytest.mark.parametrize(
    "block",
    [
        {"type": "card", "title": mrkdwn("Title"), "actions": [BUTTON]},
        {"type": "carousel", "elements": [{"type": "card", "title": mrkdwn("One"), "actions": [BUTTON]}]},
        {"type": "container", "child_blocks": [{"type": "actions", "elements": [BUTTON]}]},
    ],
)
def test_buttons_within_cards_and_containers_are_found_by_the_block_that_has_them(block):
    (placed,) = elements_of(with_ids([block]))
    assert (placed.label, placed.action_id, placed.block["type"] in ("card", "actions")) == ("Go", "go", True)
    assert placed.block_id
