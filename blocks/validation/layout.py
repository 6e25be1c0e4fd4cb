"""Rules for blocks (reference/block-kit/blocks), one entry per type, and the surfaces on which each may appear."""

from collections.abc import Mapping
from typing import Any

from blocks import limits
from blocks.validation.composition import SLACK_FILE, plain, plain_or_mrkdwn
from blocks.validation.elements import CLICKABLE, ELEMENTS, INPUTS, elements
from blocks.validation.faults import Findings, Surface, below
from blocks.validation.rich_text import PARTS, RICH_TEXT
from blocks.validation.rules import (
    Rule,
    anything,
    at_least_one,
    at_most_one,
    exactly_one,
    flag,
    integer,
    listing,
    one_of,
    record,
    string,
    tagged,
    unique,
    url,
)

_ID = string(limits.BLOCK_ID)
_TEXTS = {
    "plain_text": plain(limits.TEXT),
    "mrkdwn": plain_or_mrkdwn(limits.TEXT),
}


def _block_id(value: Any, at: str, findings: Findings) -> None:
    _ID(value, at, findings)
    if not isinstance(value, str):
        return
    if value in findings.block_ids:
        findings.fail(at, f"block_id must be unique: {value}", "unique", "block_id")
    findings.block_ids.add(value)


def _block(required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Rule) -> Rule:
    return record(required, {"block_id": _block_id, **(optional or {})}, *also)


def _is_input(_value: Any, _at: str, findings: Findings) -> None:
    findings.has_inputs = True


def _response_url_in_modals(value: Any, at: str, findings: Findings) -> None:
    if "response_url_enabled" in value["element"] and findings.surface != "modal":
        findings.fail(below(at, "element"), "response_url_enabled works in modals only", "surface", "modal")


def _no_response_url(value: Any, at: str, findings: Findings) -> None:
    for element in (*value.get("elements", ()), value.get("accessory", {})):
        if "response_url_enabled" in element:
            findings.fail(at, "response_url_enabled works in input blocks only", "surface", "input")


def _input(value: Any, at: str, findings: Findings) -> None:
    _is_input(value, at, findings)
    _INPUT(value, at, findings)


def _container(value: Any, at: str, findings: Findings) -> None:
    _CONTAINER(value, at, findings)


def _collapsible(value: Any, at: str, findings: Findings) -> None:
    if value.get("default_collapsed") and not value.get("is_collapsible"):
        findings.fail(at, "default_collapsed needs is_collapsible", "required", "is_collapsible")


def _task(**own: Rule) -> Rule:
    return record(
        {
            "task_id": string(limits.BLOCK_ID),
            "title": string(limits.TEXT),
            "status": one_of("pending", "in_progress", "complete", "error"),
        },
        {"details": RICH_TEXT, "output": RICH_TEXT, "sources": listing(_SOURCE), **own},
    )


def _not_pending(value: Any, at: str, findings: Findings) -> None:
    if isinstance(value, dict) and value.get("status") == "pending":
        findings.fail(below(at, "status"), "must not be pending outside a plan", "enum", "in_progress")


def _task_card(value: Any, at: str, findings: Findings) -> None:
    _task(block_id=_block_id)(value, at, findings)
    _not_pending(value, at, findings)


_SOURCE = record({"url": url(), "text": string(limits.TEXT)})
_RAW = {
    "raw_text": record({"text": string(limits.TEXT)}),
    "raw_number": record({"value": anything}, {"text": string(limits.TEXT)}),
}
_CELL = tagged({**_RAW, "rich_text": RICH_TEXT})
_COLUMN = record({}, {"align": one_of("left", "center", "right"), "is_wrapped": flag})
_CARD = _block(
    {},
    {
        "hero_image": ELEMENTS["image"],
        "icon": ELEMENTS["image"],
        "slack_icon": record({"name": string(limits.BLOCK_ID)}),
        "title": plain_or_mrkdwn(limits.CARD_TITLE),
        "subtitle": plain_or_mrkdwn(limits.CARD_SUBTITLE),
        "body": plain_or_mrkdwn(limits.CARD_BODY),
        "subtext": plain_or_mrkdwn(limits.CARD_SUBTEXT),
        "actions": listing(tagged(elements("button")), limits.CARD_ACTIONS),
    },
    at_least_one("hero_image", "title", "actions", "body"),
    at_most_one("icon", "slack_icon"),
    unique("actions", "action_id"),
)
_INPUT = _block(
    {"label": plain(limits.INPUT_LABEL), "element": tagged(elements(*INPUTS))},
    {"hint": plain(limits.INPUT_HINT), "optional": flag, "dispatch_action": flag},
    _response_url_in_modals,
)

BLOCKS: dict[str, Rule] = {
    "section": _block(
        {},
        {
            "text": plain_or_mrkdwn(limits.SECTION_TEXT),
            "fields": listing(plain_or_mrkdwn(limits.SECTION_FIELD_TEXT), limits.SECTION_FIELDS),
            "accessory": tagged(elements(*CLICKABLE, "image")),
            "expand": flag,
        },
        at_least_one("text", "fields"),
        _no_response_url,
    ),
    "header": _block({"text": plain(limits.HEADER_TEXT)}),
    "divider": _block({}),
    "context": _block(
        {"elements": listing(tagged({**elements("image"), **_TEXTS}), limits.CONTEXT_ELEMENTS)},
    ),
    "actions": _block(
        {
            "elements": listing(
                tagged(elements(*CLICKABLE, "datetimepicker", "rich_text_input")), limits.ACTIONS_ELEMENTS
            )
        },
        None,
        unique("elements", "action_id"),
        _no_response_url,
    ),
    "input": _input,
    "image": _block(
        {"alt_text": string(limits.IMAGE_ALT_TEXT)},
        {
            "image_url": url(limits.IMAGE_IMAGE_URL, "http", "https"),
            "slack_file": SLACK_FILE,
            "title": plain(limits.IMAGE_TITLE),
        },
        exactly_one("image_url", "slack_file"),
    ),
    "rich_text": _block({"elements": PARTS}),
    "markdown": _block({"text": string(limits.MARKDOWN_TEXT)}),
    "video": _block(
        {
            "alt_text": string(limits.VIDEO_ALT_TEXT),
            "title": plain(limits.VIDEO_TITLE),
            "thumbnail_url": url(limits.URL, "http", "https"),
            "video_url": url(limits.URL, "https"),
        },
        {
            "title_url": url(limits.VIDEO_TITLE_URL, "https"),
            "description": plain(limits.VIDEO_DESCRIPTION),
            "author_name": string(limits.VIDEO_AUTHOR_NAME),
            "provider_name": string(limits.VIDEO_PROVIDER_NAME),
            "provider_icon_url": url(limits.VIDEO_PROVIDER_ICON_URL, "http", "https"),
        },
    ),
    "alert": _block(
        {"text": plain_or_mrkdwn(limits.ALERT_TEXT)},
        {"level": one_of("default", "info", "warning", "error", "success")},
    ),
    "card": _CARD,
    "carousel": _block({"elements": listing(tagged({"card": _CARD}), limits.CAROUSEL_ELEMENTS)}),
    "container": _container,
    "context_actions": _block(
        {"elements": listing(tagged(elements("feedback_buttons", "icon_button")), limits.CONTEXT_ACTIONS_ELEMENTS)},
        None,
        unique("elements", "action_id"),
    ),
    "table": _block(
        {"rows": listing(listing(_CELL, limits.TABLE_COLUMNS), limits.TABLE_ROWS)},
        {"column_settings": listing(_COLUMN, limits.TABLE_COLUMN_SETTINGS)},
    ),
    "data_table": _block(
        {
            "caption": string(limits.TEXT),
            "rows": listing(
                listing(_CELL, limits.DATA_TABLE_COLUMNS), limits.DATA_TABLE_ROWS, limits.DATA_TABLE_ROWS_MIN
            ),
        },
        {"page_size": integer(1, limits.DATA_TABLE_PAGE_SIZE), "row_header_column_index": integer(0)},
    ),
    "data_visualization": _block({"title": string(limits.DATA_VISUALIZATION_TITLE), "chart": anything}),
    "plan": _block(
        {"title": string(limits.TEXT), "tasks": listing(_task(), limits.PLAN_TASKS)}, None, unique("tasks", "task_id")
    ),
    "task_card": _task_card,
}

_CHILDREN = ("actions", "context", "divider", "header", "image", "input", "rich_text", "section", "table", "video")
_CONTAINER = _block(
    {"child_blocks": listing(tagged({name: BLOCKS[name] for name in _CHILDREN}), limits.CONTAINER_CHILD_BLOCKS)},
    {
        "title": plain(limits.CONTAINER_TITLE),
        "rich_text_title": RICH_TEXT,
        "subtitle": plain_or_mrkdwn(limits.CONTAINER_SUBTITLE),
        "width": one_of("narrow", "standard", "wide", "full"),
        "icon": ELEMENTS["image"],
        "is_collapsible": flag,
        "default_collapsed": flag,
        "has_header_divider": flag,
    },
    at_least_one("title", "rich_text_title"),
    _collapsible,
)

_EVERYWHERE = frozenset(
    {"actions", "card", "context", "divider", "header", "image", "input", "rich_text", "section", "video"}
)
ON_SURFACE: dict[Surface, frozenset[str]] = {
    # A `file` block is read only, and a container on a Home tab is doubtful: both are refused.
    "message": frozenset(BLOCKS) - {"alert"},
    "modal": _EVERYWHERE | {"alert"},
    "home": _EVERYWHERE | {"carousel", "data_table", "data_visualization", "table"},
}
