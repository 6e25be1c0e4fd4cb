"""Finds the interactive elements of blocks, and what a person has entered into them, in the shape of `state.values`."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

State = dict[str, dict[str, dict[str, Any]]]
Offered = dict[tuple[str, str], list[Mapping[str, Any]]]
"""The options that the app has suggested for external selects, by block id and action id."""

TypedAs = Literal["on_enter_pressed", "on_character_entered"]

TEXT_INPUTS = frozenset({"plain_text_input", "email_text_input", "url_text_input", "number_input"})
STATELESS = frozenset({"button", "overflow", "workflow_button", "image"})

# Where a block of this type has its interactive elements, and where it has other blocks.
_ELEMENTS = {"actions": "elements", "card": "actions"}
BLOCKS_WITHIN = {"container": "child_blocks", "carousel": "elements"}

# Where the state of an element keeps its value, where the element keeps what it starts with, and what "nothing" is.
_VALUE_KEYS: Mapping[str, tuple[str, str, Any]] = {
    "plain_text_input": ("value", "initial_value", None),
    "email_text_input": ("value", "initial_value", None),
    "url_text_input": ("value", "initial_value", None),
    "number_input": ("value", "initial_value", None),
    "static_select": ("selected_option", "initial_option", None),
    "external_select": ("selected_option", "initial_option", None),
    "radio_buttons": ("selected_option", "initial_option", None),
    "overflow": ("selected_option", "", None),
    "multi_static_select": ("selected_options", "initial_options", []),
    "multi_external_select": ("selected_options", "initial_options", []),
    "checkboxes": ("selected_options", "initial_options", []),
    "users_select": ("selected_user", "initial_user", None),
    "channels_select": ("selected_channel", "initial_channel", None),
    "conversations_select": ("selected_conversation", "initial_conversation", None),
    "multi_users_select": ("selected_users", "initial_users", []),
    "multi_channels_select": ("selected_channels", "initial_channels", []),
    "multi_conversations_select": ("selected_conversations", "initial_conversations", []),
    "datepicker": ("selected_date", "initial_date", None),
    "timepicker": ("selected_time", "initial_time", None),
    "datetimepicker": ("selected_date_time", "initial_date_time", None),
    "rich_text_input": ("rich_text_value", "initial_value", None),
    "file_input": ("files", "", []),
}


@dataclass(frozen=True, slots=True)
class Placed:
    """An interactive element and the block in which it stands."""

    block: Mapping[str, Any]
    element: Mapping[str, Any]

    @property
    def block_id(self) -> str:
        return str(self.block["block_id"])

    @property
    def action_id(self) -> str:
        return str(self.element["action_id"])

    @property
    def type(self) -> str:
        return str(self.element["type"])

    @property
    def label(self) -> str:
        """What a person reads on it or beside it."""
        element, block = self.element, self.block
        for text in (element.get("text"), block.get("label"), element.get("placeholder"), block.get("text")):
            if isinstance(text, Mapping):
                return str(text.get("text", ""))
        return self.action_id


def elements_of(blocks: Iterable[Mapping[str, Any]]) -> Iterator[Placed]:
    """Every interactive element, in reading order; those of a card or of a block in a container belong to that block."""
    for block in blocks:
        for element in (
            block.get("accessory"),
            block.get("element"),
            *(block.get(_ELEMENTS.get(block["type"], "")) or ()),
        ):
            if isinstance(element, Mapping) and "action_id" in element:
                yield Placed(block, element)
        yield from elements_of(blocks_within(block))


def blocks_within(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The blocks of a container, or the cards of a carousel."""
    return list(block.get(BLOCKS_WITHIN.get(block["type"], "")) or ())


def find(blocks: Iterable[Mapping[str, Any]], block_id: str, action_id: str) -> Placed | None:
    return next((p for p in elements_of(blocks) if p.block_id == block_id and p.action_id == action_id), None)


def value_key(element_type: str) -> str:
    """The key under which a state of this type of element keeps its value."""
    return _VALUE_KEYS[element_type][0]


def dispatches(placed: Placed) -> bool:
    """Whether a change is sent at once: always, but for inputs only where `dispatch_action` says so.

    https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
    """
    return placed.block["type"] != "input" or bool(placed.block.get("dispatch_action"))


def tells(placed: Placed, typed: TypedAs) -> bool:
    """Whether the app is told at once of a choice, or of what was typed.

    A text input waits for Enter unless its `dispatch_action_config` says otherwise.
    """
    if placed.type not in TEXT_INPUTS:
        return dispatches(placed)
    config = placed.element.get("dispatch_action_config") or {}
    return dispatches(placed) and typed in (config.get("trigger_actions_on") or ("on_enter_pressed",))


def empty_or_initial(element: Mapping[str, Any], place: str | None = None) -> dict[str, Any]:
    """The state of an element that nobody has touched; `place` is the conversation that the person is in."""
    kind = str(element["type"])
    key, initial, nothing = _VALUE_KEYS[kind]
    if place is not None and element.get("default_to_current_conversation") and initial not in element:
        return {"type": kind, key: [place] if nothing == [] else place}
    return {"type": kind, key: element.get(initial, nothing) if initial else nothing}


def is_filled(state: Mapping[str, Any]) -> bool:
    value = state.get(value_key(str(state["type"])))
    return value not in (None, "", [])


def state_of(
    blocks: Iterable[Mapping[str, Any]],
    entered: Mapping[str, Mapping[str, Any]],
    offered: Offered | None = None,
    place: str | None = None,
) -> State:
    """`state.values` of all stateful elements: what was entered where it fits the element, else what it starts with.

    https://docs.slack.dev/reference/interaction-payloads/view-interactions-payload
    """
    values: State = {}
    for placed in elements_of(blocks):
        if placed.type in STATELESS:
            continue
        given = entered.get(placed.block_id, {}).get(placed.action_id)
        fits = isinstance(given, Mapping) and given.get("type", placed.type) == placed.type
        known = known_options(placed, offered or {})
        state = _clean(placed, given, known) if fits and given is not None else empty_or_initial(placed.element, place)
        values.setdefault(placed.block_id, {})[placed.action_id] = state
    return values


def with_choice(values: State, placed: Placed, choice: Mapping[str, Any]) -> State:
    """The state after a choice in an element; buttons and overflow menus leave no trace in it."""
    if placed.type in STATELESS:
        return values
    chosen = {"type": placed.type, **choice}
    return {**values, placed.block_id: {**values.get(placed.block_id, {}), placed.action_id: chosen}}


def options_of(element: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    groups = element.get("option_groups", ())
    return [*element.get("options", ()), *(option for group in groups for option in group.get("options", ()))]


def known_options(placed: Placed, offered: Offered) -> list[Mapping[str, Any]]:
    """What can be chosen in an element: its own options, those it starts with, and what the app suggested for it."""
    element = placed.element
    initial = [*element.get("initial_options", ()), element.get("initial_option")]
    suggested = offered.get((placed.block_id, placed.action_id), ())
    return [*options_of(element), *(option for option in initial if option is not None), *suggested]


def option_with_value(options: Iterable[Mapping[str, Any]], value: Any) -> Mapping[str, Any] | None:
    return next((option for option in options if option.get("value") == value), None)


def once(options: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each option once, in the order in which they were chosen; in which order Slack has them is not documented."""
    return list({str(option.get("value")): option for option in options}.values())


def _clean(placed: Placed, given: Mapping[str, Any], known: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    key, _, nothing = _VALUE_KEYS[placed.type]
    value = given.get(key, nothing)
    if key == "value" and value == "":
        value = None
    if key == "selected_option" and isinstance(value, Mapping):
        value = option_with_value(known, value.get("value"))
    if key == "selected_options" and isinstance(value, list):
        found = (option_with_value(known, option.get("value")) for option in value)
        value = once(option for option in found if option is not None)
    zone = {"timezone": placed.element["timezone"]} if "timezone" in placed.element else {}
    return {"type": placed.type, key: value, **zone}
