"""Our table of Slack's limits agrees with an independent one, wherever both have an opinion."""

import re

import pytest
from slackblocks import _limits as theirs

from blocks import limits

# Ours on the left. The two video texts are "less than" in Slack's reference, which slackblocks reads as "up to".
OTHER_NAMES = {
    "OPTION_GROUP_OPTIONS": "OPTION_GROUP_OPTIONS_MAX_ITEMS",
    "SECTION_FIELD_TEXT": "SECTION_FIELDS_ITEM_MAX_LENGTH",
    "PLACEHOLDER": "SELECT_PLACEHOLDER_MAX_LENGTH",
    "PLAIN_TEXT_INPUT_LENGTH": "PLAIN_TEXT_INPUT_MAX_LENGTH_MAX",
    "FILE_INPUT_MAX_FILES": "FILE_INPUT_MAX_FILES_MAX",
    "RICH_TEXT_INPUT_LINES": "RICH_TEXT_INPUT_MAX_LINES_MAX",
    "RICH_TEXT_LIST_INDENT": "RICH_TEXT_LIST_INDENT_MAX",
    "RICH_TEXT_LIST_BORDER": "RICH_TEXT_LIST_BORDER_MAX",
    "DATA_TABLE_PAGE_SIZE": "DATA_TABLE_PAGE_SIZE_MAX",
    "TRIGGER_ACTIONS_ON": "DISPATCH_ACTION_CONFIGURATION_TRIGGER_ACTIONS_ON_MAX_ITEMS",
}
STRICTER = {"VIDEO_TITLE", "VIDEO_AUTHOR_NAME"}


def _pairs():
    for name in (name for name in vars(limits) if name.isupper()):
        candidates = (
            OTHER_NAMES.get(name),
            f"{name}_MAX_LENGTH",
            f"{name}_MAX_ITEMS",
            re.sub("_MIN$", "_MIN_ITEMS", name),
        )
        for other in candidates:
            if other and hasattr(theirs, other):
                yield name, other
                break


@pytest.mark.parametrize(("name", "other"), list(_pairs()))
def test_a_limit_agrees_with_slackblocks(name, other):
    ours, expected = getattr(limits, name), getattr(theirs, other)
    assert ours == (expected - 1 if name in STRICTER else expected)


def test_most_limits_are_cross_checked():
    assert len(list(_pairs())) > 60
