"""Rules for interactive elements (reference/block-kit/block-elements), one entry per type."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from blocks import limits
from blocks.validation.composition import (
    CONFIRM,
    CONVERSATION_FILTER,
    DISPATCH,
    OPTION,
    OPTION_GROUP,
    OVERFLOW_OPTION,
    RICH_OPTION,
    SLACK_FILE,
    plain,
)
from blocks.validation.faults import Findings, below
from blocks.validation.rich_text import RICH_TEXT
from blocks.validation.rules import (
    Rule,
    anything,
    exactly_one,
    flag,
    integer,
    iso_date,
    listing,
    matching,
    one_of,
    record,
    string,
    url,
)

_ID = string(limits.BLOCK_ID)
_NUMERAL = matching(r"-?\d+(\.\d+)?", "a number in a string")


def _focus(value: Any, at: str, findings: Findings) -> None:
    flag(value, at, findings)
    if value is True:
        findings.focused.append(at)


def _within_lengths(value: Any, at: str, findings: Findings) -> None:
    least, most = value.get("min_length", 0), value.get("max_length", limits.PLAIN_TEXT_INPUT_LENGTH)
    if least > most:
        findings.fail(at, "min_length must be no more than max_length", "range", [least, most])
    initial = value.get("initial_value")
    if initial and not least <= len(initial) <= most:
        findings.fail(below(at, "initial_value"), f"must be {least} to {most} characters", "range", [least, most])


def _within_bounds(value: Any, at: str, findings: Findings) -> None:
    numbers = {name: Decimal(value[name]) for name in ("min_value", "initial_value", "max_value") if name in value}
    if list(numbers.values()) != sorted(numbers.values()):
        findings.fail(at, "min_value, initial_value and max_value must be in order", "range", list(numbers))
    for name, number in numbers.items():
        if not value["is_decimal_allowed"] and number != number.to_integral_value():
            findings.fail(below(at, name), "must be a whole number", "format", "integer")


def _within_lines(value: Any, at: str, findings: Findings) -> None:
    if value.get("min_lines", 1) > value.get("max_lines", limits.RICH_TEXT_INPUT_LINES):
        findings.fail(at, "min_lines must be no more than max_lines", "range")


def _initial_among_options(value: Any, at: str, findings: Findings) -> None:
    groups = value.get("option_groups", ())
    options = [*value.get("options", ()), *(option for group in groups for option in group["options"])]
    if "initial_option" in value and value["initial_option"] not in options:
        findings.fail(below(at, "initial_option"), "must be one of the options", "enum", "options")
    for index, initial in enumerate(value.get("initial_options", ())):
        if initial not in options:
            findings.fail(below(below(at, "initial_options"), index), "must be one of the options", "enum", "options")


def _initial_within_maximum(value: Any, at: str, findings: Findings) -> None:
    most = value.get("max_selected_items")
    for name in (name for name in value if name.startswith("initial_")):
        if most is not None and len(value[name]) > most:
            findings.fail(below(at, name), f"no more than {most} items allowed", "max_items", most)


_ACTION = {"action_id": string(limits.ACTION_ID)}
_FOCUS = {**_ACTION, "focus_on_load": _focus}
_PLACEHOLDER = {"placeholder": plain(limits.PLACEHOLDER)}
_CONFIRM = {"confirm": CONFIRM}
_TYPED = {**_FOCUS, **_PLACEHOLDER, "dispatch_action_config": DISPATCH}
_CHOSEN = {**_FOCUS, **_PLACEHOLDER, **_CONFIRM}
_OPTIONS = {
    "options": listing(OPTION, limits.SELECT_OPTIONS),
    "option_groups": listing(OPTION_GROUP, limits.SELECT_OPTION_GROUPS),
}
_MAXIMUM = {"max_selected_items": integer(1)}
_CONVERSATION = {"default_to_current_conversation": flag, "filter": CONVERSATION_FILTER}
_RESPONSE_URL = {"response_url_enabled": flag}


def _select(**own: Rule) -> Rule:
    return record({}, {**_CHOSEN, **own})


def _multi_select(**own: Rule) -> Rule:
    return record({}, {**_CHOSEN, **_MAXIMUM, **own}, _initial_within_maximum)


ELEMENTS: Mapping[str, Rule] = {
    "button": record(
        {"text": plain(limits.BUTTON_TEXT)},
        {
            **_ACTION,
            **_CONFIRM,
            "value": string(limits.BUTTON_VALUE),
            "url": url(limits.BUTTON_URL),
            "style": one_of("primary", "danger"),
            "accessibility_label": string(limits.BUTTON_ACCESSIBILITY_LABEL),
        },
    ),
    "workflow_button": record(
        {
            "text": plain(limits.WORKFLOW_BUTTON_TEXT),
            "workflow": record({"trigger": record({"url": url()}, {"customizable_input_parameters": anything})}),
        },
        {
            **_ACTION,
            **_CONFIRM,
            "style": one_of("primary", "danger"),
            "accessibility_label": string(limits.WORKFLOW_BUTTON_ACCESSIBILITY_LABEL),
        },
    ),
    "overflow": record(
        {"options": listing(OVERFLOW_OPTION, limits.OVERFLOW_OPTIONS)},
        {**_ACTION, **_CONFIRM},
    ),
    "checkboxes": record(
        {"options": listing(RICH_OPTION, limits.CHECKBOXES_OPTIONS)},
        {**_FOCUS, **_CONFIRM, "initial_options": listing(RICH_OPTION)},
        _initial_among_options,
    ),
    "radio_buttons": record(
        {"options": listing(RICH_OPTION, limits.RADIO_BUTTONS_OPTIONS)},
        {**_FOCUS, **_CONFIRM, "initial_option": RICH_OPTION},
        _initial_among_options,
    ),
    "static_select": record(
        {},
        {**_CHOSEN, **_OPTIONS, "initial_option": OPTION},
        exactly_one("options", "option_groups"),
        _initial_among_options,
    ),
    "multi_static_select": record(
        {},
        {**_CHOSEN, **_OPTIONS, **_MAXIMUM, "initial_options": listing(OPTION)},
        exactly_one("options", "option_groups"),
        _initial_among_options,
        _initial_within_maximum,
    ),
    "external_select": _select(initial_option=OPTION, min_query_length=integer(0)),
    "multi_external_select": _multi_select(initial_options=listing(OPTION), min_query_length=integer(0)),
    "users_select": _select(initial_user=_ID),
    "multi_users_select": _multi_select(initial_users=listing(_ID)),
    "channels_select": _select(initial_channel=_ID, **_RESPONSE_URL),
    "multi_channels_select": _multi_select(initial_channels=listing(_ID)),
    "conversations_select": _select(initial_conversation=_ID, **_CONVERSATION, **_RESPONSE_URL),
    "multi_conversations_select": _multi_select(initial_conversations=listing(_ID), **_CONVERSATION),
    "datepicker": record({}, {**_CHOSEN, "initial_date": iso_date}),
    "timepicker": record(
        {},
        {
            **_CHOSEN,
            "initial_time": matching(r"([01]\d|2[0-3]):[0-5]\d", "a valid time (HH:mm)"),
            "timezone": matching(r"[A-Za-z_]+(/[A-Za-z0-9_+-]+)*", "an IANA time zone"),
        },
    ),
    "datetimepicker": record({}, {**_FOCUS, **_CONFIRM, "initial_date_time": integer(1_000_000_000, 9_999_999_999)}),
    "plain_text_input": record(
        {},
        {
            **_TYPED,
            "multiline": flag,
            "min_length": integer(0, limits.PLAIN_TEXT_INPUT_LENGTH),
            "max_length": integer(1, limits.PLAIN_TEXT_INPUT_LENGTH),
            "initial_value": string(limits.PLAIN_TEXT_INPUT_LENGTH, least=0),
        },
        _within_lengths,
    ),
    "number_input": record(
        {"is_decimal_allowed": flag},
        {**_TYPED, "min_value": _NUMERAL, "max_value": _NUMERAL, "initial_value": _NUMERAL},
        _within_bounds,
    ),
    "email_text_input": record({}, {**_TYPED, "initial_value": string(limits.TEXT)}),
    "url_text_input": record({}, {**_TYPED, "initial_value": string(limits.URL)}),
    "rich_text_input": record(
        {},
        {
            **_TYPED,
            "initial_value": RICH_TEXT,
            "min_lines": integer(1, limits.RICH_TEXT_INPUT_LINES),
            "max_lines": integer(1, limits.RICH_TEXT_INPUT_LINES),
        },
        _within_lines,
    ),
    "file_input": record(
        {},
        {
            **_ACTION,
            "filetypes": listing(string(limits.BLOCK_ID)),
            "max_files": integer(1, limits.FILE_INPUT_MAX_FILES),
        },
    ),
    "image": record(
        {"alt_text": string(limits.IMAGE_ALT_TEXT)},
        {"image_url": url(limits.IMAGE_IMAGE_URL, "http", "https"), "slack_file": SLACK_FILE},
        exactly_one("image_url", "slack_file"),
    ),
    "feedback_buttons": record(
        {
            name: record(
                {
                    "text": plain(limits.FEEDBACK_BUTTON_TEXT),
                    "value": string(limits.FEEDBACK_BUTTON_VALUE),
                },
                {"accessibility_label": string(limits.FEEDBACK_BUTTON_ACCESSIBILITY_LABEL)},
            )
            for name in ("positive_button", "negative_button")
        },
        _ACTION,
    ),
    "icon_button": record(
        {"icon": one_of("trash"), "text": plain(limits.BUTTON_TEXT)},
        {
            **_ACTION,
            **_CONFIRM,
            "value": string(limits.ICON_BUTTON_VALUE),
            "accessibility_label": string(limits.ICON_BUTTON_ACCESSIBILITY_LABEL),
            "visible_to_user_ids": listing(_ID, limits.ICON_BUTTON_VISIBLE_TO_USER_IDS),
        },
    ),
}

SELECTS = tuple(
    f"{prefix}{kind}_select"
    for prefix in ("", "multi_")
    for kind in ("static", "external", "users", "conversations", "channels")
)
CLICKABLE = (
    "button",
    "checkboxes",
    "datepicker",
    *SELECTS,
    "overflow",
    "radio_buttons",
    "timepicker",
    "workflow_button",
)
TYPED = ("email_text_input", "number_input", "plain_text_input", "rich_text_input", "url_text_input")
INPUTS = ("checkboxes", "datepicker", "datetimepicker", "file_input", *SELECTS, "radio_buttons", "timepicker", *TYPED)


def elements(*names: str) -> dict[str, Rule]:
    """The rules of these elements alone."""
    return {name: ELEMENTS[name] for name in names}
