"""Serializes what a graph knows, and makes no object of what it reads back unless its type was named before."""

import threading
from collections.abc import Collection
from typing import Any

from langgraph.checkpoint.serde.event_hooks import SerdeEvent, register_serde_event_listener
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


class NotKeptError(TypeError):
    """The state of a graph holds a type that is not among those which may be read back."""


class StrictSerializer(JsonPlusSerializer):
    """Never pickles. What could not be read back as its type is refused when it is written, not found out after the pause."""

    def __init__(self, types: Collection[type] = ()) -> None:
        super().__init__(pickle_fallback=False, allowed_json_modules=None, allowed_msgpack_modules=tuple(types) or None)

    def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
        typed = super().dumps_typed(obj)
        refused: list[str] = []
        here = threading.get_ident()

        def listen(event: SerdeEvent) -> None:
            if threading.get_ident() == here:
                refused.append(f"{event['module']}.{event['name']}")

        forget = register_serde_event_listener(listen)
        try:
            self.loads_typed(typed)
        finally:
            forget()
        if refused:
            raise NotKeptError(
                f"the graph's state holds {refused[0]}: name it in graph_action(types=[...]), or keep JSON"
            )
        return typed
